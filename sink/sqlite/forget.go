package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/sink/internal/lite"
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
	Pruned

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
	list, err := jsonList(projects)
	if err != nil {
		return nil, err
	}
	all, err := collect(ctx, r.db, single[string], `SELECT session FROM tally GROUP BY session
		HAVING min(project IN (SELECT value FROM json_each(?)))`, list)
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", lite.Explain(err))
	}
	return all, nil
}

// manyWords is from how many bytes on the words of a node are its own wherever they stand.
const manyWords = 16

// Said finds what goes with a node: the conversations and messages of its session that
// have its words, by their ids, and the words. Few words, as "yes, do that", count only
// where they are all that a turn says at its place. An edit has none.
func (r *Reader) Said(ctx context.Context, id string) (ids []string, words string, err error) {
	n, found, err := r.Node(ctx, id)
	if err != nil || !found {
		return nil, "", errors.Join(err, fmt.Errorf("%w: %s", ErrNode, id))
	}
	ids, words = []string{id}, strings.TrimSpace(n.Text)
	if words == "" {
		return ids, "", nil
	}
	u, err := newUnpacker()
	if err != nil {
		return nil, "", err
	}
	defer u.Close()
	err = r.look(ctx, func(v view) error {
		nodes, failed := collect(ctx, v, single[string], `SELECT id FROM nodes WHERE session = ? AND source = ? AND id <> ?
			AND instr(coalesce(json_extract(json, '$.text'), json_extract(json, '$.epitome'), ''), ?) AND (? OR seq = ?)`,
			n.Session, string(n.Source), id, words, bit(len(words) >= manyWords), n.Seq)
		ids = append(ids, nodes...)
		if failed != nil {
			return failed
		}
		said, failed := collect(ctx, v, scanStored, storedSQL+" WHERE session = ? AND source = ?", n.Session, string(n.Source))
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
		return nil, "", fmt.Errorf("read what goes with %s: %w", id, lite.Explain(err))
	}
	return ids, words, nil
}

// conditions are what nodes and messages must fulfil to be forgotten.
type conditions struct {
	nodes, messages, usage query
}

func (f *Forgetting) conditions() (c conditions, err error) {
	add := func(q *query, where string, args ...any) {
		q.sql, q.args = q.sql+" AND "+where, append(q.args, args...)
	}
	if len(f.Projects) > 0 {
		list, err := jsonList(f.Projects)
		if err != nil {
			return c, err
		}
		for _, q := range []*query{&c.nodes, &c.messages, &c.usage} {
			add(q, "project IN (SELECT value FROM json_each(?))", list)
		}
	}
	if f.Session != "" {
		for _, q := range []*query{&c.nodes, &c.messages, &c.usage} {
			add(q, "session = ?", f.Session)
		}
	}
	if !f.Before.IsZero() {
		bound := firstAt(f.Before)
		add(&c.nodes, "n >= 0 AND n < ?", bound)
		add(&c.messages, "n >= 0 AND n < ?", bound)
		add(&c.usage, "ms < ?", f.Before.UnixMilli())
	}
	if len(f.IDs) > 0 {
		list, err := jsonList(f.IDs)
		if err != nil {
			return c, err
		}
		add(&c.nodes, "id IN (SELECT value FROM json_each(?))", list)
		add(&c.messages, "'message:' || lower(hex(messages.id)) IN (SELECT value FROM json_each(?))", list)
		add(&c.usage, "false") // how many tokens a response took says nothing of it
	}
	if c.nodes.sql == "" {
		return c, errors.New("nothing is named")
	}
	return c, nil
}

// WouldForget counts what Forget would take away.
func (r *Reader) WouldForget(ctx context.Context, f Forgetting) (p Forgotten, err error) {
	c, err := f.conditions()
	if err != nil {
		return p, err
	}
	err = r.look(ctx, func(v view) error {
		failed := v.QueryRowContext(ctx, `WITH gone AS MATERIALIZED (SELECT id, kind, from_id, to_id FROM nodes WHERE true`+c.nodes.sql+`)
			SELECT count(*) FILTER (WHERE kind = 'conversation'), count(*) FILTER (WHERE kind = 'decision'), count(*) FILTER (WHERE kind = 'episode'),
			  (SELECT count(*) FROM nodes WHERE kind = 'binding' AND (id IN (SELECT id FROM gone) OR from_id IN (SELECT id FROM gone) OR to_id IN (SELECT id FROM gone))),
			  (SELECT count(*) FROM annotations WHERE node IN (SELECT id FROM gone))
			FROM gone`, c.nodes.args...).Scan(&p.Conversations, &p.Decisions, &p.Edits, &p.Bindings, &p.Annotations)
		if failed != nil {
			return failed
		}
		return v.QueryRowContext(ctx, "SELECT count(*) FROM messages CROSS JOIN talks USING (t) WHERE true"+c.messages.sql, c.messages.args...).Scan(&p.Messages)
	})
	if err != nil {
		return p, fmt.Errorf("count what would be forgotten: %w", lite.Explain(err))
	}
	return p, nil
}

// Forget takes nodes, messages, what they say about tokens, and annotations away from the
// database at path and the file beside it, and their bytes off the disk. Other processes
// may write meanwhile; what they hold back the last of, they keep from being written over,
// and then the error is [ErrHeld].
func Forget(ctx context.Context, path string, f Forgetting) (p Forgotten, err error) {
	c, err := f.conditions()
	if err != nil {
		return p, err
	}
	err = using(ctx, path, func(s *Sink) error { return s.forget(ctx, path, &c, &p) })
	if err != nil {
		err = fmt.Errorf("forget in database %s: %w", path, lite.Explain(err))
	}
	return p, err
}

// ErrHeld says that another process reads the database, and keeps what was forgotten in its
// write-ahead log until it has ended.
var ErrHeld = errors.New("another process keeps the log of the database: stop it and forget again")

func (s *Sink) forget(ctx context.Context, path string, c *conditions, p *Forgotten) error {
	if _, err := s.conn.ExecContext(ctx, "PRAGMA secure_delete = on"); err != nil {
		return err
	}
	if s.unindexed { // what waits for the index would come into it after it has gone
		if err := s.index(ctx); err != nil {
			return err
		}
	}
	ids, err := s.forgetNodes(ctx, c.nodes, &p.Pruned)
	if err != nil {
		return err
	}
	if err = s.forgetMessages(ctx, c, &p.Pruned); err != nil {
		return err
	}
	if err = s.pruneTalks(ctx); err != nil {
		return err
	}
	if p.Annotations, err = s.forgetAnnotations(ctx, path, ids); err != nil {
		return err
	}
	for _, index := range wordIndexes() {
		if err = s.mergeWords(ctx, index); err != nil {
			return err
		}
	}
	if err = s.sync(ctx); err != nil {
		return err
	}
	return s.wipe(ctx)
}

// wipe writes the database without its free pages, and empties its log.
func (s *Sink) wipe(ctx context.Context) error {
	if err := s.Shrink(ctx); err != nil {
		return err
	}
	var busy, pages, done int
	if err := s.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &done); err != nil {
		return err
	}
	if busy != 0 {
		return ErrHeld
	}
	return nil
}

