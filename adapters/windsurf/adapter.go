package windsurf

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Windsurf.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Windsurf }

// Places are the transcripts for hooks, and the encrypted store.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{Roots: []core.Root{{Path: ".windsurf"}}, Patterns: []string{"transcripts/*.jsonl"}},
		{Roots: []core.Root{{Path: ".codeium/windsurf"}}, Patterns: stores()},
		{Roots: []core.Root{{Path: ".codeium/windsurf-next"}}, Patterns: stores()},
	}
}

func stores() []string { return []string{"cascade/*.pb", "cascade/implicit/*.pb"} }

// isStored reports whether a file lies in the encrypted store.
func isStored(file string) bool {
	dir := path.Dir(file)
	return path.Ext(file) == ".pb" && (path.Base(dir) == "cascade" || path.Base(path.Dir(dir)) == "cascade")
}

// Framing says that a file of the store is one piece.
func (Adapter) Framing(s core.Sample) core.Framing {
	if isStored(s.Path) {
		return core.Document
	}
	return core.Lines
}

// NewParser returns a parser for one conversation.
func (Adapter) NewParser(info core.StreamInfo) core.Parser { return newParser(info) }

// maxLooks is how many lines Detect looks at.
const maxLooks = 16

// Detect judges by the steps: each has a type, a status, and a member that is
// called as the type is.
func (Adapter) Detect(s core.Sample) core.Fit {
	if isStored(s.Path) {
		return core.PathFit
	}
	var doc jsondoc.Doc
	looks := 0
	for line := range bytes.Lines(s.Head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if looks++; looks > maxLooks {
			break
		}
		if _, err := doc.Parse(line); err == nil && isStep(doc.Root()) {
			return core.NativeFit
		}
	}
	if looks == 0 && strings.Contains(s.Path, "/.windsurf/transcripts/") {
		return core.PathFit
	}
	return core.NoFit
}

func isStep(v jsondoc.Value) bool {
	kind := v.Get("type")
	return kind.Kind() == jsondoc.String && v.Get("status").Kind() == jsondoc.String && v.Get(kind.Str()).Kind() == jsondoc.Object
}
