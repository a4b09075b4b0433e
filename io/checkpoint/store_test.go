package checkpoint_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/io/discover"
)

func open(t testing.TB, path, binding string) *checkpoint.Store {
	t.Helper()
	s, err := checkpoint.Open(path, binding)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func stamp(n int64) discover.Stamp {
	return discover.Stamp{Device: 1, Inode: uint64(n), Size: n, Modified: -n, Changed: n}
}

// said is everything that a store says, so that two can be compared. Groups are
// told by what is in them.
func said(s *checkpoint.Store, keys int) string {
	var lines []string
	s.Each(func(path string, t discover.Stamp) { lines = append(lines, fmt.Sprint("done ", path, t)) })
	for k := range keys {
		lines = append(lines, fmt.Sprint("key ", k, s.Paths(s.Holder(uint64(k)))))
	}
	for i := range 20 {
		lines = append(lines, fmt.Sprint("group of ", i, s.Paths(s.Of(fmt.Sprint("/", i)))))
	}
	slices.Sort(lines)
	return fmt.Sprint(s.Len(), " ", s.Mark(), "\n", strings.Join(lines, "\n"))
}

// work does something that a capture does.
func work(s *checkpoint.Store, rng *rand.Rand, keys int) {
	path := fmt.Sprint("/", rng.IntN(20))
	switch rng.IntN(5) {
	case 0:
		if s.Of(path) == 0 {
			s.Add(s.New(), path)
		}
	case 1:
		if g := s.Join(s.Of(path), s.Of(fmt.Sprint("/", rng.IntN(20)))); g != 0 && s.Of(path) == 0 {
			s.Add(g, path)
		}
	case 2:
		if s.Of(path) != 0 {
			s.Done(path, stamp(rng.Int64N(1<<40)))
		}
	case 3:
		if g := s.Of(path); g != 0 {
			s.AddKeys(g, []uint64{rng.Uint64N(uint64(keys)), rng.Uint64N(uint64(keys))})
		}
	case 4:
		if rng.IntN(4) == 0 {
			s.Forget(path)
		}
	}
}

// TestReopening has a store say the same after it was opened again, whatever was
// done, however it was written.
func TestReopening(t *testing.T) {
	const keys = 30
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		path := filepath.Join(t.TempDir(), "new", "done")
		s := open(t, path, "b")
		for i := range 200 {
			work(s, rng, keys)
			switch rng.IntN(20) {
			case 0:
				if err := s.Commit(fmt.Sprint("mark", i)); err != nil {
					t.Fatal(err)
				}
			case 1:
				if err := s.Compact(); err != nil {
					t.Fatal(err)
				}
			case 2:
				if err := errors.Join(s.Close(), s.Close()); err != nil {
					t.Fatal(err)
				}
				again := open(t, path, "b")
				if diff := cmp.Diff(said(s, keys), said(again, keys)); diff != "" {
					t.Fatalf("seed %d, step %d (-before +after):\n%s", seed, i, diff)
				}
				s = again
			}
		}
	}
}

// TestEveryCut has the file end at each of its bytes: what is left was true once.
func TestEveryCut(t *testing.T) {
	const keys = 5
	path := filepath.Join(t.TempDir(), "done")
	s := open(t, path, "b")
	rng := rand.New(rand.NewPCG(1, 1))
	once := map[string]bool{said(s, keys): true}
	for i := range 30 {
		work(s, rng, keys)
		if err := s.Commit(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
		once[said(s, keys)] = true
	}
	whole, err := os.ReadFile(path)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		for name, data := range map[string][]byte{
			"cut":     whole[:n],
			"zeros":   append(slices.Clone(whole[:n]), make([]byte, 64)...),
			"garbage": append(slices.Clone(whole[:n]), bytes.Repeat([]byte{0xa5}, 64)...),
		} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			again := open(t, path, "b")
			if !once[said(again, keys)] {
				t.Fatalf("%s at %d: says what never was:\n%s", name, n, said(again, keys))
			}
			again.Add(again.New(), "/more")
			if err := again.Commit("more"); err != nil {
				t.Fatal(err)
			}
			if open(t, path, "b").Of("/more") == 0 {
				t.Fatalf("%s at %d: what is written afterwards is lost", name, n)
			}
		}
	}
}

// FuzzOpen opens anything.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "done")
	s := open(f, path, "b")
	g := s.New()
	s.Add(g, "/a")
	s.Done("/a", stamp(1))
	s.AddKeys(g, []uint64{1, 2})
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("memscribe checkpoints 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "done")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, path, "b")
		before := said(s, 3)
		if err := s.Compact(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, said(open(t, path, "b"), 3)); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
}

func TestAnotherBinding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "done")
	s := open(t, path, "b")
	s.Add(s.New(), "/a")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if open(t, path, "b").Len() != 1 {
		t.Error("nothing was kept")
	}
	if s = open(t, path, "other"); s.Len() != 0 {
		t.Error("what holds for one binding holds for another")
	}
}

