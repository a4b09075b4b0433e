package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/embed/gateway"
)

// asked is what a gateway is sent.
type asked struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

// serve starts a gateway, and returns a client of it.
func serve(t *testing.T, h http.HandlerFunc) *gateway.Gateway {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	g, err := gateway.New(gateway.Options{URL: s.URL, Model: "m", Key: "sk-0123456789abcdef", Wait: time.Millisecond, Patience: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

// answer is what a gateway answers with a vector for each text, the last first.
func answer(texts []string) string {
	var data []string
	for i, text := range slices.Backward(texts) {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,1,0.5e0]}`, i, len(text)))
	}
	return `{"object":"list","data":[` + strings.Join(data, ",") + `],"model":"other","usage":{"prompt_tokens":1}}`
}

// TestAsk asks for more than goes into one request.
func TestAsk(t *testing.T) {
	var requests []asked
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var a asked
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		requests = append(requests, a)
		if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer sk-0123456789abcdef" ||
			r.Header.Get("Content-Type") != "application/json" || a.Model != "m" || a.Format != "float" {
			t.Errorf("%s %s %v %+v", r.Method, r.URL, r.Header, a)
		}
		_, _ = io.WriteString(w, answer(a.Input))
	})
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	texts[149] = strings.Repeat("y", 200<<10)
	all, err := g.Vectors(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range all {
		want, err := embed.New([]float64{float64(len(texts[i])), 1, 0.5})
		if err != nil || !cmp.Equal(v, want) {
			t.Errorf("text %d has %v, want %v", i, v, want)
		}
	}
	sizes := []int{}
	for _, r := range requests {
		sizes = append(sizes, len(r.Input))
	}
	if d := cmp.Diff([]int{64, 64, 21, 1}, sizes); d != "" {
		t.Error(d)
	}
}

// TestPassing has a gateway fail and come back.
func TestPassing(t *testing.T) {
	for _, status := range []int{429, 500, 502, 503, 504, 408} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			var count atomic.Int64
			g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if count.Add(1) < 3 {
					w.WriteHeader(status)
					return
				}
				_, _ = io.WriteString(w, answer([]string{"x"}))
			})
			if _, err := g.Vectors(t.Context(), []string{"x"}); err != nil || count.Load() != 3 {
				t.Errorf("asked %d times: %v", count.Load(), err)
			}
		})
	}
}

// TestHostile has a gateway answer as it should not. Each is refused, soon, and what it
// says is in no error.
func TestHostile(t *testing.T) {
	say := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}
	}
	data := func(all string) http.HandlerFunc { return say(200, `{"data":[`+all+`]}`) }
	const one = `{"index":0,"embedding":[1,2]}`
	var elsewhere atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Store(true) }))
	defer other.Close()
	for _, tc := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
		asked   int64
	}{
		{"no JSON", say(200, "<html>secret</html>"), "is not one of embeddings", 1},
		{"another value", say(200, `"secret"`), "is not one of embeddings", 1},
		{"nothing", data(""), "0 vectors for 2 texts", 1},
		{"too few", data(one), "1 vectors for 2 texts", 1},
		{"too many", data(one + "," + one + "," + one), "3 vectors for 2 texts", 1},
		{"one twice", data(one + "," + one), "two vectors for one text", 1},
		{"an index that is none", data(one + `,{"index":7,"embedding":[1,2]}`), "two vectors for one text", 1},
		{"of several lengths", data(one + `,{"index":1,"embedding":[1,2,3]}`), "several lengths", 1},
		{"without numbers", data(one + `,{"index":1,"embedding":[]}`), "0 numbers", 1},
		{"zeros", data(one + `,{"index":1,"embedding":[0,0]}`), "no direction", 1},
		{"NaN", data(one + `,{"index":1,"embedding":[NaN,1]}`), "is not one of embeddings", 1},
		{"NaN as text", data(one + `,{"index":1,"embedding":["NaN",1]}`), "is not one of embeddings", 1},
		{"infinite", data(one + `,{"index":1,"embedding":[1e999,1]}`), "is not one of embeddings", 1},
		{"too large together", data(one + `,{"index":1,"embedding":[1e300,1e300]}`), "no direction", 1},
		{"too many numbers", data(one + `,{"index":1,"embedding":[` + strings.Repeat("1,", embed.MaxDims) + `1]}`), "8193 numbers", 1},
		{"base64", data(one + `,{"index":1,"embedding":"AACAPw=="}`), "is not one of embeddings", 1},
		{"wrong key", say(401, `{"error":"secret"}`), "answers 401", 1},
		{"no such model", say(404, "secret"), "answers 404", 1},
		{"always busy", say(429, "secret"), "answers 429", 4},
		{"broken", say(500, "secret"), "answers 500", 4},
		{"busy for long", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3000")
			w.WriteHeader(http.StatusTooManyRequests)
		}, "answers 429", 1},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, "a redirect, which is not followed", 1},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat(" ", 64<<10)); err != nil {
					return
				}
			}
		}, "more than", 1},
		{"endless header", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
		}, "header", 4},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"data":`)
		}, "EOF", 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var count atomic.Int64
			g := serve(t, func(w http.ResponseWriter, r *http.Request) {
				count.Add(1)
				tc.handler(w, r)
			})
			_, err := g.Vectors(t.Context(), []string{"a", "b"})
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "sk-") {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if count.Load() != tc.asked {
				t.Errorf("asked %d times, want %d", count.Load(), tc.asked)
			}
		})
	}
	if elsewhere.Load() {
		t.Error("the redirect was followed")
	}
}

// TestSlow has a gateway that takes its time: neither its own time nor that of the caller
// is exceeded.
func TestSlow(t *testing.T) {
	hold := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(hold)
	for name, tc := range map[string]struct{ patience, caller time.Duration }{
		"its own":    {20 * time.Millisecond, time.Minute},
		"the caller": {time.Minute, 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := gateway.New(gateway.Options{URL: s.URL, Model: "m", Wait: time.Millisecond, Patience: tc.patience})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			ctx, cancel := context.WithTimeout(t.Context(), tc.caller)
			defer cancel()
			start := time.Now()
			if _, err := g.Vectors(ctx, []string{"a"}); err == nil {
				t.Error("answered")
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// TestAddress says which addresses memories may be sent to.
func TestAddress(t *testing.T) {
	for _, tc := range []struct {
		url      string
		insecure bool
		ok       bool
	}{
		{"https://api.example/v1", false, true},
		{"https://api.example", false, true},
		{"http://127.0.0.1:8080/v1", false, true},
		{"http://[::1]:8080", false, true},
		{"http://localhost:8080/v1/embeddings", false, true},
		{"http://api.example/v1", false, false},
		{"http://10.0.0.1/v1", false, false},
		{"http://127.0.0.1.example/v1", false, false},
		{"http://api.example/v1", true, true},
		{"ftp://api.example/v1", true, false},
		{"https://user:pass@api.example/v1", false, false},
		{"https://api.example/v1?key=x", false, false},
		{"https://", false, false},
		{"", false, false},
		{"api.example/v1", false, false},
	} {
		g, err := gateway.New(gateway.Options{URL: tc.url, Model: "m", Insecure: tc.insecure})
		if (err == nil) != tc.ok {
			t.Errorf("%q, insecure %v: %v", tc.url, tc.insecure, err)
		}
		if err == nil {
			g.Close()
		}
	}
	if _, err := gateway.New(gateway.Options{URL: "https://api.example/v1"}); err == nil {
		t.Error("no model is taken")
	}
}
