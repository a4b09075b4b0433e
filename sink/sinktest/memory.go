package sinktest

import (
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
)

// Memories are calls by which agents wrote to memories of their own and read from
// them, in two sessions and in the order of time: an entity and a file are
// planted, then each is read; then all of the store is, and what was never planted.
func Memories() []sink.Line {
	const server, file = "memory", "file"
	calls := []struct {
		session, action, store, key, text string
	}{
		{"planting", "memory_write", server, "Postgres", `{"name":"Postgres","observations":["is what orders are kept in"]}`},
		{"planting", "memory_write", server, "Redis", `{"name":"Redis","observations":["was given up"]}`},
		{"planting", "memory_write", file, "/repo/CLAUDE.md", ""},
		{"reading", "memory_read", server, "Postgres", `{"names":["Postgres"]}`},
		{"reading", "memory_read", file, "/repo/CLAUDE.md", `{"file_path":"/repo/CLAUDE.md"}`},
		{"reading", "memory_read", server, "", `{}`},
		{"reading", "memory_read", server, "Kafka", `{"names":["Kafka"]}`},
	}
	lines := make([]sink.Line, 0, len(calls))
	for i, c := range calls {
		memory := &core.MemoryAccess{Action: core.MemoryAction(c.action), Store: c.store, Key: c.key}
		n := core.Node{
			Source: core.ClaudeCode, Session: c.session, Seq: uint64(i), Time: core.UnixMilli(1_760_000_000_000 + int64(i)*60_000),
			Project: &core.Project{Cwd: "/repo"}, Fact: core.Observed, Provenance: []core.Location{{File: "/t.jsonl", Line: int64(i) + 1}},
			Body: &core.Conversation{
				Text: c.text, Speaker: core.Assistant, Turns: core.TurnRange{Start: uint64(i), End: uint64(i)}, Memory: memory,
				Markers: []core.Marker{{Rule: c.action, Category: core.Memory}},
			},
		}
		if c.text == "" {
			n.Fact = core.Derived
			n.Body = &core.Episode{
				EpisodeID: "e1", CallID: "call-1", Tool: "Edit", Memory: memory,
				Diff: core.Diff{Path: c.key, Unified: "--- a\n+++ b\n@@ -0,0 +1 @@\n+Use tabs.\n", Added: 1, Change: core.Modify},
			}
		}
		n.ID = core.NodeID(n.Name(), n.Source, fmt.Sprint("memory ", i))
		lines = append(lines, Line(&n))
	}
	return lines
}
