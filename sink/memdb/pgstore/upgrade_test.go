package pgstore_test

import (
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// downgrades takes away what each version of the schema has beyond the one before, the last
// version first.
var downgrades = []string{"DROP TABLE embeddings, spaces; DROP INDEX versions_invalid"}

// TestUpgrade has several servers at once open databases of every earlier schema: what they hold
// stays as it was entered, and what is new works with it.
func TestUpgrade(t *testing.T) {
	server := postgres.Start(t)
	for back := 1; back <= len(downgrades); back++ {
		t.Run(fmt.Sprint("schema ", len(downgrades)+1-back), func(t *testing.T) {
			url := server.Database()
			dir := populated(t, url)
			s := open(t, url, dir)
			report, err := s.Verify(t.Context())
			if err != nil || !report.OK {
				t.Fatalf("%+v, %v", report, err)
			}
			if err = s.Close(); err != nil {
				t.Fatal(err)
			}
			conn := connect(t, url)
			var version int
			if err = conn.QueryRow(t.Context(), "SELECT version FROM memdb_schema").Scan(&version); err != nil || version != len(downgrades)+1 {
				t.Fatalf("schema %d has %d before it that a test opens, %v", version, len(downgrades), err)
			}
			for _, statement := range append(downgrades[:back:back], fmt.Sprint("UPDATE memdb_schema SET version = version - ", back)) {
				if _, err = conn.Exec(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			var together sync.WaitGroup
			for range 4 {
				together.Go(func() {
					s, err := pgstore.Open(t.Context(), url, options(dir))
					if err == nil {
						err = s.Close()
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
			together.Wait()
			e := embed.NewEmbedder(embed.Options{Gateway: drawn{8}, Model: "drawn", Now: time.Now, Log: slog.New(slog.DiscardHandler)})
			s = withEmbedder(t, url, dir, e)
			after, err := s.Verify(t.Context())
			if err != nil || !after.OK || after.Length != report.Length || after.Memories != report.Memories {
				t.Errorf("before %+v, after %+v, %v", report, after, err)
			}
			if count, err := e.Fill(t.Context(), s); err != nil || count == 0 {
				t.Errorf("%d memories got a vector, %v", count, err)
			}
			if _, err := s.Write(t.Context(), "team", note("since", "after the upgrade")); err != nil {
				t.Error(err)
			}
			a, err := s.Search(t.Context(), api.SearchRequest{Namespaces: []string{"team"}, Query: "after the upgrade", Mode: api.ByHybrid})
			if err != nil || len(a.Memories) < 2 || a.Memories[0].ID != "since" {
				t.Errorf("%d found, %v", len(a.Memories), err)
			}
			whole(t, s, report.Memories+1)
		})
	}
}
