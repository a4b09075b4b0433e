package record

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/script"
)

// vscode is Visual Studio Code with the Copilot Chat that it ships, as code-server
// builds it of the editor's own source: a browser shows it, and a person's hands are
// those of editor/driver.mjs.
type vscode struct{}

//go:embed editor/driver.mjs
var editorDriver string

//go:embed editor/extension.js
var editorExtension string

//go:embed editor/extension.json
var editorManifest string

func (vscode) source() source { return source{npm, "code-server"} }

// published is the version under which npm has one of the editor's.
func (vscode) published(version string) string {
	if rest, ok := strings.CutPrefix(version, "1."); ok {
		return "4." + rest
	}
	return version
}

// companions are the browser's hands, and the Node.js that a version is written for.
func (vscode) companions(version string) map[string]string {
	node := "22.23.3"
	if atLeast(version, "1.130.0") {
		node = "24.21.0"
	}
	return map[string]string{"playwright-core": "1.65.1", nodePackage(): node}
}

// complete installs what code-server itself is made of, which a script of its
// package does otherwise, and builds the parts that are not JavaScript.
func (vscode) complete(ctx context.Context, dir string) error {
	code := filepath.Join(dir, "node_modules", "code-server", "lib", "vscode")
	quiet := []string{"install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error", "--legacy-peer-deps"}
	for _, at := range []string{code, filepath.Join(code, "extensions")} {
		if err := inFolder(ctx, at, dir, "npm", quiet...); err != nil {
			return fmt.Errorf("%w: %w", ErrNoRegistry, err)
		}
	}
	gyp, err := nodeGyp()
	if err != nil {
		return err
	}
	for _, name := range []string{"node-pty", "@vscode/spdlog", "@vscode/native-watchdog"} {
		at := filepath.Join(code, "node_modules", filepath.FromSlash(name))
		if _, err := os.Stat(filepath.Join(at, "binding.gyp")); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := inFolder(ctx, at, dir, "node", gyp, "rebuild", "--nodedir="+headers); err != nil {
			return fmt.Errorf("build %s (needs a C++ compiler, make, and the headers of Node.js in %s/include): %w", name, headers, err)
		}
	}
	return nil
}

// headers is where those of Node.js are looked for.
const headers = "/usr"

// nodeGyp is the program that npm brings along to build with.
func nodeGyp() (string, error) {
	npm, err := exec.LookPath("npm")
	if err == nil {
		npm, err = filepath.EvalSymlinks(npm)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoRegistry, err)
	}
	return filepath.Join(filepath.Dir(npm), "..", "node_modules", "node-gyp", "bin", "node-gyp.js"), nil
}

// inFolder runs a program with the Node.js of a client.
func inFolder(ctx context.Context, dir, client, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+nodePath(client)+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run %s in %s: %w\n%s", program, filepath.Base(dir), err, out)
	}
	return nil
}

func (vscode) program(dir string) ([]string, error) {
	node := nodePath(dir)
	if node == "" {
		return nil, errors.New("find program: no Node.js for this machine")
	}
	return []string{filepath.Join(node, "node")}, nil
}

func (vscode) env(*session) []string { return []string{"NODE_NO_WARNINGS=1"} }

const (
	editorHome   = ".local/share/code-server"
	editorFolder = editorHome + "/User"
	driverName   = "driver.mjs"
)

func (vscode) kept() []string {
	return []string{editorFolder + "/workspaceStorage", editorFolder + "/globalStorage"}
}

func (v vscode) files(s *session) (map[string]string, error) {
	models, err := jsonText(v.models(s))
	if err != nil {
		return nil, err
	}
	servers := map[string]any{}
	for name, srv := range s.servers() {
		servers[name] = map[string]any{"type": "stdio", "command": srv.Command, "args": srv.Args, "env": srv.Env}
	}
	mcp, err := jsonText(map[string]any{"servers": servers})
	if err != nil {
		return nil, err
	}
	settings, err := jsonText(map[string]any{
		"workbench.startupEditor": "none", "telemetry.telemetryLevel": "off", "chat.restoreLastPanelSession": true,
		"chat.tools.global.autoApprove":     s.scenario.Permission == script.Anything,
		"git.openRepositoryInParentFolders": "never", "extensions.autoCheckUpdates": false, "update.mode": "none",
		"chat.editing.confirmEditRequestRemoval": false, "chat.editing.confirmEditRequestRetry": false, "chat.mcp.autostart": "newAndOutdated",
		"github.copilot.chat.byok.ollamaEndpoint": s.model, "files.autoSave": "off", "remote.autoForwardPorts": false,
	})
	extension := editorHome + "/extensions/memscribe.acts-0.0.1/"
	return map[string]string{
		editorFolder + "/chatLanguageModels.json": models, editorFolder + "/settings.json": settings, editorFolder + "/mcp.json": mcp,
		driverName: editorDriver, extension + "package.json": editorManifest, extension + "main.js": editorExtension,
	}, err
}

// models describes the scripted model to the editor: which tools for edits a
// model gets is a matter of what it is.
func (vscode) models(s *session) []any {
	model := map[string]any{
		"id": scripted, "name": "Scripted", "url": s.model + "/v1/chat/completions", "toolCalling": true, "vision": true,
		"maxInputTokens": 200000, "maxOutputTokens": 16000,
	}
	switch s.job.Variant {
	case PatchTool:
		model["editTools"] = []string{"apply-patch"}
	case MultiTool:
		model["editTools"] = []string{"multi-find-replace", "find-replace"}
	}
	return []any{map[string]any{"name": scripted, "vendor": "customendpoint", "apiKey": dummyKey, "apiType": "chat-completions", "models": []any{model}}}
}

// Variants of Visual Studio Code: the tools for edits that it gives to the model.
const (
	PatchTool = "patch"
	MultiTool = "multi"
)

// HasVariant reports whether a tool can be recorded in a variant.
func HasVariant(tool core.Tool, name string) bool {
	switch tool {
	case core.Codex:
		return name == CodeMode || name == FallbackModel
	case core.OpenCode:
		return name == Entries
	case core.VSCode:
		return name == PatchTool || name == MultiTool
	default:
		return false
	}
}

// args are those of the driver.
func (vscode) args(s *session, _ script.Run, _ *script.Turn) ([]string, error) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		return nil, fmt.Errorf("find browser: %w", err)
	}
	job, err := json.Marshal(map[string]any{
		"client": s.job.Client, "out": s.job.Out, "run": len(s.runs), "browser": browser, "deny": s.scenario.Permission == script.Asking,
	})
	return []string{filepath.Join(s.home, driverName), string(job)}, err
}
