// Package hermes reads the sessions of Hermes Agent.
//
// They lie in one database for each profile: a row for a session, a row for a
// message. A compaction marks the messages that it replaces and puts copies of
// the latest ones behind its summary; undoing marks what it takes back. Older
// versions wrote files too, which are read when they are named.
//
// What the versions write, and on what evidence that is known, is in docs/adapters/hermes.md.
//
// What the rows of a session become, with a compaction in it:
//
//	session  id, cwd, parent_session_id                        session_start
//	m1 user       "Use UTC."                      compacted=1  user_turn
//	m2 assistant  "Done."                         compacted=1  assistant_turn
//	m3 user       the summary                                  compaction of m1 to m2
//	m4 assistant  "Done."  at the moment of m3                 bookkeeping: a copy of m2
//	m5 user       "And the tests?"                             user_turn
//	end      ended_at                                          session_end
//
// A copy has a number of its own and often another time. It is known by what it says
// and by where it stands: a compaction writes its messages within microseconds.
package hermes

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Hermes Agent.
type Adapter struct{ stream.JSONDocuments }

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
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	p.Session = strings.TrimPrefix(p.Session, "session_")
	return mcpedits.Edits(p, &p.files)
}

// Detect knows the files of older versions by their heads.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := stream.OpeningOf(s)
	if v := stream.Parsed(new(jsondoc.Doc), head); v.Exists() {
		isLog := v.Get("role").Is("session_meta")
		isDocument := v.Get("session_start").Exists() && v.Get("messages").Kind() == jsondoc.Array
		return stream.Fit((isLog || isDocument) && v.Get("platform").Exists(), false)
	}
	if head[:min(len(head), 4<<10)].Has("session_start", "platform") {
		return core.ShapeFit
	}
	return core.NoFit
}

// sum is the sum of a column, 0 where a version has none.
func sum(s core.Schema, column string) string {
	if s.Has("messages", column) {
		return "sum(" + column + ")"
	}
	return "0"
}

// Messages that a compaction copies are a microsecond apart: it writes them at
// once, faster than a person types.
const atOnce = `BETWEEN 0 AND 0.000005`

// standing are the messages of some sessions, with what each says (the calls that it makes or
// answers, or its words) and the time that lies between it and its neighbours.
func standing(sessions string) string {
	return `SELECT x.*, timestamp - lag(timestamp) OVER one AS since, lead(timestamp) OVER one - timestamp AS until,
			coalesce(tool_call_id, CASE WHEN json_valid(tool_calls) THEN json_extract(tool_calls, '$[0].id') END, content, '') AS says
		FROM messages x WHERE session_id ` + sessions + ` WINDOW one AS (PARTITION BY session_id ORDER BY id)`
}

// Layout knows the database by its tables. Columns have come one by one.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if l, ok := s.Fits(
		core.Table{Name: "sessions", Columns: []string{"id", "source", "started_at", "parent_session_id"}},
		core.Table{Name: "messages", Columns: []string{"id", "session_id", "role", "content", "tool_calls", "tool_call_id", "timestamp"}},
	); !ok {
		return l, core.NoFit
	}
	unreadable := ""
	if s.Has("sessions", "model_config") {
		unreadable = `SELECT 'model_config of session ' || id FROM sessions WHERE length(model_config) > 0 AND NOT json_valid(CAST(model_config AS TEXT)) ORDER BY id`
	}
	return core.Layout{
		Unreadable:    unreadable,
		Conversations: `SELECT id FROM sessions ORDER BY started_at, id`,
		Stamp: `SELECT '', count(*), max(id), ` + sum(s, "active") + `, ` + sum(s, "compacted") + `, total(octet_length(content)),
			(SELECT ended_at FROM sessions WHERE id = ?1) FROM messages WHERE session_id = ?1`,
		Rows: []core.Rows{
			{Table: tableSession, Query: sessionQuery(s)},
			{Table: tableMessage, Query: messageQuery(s)},
			{Table: tableEnd, Query: `SELECT id` + stream.Columns(s, "sessions", "m.", "ended_at", "end_reason", "title", "message_count", "tool_call_count",
				"input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens", "api_call_count") +
				` FROM sessions m WHERE id = ?1`},
		},
	}, core.NativeFit
}

