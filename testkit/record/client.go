package record

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/script"
)

// client is what is known of running a tool.
type client interface {
	// source is where it is had.
	source() source
	// program is how it is started, from the folder that [Install] made.
	program(dir string) ([]string, error)
	// env is what it needs to speak to the scripted model, and to no one else.
	env(s *session) []string
	// files are what it finds in its home.
	files(s *session) (map[string]string, error)
	// args are its arguments for one process.
	args(s *session, run script.Run, turn *script.Turn) ([]string, error)
	// kept are the folders and files of its home that are kept.
	kept() []string
}

// What some clients can do besides.
type (
	// remoted is one that serves: it can be driven through [script.Server].
	remoted interface {
		remote(ctx context.Context, s *session, run script.Run) error
	}
	// directed is one with processes that are driven otherwise than by
	// arguments. It may change the run; done says that there is nothing left of it.
	directed interface {
		direct(ctx context.Context, s *session, run *script.Run) (done bool, err error)
	}
	// accompanied is one that needs further packages.
	accompanied interface {
		companions(version string) map[string]string
	}
	// moved is one whose package has had several names.
	moved interface {
		npmOf(version string) string
	}
	// published is one whose package counts its versions otherwise.
	published interface {
		published(version string) string
	}
	// helped is one that pip must be told more of than its name.
	helped interface {
		pipArgs() []string
	}
	// completed is one that is not whole when its package is there.
	completed interface {
		complete(ctx context.Context, dir string) error
	}
	// introduced is one that must be told of the model by a command of its own.
	introduced interface {
		introduction(s *session) []string
	}
	// named is one whose session's id is read from a file's name in its own way.
	named interface {
		sessionID(name string) string
	}
)

// Tools lists the tools that can be recorded.
func Tools() []core.Tool {
	return []core.Tool{core.ClaudeCode, core.Codex, core.Gemini, core.Qwen, core.OpenCode, core.Kilo, core.Pi, core.Copilot, core.Cline, core.Continue, core.Hermes, core.VSCode, core.Kimi, core.Grok, core.OpenHands, core.Vibe}
}

// clientOf finds what plays a version of a tool.
func clientOf(tool core.Tool, version string) (client, error) {
	switch tool {
	case core.ClaudeCode:
		return claude{}, nil
	case core.Codex:
		return codex{}, nil
	case core.Gemini:
		return gemini{}, nil
	case core.Qwen:
		return qwen{}, nil
	case core.OpenCode:
		return opencode{name: "opencode", pkg: "opencode-ai"}, nil
	case core.Kilo:
		return opencode{name: "kilo", pkg: "@kilocode/cli"}, nil
	case core.Hermes:
		return hermes{}, nil
	case core.Pi:
		return pi{}, nil
	case core.Copilot:
		return copilot{}, nil
	case core.Cline:
		return cline{}, nil
	case core.Continue:
		return continuing{}, nil
	case core.VSCode:
		return vscode{}, nil
	case core.Kimi:
		if isKimiCLI(version) {
			return kimiCLI{}, nil
		}
		return kimi{}, nil
	case core.Grok:
		return grok{}, nil
	case core.OpenHands:
		return openhands{}, nil
	case core.Vibe:
		return vibe{}, nil
	default:
		return nil, fmt.Errorf("find client: none is known of %q", tool)
	}
}

// Plays reports whether a tool can be driven through a scenario.
func Plays(tool core.Tool, s *script.Scenario) bool {
	if len(s.Only) > 0 && !slices.Contains(s.Only, string(tool)) {
		return false
	}
	c, err := clientOf(tool, future)
	if err != nil {
		return false
	}
	_, serves := c.(remoted)
	for _, r := range s.Runs {
		if r.Mode == script.Server && !serves || r.Mode == script.AsTool && tool != core.Codex ||
			r.Mode == script.ResumeAt && tool != core.ClaudeCode && tool != core.VSCode {
			return false
		}
	}
	switch tool {
	case core.ClaudeCode:
		return true
	case core.VSCode:
		return s.Permission != script.Planning && !keeps(s) && len(s.Servers) == 0 && (!s.AtTerminal() || len(s.Only) > 0)
	case core.Codex:
		return s.Permission != script.Planning && s.Name != "compaction"
	case core.OpenCode, core.Kilo:
		return s.Permission == script.Anything
	case core.Cline:
		return s.Permission == script.Anything && len(s.Runs) == 1 && len(s.Runs[0].Turns) == 1 && !keeps(s)
	case core.Pi:
		return s.Permission == script.Anything && s.Name != "compaction" && !keeps(s) && len(s.Servers) == 0
	case core.Copilot:
		return s.Permission != script.Planning && s.Name != "fork" && !keeps(s)
	case core.Continue: // whose sessions have no times: of several no one can say which came first
		return s.Permission == script.Anything && s.Name != "compaction" && s.Name != "memory_servers" && !keeps(s)
	case core.Grok: // servers' tools it reaches through one of its own
		return s.Permission == script.Anything && s.Name != "compaction" && s.Name != "auto_compaction" && len(s.Servers) == 0 && !keeps(s)
	case core.OpenHands, core.Vibe: // without a person they compact nothing when they are asked to, and ask no one
		return s.Permission == script.Anything && s.Name != "compaction" && s.Name != "auto_compaction" && s.Name != "fork" && len(s.Servers) == 0 && !keeps(s)
	case core.Kimi: // without a person it compacts nothing, and asks no one
		return s.Permission == script.Anything && s.Name != "compaction" && !keeps(s)
	case core.Hermes: // it asks for commands only, compacts what was said to one process, and does not wait for servers that start slowly
		return s.Permission == script.Anything && s.Name != "compaction" && s.Name != "memory_servers"
	default:
		return s.Permission != script.Planning && s.Name != "fork"
	}
}

