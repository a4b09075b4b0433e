package nodedb

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Node is a node as it was stored.
//
// Which fields are set depends on the kind:
//
//	conversation   Text, Speaker
//	decision       Text, Title, IsBan, DecidedBy, SupersededBy
//	episode        Path, OldPath, Change, Added, Removed, Tool, CallID
//	binding        From, To, Relation, Evidence
//
// JSON has everything else, such as the markers of a decision and the diff of an edit.
type Node struct {
	ID, Kind                string
	Source                  core.Tool
	Session, Thread         string
	Brief                   string // of Session: see [Reader.Briefs]; "" where it was not asked for
	Seq                     int64
	Timestamp               string // "" if it has none
	Project, Branch         string
	Text                    string // the epitome of a decision, the text of a conversation
	Title                   string // of a decision: what it says by itself
	Speaker                 string
	IsBan                   bool
	DecidedBy, SupersededBy string
	Path, OldPath, Change   string
	Added, Removed          int64
	Tool, CallID            string
	From, To                string
	Relation, Evidence      string
	Memory                  MemoryCall // of a call about a memory of the agent's own
	// Links are the newest of what it is bound to: the edits of a decision or
	// conversation, the reasons of an edit. [Reader.Memories] gives others.
	Links []Link
	// Mark is what people said of it. A title and what replaced it are those of Node
	// too.
	Mark annotate.Mark
	// JSON is the node itself.
	JSON []byte

	n int64
}

// By names who decided or said it: "user", "assistant" or the name of a model; of what a teammate
// shared, the teammate in place of "user". An edit has none.
func (n *Node) By() string {
	who := n.Speaker + n.DecidedBy // it has one of them
	if n.Mark.Shared != nil && who == string(core.User) {
		return n.Mark.Shared.By
	}
	return who
}

// MemoryCall is what an agent did to a memory of its own; the zero MemoryCall is
// nothing.
type MemoryCall struct {
	Action string // memory_write, memory_read
	Store  string // a server or tool; file
	Key    string // in the store; "" is all of it
}

// MaxLinks is how many links a Node has at most.
const MaxLinks = 20

// Link is the other end of a binding.
//
// An edit links to the decisions that it carries out or that govern it, and a decision to its
// edits. A node has at most [MaxLinks], the newest.
type Link struct {
	ID, Kind           string
	Relation, Evidence string
	Timestamp          string
	Text, Title        string // as in Node
	Path, Change       string
	Source, Session    string // of a link of [Reader.Memories]
}

// fetch returns whole rows.
func (v view) fetch(ctx context.Context, where, order string, args []any) ([]Node, error) {
	return schema.Collect(ctx, v, scanNode, `SELECT n, id, kind, source, session, thread, seq, coalesce(timestamp, ''), project,
		coalesce(branch, ''), `+said("nodes")+`, `+titled("nodes")+`, coalesce(speaker, ''), coalesce(is_ban, 0), coalesce(decided_by, ''),
		coalesce(superseded_by, ''), coalesce(path, ''), coalesce(old_path, ''), coalesce(change, ''), coalesce(added, 0),
		coalesce(removed, 0), coalesce(tool, ''), coalesce(call_id, ''), coalesce(from_id, ''), coalesce(to_id, ''),
		coalesce(relation, ''), coalesce(evidence, ''),
		coalesce(memory_action, ''), coalesce(memory_store, ''), coalesce(memory_key, ''), json
		FROM nodes WHERE `+where+" ORDER BY "+order, args...)
}

// scanNode reads a node from a row of [view.fetch]. The order of the columns is the same.
func scanNode(rows *sql.Rows, n *Node) error {
	return rows.Scan(&n.n, &n.ID, &n.Kind, &n.Source, &n.Session, &n.Thread, &n.Seq, &n.Timestamp, &n.Project,
		&n.Branch, &n.Text, &n.Title, &n.Speaker, &n.IsBan, &n.DecidedBy, &n.SupersededBy, &n.Path, &n.OldPath, &n.Change,
		&n.Added, &n.Removed, &n.Tool, &n.CallID, &n.From, &n.To, &n.Relation, &n.Evidence,
		&n.Memory.Action, &n.Memory.Store, &n.Memory.Key, &n.JSON)
}

// edits returns rows of edits as fetch does. It leaves out columns that they have not.
func (v view) edits(ctx context.Context, where, order string, args []any) ([]Node, error) {
	scan := func(rows *sql.Rows, n *Node) error {
		return rows.Scan(&n.n, &n.ID, &n.Kind, &n.Source, &n.Session, &n.Thread, &n.Seq, &n.Timestamp, &n.Project, &n.Branch,
			&n.Path, &n.OldPath, &n.Change, &n.Added, &n.Removed, &n.Tool, &n.CallID, &n.Memory.Action, &n.Memory.Store, &n.Memory.Key, &n.JSON)
	}
	return schema.Collect(ctx, v, scan, `SELECT n, id, kind, source, session, thread, seq, coalesce(timestamp, ''), project,
		coalesce(branch, ''), coalesce(path, ''), coalesce(old_path, ''), coalesce(change, ''), coalesce(added, 0), coalesce(removed, 0),
		coalesce(tool, ''), coalesce(call_id, ''), coalesce(memory_action, ''), coalesce(memory_store, ''), coalesce(memory_key, ''), json
		FROM nodes WHERE `+where+" ORDER BY "+order, args...)
}

