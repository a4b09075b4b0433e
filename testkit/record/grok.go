package record

import (
	"regexp"

	"github.com/memscribe/memscribe/testkit/script"
)

// grok is Grok Build, in the mode that takes one prompt.
type grok struct{}

func (grok) source() source { return source{npm, "@xai-official/grok"} }

func (grok) program(dir string) ([]string, error) {
	p, err := linked(dir, "grok")
	return []string{p}, err
}

func (grok) env(s *session) []string { return []string{"GROK_HOME=" + s.home + "/.grok"} }

func (grok) kept() []string { return []string{".grok/sessions"} }

func (grok) files(s *session) (map[string]string, error) {
	return map[string]string{".grok/config.toml": "[cli]\nauto_update = false\n[models]\ndefault = \"scripted\"\n" +
		"[model.scripted]\nmodel = \"scripted\"\nname = \"Scripted\"\nbase_url = \"" + s.model + "/v1\"\napi_key = \"" + dummyKey + "\"\ncontext_window = 128000\n"}, nil
}

func (grok) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"-p", turn.Prompt, "-m", scripted, "--always-approve"}
	switch run.Mode {
	case script.New:
	case script.Continue:
		a = append(a, "--continue")
	case script.Fork:
		a = append(a, "--resume", s.id, "--fork-session")
	default:
		a = append(a, "--resume", s.id)
	}
	return a, nil
}

// sessionID is the name of the folder that holds the files of a session.
func (grok) sessionID(name string) string {
	return regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`).FindString(name)
}
