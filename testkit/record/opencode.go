package record

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// opencode is OpenCode, or a tool that is built on it.
type opencode struct{ name, pkg string }

func (o opencode) source() source { return source{npm, o.pkg} }

// npmOf is the package of a version: on Linux the one with the program itself, since
// some versions are published as nothing else.
func (o opencode) npmOf(string) string {
	switch {
	case runtime.GOOS != "linux":
		return o.pkg
	case o.name == "kilo":
		return "@kilocode/cli-linux-" + o.arch()
	}
	return "opencode-linux-" + o.arch()
}

func (opencode) arch() string {
	return map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
}

// companions are what old versions would get from the network: the package that
// speaks to the model, and the program that searches files.
func (o opencode) companions(string) map[string]string {
	if runtime.GOOS != "linux" || o.name == "kilo" {
		return nil
	}
	return map[string]string{"@ai-sdk/openai-compatible": "1.0.30", "@vscode/ripgrep-linux-" + o.arch(): "1.18.0"}
}

func (o opencode) program(dir string) ([]string, error) {
	for _, p := range []string{o.name + "-*-x64/bin/" + o.name, o.name + "-*-arm64/bin/" + o.name, "@kilocode/cli-*-x64/bin/kilo", "@kilocode/cli-*-arm64/bin/kilo"} {
		if found := native(dir, o.name, p); found != "" {
			return []string{found}, nil
		}
	}
	p, err := linked(dir, o.name)
	return []string{p}, err
}

func (o opencode) env(s *session) []string {
	env := []string{
		"XDG_DATA_HOME=" + s.home + "/.local/share", "XDG_CACHE_HOME=" + s.home + "/.cache",
		"XDG_CONFIG_HOME=" + s.home + "/.config", "XDG_STATE_HOME=" + s.home + "/.local/state",
	}
	for _, prefix := range []string{"OPENCODE", "KILO"} {
		for _, what := range []string{"AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "MODELS_FETCH", "CODEBASE_INDEXING", "SESSION_INGEST", "PRESENCE", "FFF", "CHANNEL_DB"} {
			env = append(env, prefix+"_DISABLE_"+what+"=1")
		}
	}
	if found, _ := filepath.Glob(filepath.Join(s.job.Client, "node_modules", "@vscode", "ripgrep-*", "bin")); len(found) > 0 && s.job.Confine {
		env = append(env, "PATH="+found[0]+":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")
	}
	return env
}

func (o opencode) kept() []string {
	data := ".local/share/" + o.name
	return []string{data + "/storage", data + "/project", data + "/" + o.name + ".db", data + "/" + o.name + ".db-wal"}
}

const scripted = "scripted"

// modelOf is what the model is called: OpenCode offers those whose name begins
// with "gpt-" patches in place of its other tools that change files.
func modelOf(s *session) string { return cmp.Or(s.scenario.Model, scripted) }

func (o opencode) files(s *session) (map[string]string, error) {
	window := 200000
	if s.scenario.Name == "auto_compaction" {
		window = 160000
	}
	model := map[string]any{
		"name": scripted, "tool_call": true, "reasoning": true, "temperature": true, "attachment": true,
		"limit": map[string]any{"context": window, "output": 16000}, "cost": map[string]any{"input": 1, "output": 2, "cache_read": 0.1, "cache_write": 0.2},
		"modalities": map[string]any{"input": []string{"text", "image"}, "output": []string{"text"}},
	}
	allowed := "allow"
	if s.scenario.Permission == script.Asking {
		allowed = "ask"
	}
	config, err := jsonText(map[string]any{
		"autoupdate": false, "share": "disabled", "model": scripted + "/" + modelOf(s), "small_model": scripted + "/" + modelOf(s),
		"provider": map[string]any{scripted: map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
			"options": map[string]any{"baseURL": s.model + "/v1", "apiKey": dummyKey}, "models": map[string]any{modelOf(s): model},
		}},
		"permission": map[string]any{"edit": allowed, "bash": allowed, "external_directory": allowed, "webfetch": "deny"},
		"mcp":        s.serversWithCommands(),
	})
	files := map[string]string{".config/" + o.name + "/" + o.name + ".json": config}
	if err == nil && o.name == "opencode" && !atLeast(s.job.Version, "1.2") {
		err = o.furnishCache(s, files)
	}
	return files, err
}

// furnishCache puts the package that speaks to the model where old versions keep
// what they get from the network. They clear that place unless it says that it is
// of the form that they know, whose number is in the program.
func (opencode) furnishCache(s *session, files map[string]string) error {
	program, err := os.ReadFile(s.program[0])
	if err != nil {
		return fmt.Errorf("read program: %w", err)
	}
	form := regexp.MustCompile(`CACHE_VERSION = "(\d+)"`).FindSubmatch(program)
	if form == nil {
		return nil // the oldest never clear it
	}
	files[".cache/opencode/version"] = string(form[1])
	files[".cache/opencode/models.json"] = `{"opencode":{"id":"opencode","name":"opencode","env":[],"npm":"@ai-sdk/openai-compatible","models":{}}}`
	files[".cache/opencode/package.json"] = `{"dependencies":{"@ai-sdk/openai-compatible":"latest"}}`
	return link(filepath.Join(s.job.Client, "node_modules"), filepath.Join(s.home, ".cache", "opencode", "node_modules"))
}

// link makes a link, and the folder in which it lies.
func link(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if err := os.Symlink(from, to); err != nil {
		return fmt.Errorf("link package: %w", err)
	}
	return nil
}

func (o opencode) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	if run.Mode == script.Server {
		return []string{"serve", "--hostname", "127.0.0.1", "--port", servedAt}, nil
	}
	if run.Mode == script.Terminal {
		return append([]string{"-m", scripted + "/" + modelOf(s)}, run.Args...), nil
	}
	a := []string{"run", turn.Prompt, "-m", scripted + "/" + modelOf(s)}
	if atLeast(s.job.Version, "1.0") {
		a = append(a, "--format", "json")
	}
	if turn.Image != nil {
		a = append(a, "--file", filepath.Join(s.home, pictureName))
	}
	switch run.Mode {
	case script.New:
	case script.Continue:
		a = append(a, "--continue")
	case script.Fork:
		a = append(a, "--session", s.id, "--fork")
	default:
		a = append(a, "--session", s.id)
	}
	return a, nil
}

// sessionID reads the id of the session out of a file's name.
func (opencode) sessionID(name string) string {
	return regexp.MustCompile(`ses_[0-9A-Za-z]+`).FindString(name)
}

// remote drives the server of the tool, which its terminal and its desktop app
// speak to.
func (o opencode) remote(ctx context.Context, s *session, run script.Run) error {
	return s.served(ctx, run, run.Ops)
}

// direct does over the server what the command line of a version cannot: fork a
// session, and have it summed up.
func (o opencode) direct(ctx context.Context, s *session, run *script.Run) (done bool, err error) {
	serve := script.Run{Mode: script.Server, Turns: run.Turns}
	switch {
	case s.job.Variant == Entries:
		ops, err := s.entries(*run)
		if err == nil {
			err = s.served(ctx, serve, ops)
		}
		return true, err
	case run.Mode == script.Fork && !atLeast(s.job.Version, "1.2.27"):
		run.Mode = script.Resume
		return false, s.served(ctx, serve, []script.Remote{{Do: "fork"}})
	case len(run.Turns) == 1 && strings.HasPrefix(s.scenario.Turns[run.Turns[0]].Prompt, "/compact"):
		return true, s.served(ctx, serve, []script.Remote{{Do: "compact"}})
	}
	return false, nil
}
