package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"slices"
)

// The index of words is built at once, or with Options.Bulk in large pieces.
// Until a piece is built its entries are in memory, and pending has the range of
// their numbers. A process that finds a range of another reads the nodes in it
// again that the index does not know: so words are found however a backfill
// ended.
const (
	heldBytes  = 16 << 20 // of entries in memory: a piece
	smallPart  = 16       // what is a smaller part of it than this needs no tuning
	rereadRows = 500      // nodes that are read again at a time
	rereadTx   = 20       // times that is done in a transaction
)

const (
	insertWords = "INSERT INTO search (rowid, text, path, scope) VALUES (?, ?, ?, ?)"
	deleteWords = "DELETE FROM search WHERE rowid = ?"
)

// entry is what the index of words is told about a node.
type entry struct {
	n                 int64
	text, path, scope string
}

func (s *scopes) entryOf(r *row) entry {
	return entry{n: r.n, text: spaced(r.words.text), path: spaced(r.words.path), scope: s.of(r)}
}

// held are the entries that wait in memory.
type held struct {
	entries []entry
	bytes   int
	seen    int64 // the version of the data before the first of them
}

func (h *held) add(entries []entry) {
	h.entries = append(h.entries, entries...)
	for _, e := range entries {
		h.bytes += len(e.text) + len(e.path) + len(e.scope)
	}
}

// drop forgets the entries of numbers.
func (h *held) drop(gone []int64) {
	if len(gone) == 0 || len(h.entries) == 0 {
		return
	}
	left := map[int64]bool{}
	for _, n := range gone {
		left[n] = true
	}
	h.entries = slices.DeleteFunc(h.entries, func(e entry) bool { return left[e.n] })
}

// toFind sees to it that a row can be found by its words.
func (b *batch) toFind(ctx context.Context, r *row, again bool) error {
	if again {
		if _, err := b.sink.exec(ctx, deleteWords, r.n); err != nil {
			return err
		}
		b.gone = append(b.gone, r.n)
	}
	if r.words != (words{}) {
		b.found = append(b.found, b.sink.scopes.entryOf(r))
	}
	return nil
}

// find puts the words of the batch into the index, or among what is held.
func (b *batch) find(ctx context.Context) error {
	s := b.sink
	if len(b.found) == 0 {
		return nil
	}
	if !s.options.Bulk {
		return s.putWords(ctx, b.found)
	}
	first, last := slices.MinFunc(b.found, byNumber), slices.MaxFunc(b.found, byNumber)
	if _, err := s.exec(ctx, "INSERT INTO pending VALUES (?, ?, ?)", first.n, last.n, s.writer); err != nil {
		return err
	}
	if len(s.held.entries) == 0 {
		var err error
		if s.held.seen, err = s.dataVersion(ctx); err != nil {
			return err
		}
	}
	b.left = true
	return nil
}

// dataVersion changes when another process has changed the database.
func (s *Sink) dataVersion(ctx context.Context) (v int64, err error) {
	st, err := s.stmt(ctx, "PRAGMA data_version")
	if err != nil {
		return 0, err
	}
	return v, st.QueryRowContext(ctx).Scan(&v)
}

// putWords puts entries into the index of words, which wants them in order.
func (s *Sink) putWords(ctx context.Context, entries []entry) error {
	slices.SortStableFunc(entries, byNumber)
	for i := range entries {
		e := &entries[i]
		if _, err := s.exec(ctx, insertWords, e.n, e.text, e.path, e.scope); err != nil {
			return err
		}
	}
	return nil
}

// build makes a piece of the index of what is held. If another process has been
// at work since, what is held may be wrong: then it is forgotten, and reread.
func (s *Sink) build(ctx context.Context) error {
	if len(s.held.entries) == 0 {
		return nil
	}
	err := s.transact(ctx, func(ctx context.Context) (changed bool, err error) {
		if now, seenErr := s.dataVersion(ctx); seenErr != nil || now != s.held.seen {
			return false, seenErr
		}
		if s.held.bytes > s.piece/smallPart {
			if _, err = s.tune(ctx, 16<<20, 0); err != nil {
				return false, err
			}
		}
		if err = s.putWords(ctx, s.held.entries); err == nil {
			_, err = s.exec(ctx, "DELETE FROM pending WHERE writer = ?", s.writer)
		}
		return true, err
	})
	if err == nil {
		// Ranges that have not been built stay, as those of another.
		s.held, s.writer = held{}, rand.Int64()
	}
	return err
}

