package pgstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/testkit/postgres"
	"github.com/memscribe/memscribe/testkit/storetest"
)

// databases gives each folder a database.
type databases struct {
	server *postgres.Server
	lock   sync.Mutex
	urls   map[string]string
}

func (d *databases) url(dir string) string {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.urls[dir] == "" {
		d.urls[dir] = d.server.Database()
	}
	return d.urls[dir]
}

// TestSuite runs over PostgreSQL what runs over SQLite.
func TestSuite(t *testing.T) {
	d := &databases{server: postgres.Start(t), urls: map[string]string{}}
	storetest.Suite{
		Open: func(t testing.TB, dir string, o storetest.Options) storetest.Store {
			t.Helper()
			s, err := pgstore.Open(t.Context(), d.url(dir), pgstore.Options{
				Now: o.Now, Random: o.Random, StateDir: o.StateDir, Scrubber: o.Scrubber, Audit: o.Audit, Embedder: o.Embedder,
			})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Holds: func(t testing.TB, dir, text string) bool { return holds(t, d.url(dir), dir, text) },
	}.Run(t)
}

// holds looks at every row of every table, and at the files of the state folder.
func holds(t testing.TB, url, dir, text string) bool {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	found := false
	for _, table := range []string{"chains", "entries", "memories", "versions", "embeddings"} {
		var there bool
		query := "SELECT EXISTS (SELECT 1 FROM " + table + " AS r WHERE lower(r::text) LIKE '%' || lower($1) || '%')"
		if err := conn.QueryRow(ctx, query, text).Scan(&there); err != nil {
			t.Fatal(err)
		}
		found = found || there
	}
	names, _ := filepath.Glob(filepath.Join(dir, "state", "*"))
	for _, name := range names {
		content, err := os.ReadFile(name)
		found = found || err == nil && strings.Contains(string(content), text)
	}
	return found
}
