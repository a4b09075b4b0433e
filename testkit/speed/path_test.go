package speed_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/frame"
	"github.com/memscribe/memscribe/sink/ndjson"
)

const corpusSize = 32 << 20

// walk is the floor: every token of every line, nothing done with it.
func walk(tb testing.TB, corpus []byte) {
	if err := tokens(corpus); err != nil {
		tb.Fatal(err)
	}
}

// tokens reads every token of every line.
func tokens(corpus []byte) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(nil))
	for line := range bytes.Lines(corpus) {
		dec.Reset(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		for {
			if _, err := dec.ReadToken(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// parse is what `memscribe parse FILE` does: bytes in, sorted lines of JSON out.
func parse(tb testing.TB, corpus []byte, scrubber core.Scrubber) (records int64) {
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	st := set.Open(claudecode.Adapter{}, core.StreamInfo{Path: "/p/s.jsonl"}, "/p/s.jsonl")
	out := ndjson.NewSorted(io.Discard)
	enc := encode.Encoder{Scrubber: scrubber}
	var lines frame.Lines
	var json []byte
	for chunk := range slices.Chunk(corpus, 256<<10) {
		lines.Feed(chunk, func(l frame.Line) { st.Line(l.Bytes, l.Offset, l.Number) })
		for _, n := range set.Take() {
			if json, err = enc.Node(json[:0], n); err != nil {
				tb.Fatal(err)
			}
			l := sink.Line{ID: n.ID, Kind: n.Name(), Source: n.Source, Session: n.Session, Thread: n.Thread, Seq: n.Seq, JSON: json}
			if err := out.Apply(context.Background(), []sink.Line{l}); err != nil {
				tb.Fatal(err)
			}
		}
	}
	if err := out.Close(); err != nil {
		tb.Fatal(err)
	}
	return st.Stats().Records
}

func BenchmarkPath(b *testing.B) {
	corpus := claude(corpusSize, 1)
	engine, err := redact.New(redact.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var records int64
	paths := []struct {
		name string
		run  func()
	}{
		{"jsontext-walk", func() { walk(b, corpus) }},
		{"parse", func() { records = parse(b, corpus, nil) }},
		{"parse-redacted", func() { records = parse(b, corpus, engine) }},
	}
	for _, p := range paths {
		b.Run(p.name, func(b *testing.B) {
			b.SetBytes(int64(len(corpus)))
			b.ReportAllocs()
			for b.Loop() {
				p.run()
			}
		})
	}
	b.Logf("%d records", records)
}

// BenchmarkRatio takes the floor and the path in turn and reports the median of
// the ratios, which a noisy machine leaves alone.
func BenchmarkRatio(b *testing.B) {
	corpus := claude(corpusSize, 1)
	timed := func(f func()) float64 {
		start := time.Now()
		f()
		return time.Since(start).Seconds()
	}
	var ratios []float64
	for b.Loop() {
		floor := timed(func() { walk(b, corpus) })
		path := timed(func() { parse(b, corpus, nil) })
		ratios = append(ratios, floor/path)
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "parse/walk")
}
