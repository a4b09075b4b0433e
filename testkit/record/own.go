package record

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
)

// own is this repository's program, as a server of the scenario.
func (s *session) own() string {
	srv := s.scenario.Own()
	return filepath.Join(s.job.Servers[srv.Name], srv.Program)
}

// runOwn runs it in the tool's home.
func (s *session) runOwn(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, s.own(), args...)
	cmd.Dir, cmd.Env = s.work, s.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run memscribe %s: %w: %.1000s", args[0], err, out)
	}
	return nil
}

// remember takes in what the tool wrote before run i, if the scenario has a memscribe.
func (s *session) remember(ctx context.Context, i int) error {
	if i == 0 || s.scenario.Own() == nil {
		return nil
	}
	return s.runOwn(ctx, "replay", "--home", s.home, "--tool", string(s.job.Tool), "--sink", "sqlite")
}

// hookless have no hooks that could be told.
func hookless(tool core.Tool) bool { return tool == core.OpenCode }

// installRecall has the tool run the hooks that tell it what is in force.
func (s *session) installRecall(ctx context.Context) error {
	if hookless(s.job.Tool) {
		return nil
	}
	settings := map[core.Tool]string{core.ClaudeCode: ".claude", core.Codex: ".codex", core.Gemini: ".gemini", core.Qwen: ".qwen"}[s.job.Tool]
	if err := os.MkdirAll(filepath.Join(s.home, settings), 0o755); err != nil {
		return fmt.Errorf("make settings: %w", err)
	}
	return s.runOwn(ctx, "hooks", "install", string(s.job.Tool), "--recall")
}
