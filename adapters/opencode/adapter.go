// Package opencode reads the sessions of OpenCode, and of Kilo, which is built on
// it.
//
// A session is made of messages, a message of parts, and parts are rewritten
// while things happen: the call of a tool and its result are one part. They have
// lain in four ways:
//
//	project/<dir>/storage/session/{info,message,part}/…  files, until the middle of 2025
//	storage/{session,message,part}/…                     files, before 1.2
//	opencode.db: session, message, part                  rows, since 1.2
//	opencode.db: session, session_message                rows, since 2.0
//
// A store gives the records in one form whatever the way: first the session, then
// each message with its parts behind it, last what was reverted.
//
// What the versions write, and on what evidence that is known, is in
// docs/adapters/opencode.md.
package opencode

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows OpenCode or, if Name is set, a tool that is built on it and
// keeps its sessions in a folder and a database of that name.
type Adapter struct {
	stream.Documents

	Name core.Tool
}

// Tool names the tool.
func (a Adapter) Tool() core.Tool {
	if a.Name == "" {
		return core.OpenCode
	}
	return a.Name
}

// name names the tool's folder and database.
func (a Adapter) name() string {
	if a.Name == "" {
		return "opencode"
	}
	return string(a.Name)
}

// Places is the tool's data folder, the same on every system (recorded on Linux,
// read in source for the others), and the database that a variable names, by its
// path or by one below that folder (read in source).
func (a Adapter) Places() []core.Place {
	below := a.name()
	database := core.Root{Env: strings.ToUpper(below) + "_DB", IsFile: true}
	return []core.Place{{
		Roots: []core.Root{{Env: "XDG_DATA_HOME", Path: below}, {Path: ".local/share/" + below}},
		Patterns: []string{
			below + "*.db",                          // since 1.2; a channel's name may follow
			"storage/session/*/*.json",              // before 1.2; recorded 1.0.185
			"project/*/storage/session/info/*.json", // recorded 0.5.29
		},
	}, {Roots: []core.Root{database}}}
}

// NewParser returns a parser for one session.
func (a Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{oneEach: path.Base(path.Dir(info.Path)) == "info"}
	p.Init(Adapter{}.Kinds(), info.Path)
	return mcpedits.Edits(p, &p.files)
}

// Detect judges whether a file is the first one of a session that lies in files.
func (a Adapter) Detect(s core.Sample) core.Fit {
	if a.Name == "" && isExport(stream.OpeningOf(s)) {
		return core.NativeFit
	}
	if _, ok := a.Tree(s.Path); !ok || !a.isOwn(s.Path) {
		return core.NoFit
	}
	v := stream.Parsed(new(jsondoc.Doc), stream.OpeningOf(s))
	isSession := strings.HasPrefix(v.Get("id").Str(), "ses_") && v.Get("version").Kind() == jsondoc.String && v.Path("time", "created").Exists()
	return stream.Fit(isSession, !v.Exists())
}

// isExport reports whether a document begins as an exported session does.
func isExport(head stream.Opening) bool {
	rest, ok := bytes.CutPrefix(head, []byte("{"))
	rest, isInfo := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"info"`))
	begin := stream.Opening(rest[:min(len(rest), 2<<10)])
	return ok && isInfo && bytes.Contains(begin, []byte(`"ses_`)) && begin.Has("projectID")
}

// isOwn reports whether a path is not that of a tool which is built on OpenCode,
// or is that of this one.
func (a Adapter) isOwn(name string) bool {
	inKilo := strings.Contains(name, "/"+string(core.Kilo)+"/") || strings.HasPrefix(path.Base(name), string(core.Kilo))
	return inKilo == (a.Name == core.Kilo)
}

// Tree says where the messages and parts lie of a session whose file is at name.
func (Adapter) Tree(name string) (core.Tree, bool) {
	id, isJSON := strings.CutSuffix(path.Base(name), ".json")
	dir := path.Dir(name)
	if !isJSON || !strings.HasPrefix(id, "ses_") {
		return core.Tree{}, false
	}
	t := core.Tree{Table: tableSession}
	var messages, parts string
	var strays *core.OrphanDirs
	switch {
	case strings.HasSuffix(dir, "/storage/session/info"):
		storage := path.Dir(dir)
		messages, parts = path.Join(storage, "message", id), path.Join(storage, "part", id)
		strays = &core.OrphanDirs{Dir: parts}
	case path.Base(path.Dir(dir)) == "session" && path.Base(path.Dir(path.Dir(dir))) == "storage":
		storage := path.Dir(path.Dir(dir))
		messages, parts = path.Join(storage, "message", id), path.Join(storage, "part")
		strays = &core.OrphanDirs{Dir: parts, Owner: sessionOf, Of: id}
	default:
		return core.Tree{}, false
	}
	t.Branches = []core.Branch{
		{Table: tableMessage, Dir: messages, Below: func(key string) []core.Branch {
			return []core.Branch{{Table: tablePart, Dir: path.Join(parts, key)}}
		}, Mark: copyMark, OrphanDirs: strays},
		{Table: tableRevert, Dir: dir, File: path.Base(name)},
	}
	return t, true
}

// sessionOf reads out of a part to which session it belongs.
func sessionOf(document []byte) string {
	return stream.Parsed(new(jsondoc.Doc), document).Get("sessionID").Str()
}

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
	session := core.Table{Name: "session", Columns: []string{"id", "directory", "version"}}
	messages := []core.Table{
		{Name: "message", Columns: []string{"id", "session_id", "time_created", "data"}},
		{Name: "part", Columns: []string{"id", "message_id", "data"}},
	}
	entries := core.Table{Name: "session_message", Columns: []string{"id", "session_id", "type", "seq", "data"}}
	part, hasMessages := s.Fits(messages...)
	_, hasEntries := s.Fits(entries)
	needs := []core.Table{session}
	if hasEntries {
		needs = append(needs, entries)
	}
	if hasMessages || !hasEntries {
		needs = append(needs, messages...)
	}
	if l, ok := s.Fits(needs...); !ok {
		return l, core.NoFit
	}
	l := core.Layout{
		Conversations: `SELECT id FROM session ORDER BY time_created, id`,
		Rows:          []core.Rows{{Table: tableSession, Query: sessionQuery(s)}},
		Missing:       part.Missing,
	}
	if !hasEntries && s.Has("event") && l.Missing == nil { // versions with events have entries, or messages
		l.Missing = &core.Missing{What: "table " + tableEntry, Others: []string{"session"}, Instead: []string{"message"}}
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
	columns := stream.Columns(s, "session", "",
		"parent_id", "directory", "title", "version", "agent", "time_created", "time_archived", "fork_session_id", "fork_message_id")
	if s.Has("session", "model") {
		columns += `, model AS "model:json"`
	}
	if s.Has("session", "parent_id") {
		columns += `, (WITH RECURSIVE up(id, parent) AS (
			SELECT id, parent_id FROM session WHERE id = ?1
			UNION SELECT p.id, p.parent_id FROM session p JOIN up ON p.id = up.parent
		) SELECT id FROM up WHERE parent IS NULL LIMIT 1) AS root`
	}
	return "SELECT id" + columns + " FROM session WHERE id = ?1"
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
