package client_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
)

// TestAnswers has somebody answer who may not be a MemDB at all. Only a problem of
// the contract says something about what was sent.
func TestAnswers(t *testing.T) {
	problem, err := api.Append(nil, api.NewProblem(api.Gone, "x"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, kind, body string
		status           int
		gone             bool
	}{
		{"problem", api.ProblemType, string(problem), 410, true},
		{"problem with another status", api.ProblemType, string(problem), 404, false},
		{"page of a proxy", "text/html", "<h1>Not found</h1>", 404, false},
		{"problem that is none", api.ProblemType, `{"detail":"x"}`, 410, false},
		{"redirect", "text/html", "", 302, false},
		{"success that is none", "text/html", "<h1>Welcome</h1>", 200, false},
		{"answer about others", "application/json", `{"results":[]}`, 200, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			asked := 0
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked++
				if got := r.Header.Get("Authorization"); got != "Bearer secret-of-this-test" {
					t.Errorf("Authorization: %q", got)
				}
				w.Header().Set("Content-Type", tc.kind)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tc.status)
				_, _ = w.Write([]byte(tc.body)) // who is gone needs no answer
			}))
			defer h.Close()
			c, err := client.New(client.Options{URL: h.URL + "/", Token: "secret-of-this-test"})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, err = c.Write(t.Context(), "team", []api.MemoryWrite{{ID: "1", Body: api.Body{Kind: "note", Content: "x"}}})
			if err == nil || api.IsKind(err, api.Gone) != tc.gone {
				t.Errorf("got %v", err)
			}
			if _, invalid := errors.AsType[*api.Invalid](err); invalid || asked != 1 || strings.Contains(err.Error(), "secret-of-this-test") {
				t.Errorf("asked %d times, got %v", asked, err)
			}
		})
	}
}

// TestChecksBeforeSending wants what cannot be taken to be refused here.
func TestChecksBeforeSending(t *testing.T) {
	c, err := client.New(client.Options{URL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Write(t.Context(), "team", []api.MemoryWrite{{Body: api.Body{Kind: "note", Content: " "}}})
	if err == nil || !strings.Contains(err.Error(), "/memories/0/content") {
		t.Errorf("empty: %v", err)
	}
	_, err = c.WriteEncoded(t.Context(), "team", [][]byte{make([]byte, api.MaxBody)})
	if !api.IsKind(err, api.TooLarge) {
		t.Errorf("large: %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"", "localhost", "ftp://x:1", "http://", "http://me:pw@x:1", "http://x:1/?a=b", "://"} {
		if _, err := client.New(client.Options{URL: bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
