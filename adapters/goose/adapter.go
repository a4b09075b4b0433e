// Package goose reads the sessions of goose.
//
// They lie in one database: a row for a session, a row for a message, whose content
// is a list of typed pieces. Until 1.20 each session was a file, a message a line.
//
// docs/adapters/goose.md says what is known of the format, and how.
package goose

import (
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows goose.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Goose }

// Places are the databases. The files of older versions were taken into it when it
// was made, under other ids, so that they are read only if they are named.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{
			{Env: "GOOSE_PATH_ROOT", Path: "data"},
			{OS: "windows", Env: "APPDATA", Path: "Block/goose/data"},
			{OS: "windows", Path: "AppData/Roaming/Block/goose/data"},
			{Env: "XDG_DATA_HOME", Path: "goose"},
			{Path: ".local/share/goose"},
		},
		Patterns: []string{"sessions/sessions.db"},
	}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Session = stream.Stem(info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect knows the files of older versions by their first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	if !isHeader(stream.FirstLine(s)) {
		return core.NoFit
	}
	return core.NativeFit
}

// isHeader reports whether a record is the first one of a file.
func isHeader(v jsondoc.Value) bool {
	return v.Get("working_dir").Kind() == jsondoc.String && v.Get("message_count").Exists() && !v.Get("type").Exists()
}

const (
	tableSession = "session"
	tableMessage = "message"
)

// Layout knows the database by its tables (read in source, schemas 1 to 15). Columns
// have come one by one.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("sessions", "id", "working_dir", "extension_data", "created_at") || !s.Has("messages", "id", "session_id", "role", "content_json", "created_timestamp") {
		return core.Layout{}, core.NoFit
	}
	session, message := "id, working_dir, created_at", "id, role, created_timestamp"
	for _, c := range []string{"name", "description", "session_type", "parent_session_id", "provider_name"} {
		if s.Has("sessions", c) {
			session += ", " + c
		}
	}
	if s.Has("sessions", "model_config_json") {
		session += `, model_config_json AS "model_config:json"`
	}
	if s.Has("messages", "message_id") {
		message += ", message_id"
	}
	if s.Has("messages", "metadata_json") {
		message += `, metadata_json AS "metadata:json"`
	}
	return core.Layout{
		Conversations: `SELECT id FROM sessions ORDER BY created_at, id`,
		Stamp:         `SELECT '', count(*), max(id), total(octet_length(content_json)) FROM messages WHERE session_id = ?1`,
		Rows: []core.Rows{
			{Table: tableSession, Query: `SELECT ` + session + ` FROM sessions WHERE id = ?1`},
			{Table: tableMessage, Query: `SELECT ` + message + `, content_json AS "content:json" FROM messages WHERE session_id = ?1 ORDER BY id`},
		},
	}, core.NativeFit
}
