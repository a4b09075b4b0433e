package memdb_test

import (
	"bytes"
	"crypto/rand"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestForget has a store, by itself and behind a server, forget a session: the others
// stay, and none of its nodes is on the disk. A namespace that is not there has
// nothing to forget.
func TestForget(t *testing.T) {
	size.NeedsNoDetector(t)
	lines := sinktest.NewMaker(9).Take(600) // more than a page
	session := []byte(`"session_id":"` + lines[0].Session + `"`)
	gone := func(node []byte) (bool, error) { return bytes.Contains(node, session), nil }
	want := 0
	ids := map[string]bool{}
	for i := range lines {
		if !ids[lines[i].ID] && bytes.Contains(lines[i].JSON, session) {
			want++
		}
		ids[lines[i].ID] = true
	}
	for kind, over := range map[string]func(t *testing.T, s *store.Store) memdb.Memories{
		"store": func(_ *testing.T, s *store.Store) memdb.Memories { return s },
		"server": func(t *testing.T, s *store.Store) memdb.Memories {
			t.Helper()
			h := httptest.NewServer(server.New(server.Options{Store: s, Version: "test", Log: silent(), Now: time.Now, Random: rand.Reader}))
			t.Cleanup(h.Close)
			c, err := client.New(client.Options{URL: h.URL})
			if err != nil {
				t.Fatal(err)
			}
			return c
		},
	} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			k, err := memdb.OpenEmbedded(t.Context(), memdb.EmbeddedOptions{Path: file(dir), Namespace: "captured", Store: storeOptions(dir), Log: silent()})
			if err != nil {
				t.Fatal(err)
			}
			deliver(t, k, lines...)
			if err := k.Close(); err != nil {
				t.Fatal(err)
			}
			s, err := store.Open(t.Context(), file(dir), storeOptions(dir))
			if err != nil {
				t.Fatal(err)
			}
			m := over(t, s)
			for _, c := range []struct {
				namespace string
				dry       bool
				n         int
			}{{"elsewhere", false, 0}, {"captured", true, want}, {"captured", false, want}, {"captured", false, 0}} {
				if n, err := memdb.Forget(t.Context(), m, c.namespace, c.dry, gone); err != nil || n != c.n {
					t.Errorf("of %s went %d, want %d: %v", c.namespace, n, c.n, err)
				}
			}
			if _, err := s.Verify(t.Context()); err != nil {
				t.Errorf("the chain does not hold: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			names, _ := filepath.Glob(file(dir) + "*")
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				for i := range lines {
					if goes, _ := gone(lines[i].JSON); goes && bytes.Contains(text, lines[i].JSON[:120]) {
						t.Errorf("%s still has %s", name, lines[i].ID)
					}
				}
			}
		})
	}
}
