// Package crush reads the sessions of Crush.
//
// They lie in a database of each project: a row for a session, a row for a message
// with its parts. Sessions that a call has sent are rows of their own, named after
// the message and the call.
//
// docs/adapters/crush.md says what is known of the format, and how.
package crush

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Crush.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Crush }

// Places are the database of the home folder, as a project. Those of other projects
// lie in the projects and are read where they are named.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".crush"}}, Patterns: []string{"crush.db"}}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	p := &parser{}
	return mcpedits.Edits(p, &p.Files)
}

// Detect knows no file: all is in databases.
func (Adapter) Detect(core.Sample) core.Fit { return core.NoFit }

const (
	tableSession = "session"
	tableMessage = "message"
)

// Layout knows the database by its tables (read in source). Columns have come one
// by one. Sessions in which a title was thought out are none.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("sessions", "id", "parent_session_id", "title", "message_count", "prompt_tokens", "completion_tokens") ||
		!s.Has("messages", "id", "session_id", "role", "parts", "model", "created_at", "finished_at") || !s.Has("files", "session_id", "path", "content", "version") {
		return core.Layout{}, core.NoFit
	}
	columns := []string{"id, role, model, created_at"}
	for _, c := range []string{"provider", "is_summary_message"} {
		if s.Has("messages", c) {
			columns = append(columns, c)
		}
	}
	return core.Layout{
		Conversations: `SELECT id FROM sessions WHERE id NOT LIKE 'title-%' ORDER BY created_at, id`,
		Stamp:         `SELECT '', count(*), max(updated_at), total(octet_length(parts)) FROM messages WHERE session_id = ?1`,
		Rows: []core.Rows{
			{Table: tableSession, Query: `SELECT id, parent_session_id, title, created_at FROM sessions WHERE id = ?1`},
			{Table: tableMessage, Query: `SELECT ` + strings.Join(columns, ", ") + `, parts AS "parts:json" FROM messages WHERE session_id = ?1 ORDER BY created_at, rowid`},
		},
	}, core.NativeFit
}
