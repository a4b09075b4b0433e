package server_test

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/server"
)

// FuzzRequest asks a server anything: it answers, never with a fault of its own, and what it refuses
// it says in the form of its problems.
func FuzzRequest(f *testing.F) {
	const write = `{"memories":[{"id":"a","kind":"note","content":"It rains.","origin":"external"}]}`
	for _, seed := range [][3]string{
		{"PUT", "/v1/namespaces/team", `{"description":"d"}`},
		{"POST", "/v1/namespaces/team/memories", write},
		{"GET", "/v1/memories/a?namespace=team", ""},
		{"GET", "/v1/memories/%00%2f..?namespace=%ff&namespace=team", ""},
		{"POST", "/v1/search", `{"namespaces":["team"],"query":"\"rain* NEAR( ","limit":1e9}`},
		{"POST", "/v1/search", `{"namespaces":["team"],"query":"rain","from":"x","path":"\u0000"}`},
		{"DELETE", "/v1/memories/a?namespace=team", ""},
		{"GET", "/v1/provenance/a?namespace=team", ""},
		{"POST", "/v1/provenance/verify", `{}`},
		{"PATCH", "/v1/namespaces/team", `{"description":"\ud800"}`},
		{"DELETE", "/v1/namespaces/team", ""},
		{"POST", "/v1/namespaces/team/memories", `{"memories":[{"id":"\ud800","kind":"","content":"\u0000\u202e"}]}`},
		{"POST", "/v1/namespaces/team/memories", strings.Repeat("[", 10_000)},
		{"GET", "/healthz", ""},
		{"POST", "/memscribe.memdb.v1.MemDB/Search", "\x00\x00\x00\x00\x05hello"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	s := server.New(server.Options{Store: openStore(f), Version: "test", Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
	f.Fuzz(func(t *testing.T, method, target, body string) {
		if strings.Contains(target, "watch") || strings.Contains(target, "Watch") {
			return // it stays open for as long as the caller
		}
		r, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+target, strings.NewReader(body))
		if err != nil {
			return // none that a client can send
		}
		r.RequestURI, r.RemoteAddr = target, "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError && w.Code != http.StatusNotImplemented {
			t.Fatalf("%s %q: %d %s", method, target, w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") != api.ProblemType {
			return
		}
		var p api.Problem
		if err := api.Decode(w.Body.Bytes(), &p); err != nil || p.Status != w.Code {
			t.Fatalf("%s %q: %d, %s: %v", method, target, w.Code, w.Body, err)
		}
	})
}
