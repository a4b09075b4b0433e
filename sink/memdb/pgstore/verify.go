package pgstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/near"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/words"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Verify walks all chains and checks every row against them. What is wrong is the report's
// Fault, the first one only; an error means that it could not be checked.
func (s *Store) Verify(ctx context.Context) (report api.VerifyReport, err error) {
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) error {
		report, err = VerifyOn(ctx, tx, VerifyOptions{StateDir: s.options.StateDir})
		return err
	})
	if err == nil {
		err = inspect(ctx, s.pool, &report)
	}
	return report, problem("verify memories", err)
}

// VerifyOptions say what the chains must agree with.
type VerifyOptions struct {
	// StateDir is the folder of the key and of what was signed last; "" is none.
	StateDir string
	// Checkpoints are what was signed earlier, and kept elsewhere.
	Checkpoints []chain.Heads
}

// VerifyURL is Verify for a database that no server needs to run for.
func VerifyURL(ctx context.Context, dsn string, o VerifyOptions) (report api.VerifyReport, err error) {
	pool, err := pg.Dial(ctx, dsn)
	if err != nil {
		return report, err
	}
	defer pool.Close()
	err = pg.Look(everywhere(ctx), pool, func(ctx context.Context, tx pg.Tx) error {
		report, err = VerifyOn(ctx, tx, o)
		return err
	})
	if err == nil {
		err = inspect(ctx, pool, &report)
	}
	if err != nil {
		return report, fmt.Errorf("verify %s: %w", pg.Shown(dsn), pg.Explain(err))
	}
	return report, nil
}

// inspect makes triggers, rules and policies that others have put on the tables the fault of a
// report that has none.
func inspect(ctx context.Context, pool *pg.Pool, report *api.VerifyReport) error {
	if report.Fault != nil {
		return nil
	}
	named, err := pg.Foreign(everywhere(ctx), pool, tables())
	if err == nil && named != "" {
		report.OK, report.Fault = false, &chain.Fault{Reason: record.SchemaMismatch, Detail: "Memscribe did not make " + named}
	}
	return err
}

// VerifyOn is Verify in a transaction, which must see one moment, and whose time limit it takes
// off. Its steps rely on the ones before: the chains, versions, namespaces, what no entry
// speaks of, vectors.
func VerifyOn(ctx context.Context, tx pg.Tx, o VerifyOptions) (api.VerifyReport, error) {
	v := verifier{tx: tx, kept: slices.Clone(o.Checkpoints), heads: chain.Heads{}, names: map[string]string{}}
	fault, err := v.loadCheckpoint(o.StateDir)
	if err == nil && fault == nil {
		fault, err = v.run(ctx)
	}
	head := v.heads.Head()
	return api.VerifyReport{
		OK: fault == nil, Length: head.Length, Head: head.String(), Memories: v.memories, Checkpoint: v.signed(), Fault: fault, Rekeyed: v.rekeyed,
	}, err
}

// verifier is a walk over everything, one chain after the other.
type verifier struct {
	tx       pg.Tx
	kept     []chain.Heads // what was signed of the chains
	heads    chain.Heads
	names    map[string]string // of namespaces: the hash of what each shall be
	versions int64
	memories int64
	rekeyed  int64 // the last entry of the chain of keys
	scopes   record.Scopes

	namespace string // whose chain is walked
	walker    chain.Walker
}

// loadCheckpoint reads what was signed last with the key in a folder. One that is missing or
// forged is a fault, and no error.
func (v *verifier) loadCheckpoint(dir string) (*chain.Fault, error) {
	if dir == "" || !chain.HasKey(dir) {
		return nil, nil
	}
	key, err := chain.OpenVerifier(dir)
	if err != nil {
		return nil, err
	}
	signed, ok, err := key.LoadHeads(dir)
	switch {
	case errors.Is(err, chain.ErrForged):
		return &chain.Fault{Reason: record.CheckpointForged, Detail: err.Error()}, nil
	case err != nil:
		return nil, err
	case !ok:
		return &chain.Fault{Reason: record.CheckpointMissing, Detail: "there is a key, but the checkpoint that was signed with it is gone"}, nil
	}
	v.kept = append(v.kept, signed)
	return nil, nil
}

// signed returns how many entries are signed by the checkpoint that has the most.
func (v *verifier) signed() (length int64) {
	for _, all := range v.kept {
		length = max(length, all.Head().Length)
	}
	return length
}

