package record

import (
	"errors"
	"regexp"

	"github.com/memscribe/memscribe/testkit/script"
)

// openhands is the command line of OpenHands, without its screen.
type openhands struct{}

func (openhands) source() source { return source{pypi, "openhands"} }

func (openhands) program(dir string) ([]string, error) {
	return []string{pythonIn(dir), "-m", "openhands_cli.entrypoint"}, nil
}

func (openhands) env(s *session) []string {
	return []string{
		"LLM_API_KEY=" + dummyKey, "LLM_MODEL=openai/" + scripted, "LLM_BASE_URL=" + s.model + "/v1",
		"LITELLM_LOCAL_MODEL_COST_MAP=True", "OPENHANDS_SUPPRESS_BANNER=1", "DO_NOT_TRACK=1", "PYTHONDONTWRITEBYTECODE=1",
	}
}

func (openhands) kept() []string { return []string{".openhands/conversations"} }

func (openhands) files(*session) (map[string]string, error) { return map[string]string{}, nil }

func (openhands) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"--headless", "--override-with-envs", "--exit-without-confirmation", "-t", turn.Prompt}
	switch run.Mode {
	case script.New:
		return a, nil
	case script.Continue:
		return append(a, "--resume", "--last"), nil
	case script.Fork:
		return nil, errors.New("fork session: it cannot")
	default:
		return append(a, "--resume", s.id), nil
	}
}

// sessionID is the name of the folder that holds the files of a conversation.
func (openhands) sessionID(name string) string {
	return regexp.MustCompile(`[0-9a-f]{32}`).FindString(name)
}
