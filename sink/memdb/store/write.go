package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/internal/prefetch"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/memdb/store/near"
	"github.com/memscribe/memscribe/sink/memdb/store/walk"
)

// write is one call of Write, inside its transaction.
type write struct {
	store *Store
	db    *session
	// The batch, fixed when it begins.
	namespace string
	at        int64
	now       string          // at, as a time
	held      map[string]held // by id: what the database holds of the memories
	// What is collected on the way.
	scopes  record.Scopes
	results []api.WriteResult
	entries []*chain.Entry
	found   []foundable
	vectors near.Vectors
}

// foundable is a version whose words have still to be put into the index: in the
// order of their numbers, for else each would be a piece of its own.
type foundable struct {
	n           int64
	text, scope string
}

// Write writes memories into a namespace, all or none. The results are in the
// order of the memories.
//
// A memory that is there in just these words is left alone. An error that is an
// [api.Problem] or [api.Invalid] is about the memories; any other about the
// store.
func (s *Store) Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error) {
	batch := api.Batch{Memories: memories}
	if err := batch.Validate(); err != nil {
		return nil, err
	}
	prepared, err := s.preparer.Prepare(memories)
	if err != nil {
		return nil, err
	}
	return s.apply(ctx, namespace, prepared)
}

// WriteTrusted is Write for who has validated and scrubbed the memories, which
// may be any number.
func (s *Store) WriteTrusted(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error) {
	prepared := make([]api.Memory, len(memories))
	for i := range memories {
		s.preparer.Classify(&memories[i], &prepared[i])
	}
	return s.apply(ctx, namespace, prepared)
}

// apply writes a batch in one transaction. Writers take turns.
//
// Vectors come before the lock: they may need a call to another server, and no writer
// waits for that.
func (s *Store) apply(ctx context.Context, namespace string, memories []api.Memory) ([]api.WriteResult, error) {
	vectors, err := s.vectors(ctx, namespace, memories)
	if err != nil {
		return nil, problem("write memories", err)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	w := write{store: s, db: s.writer, namespace: namespace, vectors: vectors}
	err = s.transact(ctx, func(ctx context.Context) error { return w.apply(ctx, memories) })
	if err != nil {
		return nil, problem("write memories", err)
	}
	if len(w.entries) > 0 {
		record.Audit(ctx, s.options.Audit, w.entries)
	}
	return w.results, nil
}

// problem says what failed, unless the error is about what was asked for.
func problem(what string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*api.Problem](err); ok {
		return err
	}
	if _, ok := errors.AsType[*api.Invalid](err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", what, sqlitefile.Explain(err))
}

// apply decides the outcome of each memory and appends versions and entries.
//
// Steps of the transaction:
//
//	1  the namespace must exist
//	2  the moment of the transaction is fixed: all its versions have this time
//	3  what is stored of the ids is read with one query
//	4  each memory: forgotten, unchanged, or a version and an entry
//	5  memories superseded by what was written get their invalid_at
//	6  the chain is appended to; if that fails, nothing stays
//	7  the words are added to the index
func (w *write) apply(ctx context.Context, memories []api.Memory) (err error) {
	if err = w.store.requireNamespace(ctx, w.db, w.namespace); err != nil {
		return err
	}
	if w.at, err = w.store.moment(ctx); err != nil {
		return err
	}
	head, err := chain.NewSQLite(w.db).Head(ctx)
	if err != nil {
		return err
	}
	w.now = record.Timestamp(w.at)
	if err := w.lookUp(ctx, memories); err != nil {
		return err
	}
	w.results = make([]api.WriteResult, 0, len(memories))
	for i, r := range prefetch.Each(len(memories), func(i int) (*record.Record, error) { return w.encode(&memories[i]) }) {
		if r.Err != nil {
			return r.Err
		}
		if err := w.put(ctx, &memories[i], incoming{r.Value, head.Length}); err != nil {
			return err
		}
	}
	if len(memories) == 1 && w.results[0].Outcome == api.Forgotten {
		return api.NewProblem(api.Gone, "memory %s was forgotten, and stays so", w.results[0].ID)
	}
	if err := w.settle(ctx, head.Length); err != nil {
		return err
	}
	// If the chain cannot be appended to, nothing of the write stays.
	if err := chain.NewSQLite(w.db).Append(ctx, w.entries...); err != nil {
		return err
	}
	return w.index(ctx)
}

// moment returns the time of a transaction: not before that of an earlier one, unless that
// is ahead by more than the record.Drift. Then the clock stood wrong when it was given, and
// what comes now is not to be wrong too.
func (s *Store) moment(ctx context.Context) (int64, error) {
	now := s.options.Now().UnixMilli()
	var body []byte
	err := s.writer.QueryRowContext(ctx, "SELECT CAST(body AS BLOB) FROM entries ORDER BY seq DESC LIMIT 1").Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return now, nil
	}
	if err != nil {
		return 0, err
	}
	last, err := chain.ParseBody(body)
	if err != nil {
		return 0, err
	}
	if ahead := record.Millis(last.TransactionAt); ahead <= now+record.Drift.Milliseconds() {
		return max(ahead, now), nil
	}
	return now, nil
}

