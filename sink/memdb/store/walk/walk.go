// Package walk checks that a database of memories is what was written: it walks the chain
// with everything that belongs to it, and names the first thing that is bad.
//
// The order, and what each step relies on:
//
//	1  checkpoint   what the key in the state folder has signed; before the transaction
//	2  file         PRAGMA integrity_check, if asked for
//	3  chain        each entry hashes to the next; checkpoints are in it
//	4  versions     each entry of a memory has its version, or it was forgotten since
//	5  present      the last entry of each memory is the one that is listed
//	6  namespaces   as their last entries say
//	7  rest         nothing is stored that no entry speaks of
//	8  schema       no trigger, view or table is there that could keep what was forgotten
//	9  vectors      if the database has any
//	10 key          the one that the last entry of a rekeying names
//
// The first fault ends the walk, and is in the report; an error is one of reading.
// Memory is bounded by the number of namespaces; the entries are read one by one.
//
// An example of what each step finds. A memory d1 was written and then changed by a person with
// the sqlite3 program:
//
//	the row of versions was changed      4  record_mismatch at the entry of d1
//	the row was deleted                  4  record_missing
//	a row was added                      7  no_entry
//	the last entries were deleted        1, 3  truncated, since the checkpoint covers them
//	d1 was forgotten, its row restored   4  not_forgotten
//	a trigger was added                  8  schema_mismatch
package walk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/memdb/store/near"
)

// Options say how thorough a walk is.
type Options struct {
	StateDir    string       // of the key and the last checkpoint; "" is none
	Checkpoints []chain.Head // others that are known, as from a backup
	// check also that the file is whole, which reads all of it twice
	Pages  bool              // check also that the file is whole, which reads all of it twice
	Schema sqlitefile.Schema // what the schema shall be
}

// SlotBits is how many bits of a version's number are not its time: so many versions of
// one millisecond have numbers that sort by their time, and more run into what follows.
const SlotBits = 12

// Verify walks in a transaction, which begins after the checkpoint is read: what
// it vouches for is then there.
// Look runs what it is given in one read transaction. A database that is being written
// to may be verified: it is seen as it was when the transaction began.
func Verify(ctx context.Context, o Options, look func(func(chain.DB) error) error) (api.VerifyReport, error) {
	v := verifier{names: map[string]string{}, checkpoints: slices.Clone(o.Checkpoints), schema: o.Schema}
	fault, err := v.loadCheckpoint(o.StateDir)
	if err == nil && fault == nil {
		err = look(func(db chain.DB) (err error) {
			v.db = db
			if fault, err = v.run(ctx, o.Pages); err == nil && fault == nil {
				fault, err = v.checkKey(o.StateDir)
			}
			return err
		})
	}
	return v.report(fault), err
}

// verifier is a walk over everything.
type verifier struct {
	db          chain.DB
	schema      sqlitefile.Schema
	walker      chain.Walker
	checkpoints []chain.Head
	// how many entries the checkpoint vouches for
	signed   int64
	names    map[string]string // of namespaces: the hash of what each shall be
	versions int64
	links    int64
	memories int64
	key      string // the hash of the key that signs, where the chain names one
	rekeyed  int64  // the entry that does
}

// report says what the walk has seen; fault is nil if the chain is whole.
func (v *verifier) report(fault *chain.Fault) api.VerifyReport {
	head := v.walker.Head()
	return api.VerifyReport{
		OK: fault == nil, Length: head.Length, Head: head.String(), Memories: v.memories, Checkpoint: v.signed, Fault: fault, Rekeyed: v.rekeyed,
	}
}

// loadCheckpoint reads what is vouched for. A checkpoint that is no good vouches
// for nothing: that is a fault and not an error.
func (v *verifier) loadCheckpoint(dir string) (*chain.Fault, error) {
	if dir == "" || !chain.HasKey(dir) {
		return nil, nil
	}
	key, err := chain.OpenVerifier(dir)
	if err != nil {
		return nil, err
	}
	head, ok, err := key.Load(dir)
	switch {
	case errors.Is(err, chain.ErrForged):
		return &chain.Fault{Reason: record.CheckpointForged, Detail: err.Error()}, nil
	case err != nil:
		return nil, err
	case !ok:
		return &chain.Fault{Reason: record.CheckpointMissing, Detail: "there is a key, but the checkpoint that was signed with it is gone"}, nil
	}
	v.signed = head.Length
	v.checkpoints = append(v.checkpoints, head)
	return nil, nil
}

// checkKey holds the key to the last entry that names one.
func (v *verifier) checkKey(dir string) (*chain.Fault, error) {
	if v.key == "" || dir == "" || !chain.HasKey(dir) {
		return nil, nil
	}
	key, err := chain.OpenVerifier(dir)
	if err != nil {
		return nil, err
	}
	if key.Sum() != v.key {
		return &chain.Fault{Seq: v.rekeyed, Reason: record.KeyMismatch, Detail: "the key in the state folder is not the one that this entry names"}, nil
	}
	return nil, nil
}

