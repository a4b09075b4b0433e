package record

import (
	"errors"
	"regexp"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// kimiCLI is the Kimi CLI, which Kimi Code has replaced. Its last versions only say so.
type kimiCLI struct{}

// isKimiCLI reports whether a version is one of the Kimi CLI: Kimi Code has none that begins so.
func isKimiCLI(version string) bool { return strings.HasPrefix(version, "1.") }

func (kimiCLI) source() source { return source{pypi, "kimi-cli"} }

// pipArgs name a package that is published as source alone, and one that older versions
// of pip do not find by themselves.
func (kimiCLI) pipArgs() []string { return []string{"--no-binary", "ripgrepy", "lxml_html_clean"} }

func (kimiCLI) program(dir string) ([]string, error) {
	return []string{pythonIn(dir), "-m", "kimi_cli"}, nil
}

func (kimiCLI) env(*session) []string {
	return []string{"KIMI_CLI_NO_AUTO_UPDATE=1", "DO_NOT_TRACK=1", "PYTHONDONTWRITEBYTECODE=1"}
}

func (kimiCLI) kept() []string { return []string{".kimi/sessions"} }

func (kimiCLI) files(s *session) (map[string]string, error) {
	config := "default_model = \"scripted\"\ntelemetry = false\n" +
		"[providers.scripted]\ntype = \"openai_legacy\"\nbase_url = \"" + s.model + "/v1\"\napi_key = \"" + dummyKey + "\"\n" +
		"[models.scripted]\nprovider = \"scripted\"\nmodel = \"scripted\"\nmax_context_size = 128000\ncapabilities = [\"image_in\"]\n"
	servers, err := jsonText(map[string]any{"mcpServers": s.servers()})
	return map[string]string{".kimi/config.toml": config, ".kimi/mcp.json": servers}, err
}

func (kimiCLI) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"--print", "--output-format", "stream-json", "-p", turn.Prompt}
	switch run.Mode {
	case script.New:
		return a, nil
	case script.Continue:
		return append(a, "--continue"), nil
	case script.Fork:
		return nil, errors.New("fork session: only a person can, at a terminal")
	default:
		return append(a, "--session", s.id), nil
	}
}

// sessionID is the name of the folder that holds the log.
func (kimiCLI) sessionID(name string) string {
	return regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`).FindString(name)
}
