package ndjson_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// TestLongLines opens logs with lines of any length in little memory: a node that is longer than
// what is kept of a line is known by its id and its hash, a hole is cut out, and what is no node
// is refused.
func TestLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.ndjson")
	long := node("s", 1, "a", strings.Repeat("long ", 5<<20))
	after := node("s", 2, "b", "two")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text(long))
	}
	if err == nil {
		_, err = f.WriteAt([]byte("\n"+text(after)), 600<<20) // behind a hole of NULs
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var before, behind runtime.MemStats
	runtime.ReadMemStats(&before)
	l, err := ndjson.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&behind)
	if took := (behind.TotalAlloc - before.TotalAlloc) >> 20; took > 150 {
		t.Errorf("to open it took %d MB", took)
	}
	if err := l.Apply(t.Context(), []sink.Line{long, after}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := string(contents(t, path)), text(long, after); got != want {
		t.Errorf("the log has %d bytes, want %d", len(got), len(want))
	}
	write(t, path, []byte(text(after)+strings.Repeat("no node ", 3<<20)+"\n"))
	if l, err = ndjson.Open(path); err == nil || !strings.Contains(err.Error(), "line 2 is not a node") {
		t.Errorf("a long line that is no node: %v, %v", l, err)
	}
}
