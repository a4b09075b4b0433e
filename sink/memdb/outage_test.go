package memdb_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

// gate is a server that can be taken away: it refuses connections, or answers
// with errors that a proxy might, or loses answers after the work was done.
type gate struct {
	http.Handler

	mode   atomic.Int32
	called chan struct{} // has something in it after a call
}

const (
	works = iota
	breaks
	badGateway
	losesAnswers
	overloaded
)

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case g.called <- struct{}{}:
	default: // it is known already
	}
	switch g.mode.Load() {
	case breaks:
		panic(http.ErrAbortHandler)
	case badGateway:
		http.Error(w, "bad gateway", http.StatusBadGateway)
	case overloaded:
		w.Header().Set("Content-Type", api.ProblemType)
		w.WriteHeader(http.StatusTooManyRequests)
		body, _ := api.Append(nil, api.NewProblem(api.TooManyRequests, "")) // what is made of constants can be encoded
		_, _ = w.Write(body)
	case losesAnswers:
		g.Handler.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	default:
		g.Handler.ServeHTTP(w, r)
	}
}

// awaitCalls returns after so many calls that have yet to come.
func (g *gate) awaitCalls(n int) {
	select {
	case <-g.called: // an earlier one
	default:
	}
	for range n {
		<-g.called
	}
}

// TestOutage takes the server away in every way while nodes come. The sink takes
// them in all the same, and once the server is back everything is there, in order.
func TestOutage(t *testing.T) {
	dir := t.TempDir()
	memories, err := store.Open(t.Context(), file(dir), storeOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{called: make(chan struct{}, 1), Handler: server.New(server.Options{Store: memories, Version: "test", Own: own(dir), Log: silent(), Now: time.Now, Random: rand.Reader})}
	h := httptest.NewUnstartedServer(g)
	h.Config.ErrorLog = slog.NewLogLogger(silent().Handler(), slog.LevelError)
	h.Start()
	var (
		said bytes.Buffer
		lock sync.Mutex
	)
	log := slog.New(slog.NewTextHandler(&locked{&lock, &said}, nil))
	r, err := remote(t.Context(), h.URL, dir, func(o *memdb.RemoteOptions) { o.Log, o.MaxPause = log, 4*time.Millisecond })
	if err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(5).Take(600)
	for i, mode := range []int32{works, breaks, losesAnswers, badGateway, overloaded, works} {
		g.mode.Store(mode)
		deliver(t, r, lines[i*100:(i+1)*100]...)
		if mode != works {
			g.awaitCalls(3)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	h.Close()
	got, err := nodes(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	sinktest.Same(t, got, sinktest.Fold(lines))
	if err := memories.Close(); err != nil {
		t.Fatal(err)
	}
	if n := intact(t, dir); n != int64(len(lines))+1 {
		t.Errorf("%d entries for %d memories and a namespace", n, len(lines))
	}
	checkOrder(t, dir, lines)
	lock.Lock()
	defer lock.Unlock()
	if text := said.String(); !strings.Contains(text, "wait in the spool") || !strings.Contains(text, "sending memories again") || strings.Count(text, "\n") > 40 {
		t.Errorf("said: %s", text)
	}
}

type locked struct {
	lock *sync.Mutex
	out  *bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.out.Write(p)
}

// checkOrder wants memories to have been entered in the order of their delivery.
func checkOrder(t *testing.T, dir string, lines []sink.Line) {
	t.Helper()
	s, err := store.Open(t.Context(), file(dir), storeOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	last := int64(0)
	for i := range lines {
		p, err := s.Provenance(t.Context(), "captured", lines[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		if p.Entries[0].Seq < last {
			t.Fatalf("memory %d was entered before the one before it", i)
		}
		last = p.Entries[0].Seq
	}
}

// TestNobodyThere begins without a server, ends, and begins again with one.
func TestNobodyThere(t *testing.T) {
	dir := t.TempDir()
	var config net.ListenConfig
	free, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(6).Take(40)
	r, err := remote(t.Context(), address, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	deliver(t, r, lines...)
	mark := r.Mark()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r, err = remote(t.Context(), address, dir, func(o *memdb.RemoteOptions) { o.Patience = 20 * time.Millisecond })
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "40 memories wait") {
		t.Errorf("flush: %v", err)
	}
	if !r.Holds(mark) || r.Holds("") {
		t.Error("the spool does not know itself again")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	k, err := openRemote(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(k.Flush(t.Context()), k.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := nodes(t.Context(), dir)
	if err != nil || len(got) != 40 {
		t.Errorf("%d of 40 are there, %v", len(got), err)
	}
	intact(t, dir)
}