// link finds what the nodes are bound to, for all of them at once: to prepare a
// question takes longer than to answer it.
func (v view) link(ctx context.Context, nodes []Node) error {
	var made, carried []string // ids of edits, and of what they carry out
	at := map[string]int{}
	for i := range nodes {
		at[nodes[i].ID] = i
		switch nodes[i].Kind {
		case "binding":
		case "episode":
			made = append(made, nodes[i].ID)
		default:
			carried = append(carried, nodes[i].ID)
		}
	}
	for _, end := range []struct {
		ours, theirs string
		ids          []string
	}{{"to_id", "from_id", made}, {"from_id", "to_id", carried}} {
		if len(end.ids) == 0 {
			continue
		}
		q, err := linksOf(end.ours, end.theirs, end.ids)
		if err != nil {
			return err
		}
		var doc jsondoc.Doc
		found, err := schema.Collect(ctx, v, func(rows *sql.Rows, l *linkOf) error { return scanLink(rows, l, &doc) }, q.SQL, q.Args...)
		if err != nil {
			return err
		}
		attach(nodes, at, found)
	}
	return nil
}

// attach gives nodes their links, found by their ids.
func attach(nodes []Node, at map[string]int, found []linkOf) {
	for _, l := range found {
		n := &nodes[at[l.of]]
		n.Links = append(n.Links, l.Link)
	}
}

// said returns the text of a decision or a conversation.
func said(node string) string {
	return "CASE " + node + ".kind WHEN 'decision' THEN json_extract(" + node + ".json, '$.epitome')" +
		" WHEN 'conversation' THEN json_extract(" + node + ".json, '$.text') ELSE '' END"
}

// titled returns the title of a decision. Nodes of an older program have none: then the
// epitome stands for it.
func titled(node string) string {
	return "CASE " + node + ".kind WHEN 'decision' THEN coalesce(json_extract(" + node + ".json, '$.title'), json_extract(" + node + ".json, '$.epitome')) ELSE '' END"
}

// linkOf is a link of a node.
type linkOf struct {
	of string
	Link
}

// linksOf returns the question for the other ends of the bindings of nodes. The ids
// are one parameter: SQLite plans again whenever one that a column is compared
// with has changed.
func linksOf(ours, theirs string, ids []string) (Query, error) {
	list, err := json.Marshal(ids)
	return Query{
		SQL: `SELECT wanted.value, o.id, o.kind, coalesce(b.relation, ''), coalesce(b.evidence, ''), coalesce(o.timestamp, ''),
		CASE WHEN o.kind IN ('decision', 'conversation') THEN o.json END, coalesce(o.path, ''), coalesce(o.change, '')
		FROM json_each(?) AS wanted
		  CROSS JOIN nodes AS b ON b.n IN (SELECT n FROM nodes WHERE ` + ours + ` = wanted.value ORDER BY n DESC LIMIT ?)
		  CROSS JOIN nodes AS o ON o.id = b.` + theirs + ` ORDER BY wanted.key, b.n DESC`,
		Args: []any{string(list), MaxLinks},
	}, err
}

// scanLink reads a link, and its words from the JSON of the other end: [jsondoc] is faster at that than
// SQLite.
func scanLink(rows *sql.Rows, l *linkOf, doc *jsondoc.Doc) error {
	var text sql.RawBytes
	err := rows.Scan(&l.of, &l.ID, &l.Kind, &l.Relation, &l.Evidence, &l.Timestamp, &text, &l.Path, &l.Change)
	if err != nil || len(text) == 0 {
		return err
	}
	if _, err = doc.Parse(text); err != nil {
		return fmt.Errorf("read %s: %w", l.ID, err)
	}
	node := doc.Root()
	if l.Kind == "conversation" {
		l.Text = node.Get("text").Str()
		return nil
	}
	l.Text = node.Get("epitome").Str()
	if l.Title = l.Text; node.Get("title").Exists() { // nodes of an older program have none
		l.Title = node.Get("title").Str()
	}
	return nil
}

// scanTrace reads the columns of a link and of the node that it leads to.
func scanTrace(rows *sql.Rows, l *linkOf) error {
	return rows.Scan(&l.of, &l.ID, &l.Kind, &l.Relation, &l.Timestamp, &l.Text, &l.Path, &l.Change, &l.Source, &l.Session)
}
