package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// badFrames are lines that are no messages of MCP, with the code of the error and the id
// that answer each; without a code nothing has to be answered.
func badFrames() []badFrame {
	deep := strings.Repeat("[", 200_000)
	return []badFrame{
		{"nonsense", "%%%", -32700, "null"},
		{"half a message", `{"jsonrpc":"2.0","id":1,"method":"ping"`, -32700, "null"},
		{"two on a line", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, -32700, "null"},
		{"something behind it", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, -32700, "null"},
		{"NUL", "\x00", -32700, "null"},
		{"a mark of bytes", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, -32700, "null"},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, "null"},
		{"deep", deep, -32700, "null"},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 3<<20) + `"}`, -32600, "null"},
		{"too long, and no JSON", strings.Repeat("y", 9<<20), -32600, "null"},
		{"a number", `7`, -32600, "null"},
		{"a string", `"ping"`, -32600, "null"},
		{"null", `null`, -32600, "null"},
		{"nothing in it", `{}`, -32600, "null"},
		{"no version", `{"id":41,"method":"ping"}`, -32600, "41"},
		{"another version", `{"jsonrpc":"1.0","id":"x","method":"ping"}`, -32600, `"x"`},
		{"a method that is a number", `{"jsonrpc":"2.0","id":42,"method":7}`, -32600, "42"},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{"an empty batch", `[]`, -32600, "null"},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, "null"},
		{"a batch of nonsense", `[1,2,3]`, -32600, "null"},
		{"a method that is not there", `{"jsonrpc":"2.0","id":43,"method":"no/such"}`, -32601, "43"},
		{"wrong parameters", `{"jsonrpc":"2.0","id":44,"method":"tools/call","params":7}`, -32602, "44"},
		{"a tool that is not there", `{"jsonrpc":"2.0","id":45,"method":"tools/call","params":{"name":"no","arguments":{}}}`, -32602, "45"},
		{"an answer to nothing", `{"jsonrpc":"2.0","id":46,"result":{}}`, 0, ""},
		{"a notice that is not known", `{"jsonrpc":"2.0","method":"notifications/x"}`, 0, ""},
		{"blank lines", "\n \n\r\n", 0, ""},
	}
}

type badFrame struct {
	name, line string
	code       int
	id         string
}

// reply is what is needed of an answer.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  struct {
		Code int `json:"code"`
	} `json:"error"`
}

const (
	beginMCP = `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	pingMCP  = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
)

// TestBatches sends lists of messages, which the protocol has before 2025-06-18: each is
// answered with a list, and the server answers what comes after it.
func TestBatches(t *testing.T) {
	w := newServed(t)
	cmd := w.command(t.Context(), "mcp", "--db", filepath.Join(w.dir, "n.db"))
	cmd.Dir = w.dir
	begin := strings.Replace(beginMCP, "2025-06-18", "2025-03-26", 1)
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, // before anything else
		begin,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}, {"jsonrpc":"2.0","method":"notifications/x"}, {"jsonrpc":"2.0","id":"b","method":"no/such"}]`,
		`[{"jsonrpc":"2.0","method":"notifications/x"}]`, // is not answered
		`[{"jsonrpc":"2.0","id":5,"method":"ping"}]`,
		`[{"jsonrpc":"2.0","id":6,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]`,
		`[{"jsonrpc":"2.0","id":7,"method":"ping"},7]`,
		`[]`,
		"[" + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/x"},`, 100) + `{"jsonrpc":"2.0","id":8,"method":"ping"}]`,
		`[` + begin + `]`,
		pingMCP,
	}, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	single, lists := map[string]int{}, map[string]int{}
	for line := range bytes.Lines(out) {
		var one reply
		var list []reply
		if json.Unmarshal(line, &list) == nil {
			for _, r := range list {
				lists[string(r.ID)] = r.Error.Code
			}
			continue
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatalf("answer %q: %v", line, err)
		}
		if string(one.ID) == "null" {
			single["null"]++
		} else {
			single[string(one.ID)] = one.Error.Code
		}
	}
	if want := map[string]int{"1": 0, `"b"`: -32601, "5": 0}; !maps.Equal(lists, want) {
		t.Errorf("lists have %v, want %v", lists, want)
	}
	if want := map[string]int{`"begin"`: 0, "null": 6, `"ping"`: 0}; !maps.Equal(single, want) {
		t.Errorf("alone stand %v, want %v", single, want)
	}
}

