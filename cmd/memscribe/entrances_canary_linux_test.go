package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sayings are texts with secrets, one for each form in which only its context gives one away.
func (t *telling) sayings() (texts []string) {
	for _, form := range inContext() {
		texts = append(texts, fmt.Sprintf(form, t.secret()))
	}
	return texts
}

// inJSON is a value in a line.
func inJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestCanariesAtEveryEntrance has secrets that only their context gives away come in by every way
// but a file that is replayed, and looks for them in every byte that is kept or said.
func TestCanariesAtEveryEntrance(t *testing.T) {
	t.Parallel()
	for name, enter := range map[string]func(*telling, *world) (held []byte){
		"hooks": (*telling).byHooks, "watch": (*telling).byWatch, "otlp": (*telling).byTelemetry, "memdb": (*telling).byMemories, "verify": (*telling).byVerify,
	} {
		t.Run(name, func(t *testing.T) {
			told := &telling{inFile: map[string]bool{}}
			w := &world{t: t, dir: t.TempDir()}
			held := enter(told, w)
			told.isIn(t, "what is said", held)
			told.holdsNone(t, w.dir, filepath.Join(w.dir, "in"))
			if len(told.secrets) < len(inContext()) {
				t.Errorf("%d secrets came in", len(told.secrets))
			}
		})
	}
}

// byHooks passes payloads of tools to the hook, by standard input and as an argument, and has a
// watch take them up.
func (t *telling) byHooks(w *world) (said []byte) {
	for i, text := range t.sayings() {
		payload := inJSON(w.t, map[string]any{
			"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/w", "tool_name": "Bash", "tool_use_id": fmt.Sprint(i),
			"tool_input": map[string]any{"command": text}, "tool_response": map[string]any{"stdout": text, "lines": []string{"x", text}}, "prompt": text,
		})
		for _, tool := range []string{"claude_code", "codex", "cursor", "gemini"} {
			cmd := w.command(w.t.Context(), "hook", "-v", "--tool", tool)
			cmd.Stdin = strings.NewReader(payload)
			if i%2 == 1 {
				cmd = w.command(w.t.Context(), "hook", "-v", "--tool", tool, payload)
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				w.t.Fatalf("hook: %v: %s", err, out)
			}
			said = append(said, out...)
		}
		broken := w.command(w.t.Context(), "hook", "-v", "--tool", "claude_code")
		broken.Stdin = strings.NewReader(payload[:len(payload)-3])
		out, err := broken.CombinedOutput()
		if err != nil {
			w.t.Fatalf("hook: %v: %s", err, out)
		}
		said = append(said, out...)
	}
	journal := 0
	_ = filepath.WalkDir(filepath.Join(w.dir, "home"), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") {
			data, _ := os.ReadFile(path)
			journal += bytes.Count(data, []byte("[REDACTED:"))
		}
		return nil
	})
	if journal < len(t.secrets) {
		w.t.Errorf("the journal has %d placeholders for %d secrets", journal, len(t.secrets))
	}
	said = append(said, w.said(w.dir, "replay", "--events")...)
	return append(said, w.said(w.dir, "watch", "-v", "--once")...)
}