// keeps reports whether a scenario is about the folder in which a tool keeps its
// memories of a project, and files that it is given.
func keeps(s *script.Scenario) bool { return s.Name == "memory_files" }

// dummyKey is no key: the scripted model takes any.
const dummyKey = "sk-test-000"

// atLeast compares versions of numbers and dots.
func atLeast(version, wanted string) bool {
	have, want := strings.Split(version, "."), strings.Split(wanted, ".")
	for i := range want {
		if i >= len(have) {
			return false
		}
		a, err := strconv.Atoi(have[i])
		b, again := strconv.Atoi(want[i])
		if err != nil || again != nil || a != b {
			return a > b
		}
	}
	return true
}

func jsonText(v any) (string, error) {
	data, err := json.MarshalIndent(v, "", " ")
	return string(data), err
}

type claude struct{}

func (claude) source() source { return source{npm, "@anthropic-ai/claude-code"} }

func (claude) program(dir string) ([]string, error) {
	if p := native(dir, "claude", "@anthropic-ai/claude-code-*/claude"); p != "" {
		return []string{p}, nil
	}
	p, err := linked(dir, "claude")
	return []string{p}, err
}

func (claude) env(s *session) []string {
	env := []string{
		"ANTHROPIC_BASE_URL=" + s.model, "ANTHROPIC_API_KEY=" + dummyKey, "IS_SANDBOX=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_BUG_COMMAND=1",
		"API_TIMEOUT_MS=30000", "CLAUDE_CODE_MAX_RETRIES=3",
	}
	if s.scenario.Name == "auto_compaction" { // the models of 2.1.200 and of later versions have room for more than the script reports
		env = append(env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW=150000")
	}
	if s.job.Pushed {
		env = append(env, s.pushing()...)
	}
	return env
}

// files are what it would ask a person about at its first start, answered, and the
// servers of the scenario.
func (claude) files(s *session) (map[string]string, error) {
	all := map[string]string{}
	if len(s.scenario.Servers) > 0 {
		config, err := jsonText(map[string]any{"mcpServers": s.servers()})
		if err != nil {
			return nil, err
		}
		all[serversFile] = config
	}
	if !s.scenario.AtTerminal() {
		return all, nil
	}
	project := map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true, "projectOnboardingSeenCount": 5, "allowedTools": []any{}}
	state, err := jsonText(map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "numStartups": 5, "bypassPermissionsModeAccepted": true, "hasSeenTasksHint": true,
		"customApiKeyResponses": map[string]any{"approved": []any{dummyKey}, "rejected": []any{}},
		"projects":              map[string]any{s.work: project},
	})
	all[".claude.json"], all[".claude/settings.json"] = state, `{"skipDangerousModePermissionPrompt":true}`
	return all, err
}

func (claude) kept() []string { return []string{".claude/projects"} }

func (c claude) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := []string{"-p", "--output-format", "stream-json", "--verbose"}
	if run.Mode == script.Terminal {
		a = nil
	}
	switch {
	case s.scenario.Permission != script.Anything:
		a = append(a, "--permission-mode", string(s.scenario.Permission))
	case atLeast(s.job.Version, "1.0.51"):
		a = append(a, "--dangerously-skip-permissions")
	default: // to root, in a sandbox or not, 1.0.35 does not listen
		a = append(a, "--allowedTools=Bash,Edit,Glob,Grep,LS,MultiEdit,NotebookEdit,NotebookRead,Read,Task,TodoRead,TodoWrite,Write")
	}
	if len(s.scenario.Servers) > 0 {
		a = append(a, "--strict-mcp-config", "--mcp-config="+filepath.Join(s.home, serversFile))
	}
	switch run.Mode {
	case script.New, script.Server, script.AsTool, script.Command:
	case script.Terminal:
		return append(a, run.Args...), nil
	case script.Stream:
		return append(a, "--input-format", "stream-json"), nil
	case script.Continue:
		a = append(a, "--continue")
	case script.Resume:
		a = append(a, "--resume", s.id)
	case script.Fork:
		a = append(a, "--resume", s.id, "--fork-session")
	case script.ResumeAt:
		at, err := c.afterFirst(s)
		if err != nil {
			return nil, err
		}
		a = append(a, "--resume", s.id, "--resume-session-at", at)
	}
	return append(a, turn.Prompt), nil
}

