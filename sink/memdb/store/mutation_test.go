package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/testkit/size"
)

// populated is a store in which everything has happened, closed.
func populated(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	f := open(t, dir)
	for i := range 30 {
		m := note(fmt.Sprint("m", i), fmt.Sprint("content of number ", i))
		m.Tags, m.EventIDs, m.ValidAt = []string{"tag"}, []string{fmt.Sprint("e", i)}, fmt.Sprintf("2026-06-%02dT00:00:00Z", i+1)
		if i > 0 {
			m.ParentIDs = []string{fmt.Sprint("m", i-1), "elsewhere"}
		}
		if i%4 == 0 {
			m.Origin, m.InvalidAt = api.External, "2027-01-01T00:00:00Z"
		}
		if i%4 == 1 {
			m.SupersededBy = fmt.Sprint("m", i+4)
		}
		f.write(m)
		f.clock.add(time.Minute)
		if i%3 == 0 {
			m.Content += ", changed"
			f.write(m)
		}
	}
	if err := f.Forget(t.Context(), "team", "m6"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.PutNamespace(t.Context(), "gone", api.NamespacePut{Description: "x"}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(t.Context(), "gone", []api.MemoryWrite{note("purged", "x")}); err != nil {
		t.Fatal(err)
	}
	if err := f.DeleteNamespace(t.Context(), "gone", true); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.PutNamespace(t.Context(), "other", api.NamespacePut{}); err != nil {
		t.Fatal(err)
	}
	theirs := []api.MemoryWrite{note("m3", "content of another"), note("m6", "content of another"), note("purged", "x")}
	if _, err := f.Write(t.Context(), "other", theirs); err != nil {
		t.Fatal(err)
	}
	f.write(note("last", "x"))
	f.intact()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// mutation is one thing that was done to a database, and what Verify must name:
// an entry, or a memory.
type mutation struct {
	what   string
	seq    int64
	memory string
}

// TestMutations damages a database in a thousand ways, each in a transaction that
// is taken back. Each must be found, and named.
func TestMutations(t *testing.T) {
	size.NeedsNoDetector(t)
	dir := populated(t)
	db, err := sql.Open("sqlite", file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	o := store.VerifyOptions{StateDir: filepath.Join(dir, "state")}
	if report, err := store.VerifyOn(t.Context(), conn, o); err != nil || !report.OK {
		t.Fatalf("before anything was done: %+v, %v", report.Fault, err)
	}
	rng := rand.New(rand.NewPCG(20, 26))
	reasons := map[string]int{}
	for round := 0; round < 1000; {
		must(t, conn, "BEGIN; DROP TRIGGER entries_stay; DROP TRIGGER entries_stand")
		m, err := mutate(t.Context(), rng, conn)
		if err == nil && m.what != "" {
			round++
			report, err := store.VerifyOn(t.Context(), conn, o)
			judge(t, round, m, report, err)
			if report.Fault != nil {
				reasons[report.Fault.Reason]++
			}
		}
		must(t, conn, "ROLLBACK")
	}
	t.Log(reasons)
	for _, reason := range []string{
		chain.HashMismatch, chain.Gap, chain.Reorder, chain.Fork, chain.Truncated, "record_mismatch", "record_missing", "no_entry", "index_mismatch", "not_forgotten",
	} {
		if reasons[reason] == 0 {
			t.Errorf("no mutation was called %s", reason)
		}
	}
}

func judge(t *testing.T, round int, m mutation, report api.VerifyReport, err error) {
	t.Helper()
	f := report.Fault
	switch {
	case err != nil:
		t.Errorf("round %d: %s: %v", round, m.what, err)
	case f == nil:
		t.Errorf("round %d: %s was not found", round, m.what)
	case m.seq > 0 && f.Seq != m.seq || m.memory != "" && f.MemoryID != m.memory:
		t.Errorf("round %d: %s (entry %d, memory %q) is named as entry %d, memory %q: %s: %s", round, m.what, m.seq, m.memory, f.Seq, f.MemoryID, f.Reason, f.Detail)
	}
}

func must(t *testing.T, conn *sql.Conn, statements string) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}

// mutate does one thing. One that the schema does not allow is an error.
func mutate(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (mutation, error) {
	switch rng.IntN(10) {
	case 0:
		return drop(ctx, rng, conn)
	case 1:
		return swap(ctx, rng, conn)
	case 2:
		return truncate(ctx, rng, conn)
	case 3:
		return forge(ctx, rng, conn)
	default:
		return flip(ctx, rng, conn)
	}
}

// row is a row of a table, by its key, and what names it.
type row struct {
	table, key string
	value      any
	seq        int64
	memory     string
}

func pick(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (row, error) {
	r := []row{
		{table: "entries", key: "seq"}, {table: "versions", key: "n"}, {table: "memories", key: "id"}, {table: "namespaces", key: "name"}, {table: "links", key: "n"},
	}[rng.IntN(5)]
	named := map[string]string{
		"entries": "seq, ''", "versions": "seq, ''", "memories": "0, id", "namespaces": "0, ''", "links": "0, (SELECT memory FROM versions AS v WHERE v.n = links.n)",
	}[r.table]
	query := fmt.Sprintf("SELECT %s, %s FROM %s ORDER BY 1 LIMIT 1 OFFSET (? %% (SELECT count(*) FROM %s))", r.key, named, r.table, r.table)
	return r, conn.QueryRowContext(ctx, query, rng.Int32()).Scan(&r.value, &r.seq, &r.memory)
}

// flip changes one bit of one column of one row.
func flip(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (mutation, error) {
	r, err := pick(ctx, rng, conn)
	if err != nil {
		return mutation{}, err
	}
	columns := map[string][]string{
		"entries": {"seq", "namespace", "memory", "body", "hash"}, "memories": {"id", "namespace", "seq", "n", "digest"}, "links": {"parent", "n"},
		"versions": {"n", "seq", "memory", "learnt", "until", "valid", "invalid", "record", "superseded"}, "namespaces": {"name", "record"},
	}[r.table]
	column := columns[rng.IntN(len(columns))]
	var (
		kind string
		text []byte
	)
	where := fmt.Sprintf(" FROM %s WHERE %s = ?", r.table, r.key)
	if err := conn.QueryRowContext(ctx, "SELECT typeof("+column+"), CAST("+column+" AS BLOB)"+where, r.value).Scan(&kind, &text); err != nil {
		return mutation{}, err
	}
	var value any = int64(7)
	switch kind {
	case "integer":
		var n int64
		if err := conn.QueryRowContext(ctx, "SELECT "+column+where, r.value).Scan(&n); err != nil {
			return mutation{}, err
		}
		value = n ^ 1<<rng.IntN(50)
	case "text", "blob":
		if len(text) == 0 {
			text = []byte{' '}
		}
		text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
		value = text
		if kind == "text" {
			value = string(text)
		}
	}
	m := mutation{what: fmt.Sprintf("a flipped bit of %s.%s in %v", r.table, column, r.value), seq: r.seq, memory: r.memory}
	if r.table == "entries" && column == "seq" {
		m.seq = 0 // there is a gap, or two of one number, or it is called reordered
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET %s = ? WHERE %s = ?", r.table, column, r.key), value, r.value)
	return m, err
}

func drop(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (mutation, error) {
	r, err := pick(ctx, rng, conn)
	if err != nil {
		return mutation{}, err
	}
	m := mutation{what: fmt.Sprintf("row %v dropped from %s", r.value, r.table), seq: r.seq, memory: r.memory}
	if r.table == "entries" {
		// It is missed when the next one comes.
		var last bool
		if err := conn.QueryRowContext(ctx, "SELECT ? = max(seq) FROM entries", r.value).Scan(&last); err != nil {
			return m, err
		}
		if m.seq++; last {
			m.seq--
		}
	}
	if r.table == "versions" && rng.IntN(2) == 0 {
		m.what += " index"
		_, err = conn.ExecContext(ctx, "DELETE FROM words WHERE rowid = ?", r.value)
		return m, err
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("DELETE FROM %s WHERE %s = ?", r.table, r.key), r.value)
	return m, err
}

func swap(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (mutation, error) {
	var most int64
	if err := conn.QueryRowContext(ctx, "SELECT max(seq) FROM entries").Scan(&most); err != nil {
		return mutation{}, err
	}
	a := 1 + rng.Int64N(most-1)
	b := a + 1 + rng.Int64N(most-a)
	_, err := conn.ExecContext(ctx, "UPDATE entries SET seq = -1 WHERE seq = ?1; UPDATE entries SET seq = ?1 WHERE seq = ?2; UPDATE entries SET seq = ?2 WHERE seq = -1", a, b)
	return mutation{what: fmt.Sprintf("entries %d and %d swapped", a, b), seq: a}, err
}

func truncate(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (mutation, error) {
	var most int64
	if err := conn.QueryRowContext(ctx, "SELECT max(seq) FROM entries").Scan(&most); err != nil {
		return mutation{}, err
	}
	from := 1 + rng.Int64N(most)
	m := mutation{what: fmt.Sprintf("entries from %d on cut off", from)}
	_, err := conn.ExecContext(ctx, "DELETE FROM entries WHERE seq >= ?", from)
	if err == nil && rng.IntN(2) == 0 {
		// Whoever does it well takes along what they speak of.
		m.what += ", with all that hangs on them"
		_, err = conn.ExecContext(ctx, `DELETE FROM words WHERE rowid IN (SELECT n FROM versions WHERE seq >= ?);
			DELETE FROM links WHERE n IN (SELECT n FROM versions WHERE seq >= ?); DELETE FROM memories WHERE seq >= ?; DELETE FROM versions WHERE seq >= ?`, from, from, from, from)
	}
	return m, err
}

// forge does what somebody would who knows how it works.
func forge(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (mutation, error) {
	switch rng.IntN(5) {
	case 3:
		_, err := conn.ExecContext(ctx, "INSERT INTO memories SELECT id, 'gone', seq, n, digest FROM memories WHERE n IS NOT NULL LIMIT 1")
		return mutation{what: "a memory in a namespace that it was never entered in"}, err
	case 0:
		_, err := conn.ExecContext(ctx, "INSERT INTO memories SELECT 'forged', namespace, seq, n, digest FROM memories WHERE n IS NOT NULL LIMIT 1")
		return mutation{what: "a memory that was never entered"}, err
	case 1:
		_, err := conn.ExecContext(ctx, "INSERT INTO versions SELECT n + 1, 1000000, memory, learnt, until, valid, invalid, record, superseded FROM versions LIMIT 1")
		return mutation{what: "a version that was never entered"}, err
	case 2:
		_, err := conn.ExecContext(ctx, `UPDATE memories SET n = (SELECT n FROM versions LIMIT 1) WHERE namespace = 'team' AND id = 'm6'`)
		return mutation{what: "a forgotten memory that is back", memory: "m6"}, err
	default:
		return rehash(ctx, rng, conn)
	}
}

// rehash changes a memory and makes its entry fit.
func rehash(ctx context.Context, rng *rand.Rand, conn *sql.Conn) (mutation, error) {
	r := row{}
	for r.table != "versions" {
		var err error
		if r, err = pick(ctx, rng, conn); err != nil {
			return mutation{}, err
		}
	}
	var record, body string
	err := conn.QueryRowContext(ctx, "SELECT v.record, e.body FROM versions AS v JOIN entries AS e USING (seq) WHERE v.n = ?", r.value).Scan(&record, &body)
	if err != nil {
		return mutation{}, err
	}
	changed := strings.Replace(record, "content of", "content on", 1)
	if changed == record {
		return mutation{}, nil
	}
	e, err := chain.ParseBody([]byte(body))
	if err != nil {
		return mutation{}, err
	}
	var m api.Memory
	if err = api.Decode([]byte(changed), &m); err != nil {
		return mutation{}, err
	}
	e.RecordSHA256, e.ContentSHA256 = chain.Sum([]byte(changed)), chain.Sum([]byte(m.Content))
	s, err := chain.Seal(&e, chain.Head{Length: e.Seq - 1, Hash: e.PrevHash})
	if err != nil {
		return mutation{}, err
	}
	_, err = conn.ExecContext(ctx, "UPDATE entries SET body = ?, hash = ? WHERE seq = ?", string(s.Body), s.Hash, e.Seq)
	_, err2 := conn.ExecContext(ctx, "UPDATE versions SET record = ? WHERE n = ?", changed, r.value)
	return mutation{what: fmt.Sprintf("memory %s written anew with its entry", m.ID)}, errors.Join(err, err2)
}

// TestCheckpointMutations flips every byte of the checkpoint, and takes it away.
func TestCheckpointMutations(t *testing.T) {
	size.NeedsNoDetector(t)
	dir := populated(t)
	o := store.VerifyOptions{StateDir: filepath.Join(dir, "state")}
	name := filepath.Join(o.StateDir, "memdb.checkpoint")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		t.Helper()
		report, err := store.VerifyFile(t.Context(), file(dir), o)
		if err != nil || report.OK {
			t.Errorf("%s: %+v, %v", what, report, err)
		}
	}
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1 << (i % 8)
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("byte %d", i))
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	check("no checkpoint")
}

// TestDamagedPages flips bytes of the file itself: what Verify reads then is an
// error, or a fault, or what was written.
func TestDamagedPages(t *testing.T) {
	dir := populated(t)
	whole, err := os.ReadFile(file(dir))
	if err != nil {
		t.Fatal(err)
	}
	o := store.VerifyOptions{StateDir: filepath.Join(dir, "state"), Pages: true}
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 60 {
		bad := append([]byte(nil), whole...)
		at := rng.IntN(len(bad))
		bad[at] ^= 1 << rng.IntN(8)
		copied := filepath.Join(t.TempDir(), "memories.db")
		if err := os.WriteFile(copied, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		report, err := store.VerifyFile(t.Context(), copied, o)
		if err != nil || !report.OK {
			found++
			continue
		}
		if same(t, copied) != same(t, file(dir)) {
			t.Errorf("a flipped bit at %d changes what is read, and is not found", at)
		}
	}
	if found == 0 {
		t.Error("nothing was ever found")
	}
}

// same is everything that a reader can see of a database.
func same(t *testing.T, name string) string {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all string
	const query = `SELECT (SELECT group_concat(seq || namespace || memory || body || hash) FROM entries) || (SELECT group_concat(n || seq || memory || record) FROM versions)
		|| (SELECT group_concat(id || namespace || seq || coalesce(n, '')) FROM memories) || (SELECT group_concat(name || record) FROM namespaces)`
	if err := db.QueryRowContext(t.Context(), query).Scan(&all); err != nil {
		t.Fatal(err)
	}
	return all
}
