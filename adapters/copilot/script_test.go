package copilot_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

type obj = map[string]any

// script composes a session in the form of the recorded ones.
type script struct {
	lines []string
	agent string
}

func session() *script {
	s := &script{}
	return s.event("session.start", obj{
		"sessionId": "11111111-2222-3333-4444-555555555555", "copilotVersion": "1.0.102", "selectedModel": "m",
		"producer": "copilot-agent", "context": obj{"cwd": "/w", "gitRoot": "/w", "branch": "main", "headCommit": "c0"},
	})
}

func (s *script) id(n int) string { return fmt.Sprintf("00000000-0000-0000-0000-%012d", n) }

func (s *script) event(kind string, data any) *script {
	ev := struct {
		Type      string  `json:"type"`
		Data      any     `json:"data"`
		ID        string  `json:"id"`
		Timestamp string  `json:"timestamp"`
		ParentID  *string `json:"parentId"`
		AgentID   string  `json:"agentId,omitempty"`
	}{Type: kind, Data: data, ID: s.id(len(s.lines)), Timestamp: "2026-08-01T00:00:00.000Z", AgentID: s.agent}
	if n := len(s.lines); n > 0 {
		parent := s.id(n - 1)
		ev.ParentID = &parent
	}
	line, err := json.Marshal(ev)
	if err != nil {
		line = []byte(err.Error()) // which no parser takes for a record
	}
	s.lines = append(s.lines, string(line))
	return s
}

func (s *script) user(text string) *script { return s.event("user.message", obj{"content": text}) }

func (s *script) call(id, name string, args any) *script {
	return s.event("assistant.message", obj{"content": "", "toolRequests": []obj{{"toolCallId": id, "name": name, "arguments": args}}}).
		event("tool.execution_start", obj{"toolCallId": id, "toolName": name, "arguments": args})
}

func (s *script) done(id, content, detail string) *script {
	result := obj{"content": content}
	if detail != "" {
		result["detailedContent"] = detail
	}
	return s.event("tool.execution_complete", obj{"toolCallId": id, "success": true, "result": result})
}

// events writes what happened, but for bookkeeping.
func (s *script) events(t *testing.T) string {
	t.Helper()
	return eventsOf(t, "/h/session-state/x/events.jsonl", strings.Join(s.lines, "\n"))
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