// run runs the checks in order and stops at the first fault.
func (v *verifier) run(ctx context.Context) (*chain.Fault, error) {
	// A walk takes as long as it takes.
	if _, err := v.tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) (*chain.Fault, error){v.walk, v.walkStored, v.checkChains, v.checkRest, v.checkVectors} {
		if fault, err := step(ctx); fault != nil || err != nil {
			return fault, err
		}
	}
	return nil, nil
}

// stream calls f for each row of a query as it arrives, and ends with the first fault. f scans
// the row.
func (v *verifier) stream(ctx context.Context, query string, f func(rows *pg.Rows) (*chain.Fault, error)) (*chain.Fault, error) {
	rows, err := v.tx.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if fault, err := f(rows); fault != nil || err != nil {
			return fault, err
		}
	}
	return nil, rows.Err()
}

// walk checks the chains alone. The other steps take entries as true, so that it comes first.
func (v *verifier) walk(ctx context.Context) (*chain.Fault, error) {
	const query = "SELECT namespace, seq, memory, action, body, hash FROM entries ORDER BY namespace, seq"
	fault, err := v.stream(ctx, query, func(rows *pg.Rows) (*chain.Fault, error) {
		var (
			s                         chain.Stored
			namespace, memory, action string
		)
		if err := rows.Scan(&namespace, &s.Place, &memory, &action, &s.Body, &s.Hash); err != nil {
			return nil, err
		}
		if namespace != v.namespace {
			if fault := v.end(); fault != nil {
				return fault, nil
			}
			v.namespace, v.walker = namespace, chain.Walker{}
		}
		e, fault := v.walker.Next(s)
		if fault == nil {
			fault = v.walker.Against(&e, v.vouched()...)
		}
		if fault == nil && (memory != e.MemoryID || namespace != e.Namespace || action != e.Action) {
			fault = faultAt(&e, record.IndexMismatch, "it is listed as %s of memory %q in namespace %q", action, memory, namespace)
		}
		return v.in(fault), nil
	})
	if fault != nil || err != nil {
		return fault, err
	}
	if fault := v.end(); fault != nil {
		return fault, nil
	}
	for _, signed := range v.kept {
		for _, name := range slices.Sorted(maps.Keys(signed)) {
			if _, walked := v.heads[name]; !walked {
				v.namespace, v.walker = name, chain.Walker{}
				return v.end(), nil
			}
		}
	}
	return nil, nil
}

// vouched returns the heads that were signed of the chain that is being walked.
func (v *verifier) vouched() (all []chain.Head) {
	for _, signed := range v.kept {
		if h, ok := signed[v.namespace]; ok {
			all = append(all, h)
		}
	}
	return all
}

// end ends the walk of a chain. One that is shorter than what was signed of it is a fault.
func (v *verifier) end() *chain.Fault {
	if head := v.walker.Head(); head.Length > 0 {
		v.heads[v.namespace] = head
	}
	return v.in(v.walker.Short(v.vouched()...))
}

// in puts the name of the chain into a fault.
func (v *verifier) in(f *chain.Fault) *chain.Fault {
	switch {
	case f == nil:
	case v.namespace == keyChain:
		f.Detail = "the chain of keys: " + f.Detail
	default:
		f.Detail = "namespace " + v.namespace + ": " + f.Detail
	}
	return f
}

// stored is an entry with what belongs to it. A nil member means that there is none.
type stored struct {
	body           string
	versionOf      *string
	learnt, until  *int64
	valid, invalid *int64
	superseded     *string
	record, words  *string
	next           *string
	gone           bool
	listed, live   *bool
	seq            *int64
	digest         []byte
}

const walkQuery = `SELECT e.namespace, e.body, v.memory, v.learnt, v.until, v.valid, v.invalid, v.superseded, v.record, v.words::text,
	  (SELECT n.body FROM entries AS n WHERE n.namespace = e.namespace AND n.memory = e.memory AND n.seq > e.seq ORDER BY n.seq LIMIT 1),
	  EXISTS (SELECT 1 FROM entries AS g WHERE g.namespace = e.namespace AND g.memory = e.memory AND g.seq > e.seq AND g.action IN ('forget', 'purge')),
	  m.id IS NOT NULL, m.live, m.seq, m.digest
	FROM entries AS e
	LEFT JOIN versions AS v ON v.namespace = e.namespace AND v.seq = e.seq
	LEFT JOIN memories AS m ON m.namespace = e.namespace AND m.id = e.memory
	ORDER BY e.namespace, e.seq`

