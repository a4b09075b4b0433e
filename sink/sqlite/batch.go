package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/sums"
	"github.com/memscribe/memscribe/internal/nodedb/wordindex"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/prefetch"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// batch is one call of Apply: the state of one transaction. It is thrown away
// afterwards, also when the transaction is rolled back, so that nothing of a failed
// batch reaches the Sink.
type batch struct {
	sink      *Sink
	lines     []sink.Line // of nodes
	messages  []sink.Line
	cancelled func() error // whether the call was cancelled

	stored  map[string]stored // by id: the rows that the table has of the lines
	talks   map[talk]int64
	words   wordindex.Batch
	tallies sums.Tallies
	spent   sums.Spending
	changed bool
	mark    string // of the last node that was written
	same    string // of the last one that was stored already
	newest  string // id of the last node that was not stored before
	leftOut int64  // lines older than the horizon
	args    []any
}

// stored is the number and the digest of a row of the table nodes.
type stored struct {
	n      int64
	digest table.Digest
}

// chunk is how many ids are looked up by one statement.
const chunk = 64

// apply runs inside the transaction: nodes first, then messages, then the sums, then
// the index of words. It reports whether anything was written; if not, the transaction
// is rolled back and costs no write to the log.
//
// While a Sink is new (the batch before held no id that was known) the table is not
// asked which ids it holds. Inserts find out by themselves, and lines are parsed ahead
// on a second goroutine: this is the path of a first backfill.
func (b *batch) apply(ctx context.Context) (changed bool, err error) {
	if err = b.sink.checkVersion(ctx); err != nil {
		return false, err
	}
	if err = b.sink.checkForeignChanges(ctx); err != nil {
		return false, err
	}
	if err = b.sink.readHorizon(ctx); err != nil {
		return false, err
	}
	last := b.last()
	b.stored = map[string]stored{}
	each := b.readEach
	if !b.sink.isNew {
		err = b.lookUp(ctx, last)
	} else { // an insert fails for an id that is stored
		each = b.readAhead
	}
	if err != nil {
		return false, err
	}
	for k, r := range each(last) {
		if err = b.cancelled(); err != nil {
			return false, err
		}
		if err = b.put(ctx, &b.lines[last[k]], r); err != nil {
			return false, err
		}
	}
	if err = b.claimReceived(ctx); err != nil {
		return false, err
	}
	if err = b.putMessages(ctx); err != nil {
		return false, err
	}
	if err = b.tallies.Write(ctx, b.sink.conn); err != nil {
		return false, err
	}
	if err = b.spent.Write(ctx, b.sink.conn); err != nil {
		return false, err
	}
	return b.changed, b.sink.words.Write(ctx, &b.words)
}

// claimReceived makes one's own what is captured here now and was received from others before.
func (b *batch) claimReceived(ctx context.Context) error {
	if b.sink.receives || len(b.lines) == 0 {
		return nil
	}
	st, err := b.sink.conn.Stmt(ctx, "SELECT EXISTS (SELECT * FROM received)")
	if err != nil {
		return err
	}
	var some bool
	if err = st.QueryRowContext(ctx).Scan(&some); err != nil || !some {
		return err
	}
	ids := make([]string, len(b.lines))
	for i := range b.lines {
		ids[i] = b.lines[i].ID
	}
	list, err := schema.JSONList(ids)
	if err != nil {
		return err
	}
	n, err := b.sink.conn.Exec(ctx, "DELETE FROM received WHERE id IN (SELECT value FROM json_each(?))", list)
	b.changed = b.changed || n > 0
	return err
}

// last returns the index of the last line of each id.
func (b *batch) last() []int {
	at := make(map[string]int, len(b.lines))
	for i := range b.lines {
		at[b.lines[i].ID] = i
	}
	last := make([]int, 0, len(at))
	for i := range b.lines {
		if at[b.lines[i].ID] == i {
			last = append(last, i)
		}
	}
	return last
}

