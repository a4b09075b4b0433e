package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memscribe/memscribe/testkit/postgres"
)

// senses is a gateway for embeddings on a port of its own. It knows that some words mean
// the same.
type senses struct {
	*httptest.Server

	away atomic.Bool
	lock sync.Mutex
	said []string // texts, and keys
}

func newSenses(t *testing.T) *senses {
	t.Helper()
	s := &senses{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v1/embeddings" {
			t.Errorf("%s: %v", r.URL, err)
		}
		s.lock.Lock()
		s.said = append(append(s.said, r.Header.Get("Authorization")), asked.Input...)
		s.lock.Unlock()
		if s.away.Load() {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		var all []string
		for i, text := range asked.Input {
			numbers := []int{0, 0, 0, 1}
			for at, words := range [][]string{{"postgres", "database"}, {"cursor", "pages"}, {"blue", "colour"}} {
				for _, word := range words {
					numbers[at] += 9 * strings.Count(strings.ToLower(text), word)
				}
			}
			all = append(all, fmt.Sprintf(`{"index":%d,"embedding":[%d,%d,%d,%d]}`, i, numbers[0], numbers[1], numbers[2], numbers[3]))
		}
		_, _ = io.WriteString(w, `{"data":[`+strings.Join(all, ",")+`]}`)
	}))
	t.Cleanup(s.Close)
	return s
}

// heard reports whether the gateway was sent something.
func (s *senses) heard(text string) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return strings.Contains(strings.Join(s.said, "\n"), text)
}

// settings writes the settings of a gateway, and a key for it.
func (s *senses) settings(t *testing.T, dir string, required bool) string {
	t.Helper()
	key, file := filepath.Join(dir, "gateway.key"), filepath.Join(dir, "own.toml")
	text := fmt.Sprintf("[memdb.embeddings]\nurl = %q\nmodel = \"senses\"\nkey_file = %q\nrequired = %v\n", s.URL, key, required)
	for name, content := range map[string]string{key: "sk-of-the-gateway-1\n", file: text} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// TestEmbeddingsServed serves memories with a gateway for embeddings, from a file and from
// PostgreSQL, by HTTP and by Connect: while the gateway is away memories are written without
// a vector, get theirs when it is back, and are found by what they mean.
func TestEmbeddingsServed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts servers")
	}
	t.Run("file", func(t *testing.T) { serveEmbeddings(t, filepath.Join(t.TempDir(), "memories.db")) })
	t.Run("postgres", func(t *testing.T) { serveEmbeddings(t, postgres.Start(t).Database()) })
}

