// Package adapters lists the tools whose transcripts can be read.
package adapters

import (
	"github.com/memscribe/memscribe/adapters/acp"
	"github.com/memscribe/memscribe/adapters/agenttrace"
	"github.com/memscribe/memscribe/adapters/aider"
	"github.com/memscribe/memscribe/adapters/amp"
	"github.com/memscribe/memscribe/adapters/antigravity"
	"github.com/memscribe/memscribe/adapters/auggie"
	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/adapters/cline"
	"github.com/memscribe/memscribe/adapters/codebuff"
	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/adapters/commandcode"
	"github.com/memscribe/memscribe/adapters/continuedev"
	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/adapters/crush"
	"github.com/memscribe/memscribe/adapters/cursor"
	"github.com/memscribe/memscribe/adapters/droid"
	"github.com/memscribe/memscribe/adapters/entire"
	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/adapters/goose"
	"github.com/memscribe/memscribe/adapters/grok"
	"github.com/memscribe/memscribe/adapters/hermes"
	"github.com/memscribe/memscribe/adapters/hooks"
	"github.com/memscribe/memscribe/adapters/junie"
	"github.com/memscribe/memscribe/adapters/kimi"
	"github.com/memscribe/memscribe/adapters/kiro"
	"github.com/memscribe/memscribe/adapters/opencode"
	"github.com/memscribe/memscribe/adapters/openhands"
	"github.com/memscribe/memscribe/adapters/otel"
	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/adapters/specstory"
	"github.com/memscribe/memscribe/adapters/vibe"
	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/adapters/webchat"
	"github.com/memscribe/memscribe/adapters/windsurf"
	"github.com/memscribe/memscribe/adapters/zed"
	"github.com/memscribe/memscribe/core"
)

// All returns every adapter. Where two fit a file equally well, the earlier one wins.
func All() []core.Adapter {
	return []core.Adapter{
		claudecode.Adapter{},
		codex.Adapter{},
		gemini.Adapter{},
		qwen.Adapter{},
		copilot.Adapter{},
		pi.Adapter{},
		vscode.Adapter{},
		cline.Adapter{},
		continuedev.Adapter{},
		windsurf.Adapter{},
		opencode.Adapter{},
		opencode.Adapter{Name: core.Kilo},
		otel.Adapter{},
		cursor.Adapter{},
		zed.Adapter{},
		hermes.Adapter{},
		kimi.Adapter{},
		amp.Adapter{},
		droid.Adapter{},
		crush.Adapter{},
		goose.Adapter{},
		grok.Adapter{},
		openhands.Adapter{},
		vibe.Adapter{},
		antigravity.Adapter{},
		entire.Adapter{},
		kiro.Adapter{},
		commandcode.Adapter{},
		codebuff.Adapter{},
		junie.Adapter{},
		auggie.Adapter{},
		acp.Adapter{},
		agenttrace.Adapter{},
		aider.Adapter{},
		specstory.Adapter{},
		webchat.Adapter{Name: core.ClaudeAI},
		webchat.Adapter{Name: core.ChatGPT},
	}
}

// ByTool returns the adapter of a tool.
func ByTool(tool core.Tool) (core.Adapter, bool) {
	for _, a := range All() {
		if a.Tool() == tool {
			return a, true
		}
	}
	return nil, false
}

// Detect returns the adapter that fits a file best, and how well. It is nil with
// NoFit. A file of what tools pass to their hooks is read as that tool's.
func Detect(s core.Sample) (core.Adapter, core.Fit) {
	var (
		best core.Adapter
		fit  core.Fit
	)
	for _, a := range All() {
		if f := a.Detect(s); f > fit {
			best, fit = a, f
		}
		if fit == core.NativeFit {
			return best, fit // no other can fit better
		}
	}
	if a, f := hooks.Detect(s); f > fit {
		best, fit = a, f
	}
	return best, fit
}

// Layout returns the adapter whose tool made a database with these tables, and
// how the conversations lie in it. It is nil if that is none; the layout then says which
// tables are missing if those that are there, and the path, are a tool's.
func Layout(path string, schema core.Schema) (core.Adapter, core.Layout) {
	var (
		best   core.Adapter
		layout core.Layout
		fit    core.Fit
	)
	for _, a := range All() {
		d, ok := a.(core.DatabaseAdapter)
		if !ok {
			continue
		}
		l, f := d.Layout(path, schema)
		switch {
		case f > fit:
			best, layout, fit = a, l, f
		case best == nil && l.Missing != nil && isPlaced(a, path):
			layout = l
		}
	}
	return best, layout
}