// TestBadFrames sends lines that are no messages, one after the other, to one server. Each
// gets an error, and the server answers what comes after it.
func TestBadFrames(t *testing.T) {
	w := newServed(t)
	cmd := w.command(t.Context(), "mcp", "--db", filepath.Join(w.dir, "n.db"))
	cmd.Dir = w.dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	send := func(line string) {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatalf("%v\n%s", err, &stderr)
		}
	}
	read := func() (r reply) {
		line, err := lines.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &r)
		}
		if err != nil {
			t.Fatalf("answer %q: %v\n%s", line, err, &stderr)
		}
		return r
	}
	send(`{"jsonrpc":"2.0","id":1,"method":`) // before anything else
	if r := read(); r.Error.Code != -32700 {
		t.Errorf("at the beginning: %+v", r)
	}
	send(beginMCP)
	if r := read(); len(r.Result) == 0 {
		t.Fatalf("no beginning: %+v", r)
	}
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for _, bad := range badFrames() {
		send(bad.line)
		if bad.code != 0 {
			if r := read(); r.Error.Code != bad.code || string(r.ID) != bad.id {
				t.Errorf("%s: %d for %s, want %d for %s", bad.name, r.Error.Code, r.ID, bad.code, bad.id)
			}
		}
		send(pingMCP)
		if r := read(); string(r.ID) != `"ping"` || len(r.Result) == 0 {
			t.Fatalf("after %s: %+v", bad.name, r)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &stderr)
	}
}

// TestBatchesByHTTP sends a list by HTTP.
func TestBatchesByHTTP(t *testing.T) {
	w := newServed(t)
	url, session := w.listen(), ""
	post := func(body, version string) (status int, answer string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for name, value := range map[string]string{"Mcp-Session-Id": session, "MCP-Protocol-Version": version} {
			if value != "" {
				req.Header.Set(name, value)
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		session = cmp.Or(session, resp.Header.Get("Mcp-Session-Id"))
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	if status, answer := post(strings.Replace(beginMCP, "2025-06-18", "2025-03-26", 1), ""); status != http.StatusOK {
		t.Fatalf("no beginning: %d %s", status, answer)
	}
	const two = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`
	for _, version := range []string{"", "2025-03-26"} {
		status, answer := post(two, version)
		var list []reply
		if err := json.Unmarshal([]byte(answer), &list); err != nil || status != http.StatusOK || len(list) != 2 || len(list[0].Result)*len(list[1].Result) == 0 {
			t.Errorf("version %q answers %d %.200s: %v", version, status, answer, err)
		}
	}
	for _, bad := range []struct{ body, version string }{{two, "2025-06-18"}, {"[]", ""}, {"[7]", ""}, {"[" + beginMCP + "]", ""}, {`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`, ""}} {
		if status, answer := post(bad.body, bad.version); status != http.StatusBadRequest || !strings.Contains(answer, "-32600") {
			t.Errorf("%.50s of version %q is answered with %d %.200s", bad.body, bad.version, status, answer)
		}
	}
}

// TestBadFramesByHTTP does the same by HTTP.
func TestBadFramesByHTTP(t *testing.T) {
	w := newServed(t)
	url, session := w.listen(), ""
	post := func(body string) (int, reply) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-06-18",
		} {
			if value != "" {
				req.Header.Set(name, value)
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if session == "" {
			session = resp.Header.Get("Mcp-Session-Id")
		}
		var r reply
		b, err := io.ReadAll(resp.Body)
		if err == nil && len(b) > 0 && strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
			err = json.Unmarshal(b, &r)
		}
		if err != nil {
			t.Fatalf("answer %q: %v", b, err)
		}
		return resp.StatusCode, r
	}
	if status, r := post(beginMCP); status != http.StatusOK || len(r.Result) == 0 {
		t.Fatalf("no beginning: %d %+v", status, r)
	}
	for _, bad := range badFrames() {
		if strings.TrimSpace(bad.line) == "" {
			bad.code, bad.id = -32700, "null" // a body must have a message
		}
		status, r := post(bad.line)
		if (bad.code == -32700 || bad.code == -32600) && (r.Error.Code != bad.code || string(r.ID) != bad.id) {
			t.Errorf("%s: status %d, %d for %s, want %d for %s", bad.name, status, r.Error.Code, r.ID, bad.code, bad.id)
		}
		if status, r := post(pingMCP); status != http.StatusOK || len(r.Result) == 0 {
			t.Fatalf("after %s: %d %+v", bad.name, status, r)
		}
	}
}
