// Package cursor parses the conversations of Cursor's editor and command-line agent,
// and the transcripts that both write.
//
//	state.vscdb, cursorDiskKV   composerData:<id> and bubbleId:<id>:<bubble>   the editor's
//	state.vscdb, ItemTable      …aichat.view.aichat.chatdata                   the editor's before
//	store.db, meta and blobs    a root that lists its messages                 the command line agent's
//	agent-transcripts/<id>      lines of JSON, or text                         a copy without results
//	an exported file            text                                           what was said, and nothing else
//
// There is no description by the vendor; every field may be missing. What is
// known, and how, is in docs/adapters/cursor.md.
//
// A conversation of the editor, row by row as [Adapter.Layout] gives them:
//
//	composer  {"composerId","fullConversationHeadersOnly":[{"bubbleId"},…]}   session_start
//	content   composer.content.<hash>: a text                                 kept for edits
//	bubble    {"type":1,"text":"Use UTC."}                                    user_turn
//	bubble    {"type":2,"toolFormerData":{"name":"edit_file_v2","rawArgs":…,
//	           "status":"completed","result":{"beforeContentId",…}}}          tool_call, tool_result, file_edit
//	bubble    {"type":2,"text":"Done."}                                       assistant_turn
//
// Rows are read in that order: a text comes before the bubble that names it. A row
// whose JSON is damaged is missing, as a bubble that was taken back is.
package cursor

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Cursor.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Cursor }

// Places are the editor's folders and those of the agent (reported by other
// readers). The transcripts below projects/ say again what the databases say: where
// an agent ran on another machine, they are all there is.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/Cursor/User"},
				{OS: "windows", Env: "APPDATA", Path: "Cursor/User"},
				{OS: "windows", Path: "AppData/Roaming/Cursor/User"},
				{OS: "linux", Env: "XDG_CONFIG_HOME", Path: "Cursor/User"},
				{Path: ".config/Cursor/User"},
			},
			Patterns: []string{"globalStorage/state.vscdb", "workspaceStorage/*/state.vscdb"},
		},
		{
			Roots: []core.Root{{Env: "CURSOR_CONFIG_DIR"}, {Path: ".cursor"}},
			Patterns: []string{
				"chats/*/*/store.db", "acp-sessions/*/store.db",
				"projects/*/agent-transcripts/*.jsonl", "projects/*/agent-transcripts/*.txt",
				"projects/*/agent-transcripts/*/*.jsonl", "projects/*/agent-transcripts/*/*.txt",
				"projects/*/agent-transcripts/*/subagents/*.jsonl",
			},
		},
	}
}

// NewParser returns a parser for one conversation.
// A transcript beside a database is an echo: it repeats what that holds.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), "")
	p.Echo = isTold(info)
	p.Session = strings.TrimSuffix(path.Base(info.Path), path.Ext(info.Path))
	dir := path.Dir(info.Path)
	switch {
	case path.Base(dir) == "subagents":
		p.Session, p.Thread = path.Base(path.Dir(dir)), p.Session
	case path.Base(info.Path) == "store.db":
		p.Session = path.Base(dir)
	}
	return mcpedits.Edits(p, &p.files)
}

// Framing says that what is text is a document.
func (Adapter) Framing(s core.Sample) core.Framing {
	if isText(s.Head) {
		return core.Document
	}
	return core.Lines
}

// maxLooks is how many lines Detect looks at.
const maxLooks = 16

// Detect knows transcripts: lines with a role and a message, and none of what
// other tools put beside those.
func (Adapter) Detect(s core.Sample) core.Fit {
	best := core.NoFit
	inPlace := strings.Contains(s.Path, "/agent-transcripts/")
	looks := 0
	if isText(s.Head) {
		if inPlace || isExport(strings.TrimLeft(string(s.Head), "\ufeff \t\r\n")) {
			return core.NativeFit
		}
		return core.PathFit
	}
	for _, v := range s.Records() {
		if looks++; looks > maxLooks {
			break
		}
		if v.Exists() {
			best = max(best, fitOf(v, inPlace))
		}
	}
	if best == core.NoFit && inPlace && len(s.Head) == 0 {
		return core.PathFit
	}
	return best
}

