// Package amp reads the threads of Amp, as its command line tool keeps them.
//
// A thread is one document, which is rewritten whole: messages whose content is in
// the blocks of Anthropic's API, and the results of calls with what they came to.
// Threads are synchronised with a server: what lies here may be a part of them.
//
// docs/adapters/amp.md says what is known of the format, and how.
package amp

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Amp.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Amp }

// Places are the folders of threads. Of Windows readers name three.
func (Adapter) Places() []core.Place {
	threads := []string{"threads/T-*.json"}
	return []core.Place{
		{Roots: []core.Root{{Env: "XDG_DATA_HOME", Path: "amp"}, {Path: ".local/share/amp"}}, Patterns: threads},
		{Roots: []core.Root{{OS: "windows", Env: "LOCALAPPDATA", Path: "amp"}, {OS: "windows", Path: "AppData/Local/amp"}}, Patterns: threads},
		{Roots: []core.Root{{OS: "windows", Env: "APPDATA", Path: "amp"}, {OS: "windows", Path: "AppData/Roaming/amp"}}, Patterns: threads},
	}
}

// Framing says that files are documents.
func (Adapter) Framing(core.Sample) core.Framing { return core.Document }

// NewParser returns a parser for one thread.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Session = stream.Stem(info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the members with which a thread begins.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := bytes.TrimLeft(s.Head, " \t\r\n\x00\ufeff")
	head = head[:min(len(head), 4<<10)]
	isThread := bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"created"`)) && bytes.Contains(head, []byte(`"messages"`)) &&
		(bytes.Contains(head, []byte(`"id":"T-`)) || bytes.Contains(head, []byte(`"id": "T-`)))
	switch name := path.Base(s.Path); {
	case isThread:
		return core.NativeFit
	case strings.HasPrefix(name, "T-") && strings.Contains(s.Path, "/amp/threads/"):
		return core.PathFit
	}
	return core.NoFit
}
