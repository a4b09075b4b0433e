package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
)

// TestDropped: of a stream that decides more than is kept, the oldest decisions are
// found by no edit any more, the latest are; all keep their nodes, and the stream says
// where that began. Whether nodes are asked for after every line makes no difference.
func TestDropped(t *testing.T) {
	const n = 300
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"e":"user","id":"u%d","at":1,"t":"Use store_%d instead of bank_%d."}`+"\n", i, i, i)
	}
	fmt.Fprint(&b, `{"e":"user","id":"ask","at":2,"t":"Please look at the logs."}`+"\n")
	for _, i := range []int{0, n - 1} {
		fmt.Fprintf(&b, `{"e":"call","c":"c%d","n":"Edit","at":3}
{"e":"edit","c":"c%d","at":3,"path":"f%d.js","lines":"+store_%d\n"}
`, i, i, i, i)
	}
	var results []string
	for _, each := range []bool{false, true} {
		set, err := pipeline.NewSet(pipeline.Options{MaxFacts: 64 << 10})
		if err != nil {
			t.Fatal(err)
		}
		st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
		held := map[string]*core.Node{}
		for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
			st.Line([]byte(line), int64(i), int64(i+1))
			if each || i >= n {
				for _, node := range set.Take() {
					held[node.ID] = node
				}
			}
		}
		results = append(results, serves(held))
		if d := st.Dropped(); d.Limit != 64<<10 || d.Line < 10 || d.Line > n || d.Decisions < n/2 || d.Decisions > n-10 {
			t.Errorf("dropped are %+v", d)
		}
		if decisions := count(held, "decision"); decisions != n {
			t.Errorf("%d decisions, want all %d", decisions, n)
		}
	}
	if want := fmt.Sprintf("f%d.js: Use store_%d instead of bank_%d.", n-1, n-1, n-1); results[0] != want || results[1] != want {
		t.Errorf("edits are bound as %q, want %q", results, want)
	}
}

// serves says which edits carry out which decisions.
func serves(held map[string]*core.Node) string {
	var all []string
	for _, n := range held {
		if b, ok := n.Body.(*core.Binding); ok && b.Relation == core.Produced {
			edit, decision := held[b.To].Body.(*core.Episode), held[b.From].Body.(*core.Decision)
			all = append(all, edit.Diff.Path+": "+decision.Epitome.Text)
		}
	}
	return strings.Join(all, ", ")
}

func count(held map[string]*core.Node, kind string) (n int) {
	for _, node := range held {
		if node.Name() == kind {
			n++
		}
	}
	return n
}

// TestManyAgents: edits of very many agents, each started by the one before it, wait
// for what started them, each for the call that is missing for it: the work does not
// grow with all that wait.
func TestManyAgents(t *testing.T) {
	const agents = 20_000
	var edits, spawns strings.Builder
	for i := range agents {
		fmt.Fprintf(&edits, `{"e":"call","th":"a%d","c":"e%d","n":"Edit","at":5}
{"e":"edit","th":"a%d","c":"e%d","at":5,"path":"f%d.js","lines":"+postgres\n"}
`, i, i, i, i, i)
		fmt.Fprintf(&spawns, `{"e":"call","c":"s%d","n":"Task","at":3}
{"e":"result","c":"s%d","spawned":"a%d","at":3}
`, i, i, i)
	}
	main := `{"e":"user","id":"u","at":1,"t":"Let's use Postgres instead of MySQL."}` + "\n" + spawns.String()
	held := run(t, edits.String(), main)
	if n := count(held, "binding"); n != agents {
		t.Errorf("%d edits are bound, want %d", n, agents)
	}
}

// TestAgentsOfAgents: an edit looks back from the call of a person's own line, through
// as many agents as there may be between them, whatever is read first.
func TestAgentsOfAgents(t *testing.T) {
	line := func(by, who string) string {
		return fmt.Sprintf(`{"e":"call",%s"c":"s-%s","n":"Task","at":3}
{"e":"result",%s"c":"s-%s","spawned":"%s","at":3}
`, by, who, by, who, who)
	}
	main := `{"e":"user","id":"u","at":1,"t":"Let's use Postgres instead of MySQL."}` + "\n" + line("", "a0")
	streams := []string{main}
	const deep = 8
	for i := range deep {
		streams = append(streams, line(fmt.Sprintf(`"th":"a%d",`, i), fmt.Sprintf("a%d", i+1)))
	}
	edit := fmt.Sprintf(`{"e":"call","th":"a%d","c":"e","n":"Edit","at":5}
{"e":"edit","th":"a%d","c":"e","at":5,"path":"f.js","lines":"+postgres\n"}
`, deep, deep)
	for shift := range len(streams) {
		order := append([]string{edit}, append(streams[shift:len(streams):len(streams)], streams[:shift]...)...)
		if got := serves(run(t, order...)); got != "f.js: Let's use Postgres instead of MySQL." {
			t.Errorf("beginning with stream %d: bound as %q", shift, got)
		}
	}
}