// run makes the steps that need the database, in the order of the package comment.
func (v *verifier) run(ctx context.Context, pages bool) (*chain.Fault, error) {
	if pages {
		lines, err := sqlitefile.Column[string](ctx, v.db, "PRAGMA integrity_check(1)")
		if err != nil || len(lines) != 1 || lines[0] != "ok" {
			return &chain.Fault{Reason: record.Damaged, Detail: fmt.Sprint(lines, err)}, nil
		}
	}
	if fault, err := v.walk(ctx); fault != nil || err != nil {
		return fault, err
	}
	if fault, err := v.walkStored(ctx); fault != nil || err != nil {
		return fault, err
	}
	if fault, err := v.checkNamespaces(ctx); fault != nil || err != nil {
		return fault, err
	}
	if fault, err := v.checkRest(ctx); fault != nil || err != nil {
		return fault, err
	}
	if fault, err := v.checkSchema(ctx); fault != nil || err != nil {
		return fault, err
	}
	if _, there := v.schema["table embeddings"]; !there {
		return nil, nil
	}
	return near.Check(ctx, v.db)
}

// checkSchema holds the schema to that of a new database: a trigger or another
// table may keep what was forgotten, and a view show what is not there. It comes
// last: a chain or a memory that is bad says more.
func (v *verifier) checkSchema(ctx context.Context) (*chain.Fault, error) {
	is, err := sqlitefile.ReadSchema(ctx, v.db)
	if err != nil {
		return nil, err
	}
	d := is.Differs(v.schema)
	if what := d.All(); what != "" {
		return &chain.Fault{Reason: record.SchemaMismatch, Detail: what}, nil
	}
	return nil, nil
}

// walk checks the chain alone: what belongs to a link is judged by links that are
// good.
func (v *verifier) walk(ctx context.Context) (*chain.Fault, error) {
	rows, err := v.db.QueryContext(ctx, "SELECT seq, CAST(body AS BLOB), hash, namespace, memory FROM entries ORDER BY seq")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			s                 chain.Stored
			namespace, memory string
		)
		if err := rows.Scan(&s.Place, &s.Body, &s.Hash, &namespace, &memory); err != nil {
			return nil, err
		}
		e, fault := v.walker.Next(s)
		if fault == nil {
			fault = v.walker.Against(&e, v.checkpoints...)
		}
		if fault == nil && (memory != e.MemoryID || namespace != e.Namespace) {
			fault = faultAt(&e, record.IndexMismatch, "it is listed under memory %q of namespace %q", memory, namespace)
		}
		if fault != nil {
			return fault, nil
		}
	}
	return v.walker.Short(v.checkpoints...), rows.Err()
}

// stored is an entry with what belongs to it: its version, if there is one.
type stored struct {
	body           []byte
	n              sql.NullInt64
	versionOf      sql.NullString
	learnt, until  sql.NullInt64
	valid, invalid sql.NullInt64
	superseded     sql.NullString
	record         []byte
	words          bool
	// the entry of the version under its number, as who reads a memory finds it
	found  sql.NullInt64
	listed bool // the entry is found by its place, and by its memory
}

const walkQuery = `SELECT CAST(e.body AS BLOB), v.n, v.memory, v.learnt, v.until, v.valid, v.invalid, v.superseded, CAST(v.record AS BLOB),
	EXISTS (SELECT * FROM words_docsize AS d WHERE d.id = v.n), (SELECT w.seq FROM versions AS w WHERE w.n = v.n),
	EXISTS (SELECT * FROM entries AS p WHERE p.seq = e.seq) AND
	EXISTS (SELECT * FROM entries AS m WHERE m.memory = e.memory AND m.namespace = e.namespace AND +m.seq = e.seq)
	FROM entries AS e LEFT JOIN versions AS v ON v.seq = e.seq ORDER BY e.seq`

// walkStored checks what belongs to each entry.
func (v *verifier) walkStored(ctx context.Context) (*chain.Fault, error) {
	rows, err := v.db.QueryContext(ctx, walkQuery)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s stored
		err := rows.Scan(&s.body, &s.n, &s.versionOf, &s.learnt, &s.until, &s.valid, &s.invalid, &s.superseded, &s.record, &s.words, &s.found, &s.listed)
		if err != nil {
			return nil, err
		}
		e, err := chain.ParseBody(s.body)
		if err != nil {
			return nil, err
		}
		if !s.listed {
			return faultAt(&e, record.IndexMismatch, "it cannot be found by its place and its memory"), nil
		}
		if fault, err := v.check(ctx, &e, &s); fault != nil || err != nil {
			return fault, err
		}
	}
	return nil, rows.Err()
}

