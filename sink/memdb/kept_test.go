package memdb_test

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

// TestServerLost puts another store behind a server's address while a sink sends to it:
// the sink says that what it sent is lost, and does not know its mark again.
func TestServerLost(t *testing.T) {
	dir := t.TempDir()
	var now atomic.Pointer[server.Server]
	replace := func() {
		other := t.TempDir()
		s, err := store.Open(t.Context(), file(other), storeOptions(other))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		now.Store(server.New(server.Options{Store: s, Version: "test", Own: own(dir), Log: silent(), Now: time.Now, Random: rand.Reader}))
	}
	replace()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.Load().ServeHTTP(w, r) }))
	defer h.Close()
	lines := sinktest.NewMaker(3).Take(40)
	first, err := remote(t.Context(), h.URL, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	deliver(t, first, lines...)
	if err := first.Close(); err != nil { // which sends what waits
		t.Fatal(err)
	}
	r, err := remote(t.Context(), h.URL, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	mark := r.Mark()
	if mark != first.Mark() || !r.Holds(mark) {
		t.Fatal("the sink does not know what it has sent")
	}
	replace()
	if r.Holds(mark) {
		t.Error("the sink believes that another store holds what it has sent")
	}
	if err := r.Flush(t.Context()); !errors.Is(err, sink.ErrLost) {
		t.Errorf("Flush says %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	again, err := remote(t.Context(), h.URL, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Holds(mark) {
		t.Error("after a start the mark counts again")
	}
}
