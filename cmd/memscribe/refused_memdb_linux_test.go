package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// refusing is a server behind a gateway, which refuses one memory for good for as
// long as it has the rule to do so.
type refusing struct {
	*world

	id      string // of that memory
	gateway string
	rule    atomic.Bool
}

// guard puts the gateway in front of the server.
func (w *refusing) guard() {
	w.t.Helper()
	behind := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: w.address})
	gateway := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && w.rule.Load() && bytes.Contains(body, []byte(`{"id":"`+w.id+`"`)) {
			answer.Header().Set("Content-Type", "application/problem+json")
			answer.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = answer.Write([]byte(`{"type":"urn:example:gateway","title":"A rule of the gateway forbids it","status":422}`))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.Host = w.address
		behind.ServeHTTP(answer, r)
	}))
	w.t.Cleanup(gateway.Close)
	w.gateway = gateway.URL
	w.rule.Store(true)
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	var config net.ListenConfig
	free, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	return free.Addr().String()
}

// call makes a call of the server, which must end with a status.
func (w *world) call(method, path, body string, want int) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, "http://"+w.address+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != want {
		var text bytes.Buffer
		_, _ = text.ReadFrom(res.Body) // what there is of it
		w.t.Fatalf("%s %s: %s\n%s", method, path, res.Status, text.String())
	}
}

// put writes a transcript.
func (w *world) put(i int, text []byte) {
	w.t.Helper()
	name := filepath.Join(w.dir, "r", fmt.Sprintf("p%d", i), "s.jsonl")
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// replayed are the ids of the nodes of all transcripts, sorted.
func (w *world) replayed() (ids []string) {
	w.t.Helper()
	for line := range strings.Lines(w.run("replay", filepath.Join(w.dir, "r"))) {
		ids = append(ids, idOf(w.t, strings.TrimSuffix(line, "\n")))
	}
	slices.Sort(ids)
	return ids
}

// captured waits until so many memories are there, and returns their ids, sorted.
func (w *world) captured(n int) (ids []string) {
	w.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	patience := time.NewTimer(time.Minute)
	defer patience.Stop()
	for {
		held := remembered(w.database())
		if len(held) >= n {
			for id, versions := range held {
				if len(versions) == 1 && versions[0] != "" {
					ids = append(ids, id)
				}
			}
			slices.Sort(ids)
			return ids
		}
		select {
		case <-tick.C:
		case <-patience.C:
			w.t.Fatalf("%d memories are there, want %d", len(held), n)
		}
	}
}

// TestRefusedForGood has watch follow tools while the server refuses one of the
// memories: it is set aside with the reason, watch says so, at once and at every
// start, and nothing waits for it, neither what came with it nor what comes later.
// When the cause is mended, a replay delivers it.
func TestRefusedForGood(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts several processes")
	}
	w := &refusing{world: &world{t: t, dir: t.TempDir(), address: freeAddress(t)}}
	texts := transcripts(t)
	w.put(0, texts[0])
	w.put(1, texts[1])
	first := w.replayed()
	w.id = first[len(first)/2]
	defer w.serve()()
	w.guard()
	kill := w.startUntil("memory is refused", "watch", "--root", filepath.Join(w.dir, "r"), "--memdb-url", w.gateway)
	w.captured(len(first) - 1)
	for i, text := range texts[2:5] {
		w.put(2+i, text)
	}
	all := w.replayed()
	if len(all) <= len(first) {
		t.Fatal("nothing came later")
	}
	w.captured(len(all) - 1)
	kill()
	w.aside()

	again := w.command(t.Context(), "watch", "--once", "--root", filepath.Join(w.dir, "r"), "--memdb-url", w.gateway)
	if said, err := again.CombinedOutput(); err != nil || !bytes.Contains(said, []byte("memories were refused")) || !bytes.Contains(said, []byte(w.letters())) {
		t.Errorf("the next watch: %v\n%s", err, said)
	}
	w.aside() // it is there once

	w.rule.Store(false)
	w.run("replay", filepath.Join(w.dir, "r"), "--memdb-url", w.gateway)
	if got := w.captured(len(all)); !slices.Equal(got, all) {
		t.Errorf("%d memories, want %d with the one that was refused", len(got), len(all))
	}
	w.call(http.MethodGet, "/v1/memories/"+url.PathEscape(w.id)+"?namespace=captured", "", http.StatusOK)
}

// letters is the file of what was refused.
func (w *refusing) letters() string {
	w.t.Helper()
	var found []string
	err := filepath.WalkDir(filepath.Join(w.dir, "home"), func(name string, _ os.DirEntry, err error) error {
		if filepath.Base(name) == "memdb.dead.ndjson" {
			found = append(found, name)
		}
		return err
	})
	if err != nil || len(found) != 1 {
		w.t.Fatalf("%v, %v", found, err)
	}
	return found[0]
}

// aside wants the memory in the file of what was refused, once, with the reason.
func (w *refusing) aside() {
	w.t.Helper()
	f, err := os.Open(w.letters())
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	count := 0
	for ; lines.Scan(); count++ {
		var l struct {
			ID, Reason string
			Memory     struct {
				ID   string
				Node json.RawMessage
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			w.t.Fatal(err)
		}
		if l.ID != w.id || l.Memory.ID != w.id || len(l.Memory.Node) == 0 || !strings.Contains(l.Reason, "A rule of the gateway forbids it") {
			w.t.Errorf("set aside: %s", lines.Bytes())
		}
	}
	if err := lines.Err(); err != nil || count != 1 {
		w.t.Errorf("%d memories are set aside, want one: %v", count, err)
	}
}