// lookUp reads the number and the digest of every line that the table holds, 64 ids per
// statement. The last id fills the places that are left, so that one prepared statement
// serves for any number of ids.
func (b *batch) lookUp(ctx context.Context, last []int) error {
	st, err := b.sink.conn.Stmt(ctx, "SELECT id, n, digest FROM nodes WHERE id IN "+schema.Placeholders(chunk))
	if err != nil {
		return err
	}
	args := make([]any, chunk)
	for part := range slices.Chunk(last, chunk) {
		for i := range args {
			args[i] = b.lines[part[min(i, len(part)-1)]].ID
		}
		rows, err := st.QueryContext(ctx, args...)
		if err != nil {
			return err
		}
		for rows.Next() {
			var (
				id  string
				k   stored
				sum []byte
			)
			if err := rows.Scan(&id, &k.n, &sum); err != nil {
				return errors.Join(err, rows.Close())
			}
			copy(k.digest[:], sum)
			b.stored[id] = k
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// put stores a line, unless the table holds it already or the horizon excludes it.
//
// On the path of a backfill nothing is known of the id beforehand: insert fails with
// errStored if the id is there, and notes number and digest in b.stored. The line is then
// compared as usual.
func (b *batch) put(ctx context.Context, l *sink.Line, is prefetch.Result[reading]) error {
	sum, r, err := is.Value.sum, is.Value.row, is.Err
	old, known := b.stored[l.ID]
	if known && old.digest == sum {
		b.same = markOf(l.ID, sum)
		return nil
	}
	if r == nil && err == nil {
		r, err = b.sink.rows.Read(l, sum)
	}
	if err != nil {
		return err
	}
	if !keeps(&b.sink.horizon, r) {
		b.leftOut++
		return nil
	}
	was := b.mark
	b.mark = markOf(l.ID, sum)
	if known {
		b.changed = true
		return b.replace(ctx, r, old.n)
	}
	err = b.insert(ctx, r)
	switch old = b.stored[l.ID]; {
	case errors.Is(err, errStored) && old.digest == sum:
		b.same, b.mark = b.mark, was
		return nil
	case errors.Is(err, errStored):
		b.changed = true
		return b.replace(ctx, r, old.n)
	case err != nil:
		return fmt.Errorf("insert %s: %w", r.ID, err)
	}
	b.changed, b.newest = true, l.ID
	b.tallies.Add(counted(r))
	return b.index(ctx, r, false)
}

// errStored is the error of an id that the table has.
var errStored = errors.New("already stored")

// insert finds a number for the row and adds it. If the table has its id, that is
// noted in kept, and the error is errStored.
func (b *batch) insert(ctx context.Context, r *table.Row) error {
	return b.sink.place(ctx, r, func(int64) (bool, error) {
		b.args = r.Args(b.args[:0])
		added, err := b.sink.inserts.run(ctx, b.args)
		if err != nil || added {
			return added, err
		}
		k, err := b.lookUpOne(ctx, r.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return false, nil // another has the number
		}
		if err == nil {
			b.stored[r.ID] = k
			err = errStored
		}
		return false, err
	})
}

// lookUpOne asks what the table holds of an id.
func (b *batch) lookUpOne(ctx context.Context, id string) (k stored, err error) {
	st, err := b.sink.conn.Stmt(ctx, "SELECT n, digest FROM nodes WHERE id = ?")
	if err != nil {
		return k, err
	}
	var sum []byte
	err = st.QueryRowContext(ctx, id).Scan(&k.n, &sum)
	copy(k.digest[:], sum)
	return k, err
}

// replace puts a row in place of the one that has the number n. The old row is read
// first, for the sums that it was counted in. A row whose time or session changed moves
// to another number, since numbers sort by time.
func (b *batch) replace(ctx context.Context, r *table.Row, n int64) error {
	var was table.Row
	st, err := b.sink.conn.Stmt(ctx, `SELECT id, kind, source, session, thread, seq, coalesce(timestamp, ''), project, coalesce(is_ban, 0),
		coalesce(superseded_by, ''), coalesce(path, ''), coalesce(added, 0), coalesce(removed, 0), coalesce(to_id, '')
		FROM nodes WHERE n = ?`)
	if err != nil {
		return err
	}
	err = st.QueryRowContext(ctx, n).Scan(&was.ID, &was.Kind, &was.Source, &was.Session, &was.Thread, &was.Seq,
		&was.Timestamp, &was.Root, &was.IsBan, &was.SupersededBy, &was.Path, &was.Added, &was.Removed, &was.To)
	if err != nil {
		return err
	}
	if r.N = n; placeOf(r) != placeOf(&was) {
		if err := b.move(ctx, r, n); err != nil {
			return err
		}
	}
	b.args = append(r.Args(b.args[:0]), r.N)
	if _, err := b.sink.conn.Exec(ctx, b.sink.update, b.args...); err != nil {
		return fmt.Errorf("update %s: %w", r.ID, err)
	}
	b.tallies.Change(counted(&was), counted(r))
	return b.index(ctx, r, true)
}

// move gives the row that has the number n a new one.
func (b *batch) move(ctx context.Context, r *table.Row, n int64) error {
	if err := b.words.RemoveNode(ctx, b.sink.words, n); err != nil {
		return err
	}
	return b.sink.place(ctx, r, func(to int64) (bool, error) {
		if to == n {
			return true, nil
		}
		moved, err := b.sink.conn.Exec(ctx, "UPDATE OR IGNORE nodes SET n = ? WHERE n = ?", to, n)
		return moved > 0, err
	})
}

// index indexes the words of a row. isUpdate says that older words of it are indexed.
func (b *batch) index(ctx context.Context, r *table.Row, isUpdate bool) error {
	if isUpdate {
		if err := b.words.RemoveNode(ctx, b.sink.words, r.N); err != nil {
			return err
		}
	}
	if r.Words != (table.Words{}) {
		b.words.Search = append(b.words.Search, b.sink.scopes.EntryOf(r))
	}
	if r.Spoken != "" {
		b.words.Words = append(b.words.Words, b.sink.scopes.TextOf(r))
	}
	return nil
}
