package codex_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A rollout that was written anew with pages gives the nodes that it gave before.
// Its items are only counted: those of two rollouts have the same ids.
func TestMigrated(t *testing.T) {
	meta := func(id, mode string) *rollout {
		return new(rollout).add("session_meta", obj{"id": id, "cwd": "/w", "cli_version": "0.135.0", "source": "cli", "history_mode": mode})
	}
	item := func(kind, id string, content any) obj {
		return obj{"type": "item_completed", "item": obj{"type": kind, "id": id, "content": content}}
	}
	old := func(id, text string) string {
		return meta(id, "legacy").turn(oldTurn).user(text).says("So be it.").user(text).String()
	}
	anew := func(id, text string) string {
		said := []obj{{"type": "text", "text": text, "text_elements": []any{}}}
		return meta(id, "paginated").turn(oldTurn).message("user", text).event(item("UserMessage", "item-1", said)).
			event(item("AgentMessage", "item-2", []obj{{"type": "Text", "text": "So be it."}})).message("assistant", "So be it.").
			message("user", text).event(item("UserMessage", "item-3", said)).String()
	}
	ids := func(of func(id, text string) string) []string {
		files := map[string][]byte{"a": []byte(of(oldThread, "We use pg.")), "b": []byte(of(newThread, "We never use left-pad."))}
		nodes, _ := capture(t, files, []string{"a", "b"}, nil)
		return slices.Sorted(maps.Keys(nodes))
	}
	before := ids(old)
	if len(before) < 5 {
		t.Fatalf("only %d nodes", len(before))
	}
	if diff := cmp.Diff(before, ids(anew)); diff != "" {
		t.Errorf("nodes (-before +after):\n%s", diff)
	}
}

// The same of recorded rollouts, which 0.169.0 has written anew: a subagent's, and
// one with a review.
func TestMigratedRecorded(t *testing.T) {
	for _, name := range []string{"0.105.0/subagent_thread", "0.135.0/terminal_review"} {
		t.Run(name, func(t *testing.T) {
			read := func(dir string) []string {
				files, order := map[string][]byte{}, rollouts(t, dir)
				for _, file := range order {
					files[file] = readFile(t, file)
				}
				nodes, _ := capture(t, files, order, nil)
				return slices.Sorted(maps.Keys(nodes))
			}
			before := read("../../fixtures/codex/" + name)
			if len(before) < 5 {
				t.Fatalf("only %d nodes", len(before))
			}
			if diff := cmp.Diff(before, read("testdata/migrated/"+name)); diff != "" {
				t.Errorf("nodes (-before +after):\n%s", diff)
			}
		})
	}
}
