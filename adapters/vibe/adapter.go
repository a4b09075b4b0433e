// Package vibe reads the sessions of Mistral Vibe before 3.0.
//
// A session is a log of messages in the form of the model's API, without times, and
// a file beside it that says where and when the session began.
//
// docs/adapters/vibe.md says what is known of the format, and how.
package vibe

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Mistral Vibe.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Vibe }

// Places are the folder of the sessions.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Env: "VIBE_HOME"}, {Path: ".vibe"}}, Patterns: []string{"logs/session/*/" + messages, "logs/session/*/agents/*/" + messages}}}
}

const (
	messages = "messages.jsonl"
	meta     = "meta.json" // beside the messages
)

// Sidecars implements [core.SidecarReader].
func (Adapter) Sidecars(name string) []string {
	if path.Base(name) == messages {
		return []string{meta}
	}
	return nil
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	if p.Session = stream.Stem(info.Path); path.Base(info.Path) == messages {
		p.Session = path.Base(path.Dir(info.Path))
	}
	var doc jsondoc.Doc
	if _, err := doc.Parse(info.Sidecars[meta]); err == nil {
		p.beside(doc.Root())
	}
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first message.
func (Adapter) Detect(s core.Sample) core.Fit {
	if v := stream.FirstLine(s); v.Get("role").Exists() && v.Get("injected").Exists() && v.Get("message_id").Exists() {
		return core.NativeFit
	}
	if path.Base(s.Path) == messages && strings.Contains(s.Path, "/.vibe/logs/session/") {
		return core.PathFit
	}
	return core.NoFit
}
