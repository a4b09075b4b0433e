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
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

// replaceable starts a server that gets another store, an empty one, whenever it is asked to.
func replaceable(t *testing.T, dir string) (h *httptest.Server, replace func()) {
	t.Helper()
	var now atomic.Pointer[server.Server]
	replace = func() {
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
	h = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.Load().ServeHTTP(w, r) }))
	t.Cleanup(h.Close)
	return h, replace
}

// TestServerLostWhileIdle puts another store behind a server's address while a sink has nothing
// more to send: it finds out, and says so to who asks it to tidy up.
func TestServerLostWhileIdle(t *testing.T) {
	dir := t.TempDir()
	h, replace := replaceable(t, dir)
	first, err := remote(t.Context(), h.URL, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	deliver(t, first, sinktest.NewMaker(3).Take(40)...)
	if err := first.Close(); err != nil { // which sends what waits
		t.Fatal(err)
	}
	idle, err := remote(t.Context(), h.URL, dir, func(o *memdb.RemoteOptions) { o.Glance = 5 * time.Millisecond })
	if err != nil {
		t.Fatal(err)
	}
	if !idle.Holds(idle.Mark()) || idle.Tidy(t.Context()) != nil {
		t.Error("the sink does not know what it has sent")
	}
	replace()
	for tick := time.Tick(5 * time.Millisecond); ; <-tick {
		if err := idle.Tidy(t.Context()); errors.Is(err, sink.ErrLost) {
			break
		}
		if t.Context().Err() != nil {
			t.Fatal("the sink does not find out")
		}
	}
	if err := idle.Close(); err != nil {
		t.Error(err)
	}
}

// TestServerLost puts another store behind a server's address while a sink sends to it:
// the sink says that what it sent is lost, and does not know its mark again.
func TestServerLost(t *testing.T) {
	dir := t.TempDir()
	h, replace := replaceable(t, dir)
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
