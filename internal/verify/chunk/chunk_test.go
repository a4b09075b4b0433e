package chunk_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

const line = `{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"Use Postgres instead of MySQL."}}` + "\n"

func inputs() []trial.Input {
	return []trial.Input{
		{Adapter: claudecode.Adapter{}, Path: "a", Name: "a", Data: []byte(line + line)},
		{Adapter: claudecode.Adapter{}, Path: "b", Name: "b", Data: nil},
		{Adapter: claudecode.Adapter{}, Path: "c", Name: "c", Data: []byte(line[:40])},
	}
}

// TestSchedules: whatever the schedule, every byte comes once, and no more.
func TestSchedules(t *testing.T) {
	in := inputs()
	r := rand.New(rand.NewPCG(1, 1))
	for name, s := range map[string]chunk.Schedule{
		"whole": chunk.Whole(in), "split": chunk.Split(in, 0, 7), "split at the start": chunk.Split(in, 0, 0),
		"split at the end": chunk.Split(in, 2, 40), "bytes": chunk.Bytes(in), "random": chunk.Random(in, r), "interleaved": chunk.Interleaved(in, r),
	} {
		left := []int{len(in[0].Data), len(in[1].Data), len(in[2].Data)}
		for _, p := range s {
			left[p.File] -= p.Len
		}
		if left[0] != 0 || left[1] != 0 || left[2] != 0 {
			t.Errorf("%s leaves %v bytes", name, left)
		}
	}
}

func TestDifferences(t *testing.T) {
	in := inputs()
	a, err := chunk.Play(in, chunk.Whole(in), true)
	if err != nil {
		t.Fatal(err)
	}
	b, err := chunk.Play(in, nil, true) // everything at the end
	if err != nil {
		t.Fatal(err)
	}
	if d := chunk.Differences(a, b); len(d) > 0 || len(a.Nodes) == 0 {
		t.Errorf("%d nodes, differences %q", len(a.Nodes), d)
	}
	in[2].Data = []byte(line)
	b, err = chunk.Play(in, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if d := chunk.Differences(a, b); len(d) != 1 {
		t.Errorf("another line in c: %q", d)
	}
	c := &chunk.Outcome{Events: a.Events, Nodes: maps.Clone(a.Nodes)}
	for id := range c.Nodes {
		c.Nodes[id] = "changed"
		break
	}
	c.Nodes["new"] = "new"
	if d := chunk.DifferentNodes(a, c); len(d) != 2 {
		t.Errorf("a node changed and one added: %q", d)
	}
}
