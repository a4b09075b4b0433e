package pgstore

import (
	"context"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/near"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/words"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// write is one call of Write, inside its transaction. It asks for what the database holds
// (lookUp), decides what follows for each memory (put) and for those that it supersedes
// (settle), and writes all of it at the end in one round trip (queue).
type write struct {
	store     *Store
	tx        pg.Tx
	namespace string
	head      head
	now       string           // head.at, as a time
	held      map[string]*held // by id: the present state, also of what this call writes
	scopes    record.Scopes
	results   []api.WriteResult
	entries   []*chain.Entry
	versions  []*version
	vectors   near.Vectors
	replaced  []int64 // versions of the database that others take the place of
}

// held is the present state of a memory, in the database or as this call leaves it.
type held struct {
	seq    int64
	live   bool
	digest []byte
	json   string         // of its version, if it was asked for
	record *record.Record // what json says, or what this call writes
	index  int            // of its version in write.versions; -1 if the database has it
}

// version is a version that will be written.
type version struct {
	record *record.Record
	seq    int64
	until  *int64
	old    int64 // the version of the database that it takes the place of; 0 is none
}

// Write writes memories into a namespace, all or none. The results are in the order of the
// memories.
//
// A memory that is there already with the same content is left alone: no version, no entry. An
// error that is an [api.Problem] or [api.Invalid] is about the memories; any other is about the
// store. After one that is Unavailable the same call can be made again, with the same ids.
func (s *Store) Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error) {
	batch := api.Batch{Memories: memories}
	if err := batch.Validate(); err != nil {
		return nil, err
	}
	prepared, err := s.preparer.Prepare(memories)
	if err != nil {
		return nil, err
	}
	made, err := s.vectors(ctx, namespace, prepared)
	if err != nil {
		return nil, problem("write memories", err)
	}
	var results []api.WriteResult
	err = s.change(ctx, func(ctx context.Context, tx pg.Tx, b *pg.Batch) (head, []*chain.Entry, error) {
		w := write{store: s, tx: tx, namespace: namespace, vectors: made}
		failed := w.apply(ctx, slices.Clone(prepared))
		results = w.results
		if failed == nil && len(w.entries) > 0 {
			w.queue(b)
			failed = w.vectors.Queue(ctx, tx, b, namespace, w.kept())
		}
		return w.head, w.entries, failed
	})
	if err != nil {
		return nil, problem("write memories", err)
	}
	return results, nil
}

// apply decides the outcome of each memory and collects versions and entries. It holds the lock
// of the namespace from its first question on.
func (w *write) apply(ctx context.Context, memories []api.Memory) (err error) {
	if w.head, err = w.store.lockThere(ctx, w.tx, w.namespace); err != nil {
		return err
	}
	w.now = record.Timestamp(w.head.at)
	if err = w.lookUp(ctx, memories); err != nil {
		return err
	}
	for i := range memories {
		if err = w.put(&memories[i]); err != nil {
			return err
		}
	}
	if len(memories) == 1 && w.results[0].Outcome == api.Forgotten {
		return api.NewProblem(api.Gone, "memory %s was forgotten, and stays so", w.results[0].ID)
	}
	return w.settle(ctx)
}

// lookUp loads what the database holds of all memories, and of those that supersede them: the
// version too where something follows from it. Each id is looked up by the key: in a namespace
// that was just filled the server's statistics are old, and it would read all of it.
func (w *write) lookUp(ctx context.Context, memories []api.Memory) error {
	w.held = make(map[string]*held, len(memories))
	var ids, whole []string
	for i := range memories {
		m := &memories[i]
		if m.ID != "" {
			ids = append(ids, m.ID)
		}
		if m.ID != "" && (m.ValidAt == "" || m.SupersededBy != "") {
			whole = append(whole, m.ID)
		}
		if m.SupersededBy != "" {
			ids, whole = append(ids, m.SupersededBy), append(whole, m.SupersededBy)
		}
	}
	slices.Sort(ids)
	slices.Sort(whole)
	return w.load(ctx, `SELECT m.id, m.seq, m.live, m.digest, v.record
		FROM unnest($2::text[]) AS n (id) CROSS JOIN LATERAL (
		  SELECT k.id, k.seq, k.live, k.digest FROM memories AS k WHERE k.namespace = $1 AND k.id = n.id LIMIT 1) AS m
		LEFT JOIN LATERAL (
		  SELECT k.record FROM versions AS k WHERE k.namespace = $1 AND k.seq = m.seq AND m.id = ANY ($3::text[]) LIMIT 1) AS v ON true
		ORDER BY m.seq`, w.namespace, slices.Compact(ids), slices.Compact(whole))
}