// fitOf judges a line of a transcript. Other tools write the same two members with more
// beside them.
func fitOf(v jsondoc.Value, inPlace bool) core.Fit {
	content := v.Path("message", "content").Kind()
	if v.Get("role").Kind() != jsondoc.String || content != jsondoc.Array && (content != jsondoc.String || !inPlace) {
		return core.NoFit
	}
	for _, other := range []string{"type", "uuid", "id", "sessionId", "timestamp"} {
		if v.Get(other).Exists() {
			return core.NoFit
		}
	}
	if inPlace {
		return core.NativeFit
	}
	return core.ShapeFit
}

// What records are called.
const (
	tableComposer = "composer"
	tableBubble   = "bubble"
	tableContent  = "content"
	tableTab      = "tab"
	tableMeta     = "meta"
	tableBlob     = "blob"
)

// Layout knows the databases of the editor and of the agent by their tables.
// Those of other editors that are made of the same parts have no cursorDiskKV.
func (Adapter) Layout(path string, s core.Schema) (core.Layout, core.Fit) {
	values, documents := core.Table{Name: "cursorDiskKV", Columns: []string{"key", "value"}}, core.Table{Name: "ItemTable", Columns: []string{"key", "value"}}
	both, _ := s.Fits(values, documents)
	blobs, isAgent := s.Fits(core.Table{Name: "blobs", Columns: []string{"id", "data"}}, core.Table{Name: "meta", Columns: []string{"key", "value"}})
	switch {
	case s.Has("cursorDiskKV", "key", "value"):
		l := editor(s)
		l.Missing = both.Missing
		return l, core.NativeFit
	case isAgent && len(s["blobs"]) == 2:
		return agent(), core.NativeFit
	case s.Has("ItemTable", "key", "value") && strings.Contains(path, "/Cursor"):
		l := chats()
		if strings.HasSuffix(path, "/globalStorage/state.vscdb") {
			l.Missing = both.Missing
		}
		return l, core.NativeFit
	}
	return blobs, core.NoFit
}

// prefix is a condition that a key begins with something and the conversation's
// id, such that an index serves it: ";" follows ":".
func prefix(kind string) string {
	return `key >= '` + kind + `:' || ?1 || ':' AND key < '` + kind + `:' || ?1 || ';'`
}

// header is the JSON of a composer, or none.
const header = `SELECT CASE WHEN json_valid(CAST(value AS TEXT)) THEN CAST(value AS TEXT) END AS doc FROM cursorDiskKV WHERE key = 'composerData:' || ?1`

// unreadable stands for a header that is not JSON. Its text may hold a key.
const unreadable = `SELECT '(' || octet_length(value) || ' bytes)' FROM cursorDiskKV WHERE key = 'composerData:' || ?1 AND length(value) > 0`

// parent finds the conversation whose header names another one.
const parent = `SELECT substr(key, 14) FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;'
	AND key <> 'composerData:' || ?1 AND instr(CAST(value AS TEXT), json_quote(?1)) > 0 ORDER BY key LIMIT 1`

// place is a column that says where a conversation takes place, from what stands beside its header:
// a table, or documents, of the heads of all (since 3.0), or of projects and their members (since
// 3.12). Of before, the window's own database tells, which this one does not name.
func place(s core.Schema) string {
	const doc = `CASE WHEN json_valid(CAST(%.value AS TEXT)) THEN CAST(%.value AS TEXT) END`
	of := func(name string) string { return strings.ReplaceAll(doc, "%", name) }
	var ways []string
	if s.Has("composerHeaders", "composerId", "value") {
		ways = append(ways, `(SELECT `+of("h")+` FROM composerHeaders h WHERE h.composerId = ?1)`)
	}
	if s.Has("ItemTable", "key", "value") {
		ways = append(ways,
			`(SELECT c.value FROM ItemTable i, json_each(`+of("i")+`, '$.allComposers') c
				WHERE i.key = 'composer.composerHeaders' AND json_extract(c.value, '$.composerId') = ?1 LIMIT 1)`,
			`(SELECT p.value FROM ItemTable m, json_each(`+of("m")+`) member, ItemTable i, json_each(`+of("i")+`) p
				WHERE m.key = 'glass.localAgentProjectMembership.v1' AND member.key = ?1 AND i.key = 'glass.localAgentProjects.v1'
				AND json_extract(p.value, '$.id') = member.value LIMIT 1)`)
	}
	switch len(ways) {
	case 0:
		return ""
	case 1:
		return `, ` + ways[0] + ` AS "place:json"`
	}
	return `, coalesce(` + strings.Join(ways, ", ") + `) AS "place:json"`
}

