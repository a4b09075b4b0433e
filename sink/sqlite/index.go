package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/sink/sqlite/table"
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

// held are the entries that wait in memory, at most heldBytes of text. They are lost if
// the process ends; the ranges in pending and unheard then say which rows must be read
// again.
type held struct {
	entries []table.Entry
	spoken  []table.Spoken
	bytes   int
	seen    int64 // the version of the data before the first of them
}

// isEmpty reports whether nothing waits for the index.
func (h *held) isEmpty() bool { return len(h.entries)+len(h.spoken) == 0 }

// adds words that wait for the index, and counts their bytes.
func (h *held) add(entries []table.Entry, said []table.Spoken) {
	h.entries, h.spoken = append(h.entries, entries...), append(h.spoken, said...)
	for _, e := range entries {
		h.bytes += len(e.Text) + len(e.Path) + len(e.Scope)
	}
	for _, e := range said {
		h.bytes += len(e.Text) + len(e.Scope)
	}
}

// drop forgets the entries of nodes by their numbers, and those of the index for
// memscribe search by their rows.
func (h *held) drop(gone, unsaid []int64) {
	if len(gone)+len(unsaid) == 0 || h.isEmpty() {
		return
	}
	left := set(gone)
	h.entries = slices.DeleteFunc(h.entries, func(e table.Entry) bool { return left[e.N] })
	left = set(unsaid)
	h.spoken = slices.DeleteFunc(h.spoken, func(e table.Spoken) bool { return left[e.Row] })
}

// set returns numbers as a set.
func set(numbers []int64) map[int64]bool {
	in := make(map[int64]bool, len(numbers))
	for _, n := range numbers {
		in[n] = true
	}
	return in
}

// toFind sees to it that a row can be found by its words.
func (b *batch) toFind(ctx context.Context, r *table.Row, again bool) error {
	if again {
		if err := b.unfind(ctx, r.N); err != nil {
			return err
		}
	}
	if r.Words != (table.Words{}) {
		b.found = append(b.found, b.sink.scopes.EntryOf(r))
	}
	if r.Spoken != "" {
		b.spoken = append(b.spoken, b.sink.scopes.SpokenOf(r))
	}
	return nil
}

// unfind takes the words of a node out of the indexes.
func (b *batch) unfind(ctx context.Context, n int64) error {
	b.gone, b.unsaid = append(b.gone, n), append(b.unsaid, schema.RowOfNode(n))
	return b.sink.unfind(ctx, n)
}

// unfind removes the words of a node from the index.
func (s *Sink) unfind(ctx context.Context, n int64) error {
	_, err := s.exec(ctx, deleteWords, n)
	if err == nil {
		_, err = s.exec(ctx, deleteSpoken, schema.RowOfNode(n))
	}
	return err
}

// find puts the words of the batch into the index, or among what is held.
func (b *batch) find(ctx context.Context) error {
	s := b.sink
	if len(b.found)+len(b.spoken) == 0 {
		return nil
	}
	if !s.options.Bulk {
		return s.putWords(ctx, b.found, b.spoken)
	}
	if err := b.await(ctx); err != nil {
		return err
	}
	if s.held.isEmpty() {
		var err error
		if s.held.seen, err = s.dataVersion(ctx); err != nil {
			return err
		}
	}
	b.left = true
	return nil
}

// await notes which nodes and messages wait for the index of words.
//
// The range is written in the same transaction as the rows, so that no committed row is
// without either its words or a range that covers it.
func (b *batch) await(ctx context.Context) error {
	var nodes, messages []int64
	for i := range b.found {
		nodes = append(nodes, b.found[i].N)
	}
	for i := range b.spoken {
		if n, message := schema.NumberOf(b.spoken[i].Row); message {
			messages = append(messages, n)
		} else {
			nodes = append(nodes, n)
		}
	}
	for table, ns := range map[string][]int64{"pending": nodes, "unheard": messages} { // in any order
		if len(ns) == 0 {
			continue
		}
		if _, err := b.sink.exec(ctx, "INSERT INTO "+table+" VALUES (?, ?, ?)", slices.Min(ns), slices.Max(ns), b.sink.writer); err != nil {
			return err
		}
	}
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

// putWords puts entries into the indexes of words, which want them in order.
func (s *Sink) putWords(ctx context.Context, entries []table.Entry, said []table.Spoken) error {
	slices.SortStableFunc(entries, byNumber)
	for i := range entries {
		e := &entries[i]
		if _, err := s.exec(ctx, insertWords, e.N, e.Text, e.Path, e.Scope); err != nil {
			return err
		}
	}
	slices.SortStableFunc(said, table.ByRow)
	for i := range said {
		if _, err := s.exec(ctx, insertSpoken, said[i].Row, said[i].Text, said[i].Scope); err != nil {
			return err
		}
	}
	return nil
}

// build makes a piece of the index of what is held. If another process has been
// at work since, what is held may be wrong: then it is forgotten, and reread.
//
// The ranges of this writer are deleted in the same transaction that adds the words.
// Afterwards the Sink takes a new writer id, so that a range it could not build counts
// as one of another process and is reread.
func (s *Sink) build(ctx context.Context) error {
	if s.held.isEmpty() {
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
		if err = s.putWords(ctx, s.held.entries, s.held.spoken); err == nil {
			_, err = s.exec(ctx, "DELETE FROM pending WHERE writer = ?", s.writer)
		}
		if err == nil {
			_, err = s.exec(ctx, "DELETE FROM unheard WHERE writer = ?", s.writer)
		}
		return true, err
	})
	if err == nil {
		// Ranges that have not been built stay, as those of another.
		s.held, s.writer = held{}, rand.Int64()
	}
	return err
}

