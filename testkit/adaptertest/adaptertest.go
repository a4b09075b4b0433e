// Package adaptertest holds what the tests of adapters share: it finds recorded and
// collected transcripts, reads them as the commands do, and checks what must hold
// for any tool.
package adaptertest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/frame"
	"github.com/memscribe/memscribe/testkit/size"
)

// sharedRoot is the folder of recorded and collected transcripts, beside the
// repository, as seen from the package of an adapter.
const sharedRoot = "../../../shared"

// Shared returns a folder of transcripts, or skips the test where there is none.
func Shared(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(sharedRoot, filepath.FromSlash(dir))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no transcripts at %s", path)
	}
	return path
}

// Files lists the files below a folder whose slash-separated paths match, sorted.
func Files(t testing.TB, dir string, match func(path string) bool) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && match(filepath.ToSlash(path)) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// large is a file that is left out at the ordinary size.
const large = 256 << 10

// Spare leaves out large files unless tests are run in full: see [size].
func Spare(t testing.TB, files []string) []string {
	t.Helper()
	if size.IsFull() {
		return files
	}
	return slices.DeleteFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() > large
	})
}

// Ending matches paths that end in one of several ways.
func Ending(ends ...string) func(path string) bool {
	return func(path string) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) })
	}
}

// Read returns what is in a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ReadOne returns what is in the one file that a pattern matches.
func ReadOne(t testing.TB, pattern string) []byte {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s matches %q, %v; want one file", pattern, files, err)
	}
	return Read(t, files[0])
}

// Lines cuts a transcript into its records, the way that the adapter says.
func Lines(a core.Adapter, path string, data []byte, each func(line []byte, offset, number int64)) {
	framer := trial.Input{Adapter: a, Path: filepath.ToSlash(path), Data: data}.Framer()
	emit := func(l frame.Line) { each(l.Bytes, l.Offset, l.Number) }
	framer.Feed(data, emit)
	framer.Flush(emit)
}

// Events reads a transcript and shows each event to f.
func Events(t testing.TB, a core.Adapter, path string, data []byte, f func(*core.Event)) pipeline.Stats {
	t.Helper()
	_, stats := Capture(t, a, path, data, f)
	return stats
}

// Capture reads a transcript, shows each event to f if that is not nil, and
// returns the nodes by their ids.
func Capture(t testing.TB, a core.Adapter, path string, data []byte, f func(*core.Event)) (map[string]*core.Node, pipeline.Stats) {
	t.Helper()
	return capture(t, pipeline.Options{}, trial.Input{Adapter: a, Path: path, Data: data}, f)
}

// Pushed reads what a tool pushed, as if its sessions had no transcripts, and
// returns what a sink would hold. It shows each event to f if that is not nil.
func Pushed(t testing.TB, a core.Adapter, data []byte, f func(*core.Event)) map[string]*core.Node {
	t.Helper()
	held, _ := capture(t, pipeline.Options{Echoes: true}, trial.Input{Adapter: a, Path: "/j/x.jsonl", Data: data}, f)
	return held
}

func capture(t testing.TB, o pipeline.Options, in trial.Input, f func(*core.Event)) (map[string]*core.Node, pipeline.Stats) {
	t.Helper()
	set, err := pipeline.NewSet(o)
	if err != nil {
		t.Fatal(err)
	}
	st := set.Open(in.Adapter, core.StreamInfo{Path: filepath.ToSlash(in.Path)}, in.Path)
	if f != nil {
		st.OnEvent(f)
	}
	Lines(in.Adapter, in.Path, in.Data, st.Line)
	held := map[string]*core.Node{}
	for _, n := range set.Take() {
		held[n.ID] = n
	}
	return held, st.Stats()
}

// Encoded reads a transcript into the text form of its events, and shows each to
// f if that is not nil.
func Encoded(t testing.TB, a core.Adapter, path string, data []byte, f func(*core.Event)) ([]byte, pipeline.Stats) {
	t.Helper()
	var enc encode.Encoder
	var out []byte
	stats := Events(t, a, path, data, func(ev *core.Event) {
		if f != nil {
			f(ev)
		}
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Fatal(err)
		}
		out = append(b, '\n')
	})
	return out, stats
}

// Parse parses a transcript with nothing behind the parser, which is much faster:
// it numbers the events, shows them to f, and counts records and events.
func Parse(a core.Adapter, path string, data []byte, f func(*core.Event)) (records, events int) {
	p := a.NewParser(core.StreamInfo{Path: path})
	var doc jsondoc.Doc
	emit := func(ev *core.Event) {
		ev.Seq = uint64(events)
		events++
		f(ev)
	}
	Lines(a, path, data, func(line []byte, _, _ int64) {
		rec := core.Record{Bytes: line}
		if n, err := doc.Parse(line); err == nil {
			rec.Bytes, rec.Doc = line[:n], &doc
		} else {
			rec.Err = err
		}
		records++
		p.Parse(rec, emit)
	})
	return records, events
}

// Fit judges a transcript by its beginning and the path given.
func Fit(a core.Adapter, path string, data []byte) core.Fit {
	return a.Detect(core.Sample{Path: filepath.ToSlash(path), Head: data[:min(len(data), 64<<10)]})
}