// children is a column of the subagents that a conversation sent, with the calls
// that sent them (since 3.12).
func children(s core.Schema) string {
	if !s.Has("composerHeaders", "composerId", "isSubagent", "value") {
		return ""
	}
	return `, (SELECT json_group_array(json_object('id', composerId, 'call', json_extract(doc, '$.subagentInfo.toolCallId'))) FROM (
		SELECT composerId, CASE WHEN json_valid(CAST(value AS TEXT)) THEN CAST(value AS TEXT) END AS doc
		FROM composerHeaders WHERE isSubagent = 1 ORDER BY composerId)
		WHERE json_extract(doc, '$.subagentInfo.parentComposerId') = ?1) AS "children:json"`
}

// editor is the layout of the editor's database. The header of a conversation lists its bubbles in
// their order; others with its id were taken back. Credentials lie in the same database: only what
// is named here is looked at. The rows of one conversation are: its header, the texts that its
// edits name, its bubbles in the header's order.
func editor(s core.Schema) core.Layout {
	const order = `WITH head AS (` + header + `), listed AS (
		SELECT h.key AS n, json_extract(h.value, '$.bubbleId') AS id FROM head, json_each(head.doc, '$.fullConversationHeadersOnly') h)`
	l := core.Layout{
		Conversations: `SELECT substr(key, 14) FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL ORDER BY key`,
		Stamp: `SELECT '', count(*), sum(octet_length(value)), (SELECT octet_length(value) || ' ' || CASE WHEN json_valid(CAST(value AS TEXT))
			THEN coalesce(json_extract(CAST(value AS TEXT), '$.lastUpdatedAt'), '') END FROM cursorDiskKV WHERE key = 'composerData:' || ?1)
			FROM cursorDiskKV WHERE ` + prefix("bubbleId"),
		Rows: []core.Rows{
			{Table: tableComposer, Query: `SELECT ?1, coalesce(json_remove(doc, '$.blobEncryptionKey'), (` + unreadable + `)) AS "data:json",
				CASE WHEN ?1 LIKE 'task-%' OR json_extract(doc, '$.isSubagent') THEN (` + parent + `) END AS parent` + place(s) + children(s) + ` FROM (` + header + `)`},
			{Table: tableContent, Query: order + `, edits AS (
				SELECT listed.n, CASE WHEN json_valid(json_extract(CAST(b.value AS TEXT), '$.toolFormerData.result'))
					THEN json_extract(CAST(b.value AS TEXT), '$.toolFormerData.result') END AS result
				FROM listed JOIN cursorDiskKV b ON b.key = 'bubbleId:' || ?1 || ':' || listed.id
				WHERE json_valid(CAST(b.value AS TEXT)) AND json_extract(CAST(b.value AS TEXT), '$.toolFormerData.name') = 'edit_file_v2'),
				ids AS (SELECT json_extract(result, '$.beforeContentId') AS id FROM edits UNION SELECT json_extract(result, '$.afterContentId') FROM edits)
				SELECT c.key, CAST(c.value AS TEXT) AS text FROM ids JOIN cursorDiskKV c
				ON c.key IN (ids.id, 'composer.content.' || ids.id) WHERE c.key LIKE 'composer.content.%' ORDER BY c.key`},
			{Table: tableBubble, Query: order + ` SELECT listed.id, CAST(b.value AS TEXT) AS "data:json"
				FROM listed LEFT JOIN cursorDiskKV b ON b.key = 'bubbleId:' || ?1 || ':' || listed.id ORDER BY listed.n`},
		},
	}
	if s.Has("ItemTable", "key", "value") {
		old := chats()
		l.Conversations = `SELECT * FROM (` + l.Conversations + `) UNION ALL ` + old.Conversations
		l.Rows = append(l.Rows, old.Rows...)
		l.Unreadable = old.Unreadable
	}
	if s.Has("composerHeaders", "composerId", "value") {
		heads := `SELECT 'the header of ' || composerId AS name FROM composerHeaders WHERE length(value) > 0 AND NOT json_valid(CAST(value AS TEXT)) ORDER BY name`
		if l.Unreadable != "" {
			heads = `SELECT * FROM (` + l.Unreadable + `) UNION ALL SELECT * FROM (` + heads + `)`
		}
		l.Unreadable = heads
	}
	return l
}

