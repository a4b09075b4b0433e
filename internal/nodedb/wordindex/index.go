package wordindex

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

const (
	pieceBytes = 16 << 20 // of entries that are gathered before they are written
	smallPart  = 16       // a piece smaller than 1/16 of that is written without tuning

	// RereadRows is how many rows a [Reread] returns at most.
	RereadRows = 500
	rereads    = 20 // of them in one transaction
	mergePages = 2000
)

// The statements that write the indexes.
const (
	InsertSearch = "INSERT INTO search (rowid, text, path, scope) VALUES (?, ?, ?, ?)"
	deleteSearch = "DELETE FROM search WHERE rowid = ?"
	insertWords  = "INSERT INTO words (rowid, text, scope) VALUES (?, ?, ?)"
	deleteWords  = "DELETE FROM words WHERE rowid = ?"
)

// tables returns the full-text indexes.
func tables() []string { return []string{"search", "words"} }

// Database is the connection that writes the nodes.
type Database interface {
	schema.Querier

	// Exec runs a statement and returns how many rows it changed.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Transact runs f in a transaction and commits if f has changed something.
	Transact(ctx context.Context, f func(context.Context) (changed bool, err error)) error
}

// Index writes the full-text indexes of a database. It belongs to one goroutine.
type Index struct {
	// PieceBytes is how many bytes of entries are gathered before they are written.
	PieceBytes int

	db       Database
	isBulk   bool
	writer   int64 // tells our ranges from those of other writers
	gathered gathered
	// isBehind says that there may be rows which only pending or unheard know of.
	isBehind bool
}

// Open returns the index of a database. A bulk index gathers entries.
func Open(ctx context.Context, db Database, isBulk bool) (*Index, error) {
	x := &Index{PieceBytes: pieceBytes, db: db, isBulk: isBulk, writer: rand.Int64()}
	err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM pending UNION ALL SELECT * FROM unheard)").Scan(&x.isBehind)
	return x, err
}

// RemoveNode removes a node from the indexes.
func (x *Index) RemoveNode(ctx context.Context, n int64) error {
	_, err := x.db.Exec(ctx, deleteSearch, n)
	if err == nil {
		_, err = x.db.Exec(ctx, deleteWords, schema.RowOfNode(n))
	}
	return err
}

// RemoveMessage removes a message from the index words.
func (x *Index) RemoveMessage(ctx context.Context, n int64) error {
	_, err := x.db.Exec(ctx, deleteWords, schema.RowOfMessage(n))
	return err
}

// Write adds the entries of a batch, inside its transaction. A bulk index notes their
// ranges instead, and [Index.Committed] gathers them.
func (x *Index) Write(ctx context.Context, b *Batch) (err error) {
	if b.IsEmpty() {
		return nil
	}
	if !x.isBulk {
		return x.insert(ctx, &b.Entries)
	}
	if err = x.noteRanges(ctx, &b.Entries); err != nil {
		return err
	}
	if x.gathered.IsEmpty() {
		if x.gathered.version, err = x.dataVersion(ctx); err != nil {
			return err
		}
	}
	b.gathered = true
	return nil
}

// Committed takes over a batch whose transaction was committed, and writes a piece of
// the index when enough is gathered.
func (x *Index) Committed(ctx context.Context, b *Batch) error {
	x.gathered.remove(b)
	if b.gathered {
		x.isBehind = true
		x.gathered.add(&b.Entries)
	}
	if x.gathered.bytes < x.PieceBytes {
		return nil
	}
	return x.writePiece(ctx)
}

// noteRanges stores which nodes and messages are not indexed yet, in the transaction
// that stores them.
func (x *Index) noteRanges(ctx context.Context, e *Entries) error {
	var nodes, messages []int64
	for i := range e.Search {
		nodes = append(nodes, e.Search[i].N)
	}
	for i := range e.Words {
		if n, message := schema.NumberOf(e.Words[i].Row); message {
			messages = append(messages, n)
		} else {
			nodes = append(nodes, n)
		}
	}
	for table, numbers := range map[string][]int64{"pending": nodes, "unheard": messages} { // in any order
		if len(numbers) == 0 {
			continue
		}
		if _, err := x.db.Exec(ctx, "INSERT INTO "+table+" VALUES (?, ?, ?)", slices.Min(numbers), slices.Max(numbers), x.writer); err != nil {
			return err
		}
	}
	return nil
}

// dataVersion changes when another process has changed the database.
func (x *Index) dataVersion(ctx context.Context) (v int64, err error) {
	return v, x.db.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v)
}

// insert adds entries to the indexes.
func (x *Index) insert(ctx context.Context, e *Entries) error {
	e.sort()
	for i := range e.Search {
		row := &e.Search[i]
		if _, err := x.db.Exec(ctx, InsertSearch, row.N, row.Text, row.Path, row.Scope); err != nil {
			return err
		}
	}
	for i := range e.Words {
		row := &e.Words[i]
		if _, err := x.db.Exec(ctx, insertWords, row.Row, row.Text, row.Scope); err != nil {
			return err
		}
	}
	return nil
}

