// Package continuedev parses the sessions of Continue. Its command-line tool and its
// editor extensions write the same format.
//
// Each is one document, rewritten at every change: a list of messages, each with the states of the
// calls that it makes. Nothing in it has a time, and only the editors' messages have ids.
//
// docs/adapters/continue.md says what is known of the format, and how.
package continuedev

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Continue.
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Continue }

// index lists the sessions; it is none itself.
const index = "sessions.json"

// Places is the folder of the command line tool and of all editors.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots:    []core.Root{{Env: "CONTINUE_GLOBAL_DIR", Path: "sessions"}, {Path: ".continue/sessions"}},
		Patterns: []string{"*-*-*-*-*.json"}, // named by a UUID: the index is not
	}}
}

// Detect judges by the members that every session begins with.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := stream.OpeningOf(s)
	if head.Is("{", "sessionId", "workspaceDirectory", "history") && !head.Has("contextItems") {
		return core.ShapeFit
	}
	return stream.Fit(head.Is("{", "sessionId", "workspaceDirectory", "history"),
		len(head) == 0 && strings.HasSuffix(path.Dir(s.Path), ".continue/sessions") && path.Base(s.Path) != index)
}