// documents are the keys of the table of items whose documents are read: conversations, and
// where they take place.
const documents = `('workbench.panel.aichat.view.aichat.chatdata', 'workbench.panel.chat.view.chat.chatdata',
	'composer.composerHeaders', 'glass.localAgentProjectMembership.v1', 'glass.localAgentProjects.v1')`

// chats is the layout of the conversations before composers: tabs of one document.
func chats() core.Layout {
	const keys = `('workbench.panel.aichat.view.aichat.chatdata', 'workbench.panel.chat.view.chat.chatdata')`
	const tabs = `SELECT t.value AS doc, json_extract(t.value, '$.tabId') AS id FROM ItemTable i,
		json_each(CASE WHEN json_valid(CAST(i.value AS TEXT)) THEN CAST(i.value AS TEXT) END, '$.tabs') t
		WHERE i.key IN ` + keys
	return core.Layout{
		Unreadable:    stream.NotJSON("ItemTable", "key IN "+documents),
		Conversations: `SELECT id FROM (` + tabs + `) WHERE id IS NOT NULL`,
		Rows:          []core.Rows{{Table: tableTab, Query: `SELECT id, doc AS "data:json" FROM (` + tabs + `) WHERE id = ?1`}},
	}
}

// agent is the layout of the command line agent's database. The root names the
// messages, in order, by the hashes that are their ids: where one is in the
// root says which it is. If the root names none itself, the nodes below it do.
func agent() core.Layout {
	const root = `SELECT CASE WHEN json_valid(value) THEN value ELSE CAST(unhex(value) AS TEXT) END AS doc FROM meta WHERE key = '0'`
	const leaves = `WITH head AS (` + root + `),
		top AS (SELECT b.data FROM head, blobs b WHERE b.id = json_extract(head.doc, '$.latestRootBlobId')),
		named AS (SELECT b.id, b.data, instr(top.data, unhex(b.id)) AS at FROM top, blobs b WHERE instr(top.data, unhex(b.id)) > 0),
		direct AS (SELECT id, data, at, 0 AS below FROM named WHERE substr(data, 1, 1) = x'7b'),
		deeper AS (SELECT b.id, b.data, n.at, instr(n.data, unhex(b.id)) AS below FROM named n, blobs b
			WHERE NOT EXISTS (SELECT 1 FROM direct) AND instr(n.data, unhex(b.id)) > 0 AND substr(b.data, 1, 1) = x'7b')`
	return core.Layout{
		Conversations: `SELECT coalesce(json_extract(CASE WHEN json_valid(doc) THEN doc END, '$.agentId'), '') FROM (` + root + `)`,
		Stamp:         `SELECT '', value, (SELECT count(*) FROM blobs) FROM meta WHERE key = '0' AND ?1 = ?1`,
		Rows: []core.Rows{
			{Table: tableMeta, Query: `SELECT ?1, coalesce(doc, 'no JSON') AS "data:json" FROM (` + root + `)`},
			{Table: tableBlob, Query: leaves + ` SELECT id, CAST(data AS TEXT) AS "data:json" FROM
				(SELECT id, data, at, below FROM direct UNION ALL SELECT id, data, min(at), below FROM deeper GROUP BY id) WHERE ?1 = ?1 ORDER BY at, below`},
		},
	}
}
