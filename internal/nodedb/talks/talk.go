// Package talks reads one session from the database: what was said in it, decided and edited,
// whole or one part at a time.
//
// A session is in three tables. The messages are everything that was said, if the database
// keeps them; nodes of the kind conversation are the part of it that was worth keeping, and
// stand in for the messages where there are none; decisions and episodes are what followed from
// it. All of them are items of one list, in the order of the transcript:
//
//	thread  seq  item
//	""        4  user       "Use UTC everywhere."
//	""        4  decision   use UTC              at the same place: behind the words
//	""        6  episode    src/clock.go +3 -1   and the edits behind the decisions
//	"a1"      2  user       the prompt of a subagent: its thread comes after the main line
//
// [Read] returns the whole list up to [MaxItems]; [ReadWindow] returns a part of it and the
// place where the next part begins. Each call reads one snapshot of the database, so that a
// writer in the meantime changes nothing in the answer.
package talks

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/marks"
	"github.com/memscribe/memscribe/internal/nodedb/messages"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Talk is one session, as much of it as was asked for. Project is the folder of the session's
// part with the latest activity; a session may have worked in several.
type Talk struct {
	Session string
	Source  core.Tool
	Project string
	Items   []Item // thread by thread, the main line first, as they are in the transcript
	Cut     bool   // there is more than MaxItems
}

// Item is a message, a decision or an edit, at its place in the session.
type Item struct {
	Kind           string // user, assistant, command, decision, episode
	Thread         string
	Seq            int64
	Timestamp      string // "" if it has none
	Text           string // what was said or decided; the unified diff of an edit
	IsBan          bool
	Superseded     bool // of a decision: it was taken back
	Path, Change   string
	Added, Removed int64
	ID             string        // of a node; "" of a message
	Mark           annotate.Mark // what people said of a node
}

// view is the database at one moment. All queries of one call go through the same view.
type view struct{ nodedb.Snapshot }

// MaxItems is how many items of a session are read.
const MaxItems = 20_000

// Read reads a session by its id, or the beginning of one that no other session has.
// "" is the latest one, of a project if one is named.
func Read(ctx context.Context, r *nodedb.Reader, id, project string) (t Talk, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		v := view{s}
		if t, err = v.whose(ctx, id, project); err != nil {
			return err
		}
		said, failed := messages.Read(ctx, v, "session = ? AND source = ? ORDER BY thread, seq, n LIMIT ?", t.Session, string(t.Source), MaxItems+1)
		if failed != nil {
			return failed
		}
		if t.Items, err = v.done(ctx, &t, len(said) == 0); err != nil {
			return err
		}
		for i := range said {
			t.Items = append(t.Items, itemOf(&said[i]))
		}
		slices.SortStableFunc(t.Items, compareItems)
		if t.Cut = len(t.Items) > MaxItems; t.Cut {
			t.Items = t.Items[:MaxItems]
		}
		return nil
	})
	if err != nil {
		return Talk{}, fmt.Errorf("read session %s: %w", id, err)
	}
	return t, nil
}

// Whose finds a session as [Read] does, without what was said in it.
func Whose(ctx context.Context, r *nodedb.Reader, id, project string) (t Talk, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		t, err = view{s}.whose(ctx, id, project)
		return err
	})
	if err != nil {
		return Talk{}, fmt.Errorf("read session %s: %w", id, err)
	}
	return t, nil
}

// whose finds the session that an id or its beginning means, or the latest session of a
// project. It returns [nodedb.ErrSession] if there is none, and the error of SessionID if
// several sessions begin like that.
func (v view) whose(ctx context.Context, id, project string) (t Talk, err error) {
	projects, err := v.Projects(ctx, project)
	if err != nil {
		return t, err
	}
	where, args := "true", []any{}
	if id != "" {
		if id, err = v.SessionID(ctx, id); err != nil {
			return t, err
		}
		where, args = "session = ?", []any{id}
	}
	if len(projects) > 0 {
		where, args = where+" AND project IN "+schema.Placeholders(len(projects)), append(args, schema.Anys(projects)...)
	}
	// What a person only added is no session that somebody worked in.
	args = append(args, string(annotate.Person))
	err = v.QueryRowContext(ctx, "SELECT session, source, project FROM tally WHERE "+where+" ORDER BY source = ?, last DESC LIMIT 1", args...).
		Scan(&t.Session, &t.Source, &t.Project)
	if errors.Is(err, sql.ErrNoRows) {
		err = nodedb.ErrSession
	}
	return t, err
}

// done returns the decisions and edits of a session, with the marks that people gave them, at
// most one more than [MaxItems]. With conversations, it also returns the nodes that are in
// for messages that were not kept.
func (v view) done(ctx context.Context, t *Talk, conversations bool) ([]Item, error) {
	kinds := "('decision', 'episode')"
	if conversations {
		kinds = "('decision', 'episode', 'conversation')"
	}
	items, err := schema.Collect(ctx, v, scanItem, itemsSQL+" WHERE session = ? AND source = ? AND +kind IN "+kinds+" ORDER BY thread, seq, n LIMIT ?", t.Session, string(t.Source), MaxItems+1)
	if err != nil {
		return nil, err
	}
	return items, v.markItems(ctx, items)
}

// itemsSQL selects nodes as items: the columns in the order in which scanItem reads them. The
// text is the first of the members of a node's JSON that exists: the words, the title or the
// summary of a decision, the diff of an edit.
const itemsSQL = `SELECT id, iif(kind = 'conversation', speaker, kind), thread, seq, coalesce(timestamp, ''),
	coalesce(json_extract(json, '$.text'), json_extract(json, '$.title'), json_extract(json, '$.epitome'), json_extract(json, '$.diff.unified'), ''),
	coalesce(is_ban, 0), superseded_by IS NOT NULL, coalesce(path, ''), coalesce(change, ''), coalesce(added, 0), coalesce(removed, 0) FROM nodes`

// scanItem reads the columns of itemsSQL.
func scanItem(rows *sql.Rows, i *Item) error {
	return rows.Scan(&i.ID, &i.Kind, &i.Thread, &i.Seq, &i.Timestamp, &i.Text, &i.IsBan, &i.Superseded, &i.Path, &i.Change, &i.Added, &i.Removed)
}

// itemOf returns a message as an item.
func itemOf(m *messages.Message) Item {
	return Item{Kind: m.Kind, Thread: m.Thread, Seq: m.Seq, Timestamp: schema.StampOf(m.N), Text: m.Text}
}

// compareItems orders items by thread and place. At one place what was said comes first, then
// the decision that it makes, then the edit that follows from it.
func compareItems(a, b Item) int {
	rank := map[string]int{"decision": 1, "episode": 2} // the others are 0
	return cmp.Or(strings.Compare(a.Thread, b.Thread), cmp.Compare(a.Seq, b.Seq), cmp.Compare(rank[a.Kind], rank[b.Kind]))
}

// markItems adds what people said of the nodes: a corrected title takes the place of a
// decision's text, and a decision that a person superseded counts as superseded. Messages have
// no id and no mark.
func (v view) markItems(ctx context.Context, items []Item) error {
	var ids []string
	for i := range items {
		ids = append(ids, items[i].ID)
	}
	said, err := marks.Of(ctx, v, ids)
	if err != nil || len(said) == 0 {
		return err
	}
	for i := range items {
		it := &items[i]
		it.Mark = said[it.ID]
		if it.Mark.Title != "" && it.Kind == "decision" {
			it.Text = it.Mark.Title
		}
		it.Superseded = it.Superseded || it.Mark.SupersededBy != ""
	}
	return nil
}
