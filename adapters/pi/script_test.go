package pi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

type obj = map[string]any

// script composes a session in the form of the recorded ones.
type script struct {
	lines  []string
	parent any // of the next entry
}

// header opens a session of version 3.
func header(parentSession string) *script {
	h := `{"type":"session","version":3,"id":"s","timestamp":"2026-08-01T00:00:10.000Z","cwd":"/w"`
	if parentSession != "" {
		h += `,"parentSession":"` + parentSession + `"`
	}
	return &script{lines: []string{h + "}"}}
}

// entry adds an entry, which hangs on the one before unless from says otherwise.
func (s *script) entry(kind string, more obj) *script {
	n := len(s.lines)
	ev := obj{"type": kind, "id": fmt.Sprintf("e%d", n), "parentId": s.parent, "timestamp": fmt.Sprintf("2026-08-01T00:00:%02d.000Z", n)}
	maps.Copy(ev, more)
	line, err := json.Marshal(ev)
	if err != nil {
		line = []byte(err.Error()) // which no parser takes for a record
	}
	s.lines, s.parent = append(s.lines, string(line)), ev["id"]
	return s
}

// from has the next entry hang on an earlier one.
func (s *script) from(parent any) *script { s.parent = parent; return s }

func (s *script) message(role string, more obj) *script {
	m := obj{"role": role}
	maps.Copy(m, more)
	return s.entry("message", obj{"message": m})
}

func (s *script) user(text string) *script { return s.message("user", obj{"content": text}) }

func (s *script) says(text string) *script {
	return s.message("assistant", obj{"content": []obj{{"type": "text", "text": text}}, "model": "m"})
}

func (s *script) call(id, name string, args any) *script {
	return s.message("assistant", obj{"content": []obj{{"type": "toolCall", "id": id, "name": name, "arguments": args}}, "model": "m"})
}

func (s *script) done(id, name, text string, details any) *script {
	return s.message("toolResult", obj{
		"toolCallId": id, "toolName": name, "content": []obj{{"type": "text", "text": text}}, "details": details, "isError": false,
	})
}

// events writes what happened, but for bookkeeping.
func (s *script) events(t *testing.T) string {
	t.Helper()
	return eventsOf(t, "/h/2026_s.jsonl", strings.Join(s.lines, "\n"))
}

func eventsOf(t *testing.T, path, data string) string {
	t.Helper()
	var out strings.Builder
	capture(t, path, []byte(data), func(ev *core.Event) {
		if line := adaptertest.Short(ev); line != "" {
			if ev.Thread != "" {
				line = ev.Thread + ": " + line
			}
			out.WriteString(line + "\n")
		}
	})
	return out.String()
}
