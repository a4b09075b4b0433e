// Package gemini reads the transcripts of Gemini CLI.
//
// What its versions from 0.6 to 0.61 write, and on what evidence that is known,
// is in docs/adapters/gemini.md.
package gemini

import (
	"github.com/memscribe/memscribe/adapters/internal/geminilog"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Gemini CLI.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Gemini }

// Places is the folder of the sessions. The variable takes the place of the home
// folder, on all systems (source). Checkpoints are left out: they copy what the
// sessions hold and have no ids that would tell.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{{Env: "GEMINI_CLI_HOME", Path: ".gemini"}, {Path: ".gemini"}},
		Patterns: []string{
			"tmp/*/chats/session-*.json",
			"tmp/*/chats/session-*.jsonl",
			"tmp/*/chats/*/*.json", // subagents, 0.37 and 0.38
			"tmp/*/chats/*/*.jsonl",
		},
	}}
}

// Kinds returns what each kind of message becomes.
func (Adapter) Kinds() []stream.Kind { return geminilog.Kinds() }

// Framing says that a session of the versions until 0.38 is one document.
func (Adapter) Framing(s core.Sample) core.Framing { return geminilog.Framing(s) }

// Sidecars names the files that say where the work happens.
func (Adapter) Sidecars(path string) []string { return geminilog.Sidecars(path) }

// NewParser returns a parser for one transcript.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := geminilog.New(info)
	return mcpedits.Edits(p, p.Files())
}

// Detect judges by the content. The first versions of Qwen Code write the same
// form into another folder, so that there the path decides.
func (Adapter) Detect(s core.Sample) core.Fit {
	fit := geminilog.Detect(s)
	if geminilog.InFolder(s.Path, ".qwen") {
		return core.NoFit
	}
	if fit == core.NoFit && geminilog.IsSession(s.Path) && geminilog.InFolder(s.Path, ".gemini") {
		return core.PathFit
	}
	return fit
}
