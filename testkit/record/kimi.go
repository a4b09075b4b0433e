package record

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"

	"github.com/memscribe/memscribe/testkit/script"
)

// kimi is Kimi Code, in the mode that takes one prompt.
type kimi struct{}

func (kimi) source() source { return source{npm, "@moonshot-ai/kimi-code"} }

func (kimi) program(dir string) ([]string, error) {
	p, err := linked(dir, "kimi")
	return []string{p}, err
}

func (kimi) env(*session) []string {
	return []string{"KIMI_CODE_NO_AUTO_UPDATE=1", "DO_NOT_TRACK=1"}
}

func (kimi) kept() []string { return []string{".kimi-code/sessions"} }

func (kimi) files(s *session) (map[string]string, error) {
	config := "default_model = \"scripted\"\ntelemetry = false\n" +
		"[providers.scripted]\ntype = \"openai\"\nbase_url = \"" + s.model + "/v1\"\napi_key = \"" + dummyKey + "\"\n" +
		"[models.scripted]\nprovider = \"scripted\"\nmodel = \"scripted\"\nmax_context_size = 128000\ncapabilities = [\"image_in\"]\n"
	servers, err := jsonText(map[string]any{"mcpServers": s.servers()})
	return map[string]string{".kimi-code/config.toml": config, ".kimi-code/mcp.json": servers}, err
}

func (kimi) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"--output-format", "stream-json", "-p", turn.Prompt}
	switch run.Mode {
	case script.New:
		return a, nil
	case script.Continue:
		return append(a, "--continue"), nil
	default:
		return append(a, "--session", s.id), nil
	}
}

// direct makes the copy in which a fork works on.
//
//nolint:unparam // what is done besides, others do
func (kimi) direct(ctx context.Context, s *session, run *script.Run) (done bool, err error) {
	if run.Mode != script.Fork {
		return false, nil
	}
	cmd := exec.CommandContext(ctx, s.program[0], append(s.program[1:], "fork", s.id)...)
	cmd.Dir, cmd.Env = s.work, s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return false, fmt.Errorf("fork session: %w: %.1000s", err, out)
	}
	s.keep("fork.stdout", out)
	made := regexp.MustCompile(`session_[0-9a-f-]+`).FindString(string(out))
	if made == "" || made == s.id {
		return false, fmt.Errorf("fork session: no other one in %.1000s", out)
	}
	s.id = made
	run.Mode = script.Resume
	return false, nil
}

// sessionID is the name of the folder that holds the folders of the agents.
func (kimi) sessionID(name string) string {
	return regexp.MustCompile(`session_[0-9a-f-]+`).FindString(name)
}