// writePiece writes what is gathered, and deletes the ranges of this writer in the same
// transaction. If another process has changed the database meanwhile, the gathered
// entries may be wrong: they are dropped, and their ranges are read again later.
//
// The Index then takes a new writer id, so that a range that was not written counts as
// one of another process.
func (x *Index) writePiece(ctx context.Context) error {
	if x.gathered.IsEmpty() {
		return nil
	}
	err := x.db.Transact(ctx, func(ctx context.Context) (changed bool, err error) {
		version, err := x.dataVersion(ctx)
		if err != nil || version != x.gathered.version {
			return false, err
		}
		if x.gathered.bytes > x.PieceBytes/smallPart {
			if _, err = x.tune(ctx, 16<<20, 0); err != nil {
				return false, err
			}
		}
		if err = x.insert(ctx, &x.gathered.Entries); err == nil {
			_, err = x.db.Exec(ctx, "DELETE FROM pending WHERE writer = ?", x.writer)
		}
		if err == nil {
			_, err = x.db.Exec(ctx, "DELETE FROM unheard WHERE writer = ?", x.writer)
		}
		return true, err
	})
	if err == nil {
		x.gathered, x.writer = gathered{}, rand.Int64()
	}
	return err
}

// tune sets how many bytes of words SQLite gathers in memory, and how many pieces of an
// index it merges into one as it writes. A large piece without merging is about twice as
// fast. The settings stay in the database.
func (x *Index) tune(ctx context.Context, hashSize, autoMerge int) (changed bool, err error) {
	for _, table := range tables() {
		for _, c := range []struct {
			name     string
			is, want int
		}{{"hashsize", 1 << 20, hashSize}, {"automerge", 4, autoMerge}} {
			err := x.db.QueryRowContext(ctx, "SELECT v FROM "+table+"_config WHERE k = ?", c.name).Scan(&c.is)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return false, err
			}
			if c.is == c.want {
				continue
			}
			if _, err := x.db.Exec(ctx, "INSERT INTO "+table+" ("+table+", rank) VALUES (?, ?)", c.name, c.want); err != nil {
				return false, err
			}
			changed = true
		}
	}
	return changed, nil
}

// Reread returns the entries of the first rows of a range, at most [RereadRows], that
// the indexes do not have, and where the rest of the range begins.
type Reread func(ctx context.Context, first, last int64) (e Entries, next int64, err error)

// IsComplete reports whether every row is in the indexes.
func (x *Index) IsComplete() bool { return !x.isBehind }

// Complete writes what is gathered, then the rows of the ranges that other processes
// left. It may be cancelled between two transactions; the next call continues it.
func (x *Index) Complete(ctx context.Context, nodes, messages Reread) error {
	if !x.isBehind {
		return nil
	}
	if err := x.writePiece(ctx); err != nil {
		return err
	}
	for more := true; more; {
		err := x.db.Transact(ctx, func(ctx context.Context) (changed bool, err error) {
			more, changed, err = x.reread(ctx, nodes, messages)
			return changed, err
		})
		if err != nil {
			return err
		}
	}
	x.isBehind = false
	return nil
}

// reread indexes rows of one range, nodes before messages, and shortens or deletes the
// range. When no range is left it resets the settings that tune has changed. more says
// whether to call it again.
func (x *Index) reread(ctx context.Context, nodes, messages Reread) (more, changed bool, err error) {
	var id, first, last int64
	ranges, read := "pending", nodes
	err = x.db.QueryRowContext(ctx, "SELECT rowid, first, last FROM pending LIMIT 1").Scan(&id, &first, &last)
	if errors.Is(err, sql.ErrNoRows) {
		ranges, read = "unheard", messages
		err = x.db.QueryRowContext(ctx, "SELECT rowid, first, last FROM unheard LIMIT 1").Scan(&id, &first, &last)
	}
	if errors.Is(err, sql.ErrNoRows) {
		changed, err = x.tune(ctx, 1<<20, 4)
		return false, changed, err
	}
	for i := 0; err == nil && i < rereads; i++ {
		var e Entries
		if e, first, err = read(ctx, first, last); err != nil {
			break
		}
		if err = x.insert(ctx, &e); err == nil && first > last {
			_, err = x.db.Exec(ctx, "DELETE FROM "+ranges+" WHERE rowid = ?", id)
			return true, true, err
		}
	}
	if err == nil {
		_, err = x.db.Exec(ctx, "UPDATE "+ranges+" SET first = ? WHERE rowid = ?", first, id)
	}
	return true, true, err
}

// Merge merges the pieces of the indexes. Until then the bytes of removed words are
// still in the file, though no search finds them.
//
// FTS5 marks deleted words and drops them when pieces are merged. A step that changes
// fewer than two rows had nothing left to merge.
func (x *Index) Merge(ctx context.Context) error {
	for _, table := range tables() {
		for pages, done := -mergePages, false; !done; pages = mergePages { // the first, negative, starts a merge of all pieces
			before, err := x.totalChanges(ctx)
			if err != nil {
				return err
			}
			err = x.db.Transact(ctx, func(ctx context.Context) (bool, error) {
				_, failed := x.db.Exec(ctx, "INSERT INTO "+table+" ("+table+", rank) VALUES ('merge', ?)", pages)
				return true, failed
			})
			if err != nil {
				return err
			}
			after, err := x.totalChanges(ctx)
			if err != nil {
				return err
			}
			if done = after-before < 2; ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// totalChanges returns how many rows the connection has changed.
func (x *Index) totalChanges(ctx context.Context) (n int64, err error) {
	return n, x.db.QueryRowContext(ctx, "SELECT total_changes()").Scan(&n)
}
