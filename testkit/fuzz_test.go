package testkit_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

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
	for _, s := range latest(sessions(f, fixtures), tool) {
		s.load(f)
		seed(f, s)
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

// latest picks each scenario of a tool as its last version plays it.
func latest(all []*session, tool core.Tool) []*session {
	last := map[string]*session{}
	for _, s := range all {
		if have := last[s.Scenario]; s.Tool == tool && (have == nil || semver.Compare("v"+s.Version, "v"+have.Version) > 0) {
			last[s.Scenario] = s
		}
	}
	return slices.SortedFunc(maps.Values(last), func(a, b *session) int { return strings.Compare(a.Scenario, b.Scenario) })
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
