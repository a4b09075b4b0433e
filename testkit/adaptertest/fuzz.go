package adaptertest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/size"
)

// maxFuzzed bounds what one execution reads through the whole pipeline.
const maxFuzzed = 64 << 10

// Fuzz has no bytes lose a record, break an event, or give two readings, whatever
// file they are in; and none break what the contract promises of any result,
// or show in what pieces they came. The smallest recordings of versions are
// seeds: as they are, with a torn end, with two records on a line, and with zeros
// in the middle. So are the samples; others are added before, as a path and bytes.
func Fuzz(f *testing.F, a core.Adapter, samples ...Sample) {
	for _, s := range samples {
		f.Add(s.Path, []byte(s.Data))
	}
	for _, in := range small(f, a) {
		half := len(in.Data) / 2
		f.Add(in.Path, in.Data)
		f.Add(in.Path, in.Data[:half])
		f.Add(in.Path, bytes.Replace(in.Data, []byte("\n"), nil, 2))
		f.Add(in.Path, slices.Concat(in.Data[:half], make([]byte, 64), in.Data[half:]))
	}
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		first, records, events := bare(t, a, path, data)
		if again, _, _ := bare(t, a, path, data); !bytes.Equal(first, again) {
			t.Error("two readings differ")
		}
		if events < records {
			t.Errorf("%d records gave %d events", records, events)
		}
		a.Detect(core.Sample{Path: path, Head: data[:min(len(data), 64<<10)]})
		if len(data) <= maxFuzzed {
			through(t, []trial.Input{{Adapter: a, Path: path, Name: "s.jsonl", Data: data}})
		}
	})
}

// through takes transcripts through the pipeline, whole and in pieces.
func through(t *testing.T, inputs []trial.Input) {
	t.Helper()
	r, err := trial.Whole(inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range invariant.Result(r) {
		t.Error(p)
	}
	pieces(t, inputs, uint64(len(inputs[0].Data)))
}

// pieces has transcripts come in pieces that a seed chooses: no one can tell.
func pieces(t *testing.T, inputs []trial.Input, seed uint64) {
	t.Helper()
	whole, err := chunk.Play(inputs, chunk.Whole(inputs), true)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := chunk.Play(inputs, chunk.Random(inputs, rand.New(rand.NewPCG(seed, 0))), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range chunk.Differences(whole, cut) {
		t.Errorf("in pieces: %s", d)
	}
}

func bare(t *testing.T, a core.Adapter, path string, data []byte) (out []byte, records, events int) {
	var enc encode.Encoder
	records, events = Parse(a, path, data, func(ev *core.Event) {
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Fatal(err)
		}
		out = append(b, '\n')
	})
	return out, records, events
}

// small are the smallest transcripts of the corpus, one of each version: of each by the
// first two of its numbers, unless tests are run in full.
func small(t testing.TB, a core.Adapter) []trial.Input {
	t.Helper()
	least := map[string]trial.Input{}
	for _, c := range cases(t, a) {
		inputs, err := trial.Inputs(c, a)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range inputs {
			version := c.Version
			if parts := strings.SplitN(version, ".", 3); len(parts) == 3 && !size.IsFull() {
				version = parts[0] + "." + parts[1]
			}
			if have, ok := least[version]; !ok || len(in.Data) < len(have.Data) {
				least[version] = in
			}
		}
	}
	var all []trial.Input
	for _, version := range slices.Sorted(maps.Keys(least)) {
		all = append(all, least[version])
	}
	return all
}

// BenchmarkCorpus reads all recordings of the corpus into events, and then each
// sample: the index of each record and the parser, and nothing behind it.
func BenchmarkCorpus(b *testing.B, a core.Adapter, samples ...Sample) {
	var recorded []trial.Input
	for _, c := range cases(b, a) {
		inputs, err := trial.Inputs(c, a)
		if err != nil {
			b.Fatal(err)
		}
		recorded = append(recorded, inputs...)
	}
	if len(recorded) > 0 {
		b.Run("corpus", func(b *testing.B) { benchmark(b, recorded) })
	}
	for i, s := range samples {
		b.Run(fmt.Sprintf("sample%d", i), func(b *testing.B) {
			benchmark(b, []trial.Input{{Adapter: a, Path: s.Path, Data: []byte(s.Data)}})
		})
	}
}

func benchmark(b *testing.B, inputs []trial.Input) {
	size := 0
	for _, in := range inputs {
		size += len(in.Data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, in := range inputs {
			Parse(in.Adapter, in.Path, in.Data, func(*core.Event) {})
		}
	}
}

// Benchmark reads a transcript into a consumer that does nothing.
func Benchmark(b *testing.B, a core.Adapter, path string, data []byte) {
	benchmark(b, []trial.Input{{Adapter: a, Path: path, Data: data}})
}

// BenchmarkShared reads all transcripts of folders below the shared one, each
// folder a benchmark of its own: the index of each record and the parser, and
// nothing behind it.
func BenchmarkShared(b *testing.B, a core.Adapter, match func(path string) bool, dirs ...string) {
	for _, dir := range dirs {
		kind, _, _ := strings.Cut(dir, "/")
		b.Run(kind, func(b *testing.B) {
			var inputs []trial.Input
			for _, path := range Files(b, Shared(b, dir), match) {
				inputs = append(inputs, trial.Input{Adapter: a, Path: path, Data: Read(b, path)})
			}
			benchmark(b, inputs)
		})
	}
}
