package server_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// blind is a scrubber that cannot read a certain text.
type blind struct{}

func (blind) Scrub(_ core.Field, text []byte) ([]byte, []core.Cut, error) {
	if strings.Contains(string(text), "unreadable") {
		return nil, nil, errors.New("too dark")
	}
	return text, nil, nil
}

// TestServerFails holds to the document what a client is told when the server is
// what fails: no more than that it did, and in the log why.
func TestServerFails(t *testing.T) {
	broken, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memories.db"), store.Options{
		Now: time.Now, Random: iotest.ErrReader(errors.New("no randomness left")), Scrubber: blind{},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := broken.Close(); err != nil {
			t.Error(err)
		}
	})
	p := start(t, func(o *server.Options) { o.Store = broken })
	if said := p.want("PUT", "/v1/namespaces/team", `{}`, 500, "urn:memscribe:memdb:internal"); strings.Contains(said, "randomness") {
		t.Errorf("the client is told %s", said)
	}
	if log := p.log.text(); !strings.Contains(log, "no randomness left") {
		t.Errorf("the log does not say why:\n%s", log)
	}
	p.want("PUT", "/v1/namespaces/team", `{"description":"unreadable"}`, 422, "urn:memscribe:memdb:unredactable")
	p.want("POST", memories, `{"kind":"note","content":"unreadable"}`, 422, "urn:memscribe:memdb:unredactable", "/memories/0")
	p.want("GET", "/v1/memories/any?namespace=team", "", 404)
}

// TestTooLate lets the time for a call run out.
func TestTooLate(t *testing.T) {
	p := start(t)
	handler := server.New(server.Options{Store: openStore(t), Version: "test", Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	const body = `{"namespaces":["team"],"query":"x"}`
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, "/v1/health", ""},
		{http.MethodPut, "/v1/namespaces/team", `{}`},
		{http.MethodPost, memories, `{"kind":"note","content":"x"}`},
		{http.MethodPost, "/v1/search", body},
		{http.MethodGet, "/v1/memories/any?namespace=team", ""},
		{http.MethodDelete, "/v1/memories/any?namespace=team", ""},
		{http.MethodGet, "/v1/provenance/any?namespace=team", ""},
		{http.MethodPost, "/v1/provenance/verify", ""},
		{http.MethodDelete, "/v1/namespaces/team", ""},
	} {
		req, err := http.NewRequestWithContext(late, c.method, p.base+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, req)
		if res := answer.Result(); res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s %s: %d %s", c.method, c.path, res.StatusCode, answer.Body)
		} else {
			p.check(req, c.body, res, answer.Body.Bytes())
		}
	}
}
