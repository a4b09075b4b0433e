package ndjson_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/filestate"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
)

func open(t *testing.T, path, mark string) *ndjson.Log {
	t.Helper()
	l, err := ndjson.Resume(path, mark)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func reopen(t *testing.T, l *ndjson.Log, path, mark string) *ndjson.Log {
	t.Helper()
	if err := l.Close(); err != nil && !errors.Is(err, sink.ErrLost) {
		t.Fatal(err)
	}
	return open(t, path, mark)
}

// TestMark has a log known again when it has only grown.
func TestMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, path, "")
	empty := l.Mark()
	apply(t, l, node("a", 1, "x", strings.Repeat("long", 100)))
	one := l.Mark()
	apply(t, l, node("a", 2, "y", "2"))
	two := l.Mark()
	for _, mark := range []string{"", empty, one, two} {
		l = reopen(t, l, path, mark)
		if l.Mark() != two || !l.Holds(empty) || !l.Holds(one) || !l.Holds(two) || l.Holds("") || l.Holds("-1:") {
			t.Errorf("a log that has grown is not known again by %q", mark)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l = open(t, path, two)
	if !l.Holds(empty) || l.Holds(one) {
		t.Error("a new log is taken for the old one")
	}
	apply(t, l, node("a", 1, "x", strings.Repeat("gone", 100)), node("a", 2, "y", "2"), node("a", 3, "z", "3"))
	if l.Holds(one) || l.Holds(two) {
		t.Error("another log is taken for the old one")
	}
	if ndjson.NewLog(&bytes.Buffer{}).Mark() != "" {
		t.Error("what is no file has a mark")
	}
}

// TestMarkIsOfEveryLine takes away what a log began with, and leaves its size and how
// it ends: that is not the log any more.
func TestMarkIsOfEveryLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, path, "")
	apply(t, l, node("a", 1, "x", "lost"), node("a", 2, "y", strings.Repeat("kept", 200)))
	mark := l.Mark()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		now   []byte
		holds bool
	}{
		"as it was":      {whole, true},
		"copied in part": {append(make([]byte, bytes.IndexByte(whole, '\n')), whole[bytes.IndexByte(whole, '\n'):]...), false},
		"another node":   {bytes.Replace(whole, []byte("lost"), []byte("else"), 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, tc.now, 0o600); err != nil {
				t.Fatal(err)
			}
			l := open(t, path, mark)
			if got := l.Holds(mark); got != tc.holds {
				t.Errorf("holds %v, want %v", got, tc.holds)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			l = open(t, path, "")
			if got := l.Holds(mark); got != tc.holds {
				t.Errorf("opened without the mark: holds %v, want %v", got, tc.holds)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestResume opens a log of which it is known what it was.
func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, path, "")
	apply(t, l, node("a", 1, "x", strings.Repeat("1", 1000)))
	early := l.Mark()
	apply(t, l, node("a", 2, "y", strings.Repeat("1", 1000)))
	late := l.Mark()
	l = reopen(t, l, path, late) // and not written to
	apply(t, l, node("a", 1, "x", strings.Repeat("1", 1000)))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(want, []byte("memscribe.node"), []byte("memscribe.else"), 1) // in the first line
	for name, tc := range map[string]struct {
		mark   string
		before []byte
		opens  bool
	}{
		"known":                   {late, want, true},
		"known, with a torn line": {late, append(slices.Clone(want), "\x00\x00"...), true},
		"known, and grown":        {early, want, true},
		"not known":               {"7:0", want, true},
		"no log any more":         {late, other, false},
		"not known, so read":      {"", other, false},
		"known, grown by others":  {late, append(slices.Clone(want), "hello\n"...), false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, tc.before, 0o600); err != nil {
				t.Fatal(err)
			}
			l, err := ndjson.Resume(path, tc.mark)
			if (err == nil) != tc.opens {
				t.Fatalf("opening it: %v", err)
			}
			if err != nil {
				return
			}
			defer l.Close()
			if !l.Holds(early) || !l.Holds(late) {
				t.Error("it is not known again")
			}
			apply(t, l, node("a", 1, "x", strings.Repeat("1", 1000)), node("a", 3, "z", "1"))
			checkFile(t, path, string(want)+text(node("a", 3, "z", "1")))
		})
	}
}

