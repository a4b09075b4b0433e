// Package antigravity reads the transcripts of Google's Antigravity CLI.
//
// A conversation is a folder, with a log of its steps: what a person asked, what the
// model planned, and what each of its calls came to. What an edit changed they do
// not tell; the conversation itself is kept in a form that is not known.
//
// docs/adapters/antigravity.md says what is known of the format, and how.
package antigravity

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows the Antigravity CLI.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Antigravity }

// Places are the folder of the conversations.
func (Adapter) Places() []core.Place {
	const logs = "brain/*/.system_generated/logs/"
	return []core.Place{{Roots: []core.Root{{Path: ".gemini/antigravity-cli"}}, Patterns: []string{logs + short, logs + full}}}
}

// The two logs of a conversation: in the short one long contents are cut.
const (
	short = "transcript.jsonl"
	full  = "transcript_full.jsonl"
)

// Companions implements [core.SidecarWatcher]: a short log is looked at beside the full one.
func (Adapter) Companions(name string) (work string, files []string) {
	switch dir := path.Dir(name); path.Base(name) {
	case short:
		return dir, []string{full + "?"}
	case full:
		return dir, nil
	}
	return "", nil
}

// NewParser returns a parser for one log. What a short one tells beside the full one
// is an echo.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	if p.Session = stream.Stem(info.Path); strings.HasSuffix(path.Dir(info.Path), "/.system_generated/logs") {
		p.Session = path.Base(path.Dir(path.Dir(path.Dir(info.Path))))
	}
	_, beside := info.Sidecars[full]
	p.Echo = beside && path.Base(info.Path) == short
	return p
}

// Detect judges by the members of the first step.
func (Adapter) Detect(s core.Sample) core.Fit {
	if v := stream.FirstLine(s); v.Get("step_index").Exists() && v.Get("source").Exists() && v.Get("type").Exists() {
		return core.NativeFit
	}
	if strings.Contains(s.Path, "/.gemini/antigravity-cli/brain/") && strings.HasSuffix(s.Path, ".jsonl") {
		return core.PathFit
	}
	return core.NoFit
}
