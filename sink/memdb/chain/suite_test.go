package chain_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the driver

	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// logs are the kinds of logs; each passes every test of the suite.
func logs() map[string]func(t *testing.T) chain.Log {
	return map[string]func(t *testing.T) chain.Log{
		"memory": func(*testing.T) chain.Log { return chain.NewMemory() },
		"sqlite": func(t *testing.T) chain.Log { return chain.NewSQLite(openDB(t)) },
	}
}

func openDB(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "chain.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.Exec(chain.Tables); err != nil {
		t.Fatal(err)
	}
	return db
}

func entry(i int) *chain.Entry {
	return &chain.Entry{
		EntryID: fmt.Sprintf("01890000-0000-7000-8000-%012d", i), Namespace: "team", MemoryID: fmt.Sprint("decision:", i%7),
		Action: chain.Write, ContentSHA256: chain.Sum([]byte{byte(i)}), RecordSHA256: chain.Sum([]byte{byte(i), 1}),
		Source: "codex", SessionID: "s <&> \u2028 é", EventIDs: []string{"e1", "e2"}, TransactionAt: "2026-01-02T03:04:05.006Z",
	}
}

func fill(t *testing.T, l chain.Log, n int) {
	t.Helper()
	for i := range n {
		if err := l.Append(t.Context(), entry(i)); err != nil {
			t.Fatal(err)
		}
	}
}

func collect(t *testing.T, seq iter.Seq2[chain.Stored, error]) []chain.Stored {
	t.Helper()
	var all []chain.Stored
	for s, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		s.Body = slices.Clone(s.Body)
		all = append(all, s)
	}
	return all
}

func TestLogs(t *testing.T) {
	tests := map[string]func(t *testing.T, l chain.Log){
		"empty":            testEmpty,
		"appended":         testAppended,
		"of a memory":      testOf,
		"cancelled append": testCancelled,
		"batch":            testBatch,
		"stops early":      testStops,
	}
	for kind, open := range logs() {
		for name, test := range tests {
			t.Run(kind+"/"+name, func(t *testing.T) { test(t, open(t)) })
		}
	}
}

func testEmpty(t *testing.T, l chain.Log) {
	head, err := l.Head(t.Context())
	if err != nil || head.Length != 0 || head.String() != chain.Genesis() {
		t.Errorf("head %v, %v", head, err)
	}
	if head, fault, err := chain.Walk(l.Entries(t.Context(), 1)); err != nil || fault != nil || head.Length != 0 {
		t.Errorf("walk: %v, %v, %v", head, fault, err)
	}
}

func testAppended(t *testing.T, l chain.Log) {
	const n = 50
	fill(t, l, n)
	head, err := l.Head(t.Context())
	if err != nil || head.Length != n {
		t.Fatalf("head %v, %v", head, err)
	}
	walked, fault, err := chain.Walk(l.Entries(t.Context(), 1), head)
	if err != nil || fault != nil || walked != head {
		t.Errorf("walk: %v, %v, %v; want %v", walked, fault, err, head)
	}
	all := collect(t, l.Entries(t.Context(), 1))
	if rest := collect(t, l.Entries(t.Context(), 41)); !cmp.Equal(rest, all[40:]) {
		t.Errorf("entries from 41 are not the last ten: %d", len(rest))
	}
}

func testOf(t *testing.T, l chain.Log) {
	fill(t, l, 20)
	var places []int64
	for _, s := range collect(t, l.Of(t.Context(), "team", "decision:3")) {
		places = append(places, s.Place)
	}
	if want := []int64{4, 11, 18}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
	if none := collect(t, l.Of(t.Context(), "team", "decision:99")); len(none) > 0 {
		t.Errorf("got %d entries of a memory without", len(none))
	}
}