// sessionQuery reads the row of a session, with what is needed to know whose it is: the
// session that sent it, those that it sent, and where it says that it works.
func sessionQuery(s core.Schema) string {
	session := stream.Columns(s, "sessions", "m.", "source", "model", "started_at", "parent_session_id", "cwd", "git_branch", "git_repo_root")
	session += `, ` + delegated(s) + ` AS delegated, (SELECT json_group_array(json_object('id', id, 'task', task)) FROM
		(SELECT c.id, ` + firstOf("c.id") + ` AS task FROM sessions c WHERE c.parent_session_id = m.id ORDER BY c.started_at, c.id)) AS "children:json"`
	if s.Has("sessions", "system_prompt") {
		const told = `'Current working directory: '`
		session += `, CASE instr(system_prompt, ` + told + `) WHEN 0 THEN NULL ELSE
			substr(system_prompt, instr(system_prompt, ` + told + `) + length(` + told + `), 4096) END AS told_cwd`
	}
	if s.Has("schema_version", "version") { // the client writes down no version of its own
		session += `, (SELECT CAST(max(version) AS TEXT) FROM schema_version) AS schema_version`
	}
	return `SELECT id` + session + ` FROM sessions m WHERE id = ?1`
}

// firstOf is the first thing that was said in a person's place.
func firstOf(session string) string {
	return `(SELECT content FROM messages WHERE session_id = ` + session + ` AND role = 'user' ORDER BY id LIMIT 1)`
}

// delegated is the session that sent another one, which is a subagent's. The first versions do not
// say so: then what was sent has begun with other words than its parent, as no branch does and
// nothing that follows a compaction, and the parent has called for it.
func delegated(s core.Schema) string {
	begun := `CASE WHEN ` + firstOf("m.id") + ` IS NOT ` + firstOf("m.parent_session_id") + ` AND EXISTS (SELECT 1 FROM messages
		WHERE session_id = m.parent_session_id AND role = 'assistant' AND instr(tool_calls, '"delegate_task"') > 0) THEN m.parent_session_id END`
	if !s.Has("sessions", "model_config") {
		return begun
	}
	marked := func(name string) string {
		return `json_extract(CASE WHEN json_valid(m.model_config) THEN m.model_config END, '$.` + name + `')`
	}
	return `CASE WHEN m.source = 'subagent' THEN m.parent_session_id WHEN ` + marked("_delegate_from") + ` IS NOT NULL THEN ` + marked("_delegate_from") + `
		WHEN ` + marked("_branched_from") + ` IS NULL THEN ` + begun + ` END`
}

// messageQuery says of each message whether it was taken back, how it stands to its neighbours, and
// which message of another session it may copy: of several that say the same, the first copies the
// first, and so on. What was taken back is not copied, unless that came after: then the copy is as
// old as the session.
func messageQuery(s core.Schema) string {
	live, undone := `1`, `0`
	switch {
	case s.Has("messages", "active", "compacted"):
		live = `(active = 1 OR compacted = 1)`
		undone = `(m.active = 0 AND m.compacted = 0 AND NOT EXISTS (SELECT 1 FROM messages x WHERE x.session_id = m.session_id
			AND x.id > m.id AND x.active = 1 AND x.timestamp = m.timestamp AND x.role = m.role AND x.content IS m.content))`
	case s.Has("messages", "active"):
		live, undone = `(active = 1)`, `(m.active = 0)`
	}
	message := stream.Columns(s, "messages", "m.", "role", "content", "tool_call_id", "tool_name", "timestamp", "finish_reason", "reasoning",
		"active", "compacted", "observed", "_compressed_summary", "display_kind")
	return `WITH RECURSIVE up(id) AS (
			SELECT parent_session_id FROM sessions WHERE id = ?1
			UNION SELECT p.parent_session_id FROM sessions p JOIN up ON p.id = up.id),
		begun(at) AS (SELECT started_at FROM sessions WHERE id = ?1),
		own AS (SELECT *, row_number() OVER (PARTITION BY role, says ORDER BY id) AS turn FROM (` + standing(`= ?1`) + `)),
		theirs AS (SELECT session_id || ':' || id AS name, role, says, ` + live + ` AS live,
			row_number() OVER (PARTITION BY role, says, ` + live + ` ORDER BY id) AS turn
			FROM (` + standing(`IN (SELECT id FROM up WHERE id IS NOT NULL)`) + `)
			WHERE timestamp <= (SELECT at FROM begun) AND coalesce(since, 1) NOT ` + atOnce + ` AND coalesce(until, 1) NOT ` + atOnce + `)
		SELECT m.id` + message + `, m.tool_calls AS "tool_calls:json", ` + undone + ` AS undone, coalesce(t.name, u.name) AS copy_of,
			CASE WHEN m.until ` + atOnce + ` THEN 1 WHEN m.since ` + atOnce + ` THEN 2 END AS batch
		FROM own m LEFT JOIN theirs t ON t.role = m.role AND t.says = m.says AND t.turn = m.turn AND t.live
		LEFT JOIN theirs u ON u.role = m.role AND u.says = m.says AND u.turn = m.turn AND NOT u.live
			AND m.timestamp < (SELECT at FROM begun) + 1
		ORDER BY m.id`
}