// TestLost has the file of a log truncated, replaced, removed and written to by
// others while the log is open, before it writes and after: it says so, it does not
// confirm what it was given, and it leaves no hole.
func TestLost(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing of this is possible while the file is open")
	}
	whole, other := text(node("a", 1, "x", "1")), text(node("a", 1, "x", "2"))
	overwrite := func(path string, with []byte) error {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(with)
		later := time.Now().Add(time.Second) // whatever the clock of the file system tells apart
		return errors.Join(err, f.Close(), os.Chtimes(path, later, later))
	}
	for name, tc := range map[string]struct {
		do    func(path string) error
		after string // of the file, when the log has been opened again
	}{
		"truncated": {func(path string) error { return os.Truncate(path, 0) }, ""},
		"cut":       {func(path string) error { return os.Truncate(path, 5) }, ""},
		"removed":   {os.Remove, ""},
		"moved":     {func(path string) error { return os.Rename(path, path+".1") }, ""},
		"replaced": {func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte(whole), 0o600), os.Rename(path+".new", path))
		}, whole},
		"written to": {func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString(whole)
			return errors.Join(err, f.Close())
		}, whole + whole},
		// A rotation that is undone, a hole that is punched, an editor: as long as before.
		"blanked":     {func(path string) error { return overwrite(path, make([]byte, len(whole))) }, ""},
		"overwritten": {func(path string) error { return overwrite(path, []byte(other)) }, other},
		"restored, with its time": {func(path string) error {
			was := stateOf(t, path)
			if err := overwrite(path, []byte(other)); err != nil {
				return err
			}
			return backInTime(t, path, was)
		}, other},
	} {
		for _, writes := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "log")
				l := open(t, path, "")
				apply(t, l, node("a", 1, "x", "1"))
				mark := l.Mark()
				if err := tc.do(path); err != nil {
					t.Fatal(err)
				}
				var err error
				if writes {
					err = l.Apply(t.Context(), []sink.Line{node("a", 2, "y", "2")})
				}
				if err == nil {
					err = l.Flush(t.Context())
				}
				if !errors.Is(err, sink.ErrLost) {
					t.Errorf("got %v, want %v", err, sink.ErrLost)
				}
				l = reopen(t, l, path, mark)
				got, err := os.ReadFile(path)
				if err != nil || strings.Contains(string(got), "\x00") {
					t.Errorf("got %q, %v", got, err)
				}
				if holds := strings.HasPrefix(string(got), whole); l.Holds(mark) != holds {
					t.Errorf("says %v of whether it holds what it did", !holds)
				}
				if !writes && string(got) != tc.after {
					t.Errorf("got %q, want %q", got, tc.after)
				}
			})
		}
	}
}

// stateOf is what the system says of a file.
func stateOf(t *testing.T, path string) filestate.State {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := filestate.Of(path, info)
	if !ok || s.Changed == 0 {
		t.Skip("the system does not tell when a file was changed")
	}
	return s
}

// backInTime gives a file the time that it had when it was written to, so that only the time of its inode
// tells of the change.
func backInTime(t *testing.T, path string, was filestate.State) error {
	t.Helper()
	for then := time.Unix(0, was.Modified); ; {
		if err := os.Chtimes(path, then, then); err != nil {
			return err
		}
		if stateOf(t, path).Changed != was.Changed { // the clock of the file system has gone on
			return nil
		}
	}
}

// TestTouched gives a log another time and leaves its lines: it is the same log, and is
// not read again for ever.
func TestTouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, path, "")
	want := ""
	for i := range 10 {
		later := time.Now().Add(time.Duration(i+1) * time.Second)
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
		n := node("a", uint64(i+1), strconv.Itoa(i), "x")
		want += text(n)
		apply(t, l, n)
		if err := l.Tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	checkFile(t, path, want)
}

// TestIdleLogIsLookedAt has a log overwritten while nothing is written to it.
func TestIdleLogIsLookedAt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not possible while the file is open")
	}
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, path, "")
	apply(t, l, node("a", 1, "x", "1"))
	if err := l.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("something that is no node, and longer than it, "+strings.Repeat("x", 2000)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Tidy(t.Context()); !errors.Is(err, sink.ErrLost) {
		t.Errorf("got %v, want %v", err, sink.ErrLost)
	}
}

// TestLogIsAlone has a log that is open opened again, also by way of another name.
func TestLogIsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, path, "")
	if err := os.Link(path, path+".too"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + ".too"} {
		if _, err := ndjson.Open(name); !errors.Is(err, lock.ErrTaken) {
			t.Errorf("%s: got %v, want %v", name, err, lock.ErrTaken)
		}
	}
	reopen(t, l, path, "")
}