func byNumber(x, y entry) int { return cmp.Compare(x.n, y.n) }

// tune sets how many bytes of words SQLite gathers in memory, and how many pieces
// of the index it merges into one as it goes. A large piece, and no merging, is
// about twice as fast. The settings stay in the database.
func (s *Sink) tune(ctx context.Context, gather, merge int) (changed bool, err error) {
	for _, c := range []struct {
		name     string
		is, want int
	}{{"hashsize", 1 << 20, gather}, {"automerge", 4, merge}} {
		err := s.conn.QueryRowContext(ctx, "SELECT v FROM search_config WHERE k = ?", c.name).Scan(&c.is)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, err
		}
		if c.is == c.want {
			continue
		}
		if _, err := s.exec(ctx, "INSERT INTO search (search, rank) VALUES (?, ?)", c.name, c.want); err != nil {
			return false, err
		}
		changed = true
	}
	return changed, nil
}

// index completes the index of words. It may be cancelled between transactions,
// and continued by anybody.
func (s *Sink) index(ctx context.Context) error {
	if err := s.build(ctx); err != nil {
		return err
	}
	for more := true; more; {
		err := s.transact(ctx, func(ctx context.Context) (changed bool, err error) {
			more, changed, err = s.reread(ctx)
			return changed, err
		})
		if err != nil {
			return err
		}
	}
	s.unindexed = false
	return s.sync(ctx)
}

// reread works on a range that another process has left. At the end it sets
// back what the building of large pieces has set.
func (s *Sink) reread(ctx context.Context) (more, changed bool, err error) {
	var id, first, last int64
	err = s.conn.QueryRowContext(ctx, "SELECT rowid, first, last FROM pending LIMIT 1").Scan(&id, &first, &last)
	if errors.Is(err, sql.ErrNoRows) {
		changed, err = s.tune(ctx, 1<<20, 4)
		return false, changed, err
	}
	for i := 0; err == nil && i < rereadTx; i++ {
		var entries []entry
		if entries, first, err = s.lost(ctx, first, last); err != nil {
			break
		}
		if err = s.putWords(ctx, entries); err == nil && first > last {
			_, err = s.exec(ctx, "DELETE FROM pending WHERE rowid = ?", id)
			return true, true, err
		}
	}
	if err == nil {
		_, err = s.exec(ctx, "UPDATE pending SET first = ? WHERE rowid = ?", first, id)
	}
	return true, true, err
}

// lost makes entries of the first nodes of a range that the index does not know,
// and returns where the rest of the range begins.
func (s *Sink) lost(ctx context.Context, first, last int64) (entries []entry, next int64, err error) {
	type node struct {
		row

		json []byte
	}
	scan := func(rows *sql.Rows, n *node) error { return rows.Scan(&n.n, &n.kind, &n.source, &n.root, &n.json) }
	nodes, err := collect(ctx, s.conn, scan, `SELECT n, kind, source, project, json FROM nodes
		WHERE n >= ? AND n <= ? AND kind <> 'binding' AND NOT EXISTS (SELECT * FROM search_docsize WHERE id = n)
		ORDER BY n LIMIT ?`, first, last, rereadRows)
	if err != nil || len(nodes) == 0 {
		return nil, last + 1, err
	}
	for i := range nodes {
		n := &nodes[i]
		if _, err := s.rows.doc.Parse(n.json); err != nil {
			return nil, 0, err
		}
		if n.words = s.rows.words(n.kind, s.rows.doc.Root()); n.words != (words{}) {
			entries = append(entries, s.scopes.entryOf(&n.row))
		}
	}
	return entries, nodes[len(nodes)-1].n + 1, nil
}