// TestCannotWrite has the disk fail: nothing is lost, and all is written when it
// works.
func TestCannotWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "done")
	s := open(t, path, "b")
	s.Add(s.New(), "/a")
	if err := os.Mkdir(path+".new", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit("1"); err == nil || !strings.HasPrefix(err.Error(), "write checkpoints: ") {
		t.Errorf("got %v", err)
	}
	s.Add(s.New(), "/b")
	if err := s.Commit("2"); err == nil {
		t.Error("it was written")
	}
	if err := os.Remove(path + ".new"); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit("3"); err != nil {
		t.Fatal(err)
	}
	again := open(t, path, "b")
	if again.Len() != 2 || again.Mark() != "3" {
		t.Errorf("%d files, mark %s", again.Len(), again.Mark())
	}
}

func TestStoreIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of the folder")
	}
	path := filepath.Join(t.TempDir(), "new", "done")
	s := open(t, path, "b")
	s.Add(s.New(), "/a")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestNothingToWrite closes a store that knows of nothing: where there is no room,
// that is no error.
func TestNothingToWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "done")
	if err := open(t, path, "b").Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it has written: %v", err)
	}
}

func TestInMemory(t *testing.T) {
	s := checkpoint.InMemory()
	s.Add(s.New(), "/a")
	if err := errors.Join(s.Commit("x"), s.Close()); err != nil {
		t.Error(err)
	}
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	l, err := checkpoint.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = checkpoint.Acquire(dir); !errors.Is(err, lock.ErrTaken) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("got %v", err)
	}
	if err = l.Release(); err != nil {
		t.Fatal(err)
	}
	if l, err = checkpoint.Acquire(dir); err != nil {
		t.Fatal(err)
	}
	if err = l.Release(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// TestLive: groups that were read are live, those of an earlier run are not.
func TestLive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "done")
	s := open(t, path, "b")
	a, b := s.New(), s.New()
	s.Add(a, "/a")
	s.Add(b, "/b")
	s.AddKeys(a, []uint64{1})
	if !s.IsLive(a) || !s.IsLive(0) {
		t.Error("a group that was just made is not live")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, "b")
	if s.IsLive(s.Of("/a")) || s.IsLive(s.Holder(1)) {
		t.Error("a group of an earlier run is live")
	}
	s.SetLive(s.Of("/a"), true)
	if g := s.Join(s.Of("/a"), s.Of("/b")); !s.IsLive(g) || !maps.Equal(setOf(s.Paths(g)), map[string]bool{"/a": true, "/b": true}) {
		t.Errorf("joined group has %v", s.Paths(g))
	}
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// TestLeftOver loses a part of a log's middle, writes as much in its place, and
// wants nothing to go on from there with what had followed before.
func TestLeftOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	s := open(t, path, "x")
	commit := func(n int64) {
		t.Helper()
		s.Done("/a", stamp(n))
		if err := s.Commit("mark"); err != nil {
			t.Fatal(err)
		}
	}
	s.Add(s.New(), "/a")
	commit(1000)
	begun, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	commit(2000)
	commit(3000)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[begun.Size()+12] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, "x")
	commit(4000)
	if info, err := os.Stat(path); err != nil || info.Size() != int64(len(data)) {
		t.Fatalf("what was written is not as long as what it replaces: %v", err)
	}
	open(t, path, "x").Each(func(_ string, got discover.Stamp) {
		if got != stamp(4000) {
			t.Errorf("got %v, want what was noted last", got)
		}
	})
}

// BenchmarkOpen reads what was noted of 10,000 transcripts with 30 nodes each.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "notes")
	s := open(b, path, "x")
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 10_000 {
		file, g := fmt.Sprintf("/home/somebody/.claude/projects/-home-somebody-work/%08d.jsonl", i), s.New()
		s.Add(g, file)
		s.Done(file, stamp(int64(i)))
		keys := make([]uint64, 30)
		for i := range keys {
			keys[i] = rng.Uint64()
		}
		s.AddKeys(g, keys)
	}
	if err := s.Commit("mark"); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		open(b, path, "x")
	}
}

// TestDurable has the power fail: what was synced is there, also beneath what was
// committed since.
func TestDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "done")
	s := open(t, path, "b")
	for i, sync := range []bool{false, true, false} { // the first Commit writes a new file, which is durable
		s.Add(s.New(), fmt.Sprint("/", i))
		if err := s.Commit("m"); err != nil {
			t.Fatal(err)
		}
		if sync {
			if err := errors.Join(s.Sync(), s.Sync()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Truncate(path, s.Durable()); err != nil {
		t.Fatal(err)
	}
	left := open(t, path, "b")
	if left.Of("/0") == 0 || left.Of("/1") == 0 || left.Of("/2") != 0 {
		t.Errorf("left:\n%s", said(left, 0))
	}
}

// TestLost has a state folder removed whose lock a process has: it is told, also
// when there is a folder of that name again and another has locked that.
func TestLost(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder with a file that is open cannot be removed")
	}
	dir := filepath.Join(t.TempDir(), "state")
	one, err := checkpoint.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Lost(); err != nil {
		t.Errorf("lost at once: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if one.Lost() == nil {
		t.Error("the folder is gone, and nothing is said")
	}
	two, err := checkpoint.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if one.Lost() == nil || two.Lost() != nil {
		t.Errorf("the first has %v, the second %v", one.Lost(), two.Lost())
	}
	if err := errors.Join(one.Release(), two.Release()); err != nil {
		t.Error(err)
	}
}
