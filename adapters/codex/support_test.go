package codex_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/codex"
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

// rollouts lists the transcripts below a folder, oldest first.
func rollouts(t testing.TB, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasPrefix(d.Name(), "rollout-") && strings.HasSuffix(path, ".jsonl") {
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

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// capture reads transcripts one after another and shows each event to f.
func capture(t testing.TB, files map[string][]byte, order []string, f func(file string, ev *core.Event)) (map[string]*core.Node, pipeline.Stats) {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]*core.Node{}
	var stats pipeline.Stats
	for _, file := range order {
		st := set.Open(codex.Adapter{}, core.StreamInfo{Path: filepath.ToSlash(file)}, file)
		if f != nil {
			st.OnEvent(func(ev *core.Event) { f(file, ev) })
		}
		eachLine(files[file], st.Line)
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

// one reads a single transcript.
func one(t testing.TB, path, data string, f func(ev *core.Event)) {
	t.Helper()
	capture(t, map[string][]byte{path: []byte(data)}, []string{path}, func(_ string, ev *core.Event) { f(ev) })
}
