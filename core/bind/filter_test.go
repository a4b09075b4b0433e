package bind_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/memscribe/memscribe/core/bind"
)

// TestManyTerms: however many names a thread's decisions have, an edit finds the
// one whose name it has.
func TestManyTerms(t *testing.T) {
	x := new(bind.Index)
	const n = 5000
	for i := range n {
		x.Add(decided(uint64(i+1), fmt.Sprintf("Use lib_%d.", i)))
	}
	for i := range n {
		e := edit("a.js", fmt.Sprintf("+lib_%d()", i))
		e.CallSeq = n + 1
		want := fmt.Sprintf("produced %d shared_identifier", i+1)
		if got := show(bind.Links(e, bind.Context{Index: x, Seq: n + 1, Known: n + 1})); got != want {
			t.Fatalf("lib_%d: %q, want %q", i, got, want)
		}
	}
}

// TestSmallIndex: a thread with one decision costs hundreds of bytes and not
// thousands.
func TestSmallIndex(t *testing.T) {
	const most, n = 3 << 10, 1000
	d := decided(1, "Use Postgres instead of MySQL.", chosen("Postgres"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	kept := make([]*bind.Index, n) // so that none stays on the stack
	for i := range kept {
		kept[i] = new(bind.Index)
		kept[i].Add(d)
	}
	runtime.ReadMemStats(&after)
	if size := (after.TotalAlloc - before.TotalAlloc) / n; size > most {
		t.Errorf("an index of one decision takes %d bytes, want at most %d", size, most)
	}
}
