package copilot

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// storeFile is the database that all sessions of a home share.
const storeFile = "session-store.db"

// What the rows of the database are called.
const (
	rowSession    = "session"
	rowTurn       = "turn"
	rowUsage      = "usage"
	rowCheckpoint = "checkpoint"
	rowFile       = "file"
	rowRef        = "ref"
)

// rowTable is a table of the database whose rows belong to sessions.
type rowTable struct {
	row, table, order string
	columns           []string // besides id and session_id; those that there are get read
}

func rowTables() []rowTable {
	return []rowTable{
		{rowTurn, "turns", "turn_index", []string{"turn_index", "user_message", "assistant_response", "timestamp"}},
		{rowUsage, "assistant_usage_events", "id", []string{
			"turn_index", "agent_id", "parent_tool_call_id", "model", "input_tokens", "output_tokens", "cache_read_tokens",
			"cache_write_tokens", "reasoning_tokens", "initiator", "finish_reason", "created_at",
		}},
		{rowCheckpoint, "checkpoints", "id", []string{
			"checkpoint_number", "title", "overview", "history", "work_done", "technical_details", "important_files",
			"next_steps", "created_at",
		}},
		{rowFile, "session_files", "id", []string{"file_path", "tool_name", "turn_index", "first_seen_at"}},
		{rowRef, "session_refs", "id", []string{"ref_type", "ref_value", "turn_index", "created_at"}},
	}
}

// Layout knows the database by its sessions and turns. The index for the search is
// a copy of the turns, and what the client learns from its own work (forge_…,
// dynamic_context_items) is no one's session: they are not read.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if l, ok := s.Fits(
		core.Table{Name: "sessions", Columns: []string{"id", "cwd", "created_at", "updated_at"}},
		core.Table{Name: "turns", Columns: []string{"id", "session_id", "turn_index", "user_message", "assistant_response"}},
	); !ok {
		return l, core.NoFit
	}
	l := core.Layout{
		Conversations: `SELECT id FROM sessions UNION SELECT session_id FROM turns ORDER BY 1`,
		Rows: []core.Rows{{
			Table: rowSession,
			Query: `SELECT id, id AS session_id` + stream.Columns(s, "sessions", "", "cwd", "repository", "host_type", "branch", "summary", "created_at", "updated_at") +
				` FROM sessions WHERE id = ?1`,
		}},
	}
	stamp := []string{`SELECT '', (SELECT updated_at FROM sessions WHERE id = ?1),
		(SELECT total(octet_length(user_message)) FROM turns WHERE session_id = ?1),
		(SELECT total(octet_length(assistant_response)) FROM turns WHERE session_id = ?1)`}
	for _, t := range rowTables() {
		if !s.Has(t.table, "id", "session_id", t.order) {
			continue
		}
		of := ` FROM ` + t.table + ` WHERE session_id = ?1`
		l.Rows = append(l.Rows, core.Rows{
			Table: t.row, Query: `SELECT id, session_id` + stream.Columns(s, t.table, "", t.columns...) + of + ` ORDER BY ` + t.order,
		})
		stamp = append(stamp, `(SELECT count(*) || ' ' || coalesce(max(id), 0)`+of+`)`)
	}
	l.Stamp = strings.Join(stamp, ", ")
	return l, core.NativeFit
}

// isRow reports whether a record is a row of the database.
func isRow(v jsondoc.Value) bool {
	switch table, _ := core.Row(v); table {
	case rowSession, rowTurn, rowUsage, rowCheckpoint, rowFile, rowRef:
		return true
	}
	return false
}

// row reads a row of the database. The session's own log tells the same, or did
// until a rewind took it away: all of it is an echo (see [core.Event]).
func (p *parser) row(v jsondoc.Value) {
	p.Echo = true
	table, key := core.Row(v)
	if id := v.Get("session_id"); len(id.Body()) > 0 {
		p.Session = id.Str()
	}
	p.ID = p.Session + ":" + table + ":" + key
	p.Time = rowTime(v)
	p.read(v.Get("table"), v)
}

// rowTime is the time of a row: what the client writes, or what the database does in its place.
func rowTime(v jsondoc.Value) core.Time {
	for _, column := range []string{"timestamp", "created_at", "first_seen_at"} {
		s := v.Get(column).Str()
		if day, clock, ok := strings.Cut(s, " "); ok {
			s = day + "T" + clock + "Z"
		}
		if t := core.ParseTime(s); !t.IsZero() {
			return t
		}
	}
	return core.Time{}
}

// sessionRow opens the conversation.
func (p *parser) sessionRow(v jsondoc.Value) {
	p.follow(v)
	body := core.SessionStart{}
	if p.Project != nil {
		body.Cwd, body.Git = p.Project.Cwd, p.Project.Git
	}
	p.send(&body, false)
}

// turnRow reads a prompt and the last answer to it. The client's index calls a
// turn <session>:turn:<index>.
func (p *parser) turnRow(v jsondoc.Value) {
	index, ok := v.Get("turn_index").Int()
	if ok {
		p.ID = p.Session + ":" + rowTurn + ":" + strconv.FormatInt(index, 10)
	}
	if asked := core.Token(v.Get("user_message")); !asked.IsEmpty() {
		p.typed(asked, false)
	}
	if answer := core.Token(v.Get("assistant_response")); !answer.IsEmpty() {
		p.Parent = p.ID
		p.ID += ":response" // it comes later, and changes nothing of the prompt
		p.replied(answer)
	}
}

// usageRow reads the tokens of one request.
func (p *parser) usageRow(v jsondoc.Value) {
	agent := v.Get("agent_id")
	if len(agent.Body()) == 0 {
		agent = v.Get("parent_tool_call_id")
	}
	p.Thread = p.Names.Of(agent)
	p.Tokens = stream.Tokens(v, "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "")
	p.Assistant = core.AssistantTurn{Model: p.Names.Of(v.Get("model")), Usage: &p.Tokens}
	p.send(&p.Assistant, false)
}
