package copilot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/core"
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

// filesBelow lists the files below a folder whose names end in one of several
// ways.
func filesBelow(t testing.TB, dir string, ends ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, end := range ends {
			if strings.HasSuffix(path, end) {
				files = append(files, path)
				break
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// capture reads a transcript and shows each event to f.
func capture(t testing.TB, file string, data []byte, f func(ev *core.Event)) (map[string]*core.Node, pipeline.Stats) {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := set.Open(copilot.Adapter{}, core.StreamInfo{Path: filepath.ToSlash(file)}, file)
	if f != nil {
		st.OnEvent(f)
	}
	if (copilot.Adapter{}).Framing(core.Sample{Path: file, Head: data}) == core.Document {
		st.Line(data, 0, 1)
	} else {
		eachLine(data, st.Line)
	}
	held := map[string]*core.Node{}
	for _, n := range set.Take() {
		held[n.ID] = n
	}
	return held, st.Stats()
}

func eachLine(data []byte, f func(line []byte, offset, no int64)) {
	var offset, no int64
	for line := range bytes.Lines(data) {
		no++
		if trimmed := bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(trimmed)) > 0 {
			f(trimmed, offset, no)
		}
		offset += int64(len(line))
	}
}