// afterFirst is the id of the message with which the first turn ended.
func (claude) afterFirst(s *session) (string, error) {
	steps := s.scenario.Turns[0].Steps
	last := steps[len(steps)-1]
	words := last[len(last)-1].Text
	found := ""
	err := s.transcripts(func(line []byte) {
		var r struct {
			Type, UUID string
			Message    struct {
				ID      string
				Content json.RawMessage
			}
		}
		if json.Unmarshal(line, &r) != nil || r.Type != "assistant" {
			return
		}
		var parts []struct{ Text string }
		_ = json.Unmarshal(r.Message.Content, &parts)
		for _, p := range parts {
			if p.Text == words && atLeast(s.job.Version, "2.0.0") {
				found = r.UUID
			} else if p.Text == words {
				found = r.Message.ID
			}
		}
	})
	if err == nil && found == "" {
		err = fmt.Errorf("find message to resume at: %q is not there", words)
	}
	return found, err
}

type gemini struct{}

func (gemini) source() source { return source{npm, "@google/gemini-cli"} }

func (gemini) program(dir string) ([]string, error) {
	p, err := linked(dir, "gemini")
	return []string{p}, err
}

func (gemini) env(s *session) []string {
	return []string{
		"GEMINI_API_KEY=" + dummyKey, "GOOGLE_GEMINI_BASE_URL=" + s.model, "GEMINI_CLI_TRUST_WORKSPACE=true",
		"GEMINI_TELEMETRY_ENABLED=false", "GEMINI_MODEL=gemini-2.5-pro",
	}
}

func (gemini) kept() []string { return []string{".gemini"} }

func (gemini) files(s *session) (map[string]string, error) {
	settings, err := jsonText(map[string]any{
		"security":   map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"general":    map[string]any{"disableAutoUpdate": true, "enableAutoUpdate": false, "disableUpdateNag": true, "sessionRetention": map[string]any{"enabled": false}},
		"privacy":    map[string]any{"usageStatisticsEnabled": false},
		"telemetry":  map[string]any{"enabled": false},
		"mcpServers": s.servers(),
	})
	if err != nil {
		return nil, err
	}
	trusted, err := jsonText(map[string]string{s.work: "TRUST_FOLDER"})
	return map[string]string{".gemini/settings.json": settings, ".gemini/trustedFolders.json": trusted}, err
}

func (gemini) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	var a []string
	if s.scenario.Permission == script.Anything {
		a = append(a, "--yolo")
	}
	if run.Mode == script.Terminal {
		return append(a, run.Args...), nil
	}
	if atLeast(s.job.Version, "0.12.0") {
		a = append(a, "--output-format", "stream-json")
		if run.Mode != script.New {
			a = append(a, "--resume", "latest")
		}
	}
	return append(a, "-p", turn.Prompt), nil
}

type qwen struct{}

func (qwen) source() source { return source{npm, "@qwen-code/qwen-code"} }

func (qwen) program(dir string) ([]string, error) {
	p, err := linked(dir, "qwen")
	return []string{p}, err
}

func (qwen) env(s *session) []string {
	return []string{"OPENAI_API_KEY=" + dummyKey, "OPENAI_BASE_URL=" + s.model + "/v1", "OPENAI_MODEL=qwen3-coder-plus", "QWEN_TELEMETRY_ENABLED=false"}
}

func (qwen) kept() []string { return []string{".qwen"} }

func (qwen) files(s *session) (map[string]string, error) {
	settings, err := jsonText(map[string]any{
		"security":   map[string]any{"auth": map[string]any{"selectedType": "openai"}},
		"general":    map[string]any{"disableAutoUpdate": true, "enableAutoUpdate": false, "disableUpdateNag": true},
		"ui":         map[string]any{"enableFollowupSuggestions": false}, // they take the keys that are meant for the prompt
		"privacy":    map[string]any{"usageStatisticsEnabled": false},
		"telemetry":  map[string]any{"enabled": false},
		"mcpServers": s.servers(),
	})
	return map[string]string{".qwen/settings.json": settings}, err
}

func (qwen) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	var a []string
	if s.scenario.Permission == script.Anything {
		a = append(a, "--yolo")
	}
	a = append(a, "--auth-type", "openai")
	if run.Mode == script.Terminal {
		return append(a, run.Args...), nil
	}
	a = append(a, "--output-format", "stream-json")
	switch run.Mode {
	case script.New:
	case script.Continue:
		a = append(a, "--continue")
	default:
		a = append(a, "--resume", s.id)
	}
	prompt := turn.Prompt
	if strings.HasPrefix(prompt, "/compact") {
		prompt = "/compress"
	}
	return append(a, "-p", prompt), nil
}

// writeAll puts files, by their names, into a folder of a client.
func writeAll(dir string, files map[string]string) error {
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			return fmt.Errorf("write file: %w", err)
		}
	}
	return nil
}
