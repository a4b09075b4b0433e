// Package removal says what a database of nodes is to forget, and counts it. It deletes
// nothing: sink/sqlite does.
//
// A [Request] names projects, sessions, nodes or a time; several conditions must all hold. The
// same [Conditions] are used for counting, which a preview shows, and for deleting, so both
// agree.
//
//	Request{Projects: ["/w/app"], Before: 2026-01-01}
//	nodes      project IN ('/w/app') AND n < first row of 2026
//	messages   the same
//	usage      project IN ('/w/app') AND ms < 2026
//
// A binding goes with either of its ends, an annotation with its node.
package removal

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/messages"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Request says what a database is to forget: what fulfils all that is given.
type Request struct {
	Projects []string // as the database has them
	Session  string
	IDs      []string // of nodes and messages
	Before   time.Time
}

// Counts say how much a database has forgotten, or would.
type Counts struct {
	schema.Pruned

	Annotations int
}

// SessionsOf returns the sessions of projects, those alone that were nowhere else.
func SessionsOf(ctx context.Context, r *nodedb.Reader, projects []string) (all []string, err error) {
	list, err := schema.JSONList(projects)
	if err != nil {
		return nil, err
	}
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		all, err = schema.Collect(ctx, s, schema.Single[string], `SELECT session FROM tally GROUP BY session
			HAVING min(project IN (SELECT value FROM json_each(?)))`, list)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	return all, nil
}

// manyWords is the number of bytes from which on the words of a node are looked for in the
// whole session. Shorter texts ("yes, do that") occur anywhere.
const manyWords = 16

// Said finds what goes with a node: the conversations and messages of its session that
// have its words, by their ids, and the words. Few words, as "yes, do that", count only
// where they are all that a turn says at its place. An edit has none.
//
// It is how forgetting one decision also takes the sentence out of the turn that
// contains it.
func Said(ctx context.Context, r *nodedb.Reader, id string) (ids []string, words string, err error) {
	n, found, err := r.Node(ctx, id)
	if err != nil || !found {
		return nil, "", errors.Join(err, fmt.Errorf("%w: %s", nodedb.ErrNode, id))
	}
	ids, words = []string{id}, strings.TrimSpace(n.Text)
	if words == "" {
		return ids, "", nil
	}
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		nodes, failed := schema.Collect(ctx, s, schema.Single[string], `SELECT id FROM nodes WHERE session = ? AND source = ? AND id <> ?
			AND instr(coalesce(json_extract(json, '$.text'), json_extract(json, '$.epitome'), ''), ?) AND (? OR seq = ?)`,
			n.Session, string(n.Source), id, words, schema.Bit(len(words) >= manyWords), n.Seq)
		ids = append(ids, nodes...)
		if failed != nil {
			return failed
		}
		said, failed := messages.Read(ctx, s, "session = ? AND source = ?", n.Session, string(n.Source))
		if failed != nil {
			return failed
		}
		for i := range said {
			if !strings.Contains(said[i].Text, words) || len(words) < manyWords && said[i].Seq != n.Seq {
				continue
			}
			var key []byte
			if failed = s.QueryRowContext(ctx, "SELECT id FROM messages WHERE n = ?", said[i].N).Scan(&key); failed != nil {
				return failed
			}
			ids = append(ids, "message:"+hex.EncodeToString(key))
		}
		return nil
	})
	if err != nil {
		return nil, "", fmt.Errorf("read what goes with %s: %w", id, err)
	}
	return ids, words, nil
}

// Conditions are what nodes and messages must fulfil to be forgotten.
type Conditions struct {
	Nodes, Messages, Usage nodedb.Query
}

// Conditions returns what fulfils the request. It is an error if it names nothing.
func (f *Request) Conditions() (c Conditions, err error) {
	add := func(q *nodedb.Query, where string, args ...any) {
		q.SQL, q.Args = q.SQL+" AND "+where, append(q.Args, args...)
	}
	if len(f.Projects) > 0 {
		list, err := schema.JSONList(f.Projects)
		if err != nil {
			return c, err
		}
		for _, q := range []*nodedb.Query{&c.Nodes, &c.Messages, &c.Usage} {
			add(q, "project IN (SELECT value FROM json_each(?))", list)
		}
	}
	if f.Session != "" {
		for _, q := range []*nodedb.Query{&c.Nodes, &c.Messages, &c.Usage} {
			add(q, "session = ?", f.Session)
		}
	}
	if !f.Before.IsZero() {
		bound := schema.FirstAt(f.Before)
		add(&c.Nodes, "n >= 0 AND n < ?", bound)
		add(&c.Messages, "n >= 0 AND n < ?", bound)
		add(&c.Usage, "ms < ?", f.Before.UnixMilli())
	}
	if len(f.IDs) > 0 {
		list, err := schema.JSONList(f.IDs)
		if err != nil {
			return c, err
		}
		add(&c.Nodes, "id IN (SELECT value FROM json_each(?))", list)
		add(&c.Messages, "'message:' || lower(hex(messages.id)) IN (SELECT value FROM json_each(?))", list)
		add(&c.Usage, "false") // how many tokens a response took says nothing of it
	}
	if c.Nodes.SQL == "" {
		return c, errors.New("nothing is named")
	}
	return c, nil
}

// Count counts what a request would take away.
func Count(ctx context.Context, r *nodedb.Reader, f Request) (p Counts, err error) {
	c, err := f.Conditions()
	if err != nil {
		return p, err
	}
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		failed := s.QueryRowContext(ctx, `WITH gone AS MATERIALIZED (SELECT id, kind, from_id, to_id FROM nodes WHERE true`+c.Nodes.SQL+`)
			SELECT count(*) FILTER (WHERE kind = 'conversation'), count(*) FILTER (WHERE kind = 'decision'), count(*) FILTER (WHERE kind = 'episode'),
			  (SELECT count(*) FROM nodes WHERE kind = 'binding' AND (id IN (SELECT id FROM gone) OR from_id IN (SELECT id FROM gone) OR to_id IN (SELECT id FROM gone))),
			  (SELECT count(*) FROM annotations WHERE node IN (SELECT id FROM gone))
			FROM gone`, c.Nodes.Args...).Scan(&p.Conversations, &p.Decisions, &p.Edits, &p.Bindings, &p.Annotations)
		if failed != nil {
			return failed
		}
		return s.QueryRowContext(ctx, "SELECT count(*) FROM messages CROSS JOIN talks USING (t) WHERE true"+c.Messages.SQL, c.Messages.Args...).Scan(&p.Messages)
	})
	if err != nil {
		return p, fmt.Errorf("count what would be forgotten: %w", err)
	}
	return p, nil
}
