package codex

import (
	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Codex.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Codex }

// Places are the folders below CODEX_HOME. Files lie in folders of the day, or
// (before July 2025, source) beside each other; archiving moves a file into a
// flat folder (source).
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{{Env: "CODEX_HOME"}, {Path: ".codex"}},
		Patterns: []string{
			"sessions/**/rollout-*.jsonl", "sessions/**/rollout-*.jsonl.zst", "sessions/rollout-*.json",
			"archived_sessions/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl.zst",
		},
	}}
}

// NewParser returns a parser for one rollout.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := newParser(info)
	return mcpedits.Edits(p, &p.files)
}

// Detect judges by the first lines.
func (Adapter) Detect(s core.Sample) core.Fit { return rollout.Detect(s) }