func serveEmbeddings(t *testing.T, database string) {
	t.Helper()
	gateway := newSenses(t)
	w := &world{t: t, dir: t.TempDir()}
	address := freeAddress(t)
	serve := func(required bool) (kill func()) {
		return w.startUntil("serving memories", "memdb", "serve", "--config", gateway.settings(t, w.dir, required), "--db", database, "--addr", address)
	}
	base := "http://" + address
	want := func(status int, method, path, body string) string {
		t.Helper()
		got, said := call(t, method, base+path, body)
		if got != status {
			t.Errorf("%s %s %s: %d %s", method, path, body, got, said)
		}
		return said
	}
	const notes = "/v1/namespaces/team/memories"
	kill := serve(true)
	want(201, "PUT", "/v1/namespaces/team", "{}")
	secret := "ghp_" + strings.Repeat("a1B2c3D4", 4) + "e5F6"
	want(200, "POST", notes, `{"id":"a","kind":"note","content":"We use Postgres; the token was `+secret+`."}`)
	want(200, "POST", notes, `{"id":"c","kind":"note","content":"The button is blue."}`)
	gateway.away.Store(true)
	said := want(503, "POST", notes, `{"id":"b","kind":"note","content":"Cursors turn pages."}`)
	if !strings.Contains(said, "unavailable") || strings.Contains(said, gateway.URL) {
		t.Errorf("refused: %s", said)
	}
	want(404, "GET", "/v1/memories/b?namespace=team", "")
	kill()
	kill = serve(false)
	want(200, "POST", notes, `{"id":"b","kind":"note","content":"Cursors turn pages."}`)
	const byHybrid = `{"namespaces":["team"],"query":"what turns pages?","mode":"hybrid","limit":1}`
	want(503, "POST", "/v1/search", byHybrid)
	gateway.away.Store(false)
	if said = want(200, "POST", "/v1/search", byHybrid); strings.Contains(said, `"id":"b"`) {
		t.Errorf("it has a vector: %s", said)
	}
	kill() // the next one fills in as it starts
	defer serve(false)()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !strings.Contains(want(200, "POST", "/v1/search", byHybrid), `"id":"b"`) {
		if ctx.Err() != nil {
			t.Fatal("it never got a vector")
		}
	}
	for question, first := range map[string]string{"Which database?": "a", "What colour is it?": "c"} {
		for path, body := range map[string]string{
			"/v1/search": `{"namespaces":["team"],"query":%q,"mode":"vectors","limit":1}`,
			"/memscribe.memory.v1.MemoryService/SearchMemories": `{"namespaces":["team"],"query":%q,"mode":"MODE_HYBRID","pageSize":1}`,
		} {
			if said := want(200, "POST", path, fmt.Sprintf(body, question)); !strings.Contains(said, `"id":"`+first+`"`) {
				t.Errorf("%s %s: %s", path, question, said)
			}
		}
	}
	if gateway.heard(secret) || !gateway.heard("Bearer sk-of-the-gateway-1") || !gateway.heard("We use Postgres") {
		t.Error("the gateway heard what it must not, or did not hear what it must")
	}
	if said := want(200, "POST", "/v1/provenance/verify", ""); !strings.Contains(said, `"ok":true`) {
		t.Errorf("verify: %s", said)
	}
}

// TestEmbeddingsRefused has a gateway named where it must not be, or as it must not be.
func TestEmbeddingsRefused(t *testing.T) {
	t.Parallel()
	gateway := newSenses(t)
	w := &world{t: t, dir: t.TempDir()}
	own := gateway.settings(t, w.dir, true)
	text, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(dir, want string, args ...string) {
		t.Helper()
		cmd := w.command(t.Context(), append([]string{"replay", "--sink", "memdb", "--out", filepath.Join(w.dir, "m.db")}, args...)...)
		if dir != "" {
			cmd.Dir = dir
		}
		said, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(said), want) {
			t.Errorf("%v: want %q, got %v, %s", args, want, err, said)
		}
	}
	fixture, err := filepath.Abs(filepath.Join("..", "..", "fixtures", "claude_code", "2.1.329", "interleaved_arcs"))
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(work, "memscribe.toml"), string(text), 0o600)
	refused(work, "your own file of settings alone", fixture)
	other := filepath.Join(w.dir, "other.toml")
	write(other, strings.Replace(string(text), gateway.URL, "http://gateway.example/v1", 1), 0o600)
	refused("", "by https alone", "--config", other, fixture)
	write(other, "[memdb.embeddings]\nrequired = true\n", 0o600)
	refused("", "the address of a gateway is", "--config", other, fixture)
	gateway.away.Store(true)
	refused("", "no embeddings can be had", "--config", own, fixture)
	if err := os.Chmod(filepath.Join(w.dir, "gateway.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused("", "others may read", "--config", own, fixture)
	if err := os.Chmod(filepath.Join(w.dir, "gateway.key"), 0o600); err != nil {
		t.Fatal(err)
	}
	gateway.away.Store(false)
	w.run("replay", "--sink", "memdb", "--out", filepath.Join(w.dir, "m.db"), "--config", own, fixture)
	if !gateway.heard("decided:") && !gateway.heard("considered:") {
		t.Error("the gateway heard of no decision")
	}
}
