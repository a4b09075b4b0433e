package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/sums"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// pruneRows is how many nodes go in a transaction: other writers come in between.
const pruneRows = 500

// Prune lets go of what is older than a horizon, and has the database take in
// nothing of it any more, whoever delivers it. A horizon only moves forward: of
// each moment the later one holds, what the database had or h.
//
// The bytes of what went are overwritten. It may be cancelled, and continued by
// calling it again; other processes may write meanwhile.
func (s *Sink) Prune(ctx context.Context, h schema.Horizon) (p schema.Pruned, err error) {
	if err = s.prune(ctx, h, &p); err != nil {
		return p, fmt.Errorf("prune database: %w", sqlitefile.Explain(err))
	}
	return p, nil
}

// prune takes out what is older than the horizon, in short transactions, so that what
// writes meanwhile does not wait. Deleted bytes are overwritten.
//
// The horizon is committed before the first row is deleted. If the call is interrupted,
// the rest is older than the horizon and is not taken in again; the next call deletes
// it.
func (s *Sink) prune(ctx context.Context, h schema.Horizon, p *schema.Pruned) error {
	if _, err := s.conn.ExecContext(ctx, "PRAGMA secure_delete = on"); err != nil {
		return err
	}
	err := s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
		if err := s.checkVersion(ctx); err != nil {
			return false, err
		}
		return s.moveHorizon(ctx, h)
	})
	if err != nil || s.horizon.IsZero() {
		return err
	}
	if err := s.completeWords(ctx); err != nil { // or words would be indexed after their rows are gone
		return err
	}
	moments := s.horizon.Kinds()
	for _, kind := range []string{"conversation", "decision", "episode"} {
		if err := s.pruneKind(ctx, kind, *moments[kind], p); err != nil {
			return err
		}
	}
	if err := s.pruneMessages(ctx, s.horizon.Conversations, p); err != nil {
		return err
	}
	if p.Messages > 0 {
		if err := s.pruneTalks(ctx); err != nil {
			return err
		}
	}
	if !p.IsZero() {
		if err := s.words.Merge(ctx); err != nil {
			return err
		}
	}
	return s.sync(ctx)
}

// moveHorizon notes the horizon before anything goes, so that nothing comes back.
func (s *Sink) moveHorizon(ctx context.Context, h schema.Horizon) (changed bool, err error) {
	if err = s.readHorizon(ctx); err != nil {
		return false, err
	}
	was := s.horizon
	s.horizon = was.Later(h)
	for kind, t := range s.horizon.Kinds() { // in any order
		if t.IsZero() || t.Equal(*was.Kinds()[kind]) {
			continue
		}
		changed = true
		if _, err = s.conn.Exec(ctx, "INSERT OR REPLACE INTO horizon VALUES (?, ?)", kind, t.UnixMilli()); err != nil {
			return false, err
		}
	}
	return changed, nil
}

