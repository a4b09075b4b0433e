package pgstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/testkit/postgres"
	"github.com/memscribe/memscribe/testkit/size"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// populated is a database in which everything has happened, and its state folder.
func populated(t *testing.T, url string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := pgstore.Open(t.Context(), url, options(dir))
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []string{"team", "other", "gone"} {
		_, _, err := s.PutNamespace(t.Context(), n, api.NamespacePut{Description: n})
		must(err)
		for i := range 6 {
			m := note(fmt.Sprint("m", i), fmt.Sprint("content of ", i))
			if i == 2 {
				m[0].SupersededBy = "m4"
			}
			_, err := s.Write(t.Context(), n, m)
			must(err)
		}
		_, err = s.Write(t.Context(), n, note("m1", "content of 1, changed"))
		must(err)
		must(s.Forget(t.Context(), n, "m3"))
	}
	must(s.DeleteNamespace(t.Context(), "gone", true))
	whole(t, s, 10)
	must(s.Close())
	_, err = pgstore.Rekey(t.Context(), url, options(dir))
	must(err)
	return dir
}

// TestMutations changes each column of each table, drops rows, and forges what
// somebody would who knows how it works. Verify names each, in a transaction that is
// taken back.
func TestMutations(t *testing.T) {
	size.NeedsNoDetector(t)
	url := postgres.Start(t).Database()
	dir := populated(t, url)
	pool, err := pg.Dial(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	takeBack := errors.New("take it back")
	const one = "namespace = 'team' AND "
	for statement, reason := range map[string]string{
		"UPDATE entries SET body = replace(body, 'codex', 'x') || ' ' WHERE " + one + "seq = 3":                        "hash_mismatch",
		"UPDATE entries SET hash = repeat('0', 64) WHERE " + one + "seq = 3":                                           "hash_mismatch",
		"UPDATE entries SET memory = 'm5' WHERE " + one + "seq = 3":                                                    "index_mismatch",
		"UPDATE entries SET action = 'forget' WHERE " + one + "seq = 3":                                                "index_mismatch",
		"DELETE FROM entries WHERE " + one + "seq = 4":                                                                 "gap",
		"DELETE FROM entries WHERE " + one + "seq >= 8":                                                                "truncated",
		"DELETE FROM entries WHERE namespace = ''":                                                                     "truncated",
		"UPDATE entries SET body = replace(body, 'rekey', 'wekey') WHERE namespace = ''":                               "hash_mismatch",
		"DELETE FROM chains WHERE namespace = ''":                                                                      "record_missing",
		"DELETE FROM entries WHERE namespace = 'other'":                                                                "truncated",
		"UPDATE entries SET seq = -seq WHERE " + one + "seq IN (3, 4); UPDATE entries SET seq = 7 + seq WHERE seq < 0": "reorder",
		"UPDATE versions SET record = replace(record, 'content of', 'content on') WHERE " + one + "memory = 'm0'":      "record_mismatch",
		"UPDATE versions SET memory = 'm5' WHERE " + one + "seq = 2":                                                   "index_mismatch",
		"UPDATE versions SET learnt = learnt + 1 WHERE " + one + "seq = 2":                                             "index_mismatch",
		"UPDATE versions SET until = 7 WHERE " + one + "memory = 'm0'":                                                 "index_mismatch",
		"UPDATE versions SET valid = valid - 1 WHERE " + one + "memory = 'm0'":                                         "index_mismatch",
		"UPDATE versions SET invalid = 7 WHERE " + one + "memory = 'm0'":                                               "index_mismatch",
		"UPDATE versions SET superseded = 'm5' WHERE " + one + "memory = 'm0'":                                         "index_mismatch",
		"UPDATE versions SET words = '''hidden''' WHERE " + one + "memory = 'm0'":                                      "index_mismatch",
		"DELETE FROM versions WHERE " + one + "memory = 'm0'":                                                          "record_missing",
		"DELETE FROM memories WHERE " + one + "id = 'm0'":                                                              "record_missing",
		"UPDATE memories SET seq = seq + 1 WHERE " + one + "id = 'm0'":                                                 "index_mismatch",
		"UPDATE memories SET digest = 'x' WHERE " + one + "id = 'm0'":                                                  "index_mismatch",
		"UPDATE memories SET live = true WHERE " + one + "id = 'm3'":                                                   "not_forgotten",
		"INSERT INTO versions SELECT namespace, 5, 'm3', learnt, until, valid, invalid, superseded, record, words FROM versions WHERE " + one +
			"seq = 2": "record_mismatch",
		"INSERT INTO versions SELECT namespace, 99, memory, learnt, until, valid, invalid, superseded, record, words FROM versions WHERE " + one +
			"seq = 2": "no_entry",
		"INSERT INTO memories SELECT namespace, 'forged', seq, live, digest FROM memories WHERE " + one + "id = 'm0'":  "no_entry",
		"INSERT INTO memories SELECT namespace, 'forged', seq, false, digest FROM memories WHERE " + one + "id = 'm0'": "no_entry",
		"INSERT INTO memories SELECT 'gone', id, seq, live, digest FROM memories WHERE " + one + "id = 'm0'":           "not_forgotten",
		"UPDATE chains SET record = replace(record, 'team', 'TEAM') WHERE namespace = 'team'":                          "record_mismatch",
		"UPDATE chains SET record = NULL WHERE namespace = 'team'":                                                     "record_missing",
		"UPDATE chains SET record = '{}' WHERE namespace = 'gone'":                                                     "no_entry",
		"UPDATE chains SET length = length - 1 WHERE namespace = 'team'":                                               "index_mismatch",
		"DELETE FROM chains WHERE namespace = 'team'":                                                                  "record_missing",
		"INSERT INTO chains VALUES ('made', 0, '', 0, '{}')":                                                           "no_entry",
	} {
		err := pg.Transact(t.Context(), pool, func(ctx context.Context, tx pg.Tx) error {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
			report, err := pgstore.VerifyOn(ctx, tx, pgstore.VerifyOptions{StateDir: dir})
			if err != nil || report.Fault == nil || report.Fault.Reason != reason {
				t.Errorf("%s: %+v, %v; want %s", statement, report.Fault, err, reason)
			}
			return takeBack
		})
		if !errors.Is(err, takeBack) {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// TestCheckpoint flips every byte of what was signed, takes it away, and cuts a chain
// whole, with all that hangs on it: then nothing but the signature tells.
func TestCheckpoint(t *testing.T) {
	url := postgres.Start(t).Database()
	dir := populated(t, url)
	name := filepath.Join(dir, "memdb.checkpoint")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		t.Helper()
		report, err := pgstore.VerifyURL(t.Context(), url, pgstore.VerifyOptions{StateDir: dir})
		if err != nil || report.OK {
			t.Errorf("%s: %+v, %v", what, report, err)
		}
		if _, err := pgstore.Open(t.Context(), url, options(dir)); err == nil {
			t.Errorf("%s: opened", what)
		}
	}
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1 << (i % 8)
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if report, err := pgstore.VerifyURL(t.Context(), url, pgstore.VerifyOptions{StateDir: dir}); err != nil || report.OK {
			t.Errorf("byte %d: %+v, %v", i, report, err)
		}
	}
	check("a flipped bit")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	check("no checkpoint")
	if err := os.WriteFile(name, good, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = connect(t, url).Exec(t.Context(), `DELETE FROM entries WHERE namespace = 'other'; DELETE FROM versions WHERE namespace = 'other';
		DELETE FROM memories WHERE namespace = 'other'; DELETE FROM chains WHERE namespace = 'other'`)
	if err != nil {
		t.Fatal(err)
	}
	check("a namespace that was cut out")
}

// TestForeign wants a database that holds something else to be left alone, and one of a
// later version too.
func TestForeign(t *testing.T) {
	server := postgres.Start(t)
	for what, tt := range map[string]struct{ statement, want string }{
		"another's table": {"CREATE TABLE memories (x INT)", "not one that this version"},
		"a later version": {
			"CREATE TABLE memdb_schema (one BOOLEAN PRIMARY KEY, version BIGINT NOT NULL); INSERT INTO memdb_schema VALUES (true, 99)",
			"written by a newer version",
		},
	} {
		url := server.Database()
		if _, err := connect(t, url).Exec(t.Context(), tt.statement); err != nil {
			t.Fatal(err)
		}
		_, err := pgstore.Open(t.Context(), url, pgstore.Options{Now: time.Now, Random: rand.Reader})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestPasswordIsNeverTold opens databases in vain: no error quotes the password.
func TestPasswordIsNeverTold(t *testing.T) {
	const secret = "hunter2secret"
	for _, dsn := range []string{
		"postgres://ann:" + secret + "@127.0.0.1:1/team?connect_timeout=1", "postgres://ann:" + secret + "@127.0.0.1:port/team",
		"postgres://ann:" + secret + "%zz@host/team", "postgres://ann@127.0.0.1:1/team?sslmode=" + secret + "&password=" + secret,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := pgstore.Open(ctx, dsn, pgstore.Options{Now: time.Now, Random: rand.Reader})
		cancel()
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("got %v", err)
		}
	}
}
