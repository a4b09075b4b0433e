package testkit_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/chunk"
	"github.com/memscribe/memscribe/testkit/invariant"
	"github.com/memscribe/memscribe/testkit/run"
)

// maxFuzzed bounds what one execution reads.
const maxFuzzed = 64 << 10

func FuzzClaudeCode(f *testing.F) { fuzzTool(f, core.ClaudeCode) }
func FuzzCodex(f *testing.F)      { fuzzTool(f, core.Codex) }

// fuzzTool reads any bytes as a transcript of a tool, whole and in pieces: the
// invariants hold, and the pieces cannot be seen.
func fuzzTool(f *testing.F, tool core.Tool) {
	a, ok := adapters.ByTool(tool)
	if !ok {
		f.Fatalf("no adapter of %s", tool)
	}
	for _, s := range sessions(f, fixtures) {
		if s.Tool == tool {
			s.load(f)
			seed(f, s)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		if len(data) > maxFuzzed {
			return
		}
		inputs := []run.Input{{Adapter: a, Path: "projects/p/s.jsonl", Name: "s.jsonl", Data: data}}
		report(t, invariant.Result(whole(t, inputs)))
		r := rand.New(rand.NewPCG(seed, 0))
		same(t, play(t, inputs, chunk.Whole(inputs)), play(t, inputs, chunk.Random(inputs, r)), "in pieces")
	})
}

// seed adds what is small of a session: a transcript as it is, with a torn end,
// with two records on a line, and with zeros in the middle.
func seed(f *testing.F, s *session) {
	for _, in := range s.inputs {
		if len(in.Data) == 0 || len(in.Data) > 16<<10 {
			continue
		}
		half := len(in.Data) / 2
		f.Add(uint64(1), in.Data)
		f.Add(uint64(2), in.Data[:half])
		f.Add(uint64(3), bytes.Replace(in.Data, []byte("\n"), nil, 2))
		f.Add(uint64(4), append(append(bytes.Clone(in.Data[:half]), make([]byte, 64)...), in.Data[half:]...))
	}
}
