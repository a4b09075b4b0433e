package nodedb

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Forgetting says what a database forgets: what fulfils all that is given.
type Forgetting struct {
	Projects []string // as the database has them
	Session  string
	IDs      []string // of nodes and messages
	Before   time.Time
}

// Forgotten is what a database has forgotten, or would.
type Forgotten struct {
	schema.Pruned

	Annotations int
}

// ProjectsOf are the projects of a name: a folder, with all below it, or the last element
// of one. None is an ErrProject that names what is near.
func (r *Reader) ProjectsOf(ctx context.Context, name string) (all []string, err error) {
	err = r.look(ctx, func(v view) error {
		if err = v.knowsProject(ctx, name); err == nil {
			all, err = v.projects(ctx, name)
		}
		return err
	})
	return all, err
}

// SessionID completes the beginning of a session's id.
func (r *Reader) SessionID(ctx context.Context, id string) (whole string, err error) {
	err = r.look(ctx, func(v view) error {
		whole, err = v.sessionID(ctx, id)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("find session %s: %w", id, err)
	}
	return whole, nil
}

// SessionsOf are the sessions of projects, those alone that were nowhere else.
func (r *Reader) SessionsOf(ctx context.Context, projects []string) ([]string, error) {
	list, err := schema.JSONList(projects)
	if err != nil {
		return nil, err
	}
	db, err := r.now(ctx)
	if err != nil {
		return nil, err
	}
	all, err := schema.Collect(ctx, db, schema.Single[string], `SELECT session FROM tally GROUP BY session
		HAVING min(project IN (SELECT value FROM json_each(?)))`, list)
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", sqlitefile.Explain(err))
	}
	return all, nil
}

// manyWords is from how many bytes on the words of a node are its own wherever they stand.
const manyWords = 16

// Said finds what goes with a node: the conversations and messages of its session that
// have its words, by their ids, and the words. Few words, as "yes, do that", count only
// where they are all that a turn says at its place. An edit has none.
//
// It is how forgetting one decision also takes the sentence out of the turn that
// contains it.
func (r *Reader) Said(ctx context.Context, id string) (ids []string, words string, err error) {
	n, found, err := r.Node(ctx, id)
	if err != nil || !found {
		return nil, "", errors.Join(err, fmt.Errorf("%w: %s", ErrNode, id))
	}
	ids, words = []string{id}, strings.TrimSpace(n.Text)
	if words == "" {
		return ids, "", nil
	}
	u, err := fulltext.NewUnpacker()
	if err != nil {
		return nil, "", err
	}
	defer u.Close()
	err = r.look(ctx, func(v view) error {
		nodes, failed := schema.Collect(ctx, v, schema.Single[string], `SELECT id FROM nodes WHERE session = ? AND source = ? AND id <> ?
			AND instr(coalesce(json_extract(json, '$.text'), json_extract(json, '$.epitome'), ''), ?) AND (? OR seq = ?)`,
			n.Session, string(n.Source), id, words, schema.Bit(len(words) >= manyWords), n.Seq)
		ids = append(ids, nodes...)
		if failed != nil {
			return failed
		}
		said, failed := schema.Collect(ctx, v, scanStored, storedSQL+" WHERE session = ? AND source = ?", n.Session, string(n.Source))
		if failed = errors.Join(failed, unpackAll(said, u)); failed != nil {
			return failed
		}
		for i := range said {
			if !strings.Contains(said[i].text, words) || len(words) < manyWords && said[i].seq != n.Seq {
				continue
			}
			var key []byte
			if failed = v.QueryRowContext(ctx, "SELECT id FROM messages WHERE n = ?", said[i].n).Scan(&key); failed != nil {
				return failed
			}
			ids = append(ids, "message:"+hex.EncodeToString(key))
		}
		return nil
	})
	if err != nil {
		return nil, "", fmt.Errorf("read what goes with %s: %w", id, sqlitefile.Explain(err))
	}
	return ids, words, nil
}

// Conditions are what nodes and messages must fulfil to be forgotten.
type Conditions struct {
	Nodes, Messages, Usage Query
}

// Conditions returns what fulfils a Forgetting. It is an error if it names nothing.
func (f *Forgetting) Conditions() (c Conditions, err error) {
	add := func(q *Query, where string, args ...any) {
		q.SQL, q.Args = q.SQL+" AND "+where, append(q.Args, args...)
	}
	if len(f.Projects) > 0 {
		list, err := schema.JSONList(f.Projects)
		if err != nil {
			return c, err
		}
		for _, q := range []*Query{&c.Nodes, &c.Messages, &c.Usage} {
			add(q, "project IN (SELECT value FROM json_each(?))", list)
		}
	}
	if f.Session != "" {
		for _, q := range []*Query{&c.Nodes, &c.Messages, &c.Usage} {
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

// WouldForget counts what Forget would take away.
func (r *Reader) WouldForget(ctx context.Context, f Forgetting) (p Forgotten, err error) {
	c, err := f.Conditions()
	if err != nil {
		return p, err
	}
	err = r.look(ctx, func(v view) error {
		failed := v.QueryRowContext(ctx, `WITH gone AS MATERIALIZED (SELECT id, kind, from_id, to_id FROM nodes WHERE true`+c.Nodes.SQL+`)
			SELECT count(*) FILTER (WHERE kind = 'conversation'), count(*) FILTER (WHERE kind = 'decision'), count(*) FILTER (WHERE kind = 'episode'),
			  (SELECT count(*) FROM nodes WHERE kind = 'binding' AND (id IN (SELECT id FROM gone) OR from_id IN (SELECT id FROM gone) OR to_id IN (SELECT id FROM gone))),
			  (SELECT count(*) FROM annotations WHERE node IN (SELECT id FROM gone))
			FROM gone`, c.Nodes.Args...).Scan(&p.Conversations, &p.Decisions, &p.Edits, &p.Bindings, &p.Annotations)
		if failed != nil {
			return failed
		}
		return v.QueryRowContext(ctx, "SELECT count(*) FROM messages CROSS JOIN talks USING (t) WHERE true"+c.Messages.SQL, c.Messages.Args...).Scan(&p.Messages)
	})
	if err != nil {
		return p, fmt.Errorf("count what would be forgotten: %w", sqlitefile.Explain(err))
	}
	return p, nil
}
