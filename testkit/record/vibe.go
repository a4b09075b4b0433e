package record

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"

	"github.com/memscribe/memscribe/testkit/script"
)

// vibe is Mistral Vibe, in the mode that takes one prompt.
type vibe struct{}

func (vibe) source() source { return source{pypi, "mistral-vibe"} }

func (vibe) program(dir string) ([]string, error) {
	if own, err := filepath.Glob(filepath.Join(dir, "lib", "python3*", "site-packages", "vibe", "_bin", "vibe-rs")); err == nil && len(own) > 0 {
		return own, os.Chmod(own[0], 0o755) // since 3.0; a wheel does not make it a program
	}
	return []string{pythonIn(dir), "-m", "vibe.cli.entrypoint"}, nil
}

func (vibe) env(s *session) []string {
	return []string{
		"VIBE_HOME=" + filepath.Join(s.home, ".vibe"), "SCRIPTED_KEY=" + dummyKey, "PYTHONDONTWRITEBYTECODE=1",
		"VIBE_APP_SERVER_CMD=" + pythonIn(s.job.Client) + " -m vibe.app_server.entrypoint", // since 3.0
	}
}

func (vibe) kept() []string { return []string{".vibe/logs/session"} }

func (vibe) files(s *session) (map[string]string, error) {
	return map[string]string{".vibe/config.toml": "active_model = \"scripted\"\nenable_telemetry = false\nenable_update_checks = false\n" +
		"[[providers]]\nname = \"scripted\"\napi_base = \"" + s.model + "/v1\"\napi_key_env_var = \"SCRIPTED_KEY\"\nbackend = \"generic\"\n" +
		"[[models]]\nname = \"scripted\"\nprovider = \"scripted\"\nalias = \"scripted\"\n"}, nil
}

func (vibe) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"-p", turn.Prompt, "--auto-approve", "--trust"}
	switch run.Mode {
	case script.New:
		return a, nil
	case script.Continue:
		return append(a, "--continue"), nil
	case script.Fork:
		return nil, errors.New("fork session: it cannot")
	default:
		return append(a, "--resume", s.id), nil
	}
}

// sessionID is the name of the folder that holds the files of a session, or the end of it.
func (vibe) sessionID(name string) string {
	found := regexp.MustCompile(`(?:session_\d+_\d+_([0-9a-f]{8})|/unified/([0-9a-f-]{36})/)`).FindStringSubmatch(name)
	if found == nil {
		return ""
	}
	return found[1] + found[2]
}