// held is what the database holds of a memory.
type held struct {
	n      sql.NullInt64
	digest []byte
}

// lookUp asks what the database holds of all memories at once.
func (w *write) lookUp(ctx context.Context, memories []api.Memory) error {
	w.held = make(map[string]held, len(memories))
	ids := make([]string, 0, len(memories))
	for i := range memories {
		if memories[i].ID != "" {
			ids = append(ids, memories[i].ID)
		}
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	rows, err := w.db.QueryContext(ctx, `SELECT memories.id, n, digest FROM json_each(?) AS wanted CROSS JOIN memories
		ON memories.namespace = ? AND memories.id = wanted.value`, string(list), w.namespace)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			id  string
			old held
		)
		if err := rows.Scan(&id, &old.n, &old.digest); err != nil {
			return err
		}
		w.held[id] = old
	}
	return rows.Err()
}

// encode makes the record of a memory while others are written, unless something
// of it has still to be found out.
func (w *write) encode(m *api.Memory) (*record.Record, error) {
	m.Namespace, m.TransactionAt = w.namespace, w.now
	if m.ID == "" || m.ValidAt == "" || m.SupersededBy != "" {
		return nil, nil //nolint:nilnil // there is none yet
	}
	r, err := record.New(m)
	if err == nil {
		r.Sum()
	}
	return r, err
}

// incoming is what is known of a memory before it is written: its record, if it
// could be made, and the length of the chain before the transaction.
type incoming struct {
	record *record.Record
	length int64
}

// put writes one memory.
func (w *write) put(ctx context.Context, m *api.Memory, in incoming) (err error) {
	old, known := w.held[m.ID]
	if m.ID == "" {
		if m.ID, err = w.store.ids.New(w.at); err != nil {
			return err
		}
	}
	if known && !old.n.Valid {
		w.results = append(w.results, api.WriteResult{ID: m.ID, Outcome: api.Forgotten})
		return nil
	}
	r := in.record
	if r == nil {
		if r, err = w.complete(ctx, m, old); err != nil {
			return err
		}
	}
	if known && slices.Equal(r.Digest, old.digest) {
		w.results = append(w.results, api.WriteResult{ID: m.ID, Outcome: api.Unchanged})
		return nil
	}
	action, outcome := chain.Write, api.Created
	if known {
		action, outcome = chain.Upsert, api.Updated
	}
	if err := w.store1(ctx, r, old, step{in.length + int64(len(w.entries)) + 1, action}); err != nil {
		return err
	}
	w.results = append(w.results, api.WriteResult{ID: m.ID, Outcome: outcome, Trust: m.Trust, EntryID: w.entries[len(w.entries)-1].EntryID})
	return nil
}

// complete finds out what a memory does not say of its times, and makes its record.
func (w *write) complete(ctx context.Context, m *api.Memory, old held) (*record.Record, error) {
	if err := w.validSince(ctx, m, old); err != nil {
		return nil, err
	}
	if err := w.invalidSince(ctx, m, old); err != nil {
		return nil, err
	}
	return record.New(m)
}

// step is what an entry will say: its place in the chain, and what is done.
type step struct {
	seq    int64
	action string
}

// store1 stores a version under the number that its entry will have, and makes that
// entry. The entry is appended to the chain at the end of the transaction, with all
// others.
func (w *write) store1(ctx context.Context, r *record.Record, old held, do step) error {
	if err := w.keep(ctx, r, old, do.seq); err != nil {
		return err
	}
	return w.enter(r, do.action)
}