func testCancelled(t *testing.T, l chain.Log) {
	fill(t, l, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Append(ctx, entry(3)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if head, err := l.Head(t.Context()); err != nil || head.Length != 3 {
		t.Errorf("head %v, %v", head, err)
	}
}

func testBatch(t *testing.T, l chain.Log) {
	if err := l.Append(t.Context(), entry(0), entry(1), entry(2)); err != nil {
		t.Fatal(err)
	}
	if head, fault, err := chain.Walk(l.Entries(t.Context(), 1)); err != nil || fault != nil || head.Length != 3 {
		t.Errorf("walk: %v, %v, %v", head, fault, err)
	}
}

func testStops(t *testing.T, l chain.Log) {
	fill(t, l, 5)
	for s, err := range l.Entries(t.Context(), 1) {
		if err != nil || s.Place == 2 {
			break
		}
	}
	fill(t, l, 1) // nothing is held open
}

// TestKindsAgree wants the same chain from both kinds, byte for byte.
func TestKindsAgree(t *testing.T) {
	memory, table := chain.NewMemory(), chain.NewSQLite(openDB(t))
	fill(t, memory, 10)
	fill(t, table, 10)
	if diff := cmp.Diff(collect(t, memory.Entries(t.Context(), 1)), collect(t, table.Entries(t.Context(), 1))); diff != "" {
		t.Errorf("(-memory +sqlite):\n%s", diff)
	}
}

func TestTableIsAppendOnly(t *testing.T) {
	db := openDB(t)
	fill(t, chain.NewSQLite(db), 3)
	for _, statement := range []string{
		"UPDATE entries SET body = 'x' WHERE seq = 2", "DELETE FROM entries WHERE seq = 3", "UPDATE entries SET seq = 9 WHERE seq = 3",
	} {
		if _, err := db.Exec(statement); err == nil || !strings.Contains(err.Error(), "entries are never") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestMutations damages a chain in a thousand ways. Each must be found, at the
// first place that is damaged.
func TestMutations(t *testing.T) {
	memory := chain.NewMemory()
	fill(t, memory, 40)
	head, _ := memory.Head(t.Context())
	whole := collect(t, memory.Entries(t.Context(), 1))
	rng := rand.New(rand.NewPCG(20, 26))
	reasons := map[string]int{}
	for round := range 1000 {
		damaged := slices.Clone(whole)
		what, first, want := damage(rng, &damaged)
		_, fault, err := chain.Walk(each(damaged), head)
		switch {
		case err != nil:
			t.Fatal(err)
		case fault == nil:
			t.Errorf("round %d: %s at %d was not found", round, what, first)
			continue
		case fault.Seq != first:
			t.Errorf("round %d: %s at %d was found at %d: %s", round, what, first, fault.Seq, fault.Detail)
		case !slices.Contains(want, fault.Reason):
			t.Errorf("round %d: %s at %d is called %s: %s", round, what, first, fault.Reason, fault.Detail)
		}
		reasons[fault.Reason]++
	}
	for _, r := range []string{chain.HashMismatch, chain.Gap, chain.Reorder, chain.Fork, chain.BadGenesis, chain.Truncated} {
		if reasons[r] == 0 {
			t.Errorf("no mutation was called %s: %v", r, reasons)
		}
	}
}

func each(entries []chain.Stored) iter.Seq2[chain.Stored, error] {
	return func(yield func(chain.Stored, error) bool) {
		for _, s := range entries {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// damage does one thing to a chain and says what, where it must be found, and
// under which names.
func damage(rng *rand.Rand, entries *[]chain.Stored) (what string, first int64, reasons []string) {
	s := *entries
	i := rng.IntN(len(s) - 1)
	switch rng.IntN(7) {
	case 0:
		s[i].Body = slices.Clone(s[i].Body)
		s[i].Body[rng.IntN(len(s[i].Body))] ^= 1 << rng.IntN(8)
		return "a flipped bit of a body", s[i].Place, []string{chain.HashMismatch}
	case 1:
		h := []byte(s[i].Hash)
		h[rng.IntN(64)] ^= 1
		s[i].Hash = string(h)
		return "a flipped bit of a hash", s[i].Place, []string{chain.HashMismatch}
	case 2:
		*entries = slices.Delete(s, i, i+1)
		return "a dropped entry", s0(*entries, i), []string{chain.Gap}
	case 3:
		s[i].Body, s[i+1].Body, s[i].Hash, s[i+1].Hash = s[i+1].Body, s[i].Body, s[i+1].Hash, s[i].Hash
		return "two swapped entries", s[i].Place, []string{chain.Reorder}
	case 4:
		*entries = s[:i]
		return "a cut tail", int64(i) + 1, []string{chain.Truncated}
	case 5:
		// Somebody who can hash writes another history from here on.
		e, _ := chain.ParseBody(s[i].Body)
		e.ContentSHA256 = chain.Sum([]byte("another"))
		s[i], _ = chain.Seal(&e, chain.Head{Length: e.Seq - 1, Hash: e.PrevHash})
		return "an entry hashed anew", s[i].Place + 1, []string{chain.Fork}
	default:
		if i == 0 {
			e, _ := chain.ParseBody(s[0].Body)
			e.PrevHash = chain.Sum(nil)
			body, _ := chain.Body(&e)
			s[0].Body, s[0].Hash = body, chain.Sum(body)
			return "a first entry with a past", 1, []string{chain.BadGenesis}
		}
		*entries = slices.Insert(s, i+1, s[i])
		return "an entry that stands twice", s[i].Place, []string{chain.Fork}
	}
}

func s0(s []chain.Stored, i int) int64 { return s[i].Place }

// TestCanonical pins the bytes that are hashed to what RFC 8785 demands of them:
// members sorted, no space, nothing escaped that need not be.
func TestCanonical(t *testing.T) {
	e := entry(1)
	s, err := chain.Seal(e, chain.Head{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"action":"write","content_sha256":"4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",` +
		`"entry_id":"01890000-0000-7000-8000-000000000001","event_ids":["e1","e2"],"memory_id":"decision:1","namespace":"team",` +
		`"prev_hash":"0000000000000000000000000000000000000000000000000000000000000000",` +
		`"record_sha256":"9dcf97a184f32623d11a73124ceb99a5709b083721e878a16d78f596718ba7b2","schema":"memscribe.memdb.entry/v1",` +
		`"seq":1,"session_id":"s <&> ` + "\u2028" + ` é","source":"codex","transaction_at":"2026-01-02T03:04:05.006Z"}`
	if diff := cmp.Diff(want, string(s.Body)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.Hash != chain.Sum([]byte(want)) || e.Hash != s.Hash {
		t.Errorf("hash %s", s.Hash)
	}
	back, err := chain.ParseBody(s.Body)
	back.Hash = s.Hash
	if diff := cmp.Diff(*e, back); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
