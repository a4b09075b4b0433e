package sqlite

import (
	"context"
	"database/sql"

	"github.com/memscribe/memscribe/core"
)

// Node is a node as it was stored.
type Node struct {
	ID, Kind                string
	Source                  core.Tool
	Session, Thread         string
	Seq                     int64
	Timestamp               string // "" if it has none
	Project, Branch         string
	Text                    string // the epitome of a decision, the text of a conversation
	Speaker                 string
	IsBan                   bool
	DecidedBy, SupersededBy string
	Path, OldPath, Change   string
	Added, Removed          int64
	Tool, CallID            string
	From, To                string
	Relation, Evidence      string
	// Links are the newest of what it is bound to: the edits of a decision or
	// conversation, the reasons of an edit.
	Links []Link
	// JSON is the node itself.
	JSON []byte

	n int64
}

// MaxLinks is how many links a Node has at most.
const MaxLinks = 20

// Link is the other end of a binding.
type Link struct {
	ID, Kind           string
	Relation, Evidence string
	Timestamp          string
	Text               string // as in Node
	Path, Change       string
}

// fetch returns whole rows.
func (v view) fetch(ctx context.Context, where, order string, args []any) ([]Node, error) {
	return collect(ctx, v, scanNode, `SELECT n, id, kind, source, session, thread, seq, coalesce(timestamp, ''), project,
		coalesce(branch, ''), `+said("nodes")+`, coalesce(speaker, ''), coalesce(is_ban, 0), coalesce(decided_by, ''),
		coalesce(superseded_by, ''), coalesce(path, ''), coalesce(old_path, ''), coalesce(change, ''), coalesce(added, 0),
		coalesce(removed, 0), coalesce(tool, ''), coalesce(call_id, ''), coalesce(from_id, ''), coalesce(to_id, ''),
		coalesce(relation, ''), coalesce(evidence, ''), json
		FROM nodes WHERE `+where+" ORDER BY "+order, args...)
}

func scanNode(rows *sql.Rows, n *Node) error {
	return rows.Scan(&n.n, &n.ID, &n.Kind, &n.Source, &n.Session, &n.Thread, &n.Seq, &n.Timestamp, &n.Project,
		&n.Branch, &n.Text, &n.Speaker, &n.IsBan, &n.DecidedBy, &n.SupersededBy, &n.Path, &n.OldPath, &n.Change,
		&n.Added, &n.Removed, &n.Tool, &n.CallID, &n.From, &n.To, &n.Relation, &n.Evidence, &n.JSON)
}

// link finds what the nodes are bound to.
func (v view) link(ctx context.Context, nodes []Node) (err error) {
	for i := range nodes {
		ours, theirs := "from_id", "to_id"
		switch nodes[i].Kind {
		case "binding":
			continue
		case "episode":
			ours, theirs = theirs, ours
		}
		nodes[i].Links, err = collect(ctx, v, scanLink, linksOf(ours, theirs), nodes[i].ID, MaxLinks)
		if err != nil {
			return err
		}
	}
	return nil
}

// said is the text of a decision or a conversation.
func said(node string) string {
	return "CASE " + node + ".kind WHEN 'decision' THEN json_extract(" + node + ".json, '$.epitome')" +
		" WHEN 'conversation' THEN json_extract(" + node + ".json, '$.text') ELSE '' END"
}

func linksOf(ours, theirs string) string {
	return `SELECT o.id, o.kind, coalesce(b.relation, ''), coalesce(b.evidence, ''), coalesce(o.timestamp, ''),
		` + said("o") + `, coalesce(o.path, ''), coalesce(o.change, '')
		FROM nodes AS b CROSS JOIN nodes AS o ON o.id = b.` + theirs + " WHERE b." + ours + " = ? ORDER BY b.n DESC LIMIT ?"
}

func scanLink(rows *sql.Rows, l *Link) error {
	return rows.Scan(&l.ID, &l.Kind, &l.Relation, &l.Evidence, &l.Timestamp, &l.Text, &l.Path, &l.Change)
}
