package record

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

type codex struct{}

// The variants of Codex. In code mode the model has one tool, which runs scripts that
// call the others; of an unknown model it takes what tools are safe to offer.
const (
	CodeMode      = "codemode"
	FallbackModel = "fallback-model"
)

func (codex) source() source { return source{npm, "@openai/codex"} }

func (codex) program(dir string) ([]string, error) {
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	for _, name := range []string{"@openai/codex*/vendor/" + arch + "-unknown-linux-musl/*/codex", "@openai/codex/bin/codex-" + arch + "-unknown-linux-musl"} {
		if p := native(dir, path.Base(name), name); runtime.GOOS == "linux" && p != "" {
			return []string{p}, nil
		}
	}
	p, err := linked(dir, "codex")
	return []string{p}, err
}

func (codex) env(s *session) []string {
	return []string{"CODEX_HOME=" + filepath.Join(s.home, ".codex"), "SCRIPTED_API_KEY=" + dummyKey, "RUST_LOG=warn"}
}

func (codex) remote(ctx context.Context, s *session, run script.Run) error {
	if run.Mode == script.AsTool {
		return s.remote(ctx, run, (*rpc).driveTool)
	}
	return s.remote(ctx, run, (*rpc).drive)
}

func (codex) kept() []string { return []string{".codex/sessions", ".codex/archived_sessions"} }

func (codex) files(s *session) (map[string]string, error) {
	name := "gpt-5-codex"
	if atLeast(s.job.Version, "0.141") {
		name = "gpt-5.5"
	}
	switch s.job.Variant {
	case CodeMode:
		name = "gpt-5.6-sol" // known from 0.144.6 to 0.169.0
	case FallbackModel:
		name = "scripted-model"
	}
	top := fmt.Sprintf("model = %q\nmodel_provider = \"scripted\"\ncheck_for_update_on_startup = false\n", name)
	if s.scenario.Name == "auto_compaction" {
		top += "model_context_window = 200000\nmodel_auto_compact_token_limit = 150000\n"
	}
	top += "\n[model_providers.scripted]\nname = \"Scripted\"\nbase_url = \"" + s.model + "/v1\"\nenv_key = \"SCRIPTED_API_KEY\"\n" +
		"wire_api = \"responses\"\nrequest_max_retries = 2\nstream_max_retries = 1\n"
	top += fmt.Sprintf("\n[projects.%q]\ntrust_level = \"trusted\"\n\n[analytics]\nenabled = false\n", s.work)
	if s.scenario.AtTerminal() {
		top += "\n[notice.model_migrations]\n\"gpt-5.5\" = \"gpt-6-sol\"\n" // so that it does not offer that
	}
	switch s.scenario.Name {
	case "terminal_undo": // by one name after the other (0.55, 0.77)
		top += "\n[features]\nghost_commit = true\nundo = true\n"
	case "packed":
		top += "\n[features]\nlocal_thread_store_compression = true\n"
	}
	if strings.HasPrefix(s.scenario.Name, "subagent") && atLeast(s.job.Version, "0.100") {
		top += "\n[features]\nmulti_agent = true\n"
		if atLeast(s.job.Version, "0.106") {
			top += "collab = true\n"
		}
	}
	return map[string]string{".codex/config.toml": top + s.serversAsTOML()}, nil
}

func (codex) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	if run.Mode == script.Server {
		return []string{"app-server"}, nil
	}
	if run.Mode == script.AsTool {
		return []string{"mcp-server"}, nil
	}
	if run.Mode == script.Terminal {
		return s.codexAtTerminal(run), nil
	}
	a := []string{"exec", "--skip-git-repo-check", "--json"}
	if s.scenario.Recall {
		a = append(a, "--dangerously-bypass-hook-trust")
	}
	if s.scenario.Permission == script.Anything {
		a = append(a, "--dangerously-bypass-approvals-and-sandbox")
	} else {
		a = append(a, "--sandbox", "read-only")
	}
	switch {
	case run.Mode == script.Command:
		return append(a, run.Args...), nil
	case run.Mode == script.New && turn.Image != nil:
		return append(a, "-i", filepath.Join(s.home, pictureName), "--", turn.Prompt), nil
	case run.Mode == script.New:
		return append(a, turn.Prompt), nil
	case run.Mode == script.Continue && atLeast(s.job.Version, "0.58"): // 0.53 takes the prompt for the session's id
		return append(a, "resume", "--last", turn.Prompt), nil
	case run.Mode == script.Fork:
		return append(a, "fork", s.id, turn.Prompt), nil
	default:
		return append(a, "resume", s.id, turn.Prompt), nil
	}
}

func (s *session) codexAtTerminal(run script.Run) []string {
	if s.scenario.Permission == script.Anything {
		return append(slices.Clone(run.Args), "--dangerously-bypass-approvals-and-sandbox")
	}
	return append(slices.Clone(run.Args), "--sandbox", "read-only", "--ask-for-approval", "on-request")
}

// pictureName is where a prompt's picture lies in the home.
const pictureName = "mockup.png"

// rolloutID finds the session in the name of a transcript of Codex.
func rolloutID(name string) string {
	return regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`).FindString(name)
}
