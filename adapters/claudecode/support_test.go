package claudecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
)

// shared is the folder of recorded and collected transcripts, beside the
// repository.
const shared = "../../../shared"

// sharedDir returns a folder of recorded transcripts, or skips the test.
func sharedDir(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(shared, dir)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no transcripts at %s", path)
	}
	return path
}

// jsonlFiles lists the transcripts below a folder.
func jsonlFiles(t testing.TB, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".jsonl" && d.Name() != "history.jsonl" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// lines cuts a transcript into its lines.
func lines(data []byte, each func(line []byte, offset, no int64)) {
	var offset, no int64
	for line := range bytes.Lines(data) {
		no++
		if trimmed := bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(trimmed)) > 0 {
			each(trimmed, offset, no)
		}
		offset += int64(len(line))
	}
}

// events parses a transcript and shows each event to f.
func events(t testing.TB, path string, data []byte, f func(*core.Event)) pipeline.Stats {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := set.Open(claudecode.Adapter{}, core.StreamInfo{Path: filepath.ToSlash(path)}, path)
	st.OnEvent(f)
	lines(data, st.Line)
	return st.Stats()
}

// parse parses a transcript with nothing behind the parser: it numbers the
// events, shows them to f, and counts the records.
func parse(path string, data []byte, f func(*core.Event)) (records, events int) {
	p := claudecode.Adapter{}.NewParser(core.StreamInfo{Path: path})
	var doc jsondoc.Doc
	emit := func(ev *core.Event) {
		ev.Seq = uint64(events)
		events++
		f(ev)
	}
	lines(data, func(line []byte, _, _ int64) {
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

// encoded parses a transcript into the text form of its events.
func encoded(t testing.TB, path string, data []byte) []byte {
	t.Helper()
	var enc encode.Encoder
	var out []byte
	records, events := parse(path, data, func(ev *core.Event) {
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Errorf("encode event: %v", err)
		}
		out = append(b, '\n')
		if r, ok := ev.Body.(*core.Rewind); ok && r.ToSeq >= ev.Seq {
			t.Errorf("a rewind from %d to %d", ev.Seq, r.ToSeq)
		}
	})
	if events < records {
		t.Errorf("%d records gave %d events", records, events)
	}
	return out
}