// faultAt returns the fault of an entry.
func faultAt(e *chain.Entry, reason, format string, args ...any) *chain.Fault {
	return &chain.Fault{Seq: e.Seq, EntryID: e.EntryID, MemoryID: e.MemoryID, Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// check holds what is stored to an entry that is good.
func (v *verifier) check(ctx context.Context, e *chain.Entry, s *stored) (*chain.Fault, error) {
	switch e.Action {
	case chain.PutNamespace, chain.DeleteNamespace:
		v.names[e.Namespace] = e.RecordSHA256
		if e.Action == chain.DeleteNamespace {
			delete(v.names, e.Namespace)
		}
		return nil, nil
	case chain.Rekey:
		v.key, v.rekeyed = e.ContentSHA256, e.Seq
		return nil, nil
	case chain.Write, chain.Upsert, chain.Invalidate, chain.Forget, chain.Purge:
		next, err := v.next(ctx, e)
		if err != nil {
			return nil, err
		}
		return v.checkMemory(ctx, e, s, next)
	}
	return faultAt(e, chain.HashMismatch, "its action is %q", e.Action), nil
}

// next returns the entry of the same memory that follows.
func (v *verifier) next(ctx context.Context, e *chain.Entry) (*chain.Entry, error) {
	var body []byte
	err := v.db.QueryRowContext(ctx, `SELECT CAST(body AS BLOB) FROM entries
		WHERE memory = ? AND namespace = ? AND seq > ? ORDER BY seq LIMIT 1`, e.MemoryID, e.Namespace, e.Seq).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	next, err := chain.ParseBody(body)
	return &next, err
}

// checkMemory checks the version first: what is listed is judged by it.
func (v *verifier) checkMemory(ctx context.Context, e *chain.Entry, s *stored, next *chain.Entry) (*chain.Fault, error) {
	fault, err := v.checkEntered(ctx, e, s, next)
	if fault != nil || err != nil || next != nil {
		return fault, err
	}
	return v.checkPresent(ctx, e, s)
}

// checkEntered checks an entry against the version that is stored for it: an entry
// that writes has one with the same content, any other one has none.
func (v *verifier) checkEntered(ctx context.Context, e *chain.Entry, s *stored, next *chain.Entry) (*chain.Fault, error) {
	writes := e.Action == chain.Write || e.Action == chain.Upsert || e.Action == chain.Invalidate
	switch {
	case !writes && s.n.Valid:
		return faultAt(e, record.NotForgotten, "a version hangs on it"), nil
	case !writes:
		return nil, nil
	case s.n.Valid:
		return v.checkVersion(ctx, e, s, next)
	}
	gone, err := v.goneAfter(ctx, e)
	if err != nil || gone {
		return nil, err
	}
	return faultAt(e, record.Missing, "the memory that it speaks of is not there"), nil
}

// goneAfter reports whether a memory was forgotten or purged after an entry.
func (v *verifier) goneAfter(ctx context.Context, e *chain.Entry) (bool, error) {
	bodies, err := sqlitefile.Column[string](ctx, v.db, "SELECT body FROM entries WHERE memory = ? AND namespace = ? AND seq > ? ORDER BY seq", e.MemoryID, e.Namespace, e.Seq)
	if err != nil {
		return false, err
	}
	for _, body := range bodies {
		later, err := chain.ParseBody([]byte(body))
		if err != nil || later.Action == chain.Forget || later.Action == chain.Purge {
			return err == nil, err
		}
	}
	return false, nil
}

// checkVersion holds a version to its entry, and what was derived from it to the
// version.
func (v *verifier) checkVersion(ctx context.Context, e *chain.Entry, s *stored, next *chain.Entry) (*chain.Fault, error) {
	v.versions++
	if chain.Sum(s.record) != e.RecordSHA256 {
		return faultAt(e, record.Mismatch, "the hash of the memory is %s, not %s", chain.Sum(s.record), e.RecordSHA256), nil
	}
	r, err := record.Read(s.record)
	if err != nil {
		return faultAt(e, record.Mismatch, "the memory cannot be read: %v", err), nil
	}
	m := &r.Memory
	until := sql.NullInt64{}
	if next != nil {
		until = sql.NullInt64{Int64: record.Millis(next.TransactionAt), Valid: true}
	}
	switch {
	case m.ID != e.MemoryID || m.Namespace != e.Namespace || m.Source != e.Source || m.SessionID != e.SessionID ||
		m.TransactionAt != e.TransactionAt || !slices.Equal(m.EventIDs, e.EventIDs) || chain.Sum([]byte(m.Content)) != e.ContentSHA256:
		return faultAt(e, record.Mismatch, "the entry speaks of another memory"), nil
	case s.versionOf.String != m.ID || s.learnt.Int64 != r.Learnt || s.valid.Int64 != r.Valid || s.until != until ||
		s.invalid != (sql.NullInt64{Int64: r.Invalid, Valid: r.Invalid != 0}) ||
		s.superseded != (sql.NullString{String: m.SupersededBy, Valid: m.SupersededBy != ""}):
		return faultAt(e, record.IndexMismatch, "the columns of its version are not those of the memory"), nil
	case !s.words || s.found.Int64 != e.Seq || s.n.Int64>>SlotBits < r.Valid:
		return faultAt(e, record.IndexMismatch, "its version cannot be found under its number"), nil
	}
	links, err := sqlitefile.Column[string](ctx, v.db, "SELECT parent FROM links WHERE n = ? ORDER BY parent", s.n.Int64)
	if err != nil {
		return nil, err
	}
	v.links += int64(len(links))
	if parents := slices.Sorted(slices.Values(m.ParentIDs)); !slices.Equal(parents, links) {
		return faultAt(e, record.IndexMismatch, "its links are not those of the memory"), nil
	}
	return nil, nil
}

// checkPresent holds the present state of a memory to its last entry.
func (v *verifier) checkPresent(ctx context.Context, e *chain.Entry, s *stored) (*chain.Fault, error) {
	var (
		seq    int64
		n      sql.NullInt64
		digest []byte
	)
	err := v.db.QueryRowContext(ctx, "SELECT seq, n, digest FROM memories WHERE namespace = ? AND id = ?", e.Namespace, e.MemoryID).Scan(&seq, &n, &digest)
	known := err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if e.Action == chain.Purge {
		if known {
			return faultAt(e, record.NotForgotten, "the memory is still listed"), nil
		}
		return nil, nil
	}
	var want []byte
	if e.Action != chain.Forget {
		v.memories++
		// a record that has none does not fit its entry
		want, _ = record.DigestOf(s.record, e.TransactionAt)
	}
	switch {
	case !known:
		return faultAt(e, record.Missing, "the memory is not listed"), nil
	case e.Action == chain.Forget && n.Valid:
		return faultAt(e, record.NotForgotten, "the memory is still listed"), nil
	case seq != e.Seq || n != s.n || !slices.Equal(digest, want):
		return faultAt(e, record.IndexMismatch, "the memory is not listed as what it is"), nil
	}
	return nil, nil
}

// checkNamespaces holds the namespaces to their last entries.
func (v *verifier) checkNamespaces(ctx context.Context) (*chain.Fault, error) {
	rows, err := v.db.QueryContext(ctx, "SELECT name, CAST(record AS BLOB) FROM namespaces ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			name string
			text []byte
			n    api.Namespace
		)
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		want, known := v.names[name]
		switch {
		case !known:
			return &chain.Fault{Reason: record.NoEntry, Detail: fmt.Sprintf("namespace %q was never entered", name)}, nil
		case want != chain.Sum(text) || api.Decode(text, &n) != nil || n.Name != name:
			return &chain.Fault{Reason: record.Mismatch, Detail: fmt.Sprintf("namespace %s is not what was entered", name)}, nil
		}
		delete(v.names, name)
	}
	if len(v.names) > 0 {
		return &chain.Fault{Reason: record.Missing, Detail: fmt.Sprintf("%d namespaces that were entered are not there", len(v.names))}, nil
	}
	return nil, rows.Err()
}

// checkRest looks for what no entry speaks of.
func (v *verifier) checkRest(ctx context.Context) (*chain.Fault, error) {
	for _, c := range []struct {
		what, reason, query string
		want                int64
	}{
		{"versions", record.NoEntry, "SELECT count(*) FROM versions", v.versions},
		{"links", record.IndexMismatch, "SELECT count(*) FROM links", v.links},
		{"versions with words", record.IndexMismatch, "SELECT count(*) FROM words_docsize", v.versions},
		{"memories", record.NoEntry, "SELECT count(*) FROM memories WHERE n IS NOT NULL", v.memories},
		{"tombstones", record.NoEntry, `SELECT count(*) FROM memories AS m WHERE n IS NULL
			AND NOT EXISTS (SELECT * FROM entries AS e WHERE e.seq = m.seq AND e.memory = m.id AND e.namespace = m.namespace)`, 0},
	} {
		var is int64
		if err := v.db.QueryRowContext(ctx, c.query).Scan(&is); err != nil {
			return nil, err
		}
		if is != c.want {
			return &chain.Fault{Reason: c.reason, Detail: fmt.Sprintf("there are %d %s, and entries of %d", is, c.what, c.want)}, nil
		}
	}
	return nil, nil
}