// byWatch has a running watch read a transcript that grows by halves of lines.
func (t *telling) byWatch(w *world) []byte {
	t.decided()
	t.remembers()
	t.asked()
	t.edited()
	t.beyond()
	for _, text := range t.sayings() {
		t.typed(text)
	}
	path := filepath.Join(w.dir, "in", "5f0c2a9e-0000-4000-8000-000000000001.jsonl")
	text := t.b.String()
	putFile(w.t, path, text[:len(text)/3])
	out := filepath.Join(w.dir, "nodes.ndjson")
	kill := w.startUntil("following", "watch", "-v", "--root", filepath.Dir(path), "--sink", "ndjson", "--out", out)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	for rest := text[len(text)/3:]; rest != ""; {
		n := min(len(rest), 777)
		if _, err := f.WriteString(rest[:n]); err != nil {
			w.t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := f.Close(); err != nil {
		w.t.Fatal(err)
	}
	for tick := time.Tick(50 * time.Millisecond); ; <-tick {
		data, err := os.ReadFile(out)
		if err == nil && bytes.Contains(data, []byte("value_comes_first")) && bytes.Contains(data, []byte("We decided against the password [REDACTED:")) {
			break
		}
		if w.t.Context().Err() != nil {
			w.t.Fatalf("the watch has not written what was said last: %v", err)
		}
	}
	kill()
	return nil
}

// byTelemetry sends spans and logs.
func (t *telling) byTelemetry(w *world) []byte {
	w.address = freeAddress(w.t)
	out := filepath.Join(w.dir, "nodes.ndjson")
	kill := w.startUntil("receiving telemetry", "watch", "-v", "--root", w.dir, "--sink", "ndjson", "--out", out, "--otlp-http", w.address)
	attribute := func(key, text string) any {
		return map[string]any{"key": key, "value": map[string]any{"stringValue": text}}
	}
	for i, text := range t.sayings() {
		said := inJSON(w.t, []any{map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "content": text}}}})
		alone := t.secret()
		w.call(http.MethodPost, "/v1/traces", inJSON(w.t, map[string]any{"resourceSpans": []any{map[string]any{
			"resource": map[string]any{"attributes": []any{attribute("service.name", "app"), attribute("db.password", alone), attribute("note", text)}},
			"scopeSpans": []any{map[string]any{"spans": []any{map[string]any{
				"traceId": fmt.Sprintf("%032x", i+1), "spanId": fmt.Sprintf("%016x", i+1), "name": "chat m", "startTimeUnixNano": "1700000000000000000",
				"status": map[string]any{"message": text},
				"attributes": []any{
					attribute("gen_ai.operation.name", "chat"), attribute("gen_ai.conversation.id", "s"), attribute("gen_ai.input.messages", said),
					attribute("gen_ai.tool.call.arguments", inJSON(w.t, map[string]any{"command": text, "password": alone})),
				},
				"events": []any{map[string]any{"name": "e", "attributes": []any{attribute("exception.message", text)}}},
			}}}},
		}}}), http.StatusOK)
		w.call(http.MethodPost, "/v1/logs", inJSON(w.t, map[string]any{"resourceLogs": []any{map[string]any{"scopeLogs": []any{map[string]any{"logRecords": []any{
			map[string]any{"timeUnixNano": "1700000000000000000", "body": map[string]any{"stringValue": text}, "attributes": []any{attribute("prompt", text), attribute("password", alone)}},
		}}}}}}), http.StatusOK)
	}
	kill()
	return append(w.said(w.dir, "replay", "--events"), w.said(w.dir, "watch", "-v", "--once")...)
}

// byMemories writes memories to a server, each field with a secret.
func (t *telling) byMemories(w *world) (said []byte) {
	w.address = freeAddress(w.t)
	kill := w.serve()
	defer kill()
	w.call(http.MethodPut, "/v1/namespaces/n", `{}`, http.StatusCreated)
	for i, text := range t.sayings() {
		line := strings.Map(func(r rune) rune { // names have no characters of control
			if r < ' ' {
				return ' '
			}
			return r
		}, text)
		w.call(http.MethodPost, "/v1/namespaces/n/memories", inJSON(w.t, map[string]any{
			"id": fmt.Sprint("m", i), "kind": "note", "content": text, "tags": []string{line}, "source": line, "session_id": line, "thread_id": line,
			"user_id": line, "agent_ids": []string{line}, "creation_tool": line, "project": "/w/" + line, "paths": []string{"/w/" + line},
		}), http.StatusOK)
	}
	for i, s := range t.secrets { // alone, beside what tells
		w.call(http.MethodPost, "/v1/namespaces/n/memories", inJSON(w.t, map[string]any{
			"id": fmt.Sprint("a", i), "kind": "note", "content": "password=" + s, "tags": []string{s}, "session_id": s, "paths": []string{"/w/" + s},
		}), http.StatusOK)
		w.call(http.MethodPost, "/v1/namespaces/n/memories", inJSON(w.t, map[string]any{"id": s, "kind": "note", "content": "password=" + s}), http.StatusUnprocessableEntity)
	}
	return append(said, w.said(w.dir, "memdb", "verify", "--db", w.database())...)
}

// byVerify holds transcripts to what is promised, and takes one into a corpus.
func (t *telling) byVerify(w *world) []byte {
	t.decided()
	t.edited()
	for _, text := range t.sayings() {
		t.typed(text)
	}
	path := filepath.Join(w.dir, "in", "5f0c2a9e-0000-4000-8000-000000000001.jsonl")
	putFile(w.t, path, t.b.String()+"no JSON, password="+t.secret()+"\n")
	said := w.said(w.dir, "verify", "-v", filepath.Dir(path))
	return append(said, w.said(w.dir, "verify", "--capture", path, "--as", "claude_code", "--name", "happy_path", "--corpus", filepath.Join(w.dir, "corpus"))...)
}
