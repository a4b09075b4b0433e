// Package zed reads the threads of Zed's agent panel.
//
// A thread is one row of a database with one document in it, compressed or not,
// which is rewritten whenever something is said. There are no times in it but
// those of the thread, and no ids but those of what a person said. Conversations
// in text ("assistant contexts") are documents of their own.
//
// Threads of other agents that run inside Zed are not there: each agent keeps
// its own, and is read where it does.
//
// What the versions write, and on what evidence that is known, is in
// docs/adapters/zed.md.
package zed

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Zed.
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Zed }

// Places are Zed's data folders (read in source).
func (Adapter) Places() []core.Place {
	const threads, conversations = "threads/threads.db", "conversations/*.zed.json"
	return []core.Place{
		{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/Zed"},
				{OS: "windows", Env: "LOCALAPPDATA", Path: "Zed"},
				{OS: "windows", Path: "AppData/Local/Zed"},
				{OS: "linux", Env: "FLATPAK_XDG_DATA_HOME", Path: "zed"},
				{Env: "XDG_DATA_HOME", Path: "zed"},
				{Path: ".local/share/zed"},
			},
			Patterns: []string{threads, conversations},
		},
		{Roots: []core.Root{{OS: "darwin", Path: ".config/zed"}}, Patterns: []string{conversations}},
	}
}

// NewParser returns a parser for one thread.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), "")
	p.Session = strings.TrimSuffix(path.Base(info.Path), ".zed.json")
	return mcpedits.Edits(p, &p.files)
}

// Detect knows conversations in text by their heads.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := stream.OpeningOf(s)
	return stream.Fit(head.Is("{") && (head.Says("zed", "context") || head.Says("zed", "conversation")), strings.HasSuffix(s.Path, ".zed.json"))
}

const tableThread = "thread"

// root finds the thread that a subagent's subagent works for in the end. A row
// says only who started it.
const root = `(WITH RECURSIVE up (id, parent) AS (SELECT id, parent_id FROM threads WHERE id = ?1
 UNION SELECT t.id, t.parent_id FROM threads t JOIN up ON t.id = up.parent) SELECT id FROM up WHERE parent IS NULL LIMIT 1) AS root`

// Layout knows the database of threads by its only table. Columns have come one
// by one.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("threads", "id", "summary", "updated_at", "data_type", "data") {
		return core.Layout{}, core.NoFit
	}
	columns := stream.Columns(s, "threads", "", "parent_id", "folder_paths", "folder_paths_order", "created_at")
	if s.Has("threads", "parent_id") {
		columns += ", " + root
	}
	return core.Layout{
		Conversations: `SELECT id FROM threads ORDER BY id`,
		Stamp:         `SELECT '', updated_at, octet_length(data) FROM threads WHERE id = ?1`,
		Rows: []core.Rows{{
			Table: tableThread, Query: `SELECT id, summary, updated_at, data_type` + columns + `, data AS "data:json:packed" FROM threads WHERE id = ?1`,
		}},
	}, core.NativeFit
}
