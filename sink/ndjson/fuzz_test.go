package ndjson_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// FuzzOpen opens any bytes as a log that is there already. What is refused is left as it was, or
// kept beside; what is taken keeps every line that is a node, and goes on as a log does.
func FuzzOpen(f *testing.F) {
	a, b := text(node("s", 1, "a", "one")), text(node("s", 2, "b", "two"))
	for _, seed := range []string{
		"", "\n", a, a + b, a + b[:20], a[:20], "\x00\x00" + a, a + "\x00\x00\x00" + b, a + "\x00\x00\n" + b, "not a log\n", a + "{}\n" + b, a + a, "{\"schema\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, was []byte) {
		path := filepath.Join(t.TempDir(), "nodes.ndjson")
		write(t, path, was)
		l, err := ndjson.Open(path)
		if err != nil {
			if now := contents(t, path); !bytes.Equal(now, was) {
				t.Fatalf("refused with %v, and changed:\n%q\n%q", err, was, now)
			}
			return
		}
		held := contents(t, path)
		for line := range bytes.Lines(held) {
			if !bytes.Contains(was, line) {
				t.Fatalf("%q was not there", line)
			}
		}
		if len(held) == 0 && bytes.HasPrefix(was, []byte(a)) {
			t.Fatalf("a node is gone")
		}
		next := []sink.Line{node("s", 3, "c", "three")}
		for range 2 { // the second time by a log that knows it
			if err := l.Apply(t.Context(), next); err != nil {
				t.Fatal(err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if want, got := string(held)+text(next...), string(contents(t, path)); want != got && !bytes.Contains(held, []byte(text(next...))) {
				t.Fatalf("got  %q\nwant %q", got, want)
			}
			if l, err = ndjson.Open(path); err != nil {
				t.Fatalf("its own log is refused: %v", err)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
