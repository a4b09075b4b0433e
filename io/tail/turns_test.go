package tail_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/tail"
)

// turns writes down whose turn it is, and keeps the bytes.
type turns struct {
	order []string
	bytes map[string][]byte
	marks int
}

func (r *turns) Take(_ context.Context, c tail.Chunk) error {
	name := filepath.Base(c.File)
	if c.Fresh {
		r.bytes[name] = nil
	}
	r.bytes[name] = append(r.bytes[name], c.Bytes...)
	if c.Mark != nil {
		r.marks++
	}
	if last := len(r.order) - 1; len(c.Bytes) > 0 && (last < 0 || r.order[last] != name) {
		r.order = append(r.order, name)
	}
	return nil
}

func (*turns) Whole(string) bool { return false }

func (*turns) Settle(context.Context, bool) error { return nil }

// TestTurns lets no file wait until another one has been read to its end: neither for
// one that is long, nor for one that unpacks to much, nor for one that takes long.
func TestTurns(t *testing.T) {
	leap := time.Unix(0, 0)
	for name, tc := range map[string]struct {
		size   int
		packed bool
		clock  func() time.Time
	}{
		"long":            {size: 20 << 20},
		"packed":          {size: 20 << 20, packed: true},
		"slow":            {size: 1 << 20, clock: func() time.Time { leap = leap.Add(time.Second); return leap }},
		"slow and packed": {size: 1 << 20, packed: true, clock: func() time.Time { leap = leap.Add(time.Second); return leap }},
	} {
		t.Run(name, func(t *testing.T) {
			dir, first := t.TempDir(), "a"
			want := bytes.Repeat([]byte("0123456789abcde\n"), tc.size/16)
			data := want
			if tc.packed {
				var b bytes.Buffer
				w := gzip.NewWriter(&b)
				_, err := w.Write(data)
				must(t, errors.Join(err, w.Close()))
				first, data = "a.gz", b.Bytes()
			}
			must(t, os.WriteFile(filepath.Join(dir, first), data, 0o600))
			must(t, os.WriteFile(filepath.Join(dir, "b"), []byte("other\n"), 0o600))
			s, r := source(dir), &turns{bytes: map[string][]byte{}}
			s.Clock = tc.clock
			s.Report = func(file string, err error) { t.Errorf("%s: %v", file, err) }
			must(t, s.Once(t.Context(), r))
			if diff := cmp.Diff([]string{first, "b", first}, r.order[:min(3, len(r.order))]); diff != "" {
				t.Errorf("turns (-want +got):\n%s", diff)
			}
			if !bytes.Equal(want, r.bytes[first]) || string(r.bytes["b"]) != "other\n" || r.marks != 2 {
				t.Errorf("%d bytes instead of %d, and %q; %d marks", len(r.bytes[first]), len(want), r.bytes["b"], r.marks)
			}
		})
	}
}

// looking is a keeper of which each look finds more, some times.
type looking struct {
	*turns

	left int
}

func (*looking) Keeps(path string, _ []byte, _ core.Adapter) bool {
	return strings.HasSuffix(path, "db")
}

func (*looking) HasMoved(string) bool { return false }

func (k *looking) Look(ctx context.Context, c tail.Chunk) (bool, error) {
	k.left--
	c.Bytes = []byte{byte(k.left)}
	return k.left > 0, k.Take(ctx, c)
}

func (*looking) End(string, bool) error { return nil }

// TestKeeperTakesTurns: a store in which much has changed is read in several looks.
func TestKeeperTakesTurns(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.db"), []byte("x"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "b"), []byte("other\n"), 0o600))
	r := &turns{bytes: map[string][]byte{}}
	s := source(dir)
	s.Keeper = &looking{r, 3}
	must(t, s.Once(t.Context(), r))
	if diff := cmp.Diff([]string{"a.db", "b", "a.db"}, r.order[:min(3, len(r.order))]); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
}

// TestUrgentFilesLeaveTurns: a file of which notifications come without end keeps no
// other from being read.
func TestUrgentFilesLeaveTurns(t *testing.T) {
	var (
		q     tail.Queue
		order []string
	)
	q.Push("other", false)
	for range 12 {
		q.Push("busy", true)
		order = append(order, q.Pop())
	}
	if !slices.Contains(order, "other") {
		t.Errorf("read: %q", order)
	}
	for q.Pop() != "" {
		t.Log("more")
	}
	q.Push("urgent", true)
	if got := q.Pop(); got != "urgent" {
		t.Errorf("got %q in the end", got)
	}
}

// TestRest calls Rest once each time that something was read and then nothing has come.
func TestRest(t *testing.T) {
	quiet, rests := make(chan time.Time), 0
	r := startWith(t, func(s *tail.Source) { s.Quiet, s.Rest = quiet, func() { rests++ } })
	rested := func(when string, want int) {
		t.Helper()
		quiet <- time.Time{}
		r.want(when)
		if rests != want {
			t.Errorf("%s: %d rests, want %d", when, rests, want)
		}
	}
	rested("at the start", 1)
	r.look("nothing came")
	rested("nothing came", 1)
	r.write("a", "one\n")
	r.look("written", "a<", "a:one\n")
	rested("written", 2)
	r.end("a>")
}
