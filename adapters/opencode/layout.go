package opencode

import (
	"strings"

	"github.com/memscribe/memscribe/core"
)

// What records are called.
const (
	tableSession = "session"
	tableMessage = "message"
	tablePart    = "part"
	tableEntry   = "session_message"
	tableRevert  = "revert"
)

// Layout knows the database by its tables. The same tables are made by tools
// that are built on OpenCode; whose they are the file's name says.
func (a Adapter) Layout(path string, s core.Schema) (core.Layout, core.Fit) {
	hasMessages := s.Has("message", "id", "session_id", "time_created", "data") && s.Has("part", "id", "message_id", "data")
	hasEntries := s.Has("session_message", "id", "session_id", "type", "seq", "data")
	if !s.Has("session", "id", "directory", "version") || !hasMessages && !hasEntries {
		return core.Layout{}, core.NoFit
	}
	l := core.Layout{
		Conversations: `SELECT id FROM session ORDER BY time_created, id`,
		Rows:          []core.Rows{{Table: tableSession, Query: sessionQuery(s)}},
	}
	stamp := []string{`(SELECT time_updated FROM session WHERE id = ?1)`}
	if hasMessages {
		l.Rows = append(l.Rows, core.Rows{Table: tableMessage, Query: messageQuery(s), Below: []core.Rows{{
			Table: tablePart,
			Query: `SELECT id, data AS "data:json" FROM part WHERE message_id = ?1 ORDER BY id`,
		}}})
		stamp = append(stamp,
			`(SELECT count(*) || ' ' || sum(time_updated) FROM message WHERE session_id = ?1)`,
			`(SELECT count(*) || ' ' || sum(time_updated) FROM part WHERE session_id = ?1)`)
	}
	if hasEntries {
		l.Rows = append(l.Rows, core.Rows{
			Table: tableEntry,
			Query: `SELECT id, type, seq, time_created, data AS "data:json" FROM session_message WHERE session_id = ?1 ORDER BY seq`,
		})
		stamp = append(stamp, `(SELECT count(*) || ' ' || sum(time_updated) FROM session_message WHERE session_id = ?1)`)
	}
	if s.Has("session", "revert") {
		l.Rows = append(l.Rows, core.Rows{
			Table: tableRevert,
			Query: `SELECT id, revert AS "revert:json" FROM session WHERE id = ?1 AND revert IS NOT NULL`,
		})
	}
	l.Stamp = "SELECT '', " + strings.Join(stamp, ", ")
	if !a.isOwn(path) {
		return l, core.ShapeFit
	}
	return l, core.NativeFit
}

// sessionQuery selects what a session says of itself, as far as the database has
// it, and the session at which the chain of its parents ends: those columns
// have come one by one.
func sessionQuery(s core.Schema) string {
	columns := []string{"id"}
	for _, c := range []string{
		"parent_id", "directory", "title", "version", "agent", "time_created", "time_archived", "fork_session_id", "fork_message_id",
	} {
		if s.Has("session", c) {
			columns = append(columns, c)
		}
	}
	if s.Has("session", "model") {
		columns = append(columns, `model AS "model:json"`)
	}
	if s.Has("session", "parent_id") {
		columns = append(columns, `(WITH RECURSIVE up(id, parent) AS (
			SELECT id, parent_id FROM session WHERE id = ?1
			UNION SELECT p.id, p.parent_id FROM session p JOIN up ON p.id = up.parent
		) SELECT id FROM up WHERE parent IS NULL LIMIT 1) AS root`)
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM session WHERE id = ?1"
}

// messageQuery selects the messages of a session, and of a copy what it is a copy
// of: the message of the earliest session of the project that was made at the
// same moment. That a session is a fork its title says only since 1.2, and it can
// be given another one.
func messageQuery(s core.Schema) string {
	const plain = `SELECT id, data AS "data:json" FROM message WHERE session_id = ?1 ORDER BY time_created, id`
	if !s.Has("session", "project_id", "time_created") || !s.Has("part", "message_id") {
		return plain
	}
	with, columns, messages := "", "", "message m"
	if s.Has("event", "id", "aggregate_id", "seq", "type", "data") {
		with, columns, messages = withGone(), goneColumns, "m"
	}
	return with + `SELECT m.id, m.data AS "data:json", o.id AS copy_of, o.session_id AS copied_session,
		CASE WHEN o.id IS NOT NULL THEN
			(SELECT json_group_array(id) FROM (SELECT id FROM part WHERE message_id = o.id ORDER BY id)) END AS "copied_parts:json"` + columns + `
		FROM ` + messages + ` JOIN session s ON s.id = m.session_id
		LEFT JOIN message o ON ` + isCopy("m") + ` AND o.id = (
			SELECT x.id FROM session t JOIN message x ON x.session_id = t.id AND x.time_created = m.time_created
			WHERE t.project_id = s.project_id AND (t.time_created, t.id) < (s.time_created, s.id)
			AND json_extract(x.data, '$.role') = json_extract(m.data, '$.role') ORDER BY t.time_created, t.id LIMIT 1)
		WHERE m.session_id = ?1 ORDER BY m.time_created, m.id`
}

// isCopy is [isLater] of a message, but that an id of another form is taken for
// a later one, and that an hour before its moment is as early as one is made.
func isCopy(m string) string {
	return strings.ReplaceAll(
		`substr(m.id, 5, 9) NOT BETWEEN printf('%09x', (m.time_created - 3600000) & 68719476735) AND printf('%09x', m.time_created & 68719476735)`, "m.", m+".")
}
