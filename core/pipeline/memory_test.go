package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/pipeline"
)

// plants writes two entities and a file, reads them, and makes calls that count
// for nothing: one that fails, one without a result, one that is about no memory.
const plants = `{"e":"user","id":"u1","at":1,"t":"Hello."}
{"e":"call","c":"c1","n":"mcp__memory__create_entities","at":2,"args":{"entities":[{"name":"A","observations":["x"]},{"name":"B"}]}}
{"e":"result","c":"c1","at":3}
{"e":"call","c":"c2","n":"Edit","at":4,"args":{"file_path":"/repo/CLAUDE.md"}}
{"e":"result","c":"c2","at":5}
{"e":"edit","c":"c2","at":5,"path":"/repo/CLAUDE.md","lines":"-a\n+b\n"}
{"e":"call","c":"c3","n":"Read","at":6,"args":{"file_path":"/repo/CLAUDE.md"}}
{"e":"result","c":"c3","at":7}
{"e":"result","c":"c3","at":8}
{"e":"call","c":"c4","n":"mcp__memory__read_graph","at":9,"args":{}}
{"e":"result","c":"c4","at":10,"failed":true}
{"e":"call","c":"c5","n":"mcp__memory__search_nodes","at":11,"args":{"query":"A"}}
{"e":"call","c":"c6","n":"Read","at":12,"args":{"file_path":"/repo/main.go"}}
{"e":"result","c":"c6","at":13}
`

// memories are the nodes that say what was done to a memory.
func memories(held map[string]*core.Node) []string {
	var all []string
	for _, n := range slices.SortedFunc(maps.Values(held), nodeprep.Compare) {
		switch b := n.Body.(type) {
		case *core.Conversation:
			if b.Memory != nil {
				all = append(all, fmt.Sprintf("%s said %s at %d to %d: %s %s %s", b.Speaker, b.Text, b.Turns.Start, b.Turns.End, b.Memory.Action, b.Memory.Store, b.Memory.Key))
			}
		case *core.Episode:
			if b.Memory != nil {
				all = append(all, fmt.Sprintf("edit: %s %s %s", b.Memory.Action, b.Memory.Store, b.Memory.Key))
			}
		}
	}
	slices.Sort(all)
	return all
}

// TestMemories wants a node for each memory that a call wrote or read, and none
// for what is not known to have happened, or what an edit says.
func TestMemories(t *testing.T) {
	want := []string{
		`assistant said {"file_path":"/repo/CLAUDE.md"} at 6 to 7: memory_read file /repo/CLAUDE.md`,
		`assistant said {"name":"A","observations":["x"]} at 1 to 2: memory_write memory A`,
		`assistant said {"name":"B"} at 1 to 2: memory_write memory B`,
		`edit: memory_write file /repo/CLAUDE.md`,
	}
	held := run(t, plants)
	if diff := cmp.Diff(want, memories(held)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A copy adds nothing, and a rewind takes nothing back: it happened.
	again := run(t, plants, plants, plants+`{"e":"rewind","to":"u1","seq":0}`+"\n")
	if diff := cmp.Diff(slices.Sorted(maps.Keys(held)), slices.Sorted(maps.Keys(again))); diff != "" {
		t.Errorf("with copies (-want +got):\n%s", diff)
	}
}

// TestMemoriesLeftOut wants no read of a file that is left out.
func TestMemoriesLeftOut(t *testing.T) {
	set, err := pipeline.NewSet(pipeline.Options{Exclude: func(s pipeline.Subject) bool { return strings.HasSuffix(s.Path, "CLAUDE.md") }})
	if err != nil {
		t.Fatal(err)
	}
	feed(set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl"), plants)
	held := map[string]*core.Node{}
	for _, n := range set.Take() {
		held[n.ID] = n
	}
	if got := memories(held); len(got) != 2 || strings.Contains(strings.Join(got, " "), "CLAUDE") {
		t.Errorf("got %q", got)
	}
}
