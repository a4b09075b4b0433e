package wordindex

import (
	"cmp"
	"context"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Entry is a row of the index search. N is the number of its node.
type Entry struct {
	N                 int64
	Text, Path, Scope string
}

// Text is a row of the index words. Row is from schema.RowOfNode or schema.RowOfMessage.
type Text struct {
	Row         int64
	Text, Scope string
}

// Entries are rows of both indexes.
type Entries struct {
	Search []Entry
	Words  []Text
}

// IsEmpty reports whether there are none.
func (e *Entries) IsEmpty() bool { return len(e.Search)+len(e.Words) == 0 }

// size returns the number of bytes of the texts.
func (e *Entries) size() (bytes int) {
	for i := range e.Search {
		bytes += len(e.Search[i].Text) + len(e.Search[i].Path) + len(e.Search[i].Scope)
	}
	for i := range e.Words {
		bytes += len(e.Words[i].Text) + len(e.Words[i].Scope)
	}
	return bytes
}

// Batch is what one transaction does to the indexes. The zero Batch does nothing.
type Batch struct {
	Entries // to be added

	removed      []int64 // rows of search
	removedWords []int64 // rows of words
	gathered     bool    // the entries are not written by the transaction itself
}

// RemoveNode removes a node from the indexes.
func (b *Batch) RemoveNode(ctx context.Context, x *Index, n int64) error {
	b.removed, b.removedWords = append(b.removed, n), append(b.removedWords, schema.RowOfNode(n))
	return x.RemoveNode(ctx, n)
}

// RemoveMessage removes a message from the index words, and from what the batch adds.
func (b *Batch) RemoveMessage(ctx context.Context, x *Index, n int64) error {
	row := schema.RowOfMessage(n)
	b.removedWords = append(b.removedWords, row)
	if i := slices.IndexFunc(b.Words, func(t Text) bool { return t.Row == row }); i >= 0 {
		b.Words = slices.Delete(b.Words, i, i+1)
	}
	return x.RemoveMessage(ctx, n)
}

// gathered are entries in memory. They are lost if the process ends; the ranges in
// pending and unheard then say which rows to read again.
type gathered struct {
	Entries

	bytes   int
	version int64 // data_version before the first of them
}

// add adds the entries of a batch.
func (g *gathered) add(e *Entries) {
	g.Search, g.Words = append(g.Search, e.Search...), append(g.Words, e.Words...)
	g.bytes += e.size()
}

// remove drops the entries that a batch has removed.
func (g *gathered) remove(b *Batch) {
	if len(b.removed)+len(b.removedWords) == 0 || g.IsEmpty() {
		return
	}
	rows := set(b.removed)
	g.Search = slices.DeleteFunc(g.Search, func(e Entry) bool { return rows[e.N] })
	rows = set(b.removedWords)
	g.Words = slices.DeleteFunc(g.Words, func(e Text) bool { return rows[e.Row] })
}

// set returns numbers as a set.
func set(numbers []int64) map[int64]bool {
	in := make(map[int64]bool, len(numbers))
	for _, n := range numbers {
		in[n] = true
	}
	return in
}

// sort orders entries by row, in which order an index is cheapest to extend.
func (e *Entries) sort() {
	slices.SortStableFunc(e.Search, func(x, y Entry) int { return cmp.Compare(x.N, y.N) })
	slices.SortStableFunc(e.Words, func(x, y Text) int { return cmp.Compare(x.Row, y.Row) })
}
