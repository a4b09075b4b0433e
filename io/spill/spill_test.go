package spill_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/io/spill"
)

// TestPutGet puts texts of all sizes and asks for them in any order.
func TestPutGet(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	s, err := spill.New()
	if err != nil {
		t.Fatal(err)
	}
	type put struct {
		at   int64
		text string
	}
	random := rand.New(rand.NewPCG(1, 2))
	var all []put
	for i := range 300 {
		size := random.IntN(20 << 10)
		if i%100 == 7 {
			size = 600 << 10 // more than is held
		}
		text := strings.Repeat(string(rune('a'+i%26))+"é", size/3+1)
		at, err := s.Put(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, put{at, text})
		old := all[random.IntN(len(all))]
		got, err := s.Get(old.at, len(old.text))
		if err != nil || got != old.text {
			t.Fatalf("Get(%d, %d) = %d bytes, %v", old.at, len(old.text), len(got), err)
		}
	}
	last := all[len(all)-1]
	if _, err := s.Get(last.at, len(last.text)+1); err == nil {
		t.Error("more than was put there can be had")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// TestSecret looks at the file itself: no word of a text stands in it, and
// nobody else may read it.
func TestSecret(t *testing.T) {
	const canary = "the-canary-sings"
	s, err := spill.New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 100 {
		if _, err := s.Put(strings.Repeat(canary, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	found := 0
	for _, name := range openFiles(t) {
		found++
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v (%v)", info.Mode(), err)
		}
		if len(raw) < 1<<20 || bytes.Contains(raw, []byte(canary)) {
			t.Errorf("%d bytes, or a text can be read in them", len(raw))
		}
	}
	if found != 1 {
		t.Errorf("%d files, want one", found)
	}
}

// openFiles are the files of shelves that this process has open.
func openFiles(t *testing.T) []string {
	const folder = "/proc/self/fd"
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Skip("the system does not show which files are open")
	}
	var names []string
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		if to, err := os.Readlink(name); err == nil && strings.Contains(to, ".store") {
			names = append(names, name)
		}
	}
	return names
}

// TestBroken has no place to write to: what was taken can be had, and no more is
// taken.
func TestBroken(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	t.Setenv("TMP", filepath.Join(t.TempDir(), "none"))
	s, err := spill.New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	text := strings.Repeat("x", 200<<10)
	at, err := s.Put(text)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Put(text); err == nil {
			t.Error("what cannot be written was taken")
		}
	}
	if got, err := s.Get(at, len(text)); err != nil || got != text {
		t.Errorf("what was taken cannot be had: %v", err)
	}
}
