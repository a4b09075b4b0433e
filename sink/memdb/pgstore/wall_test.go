package pgstore_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/testkit/postgres"
	"github.com/memscribe/memscribe/testkit/storetest"
)

// walledOff gives databases whose servers are a plain user, after scripts of docs/postgres.
type walledOff struct {
	t       testing.TB
	server  *postgres.Server
	scripts []string
	lock    sync.Mutex
	urls    map[string]string
}

func newWalledOff(t testing.TB, scripts ...string) *walledOff {
	t.Helper()
	w := &walledOff{t: t, server: postgres.Start(t), scripts: scripts, urls: map[string]string{}}
	w.server.Exec("postgres", "CREATE ROLE server LOGIN")
	return w
}

// url is where the database of a folder is, for the plain user, who owns it. The scripts are run as
// they say, once the tables are there.
func (w *walledOff) url(dir string) string {
	w.t.Helper()
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.urls[dir] != "" {
		return w.urls[dir]
	}
	dsn := w.server.Database()
	u, err := url.Parse(dsn)
	if err != nil {
		w.t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	w.server.Exec("postgres", "ALTER DATABASE "+name+" OWNER TO server")
	dsn = strings.Replace(dsn, "postgres@", "server@", 1)
	s, err := pgstore.Open(w.t.Context(), dsn, options(""))
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	for _, script := range w.scripts {
		w.server.Exec(name, scriptOf(w.t, script))
	}
	w.urls[dir] = dsn
	return dsn
}

// The scripts of docs/postgres.
const (
	rowSecurity = "row-security.sql"
	partitions  = "partitions.sql"
)

// scriptOf reads a script of docs/postgres.
func scriptOf(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/postgres/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSuiteBehindWall runs behind the second wall what runs over every store: whatever a
// server does for itself, or for who may do everything, is let through.
func TestSuiteBehindWall(t *testing.T) { newWalledOff(t, rowSecurity).run(t, 4) }

// TestSuiteDivided runs it over tables that are divided by namespace, behind the wall.
func TestSuiteDivided(t *testing.T) { newWalledOff(t, partitions, rowSecurity).run(t, 7) }

// run runs one of so many tests of the suite: what the store does itself, TestSuite holds.
func (w *walledOff) run(t *testing.T, every int) {
	t.Helper()
	storetest.Suite{
		Open: func(t testing.TB, dir string, o storetest.Options) storetest.Store {
			t.Helper()
			s, err := pgstore.Open(t.Context(), w.url(dir), pgstore.Options{
				Now: o.Now, Random: o.Random, StateDir: o.StateDir, Scrubber: o.Scrubber, Audit: o.Audit, Embedder: o.Embedder,
			})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Holds: func(t testing.TB, dir, text string) bool {
			return holds(t, strings.Replace(w.url(dir), "server@", "postgres@", 1), dir, text)
		},
		Every: every,
	}.Run(t)
}

// TestWall asks a store for what its caller's token is not for, as a server would whose
// own check of tokens is broken: PostgreSQL shows nothing and takes nothing.
func TestWall(t *testing.T) {
	w := newWalledOff(t, rowSecurity)
	dsn := w.url("x")
	s := open(t, dsn, t.TempDir())
	for _, n := range []string{"red", "blue"} {
		if _, _, err := s.PutNamespace(t.Context(), n, api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Write(t.Context(), n, note("m", "the same word")); err != nil {
			t.Fatal(err)
		}
	}
	as := func(namespaces ...string) context.Context {
		return calls.As(t.Context(), &calls.Caller{Grant: access.Grant{Name: "token", Namespaces: namespaces, Rights: []access.Right{access.Admin}}})
	}
	red := as("red")
	for what, f := range attempts(s) {
		if err := f(red, "red"); err != nil {
			t.Errorf("%s in a namespace of the token: %v", what, err)
		}
		for how, ctx := range map[string]context.Context{"another's": red, "a trick": as("red' OR 'x' = 'x", "**", " ", "red blue"), "none": as()} {
			if err := f(ctx, "blue"); err == nil {
				t.Errorf("%s in a namespace that the token is not for (%s) is done", what, how)
			}
		}
	}
	found, err := s.Namespaces(red, "", 10)
	if err != nil || len(found) != 1 || found[0].Name != "red" {
		t.Errorf("namespaces: %v, %v", found, err)
	}
	head, err := s.Head(red)
	if all, err2 := s.Head(t.Context()); err != nil || err2 != nil || head != all {
		t.Errorf("health differs by token: %v and %v, %v, %v", head, all, err, err2)
	}
	whole(t, s, 2)
	if _, err := s.Get(as("red", "blue"), "blue", "m"); err != nil {
		t.Errorf("a token for both: %v", err)
	}
	unsaid(t, dsn)
}

// attempts are what a caller does with a memory, so that each can be done after the
// others.
func attempts(s *pgstore.Store) map[string]func(ctx context.Context, namespace string) error {
	return map[string]func(ctx context.Context, namespace string) error{
		"get": func(ctx context.Context, n string) error {
			_, err := s.Get(ctx, n, "m")
			return err
		},
		"search": func(ctx context.Context, n string) error {
			_, err := s.Search(ctx, api.SearchRequest{Namespaces: []string{n}, Query: "word"})
			return err
		},
		"write": func(ctx context.Context, n string) error {
			_, err := s.Write(ctx, n, note("m", "the same word"))
			return err
		},
		"provenance": func(ctx context.Context, n string) error {
			_, err := s.Provenance(ctx, n, "m")
			return err
		},
		"changes": func(ctx context.Context, n string) error {
			_, err := s.Changes(ctx, api.ChangesRequest{Namespace: n, Most: 10})
			return err
		},
		"patch": func(ctx context.Context, n string) error {
			_, err := s.PatchNamespace(ctx, n, api.NamespacePatch{Description: new("")})
			return err
		},
		"put": func(ctx context.Context, n string) error {
			_, _, err := s.PutNamespace(ctx, n, api.NamespacePut{})
			return err
		},
	}
}

// unsaid looks at the tables as the servers' user who does not say for whom: nothing is
// there, nothing is taken. A search by words takes the index of words.
func unsaid(t *testing.T, dsn string) {
	t.Helper()
	conn := connect(t, dsn)
	for _, table := range []string{"chains", "entries", "memories", "versions", "embeddings"} {
		var n int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: %d rows are seen, %v", table, n, err)
		}
	}
	if _, err := conn.Exec(t.Context(), "INSERT INTO chains VALUES ('green', 0, '', 0, NULL)"); err == nil {
		t.Error("a row was taken")
	}
	if _, err := conn.Exec(t.Context(), "SET memscribe.namespaces = 'red'; SET enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "EXPLAIN SELECT record FROM versions WHERE words @@ 'word'::tsquery")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || !strings.Contains(fmt.Sprint(plan), "versions_words") {
		t.Errorf("a search reads: %v, %v", strings.Join(plan, "\n"), err)
	}
}
