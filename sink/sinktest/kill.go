package sinktest

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
)

// childDir tells a child of the test where its sink is.
const childDir = "MEMSCRIBE_SINKTEST_DIR"

const (
	fewKills  = 5  // times that the child is killed by default
	killBatch = 25 // lines
)

// killLines returns how many lines there are to be delivered.
func (s Suite) killLines() int { return 10 * s.kills() * killBatch }

// kills returns how often the writing process is killed.
func (s Suite) kills() int { return cmp.Or(s.Kills, fewKills) }

// killed has a child deliver lines and kills it, again and again, at no
// particular moment. What the child saw flushed must be there, and of each batch
// all or nothing that a reader can see.
//
// The child is the test binary itself, started with an environment variable; it prints
// a line after each flush. Kills come at moments drawn from a fixed seed, so a failure
// can be repeated in kind though not to the instruction.
func (s Suite) killed(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	dir := t.TempDir()
	lines := NewMaker(9).Take(s.killLines())
	rng := NewMaker(10).rng
	done, most := 0, 0
	for range s.kills() {
		if s.Anew {
			done = 0
		}
		after := done + rng.IntN(2*s.killLines()/killBatch/s.kills())
		done = s.kill(t, dir, done, after)
		most = max(most, done)
		got := s.read(t, dir)
		if len(got) < done*killBatch {
			t.Fatalf("%d batches of %d were flushed, but %d nodes are there", done, killBatch, len(got))
		}
		if s.AtOnce && len(got)%killBatch != 0 {
			t.Fatalf("%d nodes are there: a part of a batch", len(got))
		}
		Same(t, got, Fold(begun(got, lines)))
	}
	if most == 0 {
		t.Error("the child never came to flush a batch")
	}
	k := s.open(t, dir)
	apply(t, k, lines...)
	flush(t, k)
	s.expect(t, dir, lines...)
}

// begun returns the lines that a store with so many nodes should hold: of the
// batch that was under way, those that are there.
func begun(got []string, lines []sink.Line) []sink.Line {
	whole := len(got) / killBatch * killBatch
	there := slices.Clone(lines[:whole])
	for _, l := range lines[whole:min(whole+killBatch, len(lines))] {
		if _, ok := slices.BinarySearch(got, string(l.JSON)); ok {
			there = append(there, l)
		}
	}
	return there
}

// kill starts a child that resumes after so many batches, kills it once it has
// flushed a number of them, and returns how many it has flushed in the end.
func (s Suite) kill(t *testing.T, dir string, done, after int) int {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	name, _, _ := strings.Cut(t.Name(), "/")
	cmd := exec.CommandContext(ctx, exe, "-test.run=^"+regexp.QuoteMeta(name)+"$", "-test.v=false")
	cmd.Env = append(os.Environ(), childDir+"="+dir, "MEMSCRIBE_SINKTEST_FROM="+strconv.Itoa(done), "MEMSCRIBE_SINKTEST_LINES="+strconv.Itoa(s.killLines()))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	for said.Scan() {
		if n, ok := strings.CutPrefix(said.Text(), "flushed "); ok {
			done, _ = strconv.Atoi(n)
		}
		if done >= after {
			cancel() // kills it; what it has said by then still comes
		}
	}
	if err := cmd.Wait(); err == nil && done*killBatch < s.killLines() {
		t.Fatalf("the child ended by itself after %d batches", done)
	}
	return done
}

// child delivers the lines and says what it has flushed, until it is killed.
func (s Suite) child(t *testing.T, dir string) {
	from, _ := strconv.Atoi(os.Getenv("MEMSCRIBE_SINKTEST_FROM"))
	count, _ := strconv.Atoi(os.Getenv("MEMSCRIBE_SINKTEST_LINES"))
	k := s.open(t, dir)
	lines := NewMaker(9).Take(count)
	done := 0
	for part := range slices.Chunk(lines, killBatch) {
		if done++; done <= from {
			continue
		}
		apply(t, k, part...)
		flush(t, k)
		fmt.Fprintf(os.Stdout, "flushed %d\n", done)
	}
}