// load adds the rows of a query to what is held. What is held already stays, but gets its
// version if that was missing.
func (w *write) load(ctx context.Context, query string, args ...any) error {
	rows, err := w.tx.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	var (
		id   string
		one  held
		json *string
	)
	err = pg.ForEachRow(rows, []any{&id, &one.seq, &one.live, &one.digest, &json}, func() error {
		if known := w.held[id]; known != nil {
			if known.json == "" && known.seq == one.seq && json != nil {
				known.json = *json
			}
			return nil
		}
		h := held{seq: one.seq, live: one.live, digest: slices.Clone(one.digest), index: -1}
		if json != nil {
			h.json = *json
		}
		w.held[id] = &h
		return nil
	})
	return err
}

// of returns the version of a live memory. Its JSON must have been loaded.
func (w *write) of(h *held) (*record.Record, error) {
	var err error
	if h.record == nil {
		h.record, err = record.Read([]byte(h.json))
	}
	return h.record, err
}

// put decides what follows from one memory, and adds its result. A memory without an id gets
// one. One that was forgotten stays so, with a result that says it.
func (w *write) put(m *api.Memory) (err error) {
	if m.ID == "" {
		if m.ID, err = w.store.ids.New(w.head.at); err != nil {
			return err
		}
	}
	old := w.held[m.ID]
	if old != nil && !old.live {
		w.results = append(w.results, api.WriteResult{ID: m.ID, Outcome: api.Forgotten})
		return nil
	}
	m.Namespace, m.TransactionAt = w.namespace, w.now
	if err = w.validSince(m, old); err == nil {
		err = w.invalidSince(m, old)
	}
	if err != nil {
		return err
	}
	r, err := record.New(m)
	if err != nil {
		return err
	}
	if old != nil && slices.Equal(r.Digest, old.digest) {
		w.results = append(w.results, api.WriteResult{ID: m.ID, Outcome: api.Unchanged})
		return nil
	}
	action, outcome := chain.Write, api.Created
	if old != nil {
		action, outcome = chain.Upsert, api.Updated
	}
	id, err := w.add(r, old, action)
	w.results = append(w.results, api.WriteResult{ID: m.ID, Outcome: outcome, Trust: m.Trust, EntryID: id})
	return err
}

// validSince sets since when a memory is valid, if it does not say: the time of its last
// version, else the present.
func (w *write) validSince(m *api.Memory, old *held) error {
	if m.ValidAt != "" {
		return nil
	}
	m.ValidAt = m.TransactionAt
	if old == nil {
		return nil
	}
	r, err := w.of(old)
	if err == nil {
		m.ValidAt = record.ValidSince(&r.Memory, w.now)
	}
	return err
}

// invalidSince sets since when a superseded memory is invalid: since the memory that supersedes
// it is valid. As long as that one is not known it stays in force. Once the time was known it
// stays, even if the other memory is forgotten.
func (w *write) invalidSince(m *api.Memory, old *held) error {
	if m.SupersededBy == "" {
		return nil
	}
	if by := w.held[m.SupersededBy]; by != nil && by.live {
		r, err := w.of(by)
		if err == nil {
			m.InvalidAt = later(m.ValidAt, r.Memory.ValidAt)
		}
		return err
	}
	if old == nil {
		return nil
	}
	was, err := w.of(old)
	if err == nil && was.Memory.SupersededBy == m.SupersededBy && was.Memory.InvalidAt != "" {
		m.InvalidAt = later(m.ValidAt, was.Memory.InvalidAt)
	}
	return err
}

// later returns the later of two timestamps.
func later(a, b string) string {
	if core.ParseTime(a).Compare(core.ParseTime(b)) > 0 {
		return a
	}
	return b
}

// add makes a version the present state of its memory, with an entry of that action, and
// returns the entry's id.
func (w *write) add(r *record.Record, old *held, action string) (entryID string, err error) {
	m := &r.Memory
	if entryID, err = w.store.ids.New(w.head.at); err != nil {
		return "", err
	}
	r.Sum()
	w.entries = append(w.entries, &chain.Entry{
		EntryID: entryID, Namespace: m.Namespace, MemoryID: m.ID, Action: action,
		ContentSHA256: r.ContentSHA256, RecordSHA256: r.RecordSHA256,
		Source: m.Source, SessionID: m.SessionID, EventIDs: m.EventIDs, TransactionAt: m.TransactionAt,
	})
	seq := w.head.Length + int64(len(w.entries))
	v := &version{record: r, seq: seq}
	if old != nil && old.index >= 0 {
		w.versions[old.index].until = &w.head.at
	} else if old != nil {
		w.replaced = append(w.replaced, old.seq)
		v.old = old.seq
	}
	w.held[m.ID] = &held{seq: seq, live: true, digest: r.Digest, record: r, index: len(w.versions)}
	w.versions = append(w.versions, v)
	return entryID, nil
}

