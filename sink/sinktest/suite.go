package sinktest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
)

// Suite says how a kind of sink is opened and read.
type Suite struct {
	// Open opens the store in a folder, which is empty or holds what an earlier
	// sink left there.
	Open func(ctx context.Context, dir string) (sink.Sink, error)
	// Read returns the JSON of each node in the store in a folder, in any order.
	// It may be called while a sink writes, and then sees whole lines only.
	Read func(ctx context.Context, dir string) ([]string, error)
	// AtOnce is set if a reader sees each batch whole or not at all.
	AtOnce bool
	// Anew is set if a sink begins with nothing, whatever an earlier one left, and
	// what was not flushed is gone once it is closed: one that makes a whole.
	Anew bool
	// Kills is how often a child that delivers is killed; 0 is 5 times.
	Kills int
}

// Run runs every test of the suite. The test that calls it must not have run the
// suite under the same name for another sink: the child that is killed finds
// the test by its name.
func (s Suite) Run(t *testing.T) {
	if dir := os.Getenv(childDir); dir != "" {
		s.child(t, dir)
		return
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"empty", s.empty},
		{"last line of an id", s.upsert},
		{"order of delivery", s.order},
		{"cancelled", s.cancelled},
		{"redelivery", s.redelivery},
		{"reopening", s.reopening},
		{"bytes are not kept", s.bytes},
		{"closing", s.closing},
		{"readers", s.readers},
		{"killed", s.killed},
	} {
		t.Run(test.name, test.run)
	}
}

// open opens the sink in a folder and closes it when the test ends.
func (s Suite) open(t *testing.T, dir string) sink.Sink {
	t.Helper()
	k, err := s.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// read reads all nodes that the sink has written, in the order of their bytes.
func (s Suite) read(t *testing.T, dir string) []string {
	t.Helper()
	got, err := s.Read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	return got
}

// expect holds the store against what the lines fold to.
func (s Suite) expect(t *testing.T, dir string, lines ...sink.Line) {
	t.Helper()
	Same(t, s.read(t, dir), Fold(lines))
}

// Fold returns the last JSON of each id, sorted.
func Fold(lines []sink.Line) []string {
	last := map[string]string{}
	for i := range lines {
		last[lines[i].ID] = string(lines[i].JSON)
	}
	return slices.Sorted(maps.Values(last))
}

// Same reports where two sorted lists of nodes differ.
func Same(t testing.TB, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("the store holds %d nodes, want %d; first difference:\n got %s\nwant %s",
				len(got), len(want), at(got, i), at(want, i))
			return
		}
	}
}

// at returns an element, or says that there is none.
func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(nothing)"
}

// apply gives lines to a sink, and flush has them made durable; either ends the test on an error.
func apply(t testing.TB, k sink.Sink, lines ...sink.Line) {
	t.Helper()
	if err := k.Apply(t.Context(), lines); err != nil {
		t.Fatal(err)
	}
}

