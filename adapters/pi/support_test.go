package pi_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/pi"
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
	return captureAll(t, []string{file}, map[string][]byte{file: data}, func(_ string, ev *core.Event) {
		if f != nil {
			f(ev)
		}
	})
}

// captureAll reads transcripts one after another, as one capture.
func captureAll(t testing.TB, files []string, data map[string][]byte, f func(file string, ev *core.Event)) (map[string]*core.Node, pipeline.Stats) {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]*core.Node{}
	var stats pipeline.Stats
	for _, file := range files {
		st := set.Open(pi.Adapter{}, core.StreamInfo{Path: filepath.ToSlash(file)}, file)
		st.OnEvent(func(ev *core.Event) { f(file, ev) })
		eachLine(data[file], st.Line)
		stats = st.Stats()
		for _, n := range set.Take() {
			held[n.ID] = n
		}
	}
	return held, stats
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
