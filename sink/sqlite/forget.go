package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/sums"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Forget takes nodes, messages, what they say about tokens, and annotations away from the
// database at path and the file beside it, and their bytes off the disk. Other processes
// may write meanwhile; what they hold back the last of, they keep from being written over,
// and then the error is [ErrHeld].
//
// A running watch does not deliver the nodes again: what is excluded from capture is
// the business of package internal/forget, which notes it before this is called.
func Forget(ctx context.Context, path string, f removal.Request) (p removal.Counts, err error) {
	c, err := f.Conditions()
	if err != nil {
		return p, err
	}
	err = using(ctx, path, func(s *Sink) error { return s.forget(ctx, path, &c, &p) })
	if err != nil {
		err = fmt.Errorf("forget in database %s: %w", path, sqlitefile.Explain(err))
	}
	return p, err
}

// ErrHeld says that another process reads the database, and keeps what was forgotten in its
// write-ahead log until it has ended.
var ErrHeld = errors.New("another process keeps the log of the database: stop it and forget again")

// forget deletes what the conditions select from all tables and from the word index,
// with secure_delete on.
//
// The order matters: the index of words is completed first, or words that still wait
// would be added after their node is gone; annotations go before the final sync, so
// that the file and the database agree; wipe comes last, since only a checkpoint that
// truncates the log removes the old pages from the disk.
func (s *Sink) forget(ctx context.Context, path string, c *removal.Conditions, p *removal.Counts) error {
	if _, err := s.conn.ExecContext(ctx, "PRAGMA secure_delete = on"); err != nil {
		return err
	}
	if err := s.completeWords(ctx); err != nil {
		return err
	}
	ids, err := s.forgetNodes(ctx, c.Nodes, &p.Pruned)
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
	if err = s.words.Merge(ctx); err != nil {
		return err
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
func (s *Sink) forgetNodes(ctx context.Context, where nodedb.Query, p *schema.Pruned) (ids []string, err error) {
	type node struct {
		oldNode

		kind string
	}
	scan := func(rows *sql.Rows, o *node) error { return rows.Scan(&o.n, &o.id, &o.session, &o.source, &o.kind) }
	// Bindings go with either end; those that are left, at last.
	for _, kinds := range []string{"kind <> 'binding'", "kind = 'binding'"} {
		for last, more := int64(minNumber), true; more; {
			err = s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
				all, failed := schema.Collect(ctx, s.conn, scan, "SELECT n, id, session, source, kind FROM nodes WHERE n > ? AND "+kinds+where.SQL+" ORDER BY n LIMIT ?",
					slices.Concat([]any{last}, where.Args, []any{pruneRows})...)
				more = len(all) == pruneRows
				if failed != nil || len(all) == 0 {
					return false, failed
				}
				last = all[len(all)-1].n
				var old []oldNode
				for _, o := range all {
					p.Add(o.kind, 1)
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
func (s *Sink) forgetMessages(ctx context.Context, c *removal.Conditions, p *schema.Pruned) error {
	for last, more := int64(minNumber), true; more; {
		err := s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
			all, err := schema.Collect(ctx, s.conn, scanOld, "SELECT n, '', session, source FROM messages CROSS JOIN talks USING (t) WHERE n > ?"+
				c.Messages.SQL+" ORDER BY n LIMIT ?", slices.Concat([]any{last}, c.Messages.Args, []any{pruneRows})...)
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
	return s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
		n, err := sums.DeleteUsage(ctx, s.conn, "id IN (SELECT usage.id FROM usage CROSS JOIN talks USING (t) WHERE true"+c.Usage.SQL+")", c.Usage.Args...)
		return n > 0, err
	})
}

// forgetAnnotations deletes what was said of nodes that are gone, from the file beside the
// database too.
//
// The file goes first: if the process ends in between, opening the database does not
// restore annotations of nodes that are gone.
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
	err = s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
		rows, failed := s.conn.Exec(ctx, "DELETE FROM annotations WHERE node IN (SELECT value FROM json_each(?))", string(list))
		if failed != nil {
			return false, failed
		}
		marks, failed := s.conn.Exec(ctx, "DELETE FROM marks WHERE id IN (SELECT value FROM json_each(?))", string(list))
		n = max(n, int(rows))
		return rows+marks > 0, failed
	})
	return n, err
}
