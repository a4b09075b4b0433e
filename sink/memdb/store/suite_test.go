package store_test

import (
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/testkit/storetest"
)

func TestSuite(t *testing.T) {
	storetest.Suite{
		Open: func(t testing.TB, dir string, o storetest.Options) storetest.Store {
			t.Helper()
			s, err := store.Open(t.Context(), file(dir), store.Options{
				Now: o.Now, Random: o.Random, StateDir: o.StateDir, Scrubber: o.Scrubber, Audit: o.Audit, Embedder: o.Embedder,
			})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Holds: holds,
	}.Run(t)
}