// settle gives memories that are superseded by what was written the time at which they end.
// Each whose time changes gets a version and an entry, in the order of their last entries.
func (w *write) settle(ctx context.Context) error {
	var written []string
	for _, v := range w.versions {
		written = append(written, v.record.Memory.ID)
	}
	if len(written) == 0 {
		return nil
	}
	slices.Sort(written)
	err := w.load(ctx, `SELECT m.id, m.seq, m.live, m.digest, v.record
		FROM versions AS v JOIN memories AS m ON m.namespace = v.namespace AND m.seq = v.seq AND m.id = v.memory
		WHERE v.namespace = $1 AND v.superseded = ANY ($2::text[]) AND v.until IS NULL`, w.namespace, written)
	if err != nil {
		return err
	}
	var ended []*held
	for _, h := range w.held {
		if !h.live || h.record == nil && h.json == "" {
			continue
		}
		r, err := w.of(h)
		if err != nil {
			return err
		}
		if _, found := slices.BinarySearch(written, r.Memory.SupersededBy); found {
			ended = append(ended, h)
		}
	}
	slices.SortFunc(ended, func(a, b *held) int { return int(a.seq - b.seq) })
	for _, h := range ended {
		if err := w.invalidate(h); err != nil {
			return err
		}
	}
	return nil
}

// invalidate writes the present version of a memory again, if the time since when it is invalid
// has changed.
func (w *write) invalidate(old *held) error {
	m := old.record.Memory
	before := m.InvalidAt
	if err := w.invalidSince(&m, old); err != nil || m.InvalidAt == before {
		return err
	}
	m.TransactionAt = w.now
	r, err := record.New(&m)
	if err == nil {
		_, err = w.add(r, old, chain.Invalidate)
	}
	return err
}

// queue queues the statements that write everything that was decided. A memory that this call
// wrote twice is listed once, with its last version.
func (w *write) queue(b *pg.Batch) {
	for _, seq := range w.replaced {
		b.Queue("UPDATE versions SET until = $3 WHERE namespace = $1 AND seq = $2", w.namespace, seq, w.head.at)
	}
	var v columns
	for _, one := range w.versions {
		v.add(one, words.Vector(&one.record.Memory, &w.scopes))
	}
	b.Queue(`INSERT INTO versions (namespace, seq, memory, learnt, until, valid, invalid, superseded, record, words)
		SELECT $1, v.seq, v.memory, $2, v.until, v.valid, v.invalid, v.superseded, v.record, v.words::tsvector
		FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::text[])
			AS v (seq, memory, until, valid, invalid, superseded, record, words)`,
		w.namespace, w.head.at, v.seqs, v.ids, v.untils, v.valids, v.invalids, v.superseded, v.records, v.words)
	var (
		ids     []string
		seqs    []int64
		digests [][]byte
	)
	for i, one := range w.versions {
		if h := w.held[one.record.Memory.ID]; h.index == i {
			ids, seqs, digests = append(ids, one.record.Memory.ID), append(seqs, one.seq), append(digests, h.digest)
		}
	}
	b.Queue(`INSERT INTO memories (namespace, id, seq, live, digest)
		SELECT $1, m.id, m.seq, true, m.digest FROM unnest($2::text[], $3::bigint[], $4::bytea[]) AS m (id, seq, digest)
		ON CONFLICT (namespace, id) DO UPDATE SET seq = excluded.seq, live = true, digest = excluded.digest`,
		w.namespace, ids, seqs, digests)
}

// kept returns the versions that may get a vector.
func (w *write) kept() []near.Version {
	all := make([]near.Version, len(w.versions))
	for i, v := range w.versions {
		all[i] = near.Version{Seq: v.seq, Old: v.old, Content: v.record.Memory.Content}
	}
	return all
}

// columns has the columns of the versions that are inserted, as lists of the same length.
type columns struct {
	seqs, valids        []int64
	untils, invalids    []*int64
	superseded          []*string
	ids, records, words []string
}

// add adds a version to the columns of the bulk insert.
func (c *columns) add(v *version, vector string) {
	m := &v.record.Memory
	c.seqs, c.valids, c.untils = append(c.seqs, v.seq), append(c.valids, v.record.Valid), append(c.untils, v.until)
	c.ids, c.records, c.words = append(c.ids, m.ID), append(c.records, string(v.record.JSON)), append(c.words, vector)
	c.invalids, c.superseded = append(c.invalids, null(v.record.Invalid)), append(c.superseded, null(m.SupersededBy))
}

// null returns nil for the zero value, and else a pointer to the value.
func null[T comparable](v T) *T {
	var nothing T
	if v == nothing {
		return nil
	}
	return &v
}