func flush(t testing.TB, k sink.Sink) {
	t.Helper()
	if err := k.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// empty: a batch without lines is no error and writes nothing.
func (s Suite) empty(t *testing.T) {
	dir := t.TempDir()
	k := s.open(t, dir)
	apply(t, k)
	flush(t, k)
	s.expect(t, dir)
}

// upsert: of several lines with one id the last one counts, also one that takes an earlier form again.
func (s Suite) upsert(t *testing.T) {
	dir := t.TempDir()
	k := s.open(t, dir)
	lines := NewMaker(1).Take(200)
	apply(t, k, lines...)
	changed := []sink.Line{Revised(lines[7], "a"), lines[8], Revised(lines[9], "a"), Revised(lines[9], "b")}
	apply(t, k, changed...)
	back := []sink.Line{lines[7], Revised(lines[7], "c"), lines[7]} // as it once was
	apply(t, k, back...)
	flush(t, k)
	s.expect(t, dir, slices.Concat(lines, changed, back)...)
}

// order delivers the same lines in many orders and parts.
func (s Suite) order(t *testing.T) {
	lines := NewMaker(2).Take(150)
	for seed := range uint64(3) {
		dir := t.TempDir()
		k := s.open(t, dir)
		mixed := slices.Clone(lines)
		rng := NewMaker(seed).rng
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		for len(mixed) > 0 {
			n := 1 + rng.IntN(len(mixed))
			apply(t, k, mixed[:n]...)
			mixed = mixed[n:]
		}
		flush(t, k)
		s.expect(t, dir, lines...)
	}
}

// cancelled gives up before the sink has taken anything in.
//
// Nothing of a cancelled batch may be there.
func (s Suite) cancelled(t *testing.T) {
	dir := t.TempDir()
	k := s.open(t, dir)
	lines := NewMaker(3).Take(60)
	apply(t, k, lines[:20]...)
	flush(t, k)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := k.Apply(ctx, lines[20:]); err == nil {
		flush(t, k)
		s.expect(t, dir, lines...) // a sink that is fast enough need not listen
		return
	} else if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
	s.expect(t, dir, lines[:20]...)
	apply(t, k, lines...) // the caller tries again
	flush(t, k)
	s.expect(t, dir, lines...)
}

// redelivery delivers everything three times. Nothing in the folder may change,
// not even a byte.
func (s Suite) redelivery(t *testing.T) {
	dir := t.TempDir()
	lines := NewMaker(4).Take(280)
	var before string
	for round := range 3 {
		k := s.open(t, dir)
		for part := range slices.Chunk(lines, 70) {
			apply(t, k, part...)
			flush(t, k)
		}
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
		if now := fingerprint(t, dir); round > 0 && now != before {
			t.Errorf("round %d changed the files:\nbefore\n%safter\n%s", round+1, before, now)
		} else {
			before = now
		}
	}
	s.expect(t, dir, lines...)
}

// fingerprint returns the name and a hash of every file in a folder.
func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %d %x\n", name, len(content), sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// reopening: what was flushed is there after the sink is closed and opened, and can be replaced.
func (s Suite) reopening(t *testing.T) {
	dir := t.TempDir()
	lines := NewMaker(5).Take(120)
	for i := 0; i < len(lines); i += 40 {
		k := s.open(t, dir)
		apply(t, k, lines[i:i+40]...)
		if i > 0 {
			apply(t, k, Revised(lines[i-1], "later"))
			lines[i-1] = Revised(lines[i-1], "later")
		}
		if s.Anew {
			flush(t, k)
		}
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if s.Anew {
		lines = lines[len(lines)-41:]
	}
	s.expect(t, dir, lines...)
}

// bytes overwrites what was delivered: it belongs to the caller again.
func (s Suite) bytes(t *testing.T) {
	dir := t.TempDir()
	k := s.open(t, dir)
	lines := NewMaker(6).Take(50)
	mine := NewMaker(6).Take(50)
	apply(t, k, mine...)
	for i := range mine {
		clear(mine[i].JSON)
	}
	flush(t, k)
	s.expect(t, dir, lines...)
}

// closing: Close may be called twice; what was applied before it is there, with Anew what was flushed;
// a closed sink takes no lines.
func (s Suite) closing(t *testing.T) {
	dir := t.TempDir()
	lines := NewMaker(7).Take(30)
	k := s.open(t, dir)
	apply(t, k, lines...)
	if s.Anew {
		flush(t, k)
	}
	if err := errors.Join(k.Close(), k.Close()); err != nil {
		t.Error(err)
	}
	s.expect(t, dir, lines...)
	if err := k.Apply(t.Context(), lines[:1]); err == nil {
		t.Error("a closed sink takes lines")
	}
}

// readers reads while the sink writes: what was flushed before is there, and
// nothing is there that was not delivered.
//
// Three readers run beside the writer. With AtOnce they must see whole batches.
func (s Suite) readers(t *testing.T) {
	dir := t.TempDir()
	k := s.open(t, dir)
	const size, batches = 25, 20
	lines := NewMaker(8).Take(size * batches)
	known := map[string]bool{}
	for i := range lines {
		known[string(lines[i].JSON)] = true
	}
	apply(t, k, lines[:size]...)
	flush(t, k)
	var (
		readers sync.WaitGroup
		stop    = make(chan struct{})
	)
	for range 3 {
		readers.Go(func() { s.watch(t, dir, known, size, stop) })
	}
	for i := size; i < len(lines); i += size {
		apply(t, k, lines[i:i+size]...)
		flush(t, k)
	}
	close(stop)
	readers.Wait()
	s.expect(t, dir, lines...)
}

// watch reads while the sink writes: a reader sees whole nodes, and never fewer than before.
func (s Suite) watch(t *testing.T, dir string, known map[string]bool, size int, stop <-chan struct{}) {
	for before := size; ; {
		got, err := s.Read(t.Context(), dir)
		if err != nil {
			t.Errorf("read while the sink writes: %v", err)
			return
		}
		for _, json := range got {
			if !known[json] {
				t.Errorf("read what was never delivered: %s", json)
				return
			}
		}
		if len(got) < before {
			t.Errorf("read %d nodes after %d", len(got), before)
		}
		if s.AtOnce && len(got)%size != 0 {
			t.Errorf("read %d nodes, which is not a number of whole batches of %d", len(got), size)
		}
		before = cmp.Or(len(got), before)
		select {
		case <-stop:
			return
		default:
		}
	}
}