// byNumber compares entries by row number, in which order the index is cheapest to
// extend.
func byNumber(x, y table.Entry) int { return cmp.Compare(x.N, y.N) }

// tune sets how many bytes of words SQLite gathers in memory, and how many pieces
// of an index it merges into one as it goes. A large piece, and no merging, is
// about twice as fast. The settings stay in the database.
func (s *Sink) tune(ctx context.Context, gather, merge int) (changed bool, err error) {
	for _, index := range wordIndexes() {
		for _, c := range []struct {
			name     string
			is, want int
		}{{"hashsize", 1 << 20, gather}, {"automerge", 4, merge}} {
			err := s.conn.QueryRowContext(ctx, "SELECT v FROM "+index+"_config WHERE k = ?", c.name).Scan(&c.is)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return false, err
			}
			if c.is == c.want {
				continue
			}
			if _, err := s.exec(ctx, "INSERT INTO "+index+" ("+index+", rank) VALUES (?, ?)", c.name, c.want); err != nil {
				return false, err
			}
			changed = true
		}
	}
	return changed, nil
}

// wordIndexes are the tables of words.
func wordIndexes() []string { return []string{"search", "words"} }

// index completes the index of words: it builds what is held, then rereads the ranges
// that other processes left, 20 × 500 rows per transaction. It may be cancelled between
// transactions; whoever opens the database next continues it.
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

// reread works on one range that a process has left behind, nodes before messages, and
// shortens or deletes the range. When no range is left it resets the FTS5 settings that
// tune has changed for large pieces. more says whether to call it again.
func (s *Sink) reread(ctx context.Context) (more, changed bool, err error) {
	var id, first, last int64
	ranges, lost := "pending", s.lost
	err = s.conn.QueryRowContext(ctx, "SELECT rowid, first, last FROM pending LIMIT 1").Scan(&id, &first, &last)
	if errors.Is(err, sql.ErrNoRows) {
		ranges, lost = "unheard", s.lostMessages
		err = s.conn.QueryRowContext(ctx, "SELECT rowid, first, last FROM unheard LIMIT 1").Scan(&id, &first, &last)
	}
	if errors.Is(err, sql.ErrNoRows) {
		changed, err = s.tune(ctx, 1<<20, 4)
		return false, changed, err
	}
	for i := 0; err == nil && i < rereadTx; i++ {
		var (
			entries []table.Entry
			said    []table.Spoken
		)
		if entries, said, first, err = lost(ctx, first, last); err != nil {
			break
		}
		if err = s.putWords(ctx, entries, said); err == nil && first > last {
			_, err = s.exec(ctx, "DELETE FROM "+ranges+" WHERE rowid = ?", id)
			return true, true, err
		}
	}
	if err == nil {
		_, err = s.exec(ctx, "UPDATE "+ranges+" SET first = ? WHERE rowid = ?", first, id)
	}
	return true, true, err
}

// lost makes entries of the first nodes of a range that the indexes do not know,
// and returns where the rest of the range begins.
func (s *Sink) lost(ctx context.Context, first, last int64) (entries []table.Entry, said []table.Spoken, next int64, err error) {
	type node struct {
		table.Row

		json                   []byte
		found, isSpoken, heard bool
	}
	scan := func(rows *sql.Rows, n *node) error {
		return rows.Scan(&n.N, &n.Kind, &n.Source, &n.Root, &n.Speaker, &n.DecidedBy, &n.IsBan, &n.json, &n.found, &n.isSpoken, &n.heard)
	}
	nodes, err := schema.Collect(ctx, s.conn, scan, `SELECT n, kind, source, project,
		coalesce(speaker, ''), coalesce(decided_by, ''), coalesce(is_ban, 0), json,
		EXISTS (SELECT * FROM search_docsize WHERE id = n), EXISTS (SELECT * FROM words_docsize WHERE id = 2 * n),
		kind = 'conversation' AND EXISTS (SELECT * FROM talks CROSS JOIN messages USING (t) WHERE talks.session = nodes.session
		  AND talks.source = nodes.source AND talks.thread = nodes.thread AND messages.seq = nodes.seq)
		FROM nodes WHERE n >= ? AND n <= ? AND kind <> 'binding' ORDER BY n LIMIT ?`, first, last, rereadRows)
	if err != nil || len(nodes) == 0 {
		return nil, nil, last + 1, err
	}
	for i := range nodes {
		n := &nodes[i]
		if n.found && n.isSpoken {
			continue
		}
		if err := s.rows.Again(&n.Row, n.json, n.heard); err != nil {
			return nil, nil, 0, err
		}
		if !n.found && n.Words != (table.Words{}) {
			entries = append(entries, s.scopes.EntryOf(&n.Row))
		}
		if !n.isSpoken && n.Spoken != "" {
			said = append(said, s.scopes.SpokenOf(&n.Row))
		}
	}
	return entries, said, nodes[len(nodes)-1].N + 1, nil
}
