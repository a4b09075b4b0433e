package record

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// pi is the coding agent of that name, whose package has moved.
type pi struct{}

func (pi) source() source { return source{npm, "@earendil-works/pi-coding-agent"} }

// npmOf is the package of a version.
func (pi) npmOf(version string) string {
	if atLeast(version, "0.74.0") {
		return "@earendil-works/pi-coding-agent"
	}
	return "@mariozechner/pi-coding-agent"
}

func (pi) program(dir string) ([]string, error) {
	p, err := linked(dir, "pi")
	return []string{p}, err
}

func (pi) env(*session) []string {
	return []string{"PI_OFFLINE=1", "PI_TELEMETRY=0", "PI_SKIP_VERSION_CHECK=1"}
}

func (pi) kept() []string { return []string{".pi/agent/sessions"} }

func (pi) files(s *session) (map[string]string, error) {
	window := 128000
	if s.scenario.Name == "auto_compaction" {
		window = 150000
	}
	models, err := jsonText(map[string]any{"providers": map[string]any{scripted: map[string]any{
		"baseUrl": s.model + "/v1", "api": "openai-completions", "apiKey": dummyKey,
		"compat": map[string]any{"supportsDeveloperRole": false, "supportsReasoningEffort": false},
		"models": []any{map[string]any{
			"id": scripted, "name": "Scripted", "reasoning": true, "input": []string{"text", "image"}, "contextWindow": window, "maxTokens": 8000,
			"cost": map[string]any{"input": 1, "output": 2, "cacheRead": 0.1, "cacheWrite": 0.2},
		}},
	}}})
	return map[string]string{".pi/agent/models.json": models, ".pi/agent/settings.json": `{"compaction":{"keepRecentTokens":10}}`}, err
}

func (pi) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"--provider", scripted, "--model", scripted}
	switch run.Mode {
	case script.New:
	case script.Fork:
		if !atLeast(s.job.Version, "0.60.0") {
			return nil, fmt.Errorf("fork session: %s has no flag for it", s.job.Version)
		}
		a = append(a, "--fork", s.id)
	case script.Continue:
		a = append(a, "--continue")
	default:
		found, err := s.transcriptOf(s.id)
		if err != nil {
			return nil, err
		}
		a = append(a, "--session", found)
	}
	if turn.Image != nil {
		a = append(a, "@"+filepath.Join(s.home, pictureName))
	}
	return append(a, "-p", turn.Prompt), nil
}

// copilot is the Copilot CLI.
type copilot struct{}

func (copilot) source() source { return source{npm, "@github/copilot"} }

func (copilot) program(dir string) ([]string, error) {
	if p := native(dir, "copilot", "@github/copilot-linux-*/copilot"); p != "" {
		return []string{p}, nil
	}
	p, err := linked(dir, "copilot")
	return []string{p}, err
}

func (copilot) env(s *session) []string {
	return []string{
		"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_PROVIDER_BASE_URL=" + s.model + "/v1", "COPILOT_PROVIDER_TYPE=openai",
		"COPILOT_PROVIDER_API_KEY=" + dummyKey, "COPILOT_MODEL=" + scripted, "COPILOT_HOME=" + s.home + "/.copilot",
	}
}

func (copilot) kept() []string {
	return []string{".copilot/session-state", ".copilot/session-store.db", ".copilot/session-store.db-wal"}
}

func (copilot) files(s *session) (map[string]string, error) {
	all := map[string]any{}
	for name, srv := range s.servers() {
		all[name] = map[string]any{"type": "local", "command": srv.Command, "args": srv.Args, "env": srv.Env, "tools": []string{"*"}}
	}
	config, err := jsonText(map[string]any{"mcpServers": all})
	return map[string]string{".copilot/mcp-config.json": config}, err
}

func (copilot) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"-p", turn.Prompt, "--allow-all", "--no-auto-update", "--no-color", "--no-ask-user"}
	if s.scenario.Permission != script.Anything {
		a = []string{"-p", turn.Prompt, "--no-auto-update", "--no-color", "--no-ask-user"}
	}
	switch run.Mode {
	case script.New:
	case script.Continue:
		a = append(a, "--continue")
	default:
		a = append(a, "--resume", s.id)
	}
	return a, nil
}

// cline is the command line of Cline, since 3.0; before, it wrote its calls into
// the text.
type cline struct{}

func (cline) source() source { return source{npm, "cline"} }

func (cline) program(dir string) ([]string, error) {
	p, err := linked(dir, "cline")
	return []string{p}, err
}

func (cline) env(*session) []string {
	return []string{"CLINE_TELEMETRY_DISABLED=1", "CLINE_NO_AUTO_UPDATE=1", "DO_NOT_TRACK=1", "CI=1"}
}

func (cline) kept() []string { return []string{".cline/data/sessions", ".cline/data/tasks"} }

func (cline) files(*session) (map[string]string, error) { return map[string]string{}, nil }

// introduction tells the tool of the model, which only a command of its own can.
func (cline) introduction(s *session) []string {
	return []string{"auth", "-p", "openai-compatible", "-k", dummyKey, "-m", scripted, "-b", s.model + "/v1"}
}

func (cline) args(_ *session, run script.Run, turn *script.Turn) ([]string, error) {
	if run.Mode != script.New {
		return nil, errors.New("continue session: it can only be gone on with at a terminal")
	}
	return []string{"-P", "openai-compatible", "-m", scripted, "--json", "--auto-approve", "true", turn.Prompt}, nil
}

// sessionID is a moment and a word.
func (cline) sessionID(name string) string {
	return regexp.MustCompile(`^\d+_[a-z0-9]+`).FindString(name)
}

// continuing is Continue's command line.
type continuing struct{}

func (continuing) source() source { return source{npm, "@continuedev/cli"} }

func (continuing) program(dir string) ([]string, error) {
	p, err := linked(dir, "cn")
	return []string{p}, err
}

func (continuing) env(s *session) []string {
	return []string{
		"CONTINUE_GLOBAL_DIR=" + s.home + "/.continue", "CONTINUE_TELEMETRY_ENABLED=0", "CONTINUE_METRICS_ENABLED=0",
		"CONTINUE_CLI_AUTO_UPDATED=true", "DO_NOT_TRACK=1",
	}
}

func (continuing) kept() []string { return []string{".continue/sessions"} }

func (continuing) files(s *session) (map[string]string, error) {
	config := "name: script\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: scripted\n    provider: openai\n    model: scripted\n" +
		"    apiBase: " + s.model + "/v1\n    apiKey: " + dummyKey + "\n    roles: [chat, edit, apply, summarize]\n    capabilities: [tool_use]\n" +
		"    defaultCompletionOptions:\n      contextLength: 128000\n      maxTokens: 8000\n      stream: true\n"
	list := []any{}
	for name, srv := range s.servers() {
		list = append(list, map[string]any{"name": name, "command": srv.Command, "args": srv.Args, "env": srv.Env})
	}
	servers, err := jsonText(list) // which is YAML
	config += "mcpServers: " + strings.ReplaceAll(servers, "\n", " ") + "\n"
	return map[string]string{".continue/config.yaml": config}, err
}

func (continuing) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"-p", "--auto", "--config", s.home + "/.continue/config.yaml"}
	if s.scenario.Name == "subagent_thread" || s.scenario.Name == "subagents_parallel" {
		a = append(a, "--beta-subagent-tool")
	}
	switch run.Mode {
	case script.New:
	case script.Fork:
		a = append(a, "--fork", s.id)
	default:
		a = append(a, "--resume")
	}
	return append(a, turn.Prompt), nil
}
