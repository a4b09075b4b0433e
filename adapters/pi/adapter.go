package pi

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Tool is the slug of the pi coding agent.
const Tool = core.Pi

// Adapter knows the pi coding agent.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return Tool }

// Places are the folder of the agent, and the one that sessions can be kept in
// instead.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{
			// The variable and the folder are read in source, the folder is recorded.
			Roots:    []core.Root{{Env: "PI_CODING_AGENT_DIR"}, {Path: ".pi/agent"}},
			Patterns: []string{"sessions/*/*.jsonl", "sessions/*.jsonl"},
		},
		// Of what is built on it, heard of: Oh My Pi, Senpi, and OpenClaw, whose
		// published sessions are read.
		{Roots: []core.Root{{Path: ".omp/agent"}}, Patterns: []string{"sessions/*/*.jsonl", "sessions/*.jsonl"}},
		{Roots: []core.Root{{Path: ".senpi/agent"}}, Patterns: []string{"sessions/*/*.jsonl", "sessions/*.jsonl"}},
		{Roots: []core.Root{{Path: ".openclaw"}}, Patterns: []string{"agents/*/sessions/*.jsonl"}},
		// Unverified.
		{Roots: []core.Root{{Env: "PI_CODING_AGENT_SESSION_DIR"}}, Patterns: []string{"*.jsonl", "*/*.jsonl"}},
	}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := newParser(info)
	return mcpedits.Edits(p, &p.files)
}

// Detect judges by the header, or by the messages of a file that has lost it.
func (Adapter) Detect(s core.Sample) core.Fit {
	best := pathFit(s.Path)
	for _, v := range s.Records() {
		if fit := fitOf(v); fit > core.NoFit {
			return max(fit, best)
		}
	}
	return best
}

// fitOf judges one record. DeepSeek's harness has a header of the same type,
// with createdAt for timestamp.
func fitOf(v jsondoc.Value) core.Fit {
	var r record
	stream.Members(v, r.member)
	switch {
	case r.kind.Is("session") && r.id.Kind() == jsondoc.String && r.time.Kind() == jsondoc.String:
		if r.cwd.Kind() == jsondoc.String {
			return core.NativeFit
		}
		return core.ShapeFit
	case r.kind.Is("message") && r.message.Get("role").Kind() == jsondoc.String && r.time.Exists():
		return core.ShapeFit
	}
	return core.NoFit
}

func pathFit(path string) core.Fit {
	if strings.Contains(path, "/.pi/agent/sessions/") && strings.HasSuffix(path, ".jsonl") {
		return core.PathFit
	}
	return core.NoFit
}