// walkStored checks what belongs to each entry.
func (v *verifier) walkStored(ctx context.Context) (*chain.Fault, error) {
	return v.stream(ctx, walkQuery, func(rows *pg.Rows) (*chain.Fault, error) {
		var s stored
		err := rows.Scan(&v.namespace, &s.body, &s.versionOf, &s.learnt, &s.until, &s.valid, &s.invalid, &s.superseded, &s.record, &s.words,
			&s.next, &s.gone, &s.listed, &s.live, &s.seq, &s.digest)
		if err != nil {
			return nil, err
		}
		e, err := chain.ParseBody([]byte(s.body))
		if err != nil {
			return nil, err
		}
		fault, err := v.check(&e, &s)
		return v.in(fault), err
	})
}

// faultAt returns the fault of an entry.
func faultAt(e *chain.Entry, reason, format string, args ...any) *chain.Fault {
	return &chain.Fault{Seq: e.Seq, EntryID: e.EntryID, MemoryID: e.MemoryID, Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// check compares what is stored with an entry that walk found good. The present state of a
// memory is compared with its last entry.
func (v *verifier) check(e *chain.Entry, s *stored) (*chain.Fault, error) {
	switch e.Action {
	case chain.PutNamespace:
		v.names[e.Namespace] = e.RecordSHA256
		return nil, nil
	case chain.DeleteNamespace:
		delete(v.names, e.Namespace)
		return nil, nil
	case chain.Rekey:
		if e.Namespace != keyChain {
			return faultAt(e, chain.HashMismatch, "a key is of no namespace"), nil
		}
		v.rekeyed = e.Seq
		return nil, nil
	case chain.Write, chain.Upsert, chain.Invalidate, chain.Forget, chain.Purge:
		fault, err := v.checkEntered(e, s)
		if fault != nil || err != nil || s.next != nil {
			return fault, err
		}
		return v.checkPresent(e, s), nil
	}
	return faultAt(e, chain.HashMismatch, "its action is %q", e.Action), nil
}

// checkEntered checks the version of an entry: one that writes has one, unless the memory was
// forgotten or purged later, and any other has none.
func (v *verifier) checkEntered(e *chain.Entry, s *stored) (*chain.Fault, error) {
	writes := e.Action == chain.Write || e.Action == chain.Upsert || e.Action == chain.Invalidate
	switch {
	case !writes && s.record != nil:
		return faultAt(e, record.NotForgotten, "a version hangs on it"), nil
	case s.record != nil:
		return v.checkVersion(e, s)
	case writes && !s.gone:
		return faultAt(e, record.Missing, "the memory that it speaks of is not there"), nil
	}
	return nil, nil
}

// checkVersion compares a version with the hashes in its entry, and the columns and words that
// follow from it with the version.
func (v *verifier) checkVersion(e *chain.Entry, s *stored) (*chain.Fault, error) {
	v.versions++
	json := []byte(*s.record)
	if chain.Sum(json) != e.RecordSHA256 {
		return faultAt(e, record.Mismatch, "the hash of the memory is %s, not %s", chain.Sum(json), e.RecordSHA256), nil
	}
	r, err := record.Read(json)
	if err != nil {
		return faultAt(e, record.Mismatch, "the memory cannot be read: %v", err), nil
	}
	var until *int64
	if s.next != nil {
		next, err := chain.ParseBody([]byte(*s.next))
		if err != nil {
			return nil, err
		}
		until = null(record.Millis(next.TransactionAt))
	}
	m := &r.Memory
	switch {
	case m.ID != e.MemoryID || m.Namespace != e.Namespace || m.Source != e.Source || m.SessionID != e.SessionID ||
		m.TransactionAt != e.TransactionAt || !slices.Equal(m.EventIDs, e.EventIDs) || chain.Sum([]byte(m.Content)) != e.ContentSHA256:
		return faultAt(e, record.Mismatch, "the entry speaks of another memory"), nil
	case !same(s.versionOf, &m.ID) || !same(s.learnt, &r.Learnt) || !same(s.valid, &r.Valid) || !same(s.until, until) ||
		!same(s.invalid, null(r.Invalid)) || !same(s.superseded, null(m.SupersededBy)):
		return faultAt(e, record.IndexMismatch, "the columns of its version are not those of the memory"), nil
	case !v.found(m, s.words):
		return faultAt(e, record.IndexMismatch, "its version cannot be found by its words"), nil
	}
	return nil, nil
}

// same reports whether two optional values are equal.
func same[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// found reports whether the words of a version are those of its memory, in any order: the
// server keeps an order of its own.
func (v *verifier) found(m *api.Memory, stored *string) bool {
	if stored == nil {
		return false
	}
	want, is := strings.Fields(words.Vector(m, &v.scopes)), strings.Fields(*stored)
	slices.Sort(want)
	slices.Sort(is)
	return slices.Equal(want, is)
}

// checkPresent compares how a memory is listed with its last entry: written and live, forgotten
// and listed as such, or purged and not listed.
func (v *verifier) checkPresent(e *chain.Entry, s *stored) *chain.Fault {
	known := s.listed != nil && *s.listed
	if e.Action == chain.Purge {
		if known {
			return faultAt(e, record.NotForgotten, "the memory is still listed")
		}
		return nil
	}
	want := []byte{}
	if e.Action != chain.Forget {
		v.memories++
		// a record that has none does not fit its entry
		want, _ = record.DigestOf([]byte(*s.record), e.TransactionAt)
	}
	switch {
	case !known:
		return faultAt(e, record.Missing, "the memory is not listed")
	case e.Action == chain.Forget && *s.live:
		return faultAt(e, record.NotForgotten, "the memory is still listed")
	case *s.seq != e.Seq || *s.live != (e.Action != chain.Forget) || !slices.Equal(s.digest, want):
		return faultAt(e, record.IndexMismatch, "the memory is not listed as what it is")
	}
	return nil
}

// checkChains compares the row of each namespace with its chain, and finds chains without a
// row.
func (v *verifier) checkChains(ctx context.Context) (*chain.Fault, error) {
	left := maps.Clone(v.heads)
	fault, err := v.stream(ctx, "SELECT namespace, length, hash, record FROM chains ORDER BY namespace", func(rows *pg.Rows) (*chain.Fault, error) {
		var (
			is   chain.Head
			text *string
		)
		if err := rows.Scan(&v.namespace, &is.Length, &is.Hash, &text); err != nil {
			return nil, err
		}
		want, known := v.names[v.namespace]
		switch {
		case is != left[v.namespace]:
			return v.in(&chain.Fault{Reason: record.IndexMismatch, Detail: fmt.Sprintf("its row says that its chain has %d entries, or ends with another hash", is.Length)}), nil
		case text == nil && known:
			return v.in(&chain.Fault{Reason: record.Missing, Detail: "it was entered and is not there"}), nil
		case text != nil && !known:
			return v.in(&chain.Fault{Reason: record.NoEntry, Detail: "it was never entered"}), nil
		case text != nil && (want != chain.Sum([]byte(*text)) || !isOf(*text, v.namespace)):
			return v.in(&chain.Fault{Reason: record.Mismatch, Detail: "it is not what was entered"}), nil
		}
		delete(left, v.namespace)
		return nil, nil
	})
	if fault == nil && err == nil && len(left) > 0 {
		fault = &chain.Fault{Reason: record.Missing, Detail: fmt.Sprintf("%d namespaces that were entered are not there", len(left))}
	}
	return fault, err
}

// isOf reports whether a record is of a namespace.
func isOf(text, name string) bool {
	var n api.Namespace
	return api.Decode([]byte(text), &n) == nil && n.Name == name
}

// checkRest counts what is stored, and compares that with what entries speak of.
func (v *verifier) checkRest(ctx context.Context) (*chain.Fault, error) {
	for _, c := range []struct {
		what, query string
		want        int64
	}{
		{"versions", "SELECT count(*) FROM versions", v.versions},
		{"memories", "SELECT count(*) FROM memories WHERE live", v.memories},
		{"tombstones", `SELECT count(*) FROM memories AS m WHERE NOT live
			AND NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.namespace = m.namespace AND e.seq = m.seq AND e.memory = m.id)`, 0},
	} {
		var is int64
		if err := v.tx.QueryRow(ctx, c.query).Scan(&is); err != nil {
			return nil, err
		}
		if is != c.want {
			return &chain.Fault{Reason: record.NoEntry, Detail: fmt.Sprintf("there are %d %s, and entries of %d", is, c.what, c.want)}, nil
		}
	}
	return nil, nil
}

// checkVectors finds vectors that belong to no memory that is there.
func (v *verifier) checkVectors(ctx context.Context) (*chain.Fault, error) {
	return v.stream(ctx, near.Kept, func(rows *pg.Rows) (*chain.Fault, error) {
		namespace, fault, err := near.Check(rows)
		v.namespace = namespace
		return v.in(fault), err
	})
}
