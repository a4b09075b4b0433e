// Package openhands parses the conversations of OpenHands' command-line tool and
// SDK.
//
// A conversation is a folder: a file with its state, and one for each event. What
// became of an edit stands there with both texts of the file.
//
// docs/adapters/openhands.md says what is known of the format, and how.
package openhands

import (
	"bytes"
	"path"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows OpenHands.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.OpenHands }

// Places are the folder of the conversations.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{Roots: []core.Root{{Env: "OPENHANDS_CONVERSATIONS_DIR"}}, Patterns: []string{"*/" + state}},
		{Roots: []core.Root{{Env: "OPENHANDS_PERSISTENCE_DIR"}, {Path: ".openhands"}}, Patterns: []string{"conversations/*/" + state}},
	}
}

// state is the first file of a conversation.
const state = "base_state.json"

const (
	tableState = "state"
	tableEvent = "event"
)

// Tree says where the events of a conversation are.
func (Adapter) Tree(name string) (core.Tree, bool) {
	if path.Base(name) != state {
		return core.Tree{}, false
	}
	return core.Tree{Table: tableState, Branches: []core.Branch{{Table: tableEvent, Dir: path.Join(path.Dir(name), "events")}}}, true
}

// Framing says that files are documents.
func (Adapter) Framing(core.Sample) core.Framing { return core.Document }

// NewParser returns a parser for one conversation.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	if p.Session = stream.Stem(info.Path); path.Base(info.Path) == state {
		p.Session = path.Base(path.Dir(info.Path))
	}
	return mcpedits.Edits(p, &edit.Files{})
}

// Detect judges by what a state holds.
func (Adapter) Detect(s core.Sample) core.Fit {
	has := func(name string) bool { return bytes.Contains(s.Head, []byte(`"`+name+`"`)) }
	switch {
	case path.Base(s.Path) != state:
		return core.NoFit
	case has("agent") && has("id") && bytes.HasPrefix(bytes.TrimLeft(s.Head, " \t\r\n\ufeff"), []byte("{")):
		return core.NativeFit
	}
	return core.PathFit
}