// keep stores a version under the number of its entry. It takes the place of an older
// one since w.at.
func (w *write) keep(ctx context.Context, r *record.Record, old held, seq int64) error {
	m := &r.Memory
	n, err := w.store.number(ctx, r.Valid, func(n int64) (bool, error) {
		result, err := w.db.ExecContext(ctx, `INSERT INTO versions (n, seq, memory, learnt, until, valid, invalid, record, superseded)
			VALUES (?, ?, ?, ?, NULL, ?, ?, ?, nullif(?, '')) ON CONFLICT (n) DO NOTHING`,
			n, seq, m.ID, r.Learnt, r.Valid, null(r.Invalid), string(r.JSON), m.SupersededBy)
		if err != nil {
			return false, err
		}
		added, err := result.RowsAffected()
		return added > 0, err
	})
	if err != nil {
		return err
	}
	if old.n.Valid {
		if _, err = w.db.ExecContext(ctx, "UPDATE versions SET until = ? WHERE n = ?", w.at, old.n.Int64); err != nil {
			return err
		}
		_, err = w.db.ExecContext(ctx, "UPDATE memories SET seq = ?, n = ?, digest = ? WHERE namespace = ? AND id = ?", seq, n, r.Digest, m.Namespace, m.ID)
	} else {
		_, err = w.db.ExecContext(ctx, "INSERT INTO memories (id, namespace, seq, n, digest) VALUES (?, ?, ?, ?, ?)", m.ID, m.Namespace, seq, n, r.Digest)
	}
	if err != nil {
		return err
	}
	for _, parent := range m.ParentIDs {
		if _, err = w.db.ExecContext(ctx, "INSERT INTO links (parent, n) VALUES (?, ?)", parent, n); err != nil {
			return err
		}
	}
	if err = w.vectors.Keep(ctx, w.db, m, near.Version{N: n, Old: old.n.Int64}); err != nil {
		return err
	}
	w.held[m.ID] = held{sql.NullInt64{Int64: n, Valid: true}, r.Digest}
	w.found = append(w.found, foundable{n, record.Searchable(m.Content, w.store.options.SearchBytes), w.scopes.Of(m)})
	return nil
}

// null returns a time for the database; NULL for 0.
func null(ms int64) any {
	if ms == 0 {
		return nil
	}
	return ms
}

// enter makes the entry of a version.
func (w *write) enter(r *record.Record, action string) error {
	m := &r.Memory
	id, err := w.store.ids.New(w.at)
	if err != nil {
		return err
	}
	r.Sum()
	w.entries = append(w.entries, &chain.Entry{
		EntryID: id, Namespace: m.Namespace, MemoryID: m.ID, Action: action,
		ContentSHA256: r.ContentSHA256, RecordSHA256: r.RecordSHA256,
		Source: m.Source, SessionID: m.SessionID, EventIDs: m.EventIDs, TransactionAt: m.TransactionAt,
	})
	return nil
}

// index puts the words of the versions into the index.
func (w *write) index(ctx context.Context) error {
	slices.SortStableFunc(w.found, func(a, b foundable) int {
		if a.n < b.n {
			return -1
		}
		return 1
	})
	for _, f := range w.found {
		if _, err := w.db.ExecContext(ctx, "INSERT INTO words (rowid, text, scope) VALUES (?, ?, ?)", f.n, f.text, f.scope); err != nil {
			return err
		}
	}
	w.found = w.found[:0]
	return nil
}

// number finds a number for a version that is valid since a moment. take tries to
// put the version there.
//
// slots remembers the last number given for a millisecond, for 4,096 of them, and is
// emptied by a rollback.
func (s *Store) number(ctx context.Context, valid int64, take func(n int64) (bool, error)) (int64, error) {
	n, known := s.slots[valid]
	if !known {
		first := valid << walk.SlotBits
		n = first - 1
		err := s.writer.QueryRowContext(ctx, "SELECT n FROM versions WHERE n >= ? AND n < ? ORDER BY n DESC LIMIT 1", first, first+1<<walk.SlotBits).Scan(&n)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
	}
	for n++; ; n++ {
		taken, err := take(n)
		if err != nil {
			return 0, err
		}
		if taken {
			break
		}
	}
	if len(s.slots) > 4096 {
		clear(s.slots)
	}
	s.slots[valid] = n
	return n, nil
}
