package pipeline_test

import (
	"fmt"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
)

// session writes n events of a session: turns that decide something, calls,
// edits, and much talk in between.
func sessionLines(n int) [][]byte {
	lines := make([][]byte, 0, n)
	for i := 0; len(lines) < n; i++ {
		lines = append(lines,
			fmt.Appendf(nil, `{"e":"user","id":"u%d","at":%d,"t":"Let's use lib_%d instead of old_%d for module %d."}`, i, i, i, i, i),
			fmt.Appendf(nil, `{"e":"say","t":"I will look at module %d first, then change what needs changing."}`, i),
			fmt.Appendf(nil, `{"e":"call","c":"call_%016d","n":"Edit"}`, i),
			fmt.Appendf(nil, `{"e":"result","c":"call_%016d"}`, i),
			fmt.Appendf(nil, `{"e":"edit","c":"call_%016d","path":"src/m%d.js","lines":"-old_%d()\n+lib_%d()\n"}`, i, i%50, i, i),
		)
	}
	return lines[:n]
}

// BenchmarkAppend is the cost of one more event at the end of a session of that
// many: it must not grow with the session.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			const extra = 20_000
			lines := sessionLines(n + extra)
			var set *pipeline.Set
			var st *pipeline.Stream
			next := len(lines)
			b.ReportAllocs()
			for b.Loop() {
				if next == len(lines) {
					b.StopTimer()
					set, st = filled(b, lines[:n])
					next = n
					b.StartTimer()
				}
				st.Line(lines[next], int64(next), int64(next))
				set.Take()
				next++
			}
		})
	}
}

func filled(b *testing.B, lines [][]byte) (*pipeline.Set, *pipeline.Stream) {
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		b.Fatal(err)
	}
	st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
	for i, l := range lines {
		st.Line(l, int64(i), int64(i))
	}
	set.Take()
	return set, st
}