// forgetNodes deletes nodes with their bindings, a transaction after the other, and
// returns their ids.
func (s *Sink) forgetNodes(ctx context.Context, where query, p *Pruned) (ids []string, err error) {
	type node struct {
		oldNode

		kind string
	}
	scan := func(rows *sql.Rows, o *node) error { return rows.Scan(&o.n, &o.id, &o.session, &o.source, &o.kind) }
	// Bindings go with either end; those that are left, at last.
	for _, kinds := range []string{"kind <> 'binding'", "kind = 'binding'"} {
		for last, more := int64(minNumber), true; more; {
			err = s.transact(ctx, func(ctx context.Context) (bool, error) {
				all, failed := collect(ctx, s.conn, scan, "SELECT n, id, session, source, kind FROM nodes WHERE n > ? AND "+kinds+where.sql+" ORDER BY n LIMIT ?",
					slices.Concat([]any{last}, where.args, []any{pruneRows})...)
				more = len(all) == pruneRows
				if failed != nil || len(all) == 0 {
					return false, failed
				}
				last = all[len(all)-1].n
				var old []oldNode
				for _, o := range all {
					p.add(o.kind, 1)
					ids, old = append(ids, o.id), append(old, o.oldNode)
				}
				return true, s.remove(ctx, old, p)
			})
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return ids, err
			}
		}
	}
	return ids, nil
}

// minNumber is below the number of every node.
const minNumber = -1 << 63

// forgetMessages deletes messages and what is known of tokens.
func (s *Sink) forgetMessages(ctx context.Context, c *conditions, p *Pruned) error {
	for last, more := int64(minNumber), true; more; {
		err := s.transact(ctx, func(ctx context.Context) (bool, error) {
			all, err := collect(ctx, s.conn, scanOld, "SELECT n, '', session, source FROM messages CROSS JOIN talks USING (t) WHERE n > ?"+
				c.messages.sql+" ORDER BY n LIMIT ?", slices.Concat([]any{last}, c.messages.args, []any{pruneRows})...)
			more = len(all) == pruneRows
			if err != nil || len(all) == 0 {
				return false, err
			}
			last = all[len(all)-1].n
			p.Messages += int64(len(all))
			for _, o := range all {
				if err := s.removeMessage(ctx, o.n); err != nil {
					return false, err
				}
			}
			return true, s.recountAll(ctx, all)
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return s.transact(ctx, func(ctx context.Context) (bool, error) {
		n, err := s.exec(ctx, "DELETE FROM usage WHERE id IN (SELECT usage.id FROM usage CROSS JOIN talks USING (t) WHERE true"+c.usage.sql+")", c.usage.args...)
		return n > 0, err
	})
}

// forgetAnnotations deletes what was said of nodes that are gone, from the file beside the
// database too.
func (s *Sink) forgetAnnotations(ctx context.Context, path string, ids []string) (int, error) {
	gone := make(map[string]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	n, err := annotate.Drop(annotate.FileOf(path), func(a *annotate.Annotation) bool { return gone[a.Node] })
	if err != nil {
		return 0, err
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return 0, err
	}
	err = s.transact(ctx, func(ctx context.Context) (bool, error) {
		rows, failed := s.exec(ctx, "DELETE FROM annotations WHERE node IN (SELECT value FROM json_each(?))", string(list))
		if failed != nil {
			return false, failed
		}
		marks, failed := s.exec(ctx, "DELETE FROM marks WHERE id IN (SELECT value FROM json_each(?))", string(list))
		n = max(n, int(rows))
		return rows+marks > 0, failed
	})
	return n, err
}
