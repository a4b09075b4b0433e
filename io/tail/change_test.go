package tail_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/io/discover"
)

func (r *rig) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// over writes bytes into a file where they stand, without cutting it.
func (r *rig) over(name string, at int64, data string) {
	r.t.Helper()
	f, err := os.OpenFile(r.path(name), os.O_WRONLY, 0)
	must(r.t, err)
	_, err = f.WriteAt([]byte(data), at)
	must(r.t, err)
	must(r.t, f.Close())
}

// text is so many bytes of lines, each different.
func text(n int, seed uint64) string {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(seed, 1))
	for b.Len() < n {
		fmt.Fprintf(&b, `{"n":%d,"x":%d}`+"\n", b.Len(), rng.Uint64())
	}
	return b.String()[:n]
}

// TestChangedPrefix has what was read of a file change in every way: it is read
// anew, and never gone on with.
func TestChangedPrefix(t *testing.T) {
	long := text(300<<10, 1)
	tests := map[string]struct {
		before string
		change func(r *rig)
		after  string // what is read
	}{
		"a byte, in place":                    {"one\ntwo\n", func(r *rig) { r.over("a", 1, "x") }, "oxe\ntwo\n"},
		"a byte of a long file, in place":     {long, func(r *rig) { r.over("a", 20<<10, "x") }, long[:20<<10] + "x" + long[20<<10+1:]},
		"the last byte of a long one":         {long, func(r *rig) { r.over("a", int64(len(long)-1), "x") }, long[:len(long)-1] + "x"},
		"a byte, and growth":                  {"one\ntwo\n", func(r *rig) { r.over("a", 1, "x"); r.add("a", "more\n") }, "oxe\ntwo\nmore\n"},
		"near the end of a long one, growth":  {long, func(r *rig) { r.over("a", int64(len(long)-40), "x"); r.add("a", "m") }, long[:len(long)-40] + "x" + long[len(long)-39:] + "m"},
		"cut and grown beyond what it was":    {"one\ntwo\n", func(r *rig) { r.write("a", "another, and longer\n") }, "another, and longer\n"},
		"a long one, cut and grown beyond":    {long, func(r *rig) { r.write("a", text(310<<10, 2)) }, text(310<<10, 2)},
		"cut to nothing":                      {long, func(r *rig) { r.write("a", "") }, ""},
		"cut in the middle":                   {"one\ntwo\n", func(r *rig) { must(r.t, os.Truncate(r.path("a"), 3)) }, "one"},
		"written anew, the same length":       {"one\ntwo\n", func(r *rig) { r.write("a", "two\none\n") }, "two\none\n"},
		"replaced by one that goes on alike":  {"one\n", func(r *rig) { r.write("b.tmp", "one\ntwo\n"); must(r.t, os.Rename(r.path("b.tmp"), r.path("a"))) }, "one\ntwo\n"},
		"cut and grown between two file ends": {text(64<<10, 1), func(r *rig) { r.write("a", text(70<<10, 3)) }, text(70<<10, 3)},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r := start(t)
			r.write("a", tc.before)
			r.wake <- time.Time{}
			<-r.recorder.settled
			tc.change(r)
			r.wake <- time.Time{}
			got := strings.Join(<-r.recorder.settled, "\n")
			want := "a<"
			if tc.after != "" {
				want += "\na:" + tc.after
			}
			if strings.ReplaceAll(got, "\na:", "") != strings.ReplaceAll(want, "\na:", "") {
				t.Errorf("read %d bytes that begin %.80q, want %d: %.80q", len(got), got, len(want), want)
			}
			r.stop()
			<-r.recorder.settled
			must(t, <-r.done)
		})
	}
}

// TestUnchanged has a file written to without a change: nothing comes of it.
func TestUnchanged(t *testing.T) {
	r := start(t)
	r.write("a", "one\ntwo\n")
	r.look("written", "a<", "a:one\ntwo\n")
	r.over("a", 0, "one\n")
	r.look("written again, the same")
	r.add("a", "three\n")
	r.look("and grown", "a:three\n")
	r.end("a>")
}

// TestMovedFile is the end of one file and the beginning of another, in this
// order.
func TestMovedFile(t *testing.T) {
	r := start(t)
	r.write("b", "one\n")
	r.look("written", "b<", "b:one\n")
	must(t, os.Rename(r.path("b"), r.path("a")))
	r.look("moved", "b>", "a<", "a:one\n")
	must(t, os.Link(r.path("a"), r.path("z")))
	r.look("another name for it")
	must(t, os.Remove(r.path("a")))
	r.look("only that name is left", "a>", "z<", "z:one\n")
	r.end("z>")
}

// TestReadingCosts lets a long file grow by lines: what is read is little more
// than what came.
func TestReadingCosts(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	const had = 32 << 20
	must(t, os.WriteFile(path, bytes.Repeat([]byte(text(1<<20, 1)), had>>20), 0o600))
	wake, done := make(chan time.Time), make(chan error, 1)
	c := &recorder{dir: dir, settled: make(chan []string)}
	s := source(dir)
	s.Wake = wake
	go func() { done <- s.Run(t.Context(), c) }()
	<-c.settled
	first := s.BytesRead()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	added := int64(0)
	for i := range 500 {
		n, err := io.WriteString(f, text(500+3*i, uint64(i)))
		must(t, err)
		added += int64(n)
		wake <- time.Time{}
		<-c.settled
	}
	must(t, f.Close())
	if first > had*11/10 {
		t.Errorf("read %d bytes of a file of %d", first, int64(had))
	}
	ratio := float64(s.BytesRead()-first) / float64(added)
	t.Logf("read %.3f bytes for each one appended", ratio)
	if ratio > 1.1 {
		t.Error("that is more than 1.1")
	}
}

// TestResumed has files that were dealt with by an earlier run: nothing is read
// of them until they change, and then from the start.
func TestResumed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) discover.Stamp {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(data), 0o600))
		info, err := os.Stat(path)
		must(t, err)
		stamp, ok := discover.StampOf(discover.File{Path: path, Info: info})
		if !ok {
			t.Fatal("no stamp")
		}
		return stamp
	}
	same, grown, gone := write("same", "one\n"), write("grown", "one\n"), write("gone", "one\n")
	write("grown", "one\ntwo\n")
	must(t, os.Remove(filepath.Join(dir, "gone")))
	s := source(dir)
	s.Resume(filepath.Join(dir, "same"), same)
	s.Resume(filepath.Join(dir, "grown"), grown)
	s.Resume(filepath.Join(dir, "gone"), gone)
	c := &recorder{dir: dir, settled: make(chan []string, 1)}
	must(t, s.Once(t.Context(), c))
	if diff := cmp.Diff([]string{"gone>", "grown<", "grown:one\ntwo\n", "grown>"}, <-c.settled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := s.BytesRead(); n != 8 {
		t.Errorf("read %d bytes", n)
	}
}

// TestManyFilesTakeTurns: what is much does not keep what is little waiting.
func TestManyFilesTakeTurns(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a"), bytes.Repeat([]byte("x"), 20<<20), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "b"), []byte("short\n"), 0o600))
	c := &recorder{dir: dir, settled: make(chan []string, 1)}
	must(t, source(dir).Once(t.Context(), c))
	got, order := <-c.settled, ""
	for _, entry := range got {
		if name := entry[:1]; !strings.HasSuffix(order, name) {
			order += name
		}
	}
	if order != "abab" {
		t.Errorf("read in the order %s", order)
	}
}
