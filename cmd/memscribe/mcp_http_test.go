package main

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listen starts the server on a port of this machine, and returns its address.
func (w *world) listen(flags ...string) (url string) {
	w.t.Helper()
	cmd := w.command(w.t.Context(), append([]string{"mcp", "--db", filepath.Join(w.dir, "n.db"), "--addr", "127.0.0.1:0"}, flags...)...)
	cmd.Dir = w.dir
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if url = regexp.MustCompile(`http://[^\s"]+/mcp`).FindString(lines.Text()); url != "" {
			return url
		}
	}
	w.t.Fatal("the server does not say where it listens")
	return ""
}

// status is how a server answers a client that begins a session, with what set changes
// of its request.
func status(t *testing.T, url string, set func(*http.Request)) int {
	t.Helper()
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(begin))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	set(req)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// headers sets headers of a request, and Host.
func headers(all map[string]string) func(*http.Request) {
	return func(r *http.Request) {
		for name, value := range all {
			r.Header.Set(name, value)
			if name == "Host" {
				r.Host = value
			}
		}
	}
}

// Over HTTP the same answers, and only for this machine and no page of a browser.
func TestMCPOverHTTP(t *testing.T) {
	w := newServed(t)
	url := w.listen()
	s := w.dial(&mcp.StreamableClientTransport{Endpoint: url})
	if found := ask(t, s, "search", map[string]any{"query": "pagination"}); len(found.Items) == 0 {
		t.Errorf("search finds nothing")
	}
	own := strings.TrimSuffix(url, "/mcp")
	for name, tt := range map[string]struct {
		set  map[string]string
		want int
	}{
		"a program":                     {nil, http.StatusOK},
		"a program, by localhost":       {map[string]string{"Host": strings.Replace(own, "http://127.0.0.1", "localhost", 1)}, http.StatusOK},
		"a page of its own":             {map[string]string{"Origin": own}, http.StatusOK},
		"a foreign host":                {map[string]string{"Host": "evil.example"}, http.StatusForbidden},
		"a page":                        {map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		"a page of no place":            {map[string]string{"Origin": "null"}, http.StatusForbidden},
		"a page of another port":        {map[string]string{"Origin": "http://127.0.0.1:1"}, http.StatusForbidden},
		"a page that hides its address": {map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
	} {
		if got := status(t, url, headers(tt.set)); got != tt.want {
			t.Errorf("%s is answered with %d, want %d", name, got, tt.want)
		}
	}
}

// bearer carries a token in each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// With a token, only who carries it is answered, and no page of another place even then.
func TestMCPToken(t *testing.T) {
	w := newServed(t)
	const token = "a-token-of-many-letters"
	file := filepath.Join(w.dir, "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := w.listen("--token-file", file)
	s := w.dial(&mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(token)}})
	if rules := ask(t, s, "rules", nil); len(rules.Items) == 0 {
		t.Error("whoever has the token gets no rules")
	}
	right := "Bearer " + token
	for name, tt := range map[string]struct {
		set  map[string]string
		want int
	}{
		"the token":                  {map[string]string{"Authorization": right}, http.StatusOK},
		"the token, a page of ours":  {map[string]string{"Authorization": right, "Origin": strings.TrimSuffix(url, "/mcp")}, http.StatusOK},
		"no token":                   {nil, http.StatusUnauthorized},
		"another token":              {map[string]string{"Authorization": right + "x"}, http.StatusUnauthorized},
		"the beginning of the token": {map[string]string{"Authorization": right[:len(right)-1]}, http.StatusUnauthorized},
		"no word Bearer":             {map[string]string{"Authorization": token}, http.StatusUnauthorized},
		"the token, a foreign page":  {map[string]string{"Authorization": right, "Origin": "https://evil.example"}, http.StatusForbidden},
		"no token, a foreign page":   {map[string]string{"Origin": "https://evil.example"}, http.StatusUnauthorized},
	} {
		if got := status(t, url, headers(tt.set)); got != tt.want {
			t.Errorf("%s: answered with %d, want %d", name, got, tt.want)
		}
	}
}

// Beyond this machine the server does not listen without a token and TLS, nor with a
// token that others may read.
func TestMCPBeyondLoopback(t *testing.T) {
	w := newServed(t)
	file := filepath.Join(w.dir, "token")
	if err := os.WriteFile(file, []byte("a-token-of-many-letters"), 0o600); err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(w.dir, "short")
	if err := os.WriteFile(short, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"needs a token":                      {"--addr", "0.0.0.0:0"},
		"needs TLS":                          {"--addr", "0.0.0.0:0", "--token-file", file},
		"a token is one word of at least 16": {"--addr", "127.0.0.1:0", "--token-file", short},
		"read token":                         {"--addr", "127.0.0.1:0", "--token-file", file + ".none"},
	} {
		out, err := w.command(t.Context(), append([]string{"mcp", "--db", filepath.Join(w.dir, "n.db")}, args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v, %s; want %q", args, err, out, want)
		}
	}
}
