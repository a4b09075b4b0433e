// Package grok reads the sessions of Grok Build, as its command line tool keeps
// them.
//
// A session is a log of the updates that the Agent Client Protocol sends to an
// editor: what a person and the model said, the calls, and what each came to.
// Edits stand there with the lines around them.
//
// docs/adapters/grok.md says what is known of the format, and how.
package grok

import (
	"net/url"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Grok Build.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Grok }

// Places are the folder of the sessions: in it one for each folder of work.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Env: "GROK_HOME"}, {Path: ".grok"}}, Patterns: []string{"sessions/*/*/updates.jsonl"}}}
}

// summary is the file beside a log that says where the session works, and whether
// it is one of a subagent.
const summary = "summary.json"

// Sidecars implements [core.SidecarReader].
func (Adapter) Sidecars(name string) []string {
	if path.Base(name) == "updates.jsonl" {
		return []string{summary}
	}
	return nil
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	if p.Session = stream.Stem(info.Path); p.Session == "updates" {
		p.Session = path.Base(path.Dir(info.Path))
	}
	// The folder of work is the name of the folder above, unless that was too long.
	dir, err := url.PathUnescape(path.Base(path.Dir(path.Dir(info.Path))))
	if err != nil || !strings.ContainsAny(dir, `/\`) {
		dir = ""
	}
	var doc jsondoc.Doc
	if _, err := doc.Parse(info.Sidecars[summary]); err == nil {
		v := doc.Root()
		if cwd := v.Path("info", "cwd").Str(); cwd != "" {
			dir = cwd
		}
		if v.Get("session_kind").Is("subagent") {
			p.Thread = p.Session
		}
	}
	if dir != "" {
		p.Project = &core.Project{Cwd: dir}
	}
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	if v := stream.FirstLine(s); v.Get("method").Kind() == jsondoc.String && v.Path("params", "update", "sessionUpdate").Exists() && !v.Get("jsonrpc").Exists() {
		return core.NativeFit
	}
	if path.Base(s.Path) == "updates.jsonl" && strings.Contains(s.Path, "/.grok/sessions/") {
		return core.PathFit
	}
	return core.NoFit
}
