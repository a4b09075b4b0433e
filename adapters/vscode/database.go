package vscode

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// tableSession is what a session is called that lies in a database.
const tableSession = "session"

// sessions are the sessions in a workspace's database, as they were kept until
// early 2024: all of them in one list.
const sessions = `SELECT t.value AS doc, json_extract(t.value, '$.sessionId') AS id FROM ItemTable i,
	json_each(CASE WHEN json_valid(CAST(i.value AS TEXT)) THEN CAST(i.value AS TEXT) END) t
	WHERE i.key = 'interactive.sessions' AND t.type = 'object'`

// Layout knows the database of a workspace, which every editor of this source has:
// whose it is, its path says. Only the sessions are looked at.
func (Adapter) Layout(file string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("ItemTable", "key", "value") || s.Has("cursorDiskKV", "key") || path.Base(file) != databaseFile {
		return core.Layout{}, core.NoFit
	}
	l := core.Layout{
		Conversations: `SELECT DISTINCT id FROM (` + sessions + `) WHERE id IS NOT NULL`,
		Rows: []core.Rows{{
			Table: tableSession, Query: `SELECT id, doc AS "data:json" FROM (` + sessions + `) WHERE id = ?1 LIMIT 1`,
		}},
	}
	for _, build := range append(builds(), "user-data") {
		if strings.Contains(file, "/"+build+"/User/") {
			return l, core.NativeFit
		}
	}
	return l, core.PathFit
}
