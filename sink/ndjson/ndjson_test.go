package ndjson_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// node makes a line in the form in which nodes are written.
func node(session string, seq uint64, id, text string) sink.Line {
	return sink.Line{
		ID: id, Kind: "decision", Source: core.Codex, Session: session, Seq: seq,
		JSON: fmt.Appendf(nil, `{"schema":"memscribe.node/v1","node":"decision","id":%q,"text":%q}`, id, text),
	}
}

func text(lines ...sink.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.Write(l.JSON)
		b.WriteByte('\n')
	}
	return b.String()
}

func apply(t *testing.T, s sink.Sink, lines ...sink.Line) {
	t.Helper()
	if err := s.Apply(t.Context(), lines); err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		clear(lines[i].JSON) // nothing of it may be kept
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestSorted(t *testing.T) {
	var out bytes.Buffer
	s := ndjson.NewSorted(&out)
	for _, l := range []sink.Line{
		node("b", 1, "x", "old"), node("a", 2, "z", "1"), node("a", 2, "y", "2"), node("b", 0, "w", "3"), node("b", 1, "x", "new"),
	} {
		if err := s.Apply(t.Context(), []sink.Line{l}); err != nil {
			t.Fatal(err)
		}
		clear(l.JSON)
	}
	if out.Len() > 0 {
		t.Errorf("wrote %q before Flush", out.String())
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := text(node("a", 2, "y", "2"), node("a", 2, "z", "1"), node("b", 0, "w", "3"), node("b", 1, "x", "new"))
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

// TestSortedSpills writes more than memory holds, twice, and leaves nothing in
// the folder of temporary files.
func TestSortedSpills(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	rng := rand.New(rand.NewPCG(1, 2))
	filler := strings.Repeat("x", 100<<10)
	var lines []sink.Line
	for i := range 300 {
		lines = append(lines, node("s", uint64(i), fmt.Sprint("id", i), filler[:rng.IntN(len(filler))]))
	}
	want := text(lines...)
	var out bytes.Buffer
	s := ndjson.NewSorted(&out)
	for _, i := range rng.Perm(len(lines)) {
		stale := node("s", uint64(i), fmt.Sprint("id", i), filler)
		if err := s.Apply(t.Context(), []sink.Line{stale, lines[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := os.ReadDir(tmp); runtime.GOOS != "windows" && len(left) > 0 {
		t.Errorf("temporary file has a name: %v", left)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got %d bytes, want %d", out.Len(), len(want))
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSortedGivesUpWhenInterrupted(t *testing.T) {
	var out bytes.Buffer
	s := ndjson.NewSorted(&out)
	if err := s.Apply(t.Context(), []sink.Line{node("a", 1, "x", "1")}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Flush(ctx); !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("got %v and %d bytes", err, out.Len())
	}
}

// TestSortedGoesOn flushes again after a flush that was interrupted, what has
// come meanwhile too.
func TestSortedGoesOn(t *testing.T) {
	var out bytes.Buffer
	s := ndjson.NewSorted(&out)
	first := []sink.Line{node("b", 1, "x", "1"), node("a", 1, "y", "1"), node("a", 1, "z", "1")}
	if err := s.Apply(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := s.Apply(t.Context(), []sink.Line{node("b", 1, "x", "2"), node("a", 1, "z", "2")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := text(node("a", 1, "y", "1"), node("a", 1, "z", "2"), node("b", 1, "x", "2")); out.String() != want {
		t.Errorf("got %s, want %s", &out, want)
	}
}

func TestLogWritesChangesOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "log.ndjson")
	l, err := ndjson.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, l, node("a", 1, "x", "1"), node("a", 2, "y", "1"))
	apply(t, l, node("a", 1, "x", "1"))
	apply(t, l, node("a", 1, "x", "2"), node("a", 1, "x", "2"), node("a", 2, "y", "1"))
	if err = errors.Join(l.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	want := text(node("a", 1, "x", "1"), node("a", 2, "y", "1"), node("a", 1, "x", "2"))
	checkFile(t, path, want)

	l, err = ndjson.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	apply(t, l, node("a", 1, "x", "2"), node("a", 2, "y", "1"))
	checkFile(t, path, want)
	apply(t, l, node("a", 1, "x", "1")) // as it once was
	checkFile(t, path, want+text(node("a", 1, "x", "1")))
}

func TestLogIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of the folder")
	}
	path := filepath.Join(t.TempDir(), "new", "log.ndjson")
	l, err := ndjson.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode().Perm(), err, want)
		}
	}
}

func TestLogRepairs(t *testing.T) {
	good := text(node("a", 1, "x", "1"), node("a", 2, "y", "1"))
	const begun = `{"schema":"memscribe.node/v1","node":"deci`
	tests := map[string]struct {
		before, after string // of the file, before and after opening
		fails         bool
	}{
		"empty":              {"", "", false},
		"whole":              {good, good, false},
		"torn line":          {good + `{"schema":"memscr`, good, false},
		"whole but no end":   {good + good[:len(good)/2-1], good, false},
		"only a torn line":   {`{"schema":"memscribe.node/v1","no`, "", false},
		"never reached disk": {good + "\x00\x00\x00\x00", good, false},
		"nul with line end":  {good + "\x00\x00\n\x00\"}\n", good, false},
		"nul in the middle":  {good + "\x00\x00\n" + good, good + good, false},
		"nul in two places":  {begun + "\x00\x00\"}\n" + good + "\x00\n" + good + "\x00", good + good, false},
		"nul in the first":   {begun + "\x00\x00\"}\n" + begun, "", false},
		"nul only":           {"\x00\x00\x00", "", false},
		"nul at the start":   {"\x00\x00\"}\n" + good, good, false},
		"someone's nul":      {"hello\x00\n", "", true},
		"someone's file":     {"hello\n", "", true},
		"someone's word":     {"hello", "", true},
		"events":             {`{"schema":"memscribe.event/v1","id":"x"}` + "\n", "", true},
		"broken line inside": {good + "{\n" + good, "", true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(tc.before), 0o600); err != nil {
				t.Fatal(err)
			}
			l, err := ndjson.Open(path)
			if tc.fails {
				if err == nil {
					t.Error("opened")
				}
				checkFile(t, path, tc.before)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			apply(t, l, node("a", 9, "new", "1"))
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			checkFile(t, path, tc.after+text(node("a", 9, "new", "1")))
		})
	}
}

// tornWriter takes so many bytes and then fails, as a full disk does.
type tornWriter struct {
	bytes.Buffer

	room int
}

func (w *tornWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.room)
	w.room -= n
	w.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space")
	}
	return n, nil
}

func TestFailedWrites(t *testing.T) {
	for name, s := range map[string]sink.Sink{
		"log":    ndjson.NewLog(&tornWriter{room: 10}),
		"sorted": ndjson.NewSorted(&tornWriter{room: 10}),
	} {
		t.Run(name, func(t *testing.T) {
			line := []sink.Line{node("a", 1, "x", "1")}
			err := errors.Join(s.Apply(t.Context(), line), s.Flush(t.Context()))
			if err == nil || !strings.Contains(err.Error(), "no space") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestFold holds Log against Sorted: the same lines, folded.
func TestFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var log, sorted bytes.Buffer
	l, s := ndjson.NewLog(&log), ndjson.NewSorted(&sorted)
	for range 500 {
		id := rng.IntN(50)
		n := node(fmt.Sprint(id%3), uint64(id), fmt.Sprint(id), fmt.Sprint(rng.IntN(3)))
		if err := errors.Join(l.Apply(t.Context(), []sink.Line{n}), s.Apply(t.Context(), []sink.Line{n})); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(l.Flush(t.Context()), s.Flush(t.Context())); err != nil {
		t.Fatal(err)
	}
	last := map[string]string{}
	for line := range strings.Lines(log.String()) {
		id := strings.SplitN(line, `"id":`, 2)[1]
		last[id[:strings.Index(id, ",")]] = line
	}
	var folded []string
	for _, line := range last {
		folded = append(folded, line)
	}
	want := slices.Sorted(strings.Lines(sorted.String()))
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(folded))); diff != "" {
		t.Errorf("(-sorted +folded):\n%s", diff)
	}
	if strings.Count(log.String(), "\n") >= 500 {
		t.Error("the log repeats what it holds")
	}
}

func checkFile(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func BenchmarkSorted(b *testing.B) {
	benchmark(b, func() sink.Sink { return ndjson.NewSorted(discard{}) })
}

func BenchmarkLog(b *testing.B) { benchmark(b, func() sink.Sink { return ndjson.NewLog(discard{}) }) }

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func benchmark(b *testing.B, open func() sink.Sink) {
	var lines []sink.Line
	size := 0
	for i := range 2000 {
		lines = append(lines, node("s", uint64(i*7919%2000), fmt.Sprint("id", i), strings.Repeat("x", 2500)))
		size += len(lines[i].JSON)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		s := open()
		for at := 0; at < len(lines); at += 100 {
			if err := s.Apply(b.Context(), lines[at:at+100]); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHollow puts a file aside of which the beginning was lost, and all that could
// say whose it is.
func TestHollow(t *testing.T) {
	begun := string(node("a", 1, "x", "1").JSON)
	for name, before := range map[string]string{
		"from the start":       "\x00\x00\x00,\"seq\":7}\n",
		"in the first line":    begun[:60] + "\x00\x00\x00\n\x00\x00,\"seq\":7}\n",
		"in all that is there": begun[:60] + "\x00\x00\n\x00\x00,\"se",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			l, err := ndjson.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			apply(t, l, node("a", 1, "x", "1"))
			checkFile(t, path, text(node("a", 1, "x", "1")))
			checkFile(t, path+".damaged", before)
		})
	}
}
