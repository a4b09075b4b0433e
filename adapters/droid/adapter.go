// Package droid reads the sessions of Factory's Droid.
//
// A session is a log: a header, and a record for each message, whose content is in
// the blocks of Anthropic's API. What a person said stands there beside what the
// client puts in front of the model in their place.
//
// docs/adapters/droid.md says what is known of the format, and how.
package droid

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Droid.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Droid }

// Places are the folder of the sessions, where each project has one of its own.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".factory"}}, Patterns: []string{"sessions/*.jsonl", "sessions/*/*.jsonl"}}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Session = stream.Stem(info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the header.
func (Adapter) Detect(s core.Sample) core.Fit {
	if v := stream.FirstLine(s); v.Get("type").Is("session_start") && v.Get("id").Exists() && v.Get("cwd").Exists() {
		return core.NativeFit
	}
	if strings.Contains(s.Path, "/.factory/sessions/") && strings.HasSuffix(s.Path, ".jsonl") {
		return core.PathFit
	}
	return core.NoFit
}
