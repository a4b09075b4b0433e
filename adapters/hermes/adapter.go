// Package hermes reads the sessions of Hermes Agent.
//
// They lie in one database for each profile: a row for a session, a row for a
// message. A compaction marks the messages that it replaces and puts copies of
// the latest ones behind its summary; undoing marks what it takes back. Older
// versions wrote files too, which are read when they are named.
//
// What the versions write, and on what evidence that is known, stands in
// docs/adapters/hermes.md.
package hermes

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Hermes Agent.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Hermes }

// Places are the databases of the profiles. The files of older versions say the
// same and give no ids, so that they are read only if they are named.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{
			{Env: "HERMES_HOME"}, {OS: "windows", Env: "LOCALAPPDATA", Path: "hermes"}, {OS: "windows", Path: "AppData/Local/hermes"}, {Path: ".hermes"},
		},
		Patterns: []string{"state.db", "profiles/*/state.db"},
	}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	stem, _, _ := strings.Cut(path.Base(info.Path), ".")
	p := &parser{}
	p.Session = strings.TrimPrefix(stem, "session_")
	return p
}

// Framing tells the files that are rewritten whole from the logs.
func (Adapter) Framing(s core.Sample) core.Framing {
	if strings.HasSuffix(s.Path, ".json") {
		return core.Document
	}
	return core.Lines
}

// Detect knows the files of older versions by their heads.
func (Adapter) Detect(s core.Sample) core.Fit {
	var doc jsondoc.Doc
	head := bytes.TrimLeft(s.Head, " \t\r\n\x00\ufeff")
	if n, err := doc.Parse(head); err == nil && n > 0 {
		v := doc.Root()
		isLog := v.Get("role").Is("session_meta") && v.Get("platform").Exists()
		isDocument := v.Get("session_start").Exists() && v.Get("platform").Exists() && v.Get("messages").Kind() == jsondoc.Array
		if isLog || isDocument {
			return core.NativeFit
		}
		return core.NoFit
	}
	begin := head[:min(len(head), 4<<10)]
	if bytes.Contains(begin, []byte(`"session_start"`)) && bytes.Contains(begin, []byte(`"platform"`)) {
		return core.ShapeFit
	}
	return core.NoFit
}

// same is that two rows are copies of each other.
const same = `x.role = m.role AND x.content IS m.content AND x.tool_call_id IS m.tool_call_id AND x.tool_calls IS m.tool_calls`

// Layout knows the database by its tables. Columns have come one by one.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("sessions", "id", "source", "started_at") || !s.Has("messages", "id", "session_id", "role", "content", "tool_calls", "tool_call_id", "timestamp") {
		return core.Layout{}, core.NoFit
	}
	session := columns(s, "sessions", "source", "model", "started_at", "ended_at", "end_reason", "parent_session_id", "cwd", "git_branch", "git_repo_root", "title", "rewind_count")
	if s.Has("sessions", "model_config") {
		session += `, json_extract(CASE WHEN json_valid(model_config) THEN model_config END, '$._delegate_from') AS delegated`
	}
	message := columns(s, "messages", "role", "content", "tool_call_id", "tool_name", "timestamp", "finish_reason", "reasoning",
		"active", "compacted", "observed", "_compressed_summary", "display_kind") + `, tool_calls AS "tool_calls:json"`
	if s.Has("messages", "active", "compacted") {
		message += `, (active = 0 AND compacted = 0 AND NOT EXISTS (SELECT 1 FROM messages x
			WHERE x.session_id = m.session_id AND x.id > m.id AND x.active = 1 AND ` + same + `)) AS undone`
	}
	if s.Has("sessions", "parent_session_id") {
		message += `, (WITH RECURSIVE up(id) AS (
				SELECT parent_session_id FROM sessions WHERE id = ?1
				UNION SELECT p.parent_session_id FROM sessions p JOIN up ON p.id = up.id)
			SELECT x.session_id || ':' || x.id FROM messages x WHERE x.session_id IN (SELECT id FROM up WHERE id IS NOT NULL)
			AND x.timestamp = m.timestamp AND ` + same + ` ORDER BY x.id LIMIT 1) AS copy_of`
	}
	return core.Layout{
		Conversations: `SELECT id FROM sessions ORDER BY started_at, id`,
		Stamp: `SELECT '', count(*), max(id), ` + sum(s, "active") + `, ` + sum(s, "compacted") + `, total(octet_length(content)),
			(SELECT ended_at FROM sessions WHERE id = ?1) FROM messages WHERE session_id = ?1`,
		Rows: []core.Rows{
			{Table: tableSession, Query: `SELECT id` + session + ` FROM sessions m WHERE id = ?1`},
			{Table: tableMessage, Query: `SELECT id` + message + ` FROM messages m WHERE session_id = ?1 ORDER BY id`},
			{Table: tableEnd, Query: `SELECT id, ended_at, ` + orNull(s, "sessions", "end_reason") + ` FROM sessions m WHERE id = ?1`},
		},
	}, core.NativeFit
}

// columns lists those of the columns that there are.
func columns(s core.Schema, table string, names ...string) string {
	var list strings.Builder
	for _, n := range names {
		if s.Has(table, n) {
			list.WriteString(", m." + n)
		}
	}
	return list.String()
}

func orNull(s core.Schema, table, column string) string {
	if s.Has(table, column) {
		return column
	}
	return "NULL AS " + column
}

func sum(s core.Schema, column string) string {
	if s.Has("messages", column) {
		return "sum(" + column + ")"
	}
	return "0"
}