// pruneKind deletes the nodes of a kind that are older than a moment, and the
// bindings that lead to or from them, a transaction after the other.
func (s *Sink) pruneKind(ctx context.Context, kind string, before time.Time, p *schema.Pruned) error {
	if before.IsZero() {
		return nil
	}
	for more := true; more; {
		err := s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
			old, err := schema.Collect(ctx, s.conn, scanOld, `SELECT n, id, session, source FROM nodes INDEXED BY nodes_kind
				WHERE kind = ? AND n >= 0 AND n < ? ORDER BY n LIMIT ?`, kind, before.UnixMilli()<<schema.SlotBits, pruneRows)
			more = len(old) == pruneRows
			if err != nil || len(old) == 0 {
				return false, err
			}
			p.Add(kind, int64(len(old)))
			return true, s.remove(ctx, old, p)
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pruneMessages deletes the messages that are older than a moment, and what they
// say about tokens, a transaction after the other.
func (s *Sink) pruneMessages(ctx context.Context, before time.Time, p *schema.Pruned) error {
	if before.IsZero() {
		return nil
	}
	for more := true; more; {
		err := s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
			old, err := schema.Collect(ctx, s.conn, scanOld, `SELECT n, '', session, source FROM messages CROSS JOIN talks USING (t)
				WHERE n >= 0 AND n < ? ORDER BY n LIMIT ?`, before.UnixMilli()<<schema.SlotBits, pruneRows)
			more = len(old) == pruneRows
			if err != nil {
				return false, err
			}
			p.Messages += int64(len(old))
			for _, o := range old {
				if err = s.removeMessage(ctx, o.n); err != nil {
					return false, err
				}
			}
			counted, err := sums.DeleteUsage(ctx, s.conn, "ms < ?", before.UnixMilli())
			if err == nil {
				err = s.recountAll(ctx, old)
			}
			return len(old) > 0 || counted > 0, err
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pruneTalks deletes what says where messages come from that are gone.
func (s *Sink) pruneTalks(ctx context.Context) error {
	return s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
		gone, err := s.conn.Exec(ctx, "DELETE FROM talks WHERE t NOT IN (SELECT t FROM messages UNION ALL SELECT t FROM usage)")
		return gone > 0, err
	})
}

// recountAll counts the sessions of removed nodes again.
func (s *Sink) recountAll(ctx context.Context, old []oldNode) error {
	seen := map[string]bool{}
	for _, o := range old {
		if key := o.source + "\x00" + o.session; !seen[key] {
			seen[key] = true
			if err := sums.Recount(ctx, s.conn, o.session, o.source); err != nil {
				return err
			}
		}
	}
	return nil
}

// oldNode is one that goes.
type oldNode struct {
	n                   int64
	id, session, source string
}

// scanOld reads a node that is to be deleted.
func scanOld(rows *sql.Rows, o *oldNode) error { return rows.Scan(&o.n, &o.id, &o.session, &o.source) }

// remove deletes nodes with their bindings and their words, and counts their
// sessions again.
func (s *Sink) remove(ctx context.Context, old []oldNode, p *schema.Pruned) error {
	ends := slices.Clone(old)
	for part := range slices.Chunk(ends, chunk) {
		var ids []any
		for _, o := range part {
			ids = append(ids, o.id)
		}
		for len(ids) < chunk {
			ids = append(ids, ids[0])
		}
		for _, end := range []string{"from_id", "to_id"} {
			bindings, err := schema.Collect(ctx, s.conn, scanOld,
				"SELECT n, id, session, source FROM nodes WHERE "+end+" IN "+schema.Placeholders(chunk), ids...)
			if err != nil {
				return err
			}
			p.Add("binding", int64(len(bindings)))
			if err := s.removeRows(ctx, bindings); err != nil {
				return err
			}
			old = append(old, bindings...)
		}
	}
	if err := s.removeRows(ctx, ends); err != nil {
		return err
	}
	if _, err := s.conn.Exec(ctx, "INSERT INTO removals VALUES (1, 1) ON CONFLICT DO UPDATE SET count = count + 1"); err != nil {
		return err
	}
	return s.recountAll(ctx, old)
}

// removeRows takes nodes out, and out of the index of words.
func (s *Sink) removeRows(ctx context.Context, rows []oldNode) error {
	files, err := s.filesOf(ctx, rows)
	if err != nil {
		return err
	}
	for _, o := range rows {
		if err := s.words.RemoveNode(ctx, o.n); err != nil {
			return err
		}
		if _, err := s.conn.Exec(ctx, "DELETE FROM nodes WHERE n = ?", o.n); err != nil {
			return err
		}
		if _, err := s.conn.Exec(ctx, "DELETE FROM received WHERE id = ?", o.id); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := sums.KeepFile(ctx, s.conn, f, false); err != nil {
			return err
		}
	}
	return nil
}

// filesOf returns the files that nodes have edited.
func (s *Sink) filesOf(ctx context.Context, rows []oldNode) ([]sums.File, error) {
	numbers := make([]int64, len(rows))
	for i := range rows {
		numbers[i] = rows[i].n
	}
	list, err := schema.JSONList(numbers)
	if err != nil {
		return nil, err
	}
	return schema.Collect(ctx, s.conn, func(rows *sql.Rows, f *sums.File) error { return rows.Scan(&f.Source, &f.Path) },
		"SELECT DISTINCT source, path FROM nodes WHERE n IN (SELECT value FROM json_each(?)) AND path IS NOT NULL", list)
}

// Shrink gives the disk back what has become free. It writes the whole database
// again: other writers wait until it is done.
func (s *Sink) Shrink(ctx context.Context) error {
	for _, statement := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		err := sqlitefile.RetryBusy(ctx, func() error {
			_, err := s.conn.ExecContext(ctx, statement)
			return err
		})
		if err != nil {
			return fmt.Errorf("shrink database: %w", sqlitefile.Explain(err))
		}
	}
	return nil
}
