package gemini_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
)

// shared is the folder of recorded and collected transcripts, beside the
// repository.
const shared = "../../../shared"

// sharedDir returns a folder of transcripts, or skips the test.
func sharedDir(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(shared, dir)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no transcripts at %s", path)
	}
	return path
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sessions lists the transcripts below a folder.
func sessions(t testing.TB, dir string, match func(path string) bool) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
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

func isChat(path string) bool { return strings.Contains(path, "/chats/") }

func isJSON(path string) bool {
	return strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl")
}

// records cuts a transcript the way its framing says.
func records(path string, data []byte, each func(record []byte, offset, no int64)) {
	sample := core.Sample{Path: filepath.ToSlash(path), Head: data[:min(len(data), 64<<10)]}
	if (gemini.Adapter{}).Framing(sample) == core.Document {
		if len(bytes.TrimSpace(data)) > 0 {
			each(data, 0, 1)
		}
		return
	}
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
	st := set.Open(gemini.Adapter{}, core.StreamInfo{Path: filepath.ToSlash(path)}, path)
	st.OnEvent(f)
	records(path, data, st.Line)
	return st.Stats()
}

// parse parses a transcript with nothing behind the parser: it numbers the
// events, shows them to f, and counts the records.
func parse(path string, data []byte, f func(*core.Event)) (recs, events int) {
	p := gemini.Adapter{}.NewParser(core.StreamInfo{Path: path})
	var doc jsondoc.Doc
	emit := func(ev *core.Event) {
		ev.Seq = uint64(events)
		events++
		f(ev)
	}
	records(path, data, func(record []byte, _, _ int64) {
		rec := core.Record{Bytes: record}
		if n, err := doc.Parse(record); err == nil {
			rec.Bytes, rec.Doc = record[:n], &doc
		} else {
			rec.Err = err
		}
		recs++
		p.Parse(rec, emit)
	})
	return recs, events
}

// encoded parses a transcript into the text form of its events.
func encoded(t testing.TB, path string, data []byte) []byte {
	t.Helper()
	var enc core.Encoder
	var out []byte
	events(t, path, data, func(ev *core.Event) {
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Fatal(err)
		}
		out = append(b, '\n')
	})
	return out
}

// truth is what really happened in a recorded run.
type truth struct {
	Repo    string
	Prompts []struct{ Text string }
	Starts  []string `json:"turn_starts"`
	Edits   []struct {
		Path           string
		Tool           string
		Applied, Shell bool
		Subagent       bool
	}
	ToolCalls []struct {
		Tool    string
		IsError bool `json:"is_error"`
	} `json:"tool_calls"`
	Failures int `json:"tool_failures"`
}

func readTruth(t *testing.T, path string) *truth {
	t.Helper()
	tr := &truth{}
	if err := json.Unmarshal(readFile(t, path), tr); err != nil {
		t.Fatal(err)
	}
	return tr
}
