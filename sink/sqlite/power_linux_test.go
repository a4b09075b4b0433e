package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
	"github.com/memscribe/memscribe/testkit/powerloss"
	"github.com/memscribe/memscribe/testkit/size"
)

const (
	powerDir   = "MEMSCRIBE_POWER_DIR"
	powerBulk  = "MEMSCRIBE_POWER_BULK"
	powerLazy  = "MEMSCRIBE_POWER_RELAXED"
	powerBatch = 25 // lines
)

// powerLines is how many lines are written.
func powerLines() int { return share(14, 40) * powerBatch }

// TestPowerLoss has a child write under strace, and works out from its system
// calls what a disk may hold if the power fails: all that was synced, and of what
// was not, any sectors. Whatever was flushed must be there.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	if os.Getenv(powerDir) != "" {
		powerChild(t)
		return
	}
	if testing.Short() {
		t.Skip("opens many databases")
	}
	size.NeedsNoDetector(t)
	t.Run("watch", func(t *testing.T) { checkPower(t, sqlite.Options{}) })
	t.Run("bulk", func(t *testing.T) { checkPower(t, sqlite.Options{Bulk: true}) })
	t.Run("relaxed", func(t *testing.T) {
		// What syncs nothing loses something, or else this test would not see it.
		calls := tracedCalls(t, sqlite.Options{Relaxed: true})
		moments := crashes(t, calls)
		if len(moments) == 0 {
			t.Fatal("nothing was flushed")
		}
		for i, c := range moments {
			dir := t.TempDir()
			lose(t, dir, calls[:c.after], rand.New(rand.NewPCG(uint64(i), 0)))
			if info, err := os.Stat(file(dir)); err != nil || info.Size() == 0 {
				return // not even the database has reached the disk
			}
			if open(t, dir, sqlite.Options{}); len(ask[string](t, dir, "SELECT json FROM nodes")) < c.flushed*powerBatch {
				return
			}
		}
		t.Error("without any sync nothing is ever lost")
	})
}

func powerChild(t *testing.T) {
	t.Helper()
	s := open(t, os.Getenv(powerDir), sqlite.Options{Bulk: os.Getenv(powerBulk) != "", Relaxed: os.Getenv(powerLazy) != ""})
	done := 0
	for part := range slices.Chunk(sinktest.NewMaker(31).Take(powerLines()), powerBatch) {
		apply(t, s, part...)
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		done++
		fmt.Fprintf(os.Stdout, "flushed %d\n", done)
	}
}

// checkPower lets the power fail after every second flush and at other moments.
func checkPower(t *testing.T, o sqlite.Options) {
	t.Helper()
	calls := tracedCalls(t, o)
	lines := sinktest.NewMaker(31).Take(powerLines())
	flushes := crashes(t, calls)
	if len(flushes) != powerLines()/powerBatch {
		t.Fatalf("%d batches were flushed", len(flushes))
	}
	var moments []crash
	for i := 0; i < len(flushes); i += 2 {
		moments = append(moments, flushes[i])
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range share(7, 10) {
		after := 1 + rng.IntN(len(calls))
		before, _ := slices.BinarySearchFunc(flushes, after+1, func(c crash, after int) int { return c.after - after })
		moments = append(moments, crash{after: after, flushed: before})
	}
	for i, c := range moments {
		dir := t.TempDir()
		lose(t, dir, calls[:c.after], rand.New(rand.NewPCG(uint64(i), 1)))
		checkLoss(t, dir, lines, c, i%10 == 0)
		if t.Failed() {
			t.Fatalf("after call %d of %d, with %d batches flushed, seed %d", c.after, len(calls), c.flushed, i)
		}
	}
}

// checkLoss looks at what is left, and goes on with it.
func checkLoss(t *testing.T, dir string, lines []sink.Line, c crash, thorough bool) {
	t.Helper()
	s := open(t, dir, sqlite.Options{})
	stored := slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes")))
	if len(stored) < c.flushed*powerBatch || len(stored)%powerBatch != 0 {
		t.Errorf("%d nodes are there of %d batches of %d that were flushed", len(stored), c.flushed, powerBatch)
		return
	}
	sinktest.Same(t, stored, sinktest.Fold(lines[:len(stored)]))
	if thorough {
		apply(t, s, lines...)
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkStored(t, dir, lines)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// crash is a moment: after so many calls, when so many batches were flushed.
type crash struct{ after, flushed int }

func crashes(t *testing.T, calls []powerloss.Call) (moments []crash) {
	t.Helper()
	for i, c := range calls {
		said, ours := strings.CutPrefix(string(c.Data), "flushed ")
		if c.Kind != powerloss.Say || !ours {
			continue
		}
		flushed, err := strconv.Atoi(strings.TrimSpace(said))
		if err != nil {
			t.Fatal(err)
		}
		moments = append(moments, crash{i + 1, flushed})
	}
	return moments
}

// tracedCalls runs the child under strace.
func tracedCalls(t *testing.T, o sqlite.Options) []powerloss.Call {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace here")
	}
	dir, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	cmd := exec.CommandContext(t.Context(), strace, append(powerloss.Options(trace), os.Args[0], "-test.run=^TestPowerLoss$", "-test.v=false")...)
	if *large {
		cmd.Args = append(cmd.Args, "-large")
	}
	cmd.Env = append(os.Environ(), powerDir+"="+dir)
	if o.Bulk {
		cmd.Env = append(cmd.Env, powerBulk+"=1")
	}
	if o.Relaxed {
		cmd.Env = append(cmd.Env, powerLazy+"=1")
	}
	if out, err := cmd.Output(); err != nil {
		if e, ok := errors.AsType[*exec.ExitError](err); ok && strings.Contains(string(e.Stderr), "ptrace") {
			t.Skipf("strace is not allowed here: %s", e.Stderr)
		}
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	calls, err := powerloss.Read(f, dir)
	if err != nil {
		t.Fatal(err)
	}
	name, err := filepath.Rel(dir, file(dir))
	if err != nil {
		t.Fatal(err)
	}
	if got := powerloss.After(calls).Whole()[filepath.ToSlash(name)]; !bytes.Equal(got, read(t, file(dir))) {
		t.Fatalf("the calls that were traced do not make the file that is there (%d bytes)", len(got))
	}
	return calls
}

// lose makes the folder what the calls may have left on a disk.
func lose(t *testing.T, dir string, calls []powerloss.Call, rng *rand.Rand) {
	t.Helper()
	if err := powerloss.After(calls).Left(rng).Write(dir); err != nil {
		t.Fatal(err)
	}
}
