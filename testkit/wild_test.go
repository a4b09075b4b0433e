package testkit_test

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/size"
)

// wild holds sessions that people published: nobody knows what is true of them,
// but the contract holds for them too.
const wild = "../../shared/wild"

func TestWildClaudeCode(t *testing.T) { testWild(t, core.ClaudeCode, "claude-code") }
func TestWildCodex(t *testing.T)      { testWild(t, core.Codex, "codex") }

// TestWildTogether reads all sessions of a tool as one capture: among them are
// copies, of which one half is the beginning of the other.
func TestWildTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("reads everything once more")
	}
	t.Parallel()
	for dir, tool := range map[string]core.Tool{"claude-code": core.ClaudeCode, "codex": core.Codex} {
		t.Run(dir, func(t *testing.T) {
			a, ok := adapters.ByTool(tool)
			if !ok {
				t.Fatalf("no adapter of %s", tool)
			}
			var inputs []trial.Input
			walkWild(t, dir, func(name, at string) {
				data, err := os.ReadFile(at)
				if err != nil {
					t.Fatal(err)
				}
				inputs = append(inputs, trial.Input{Adapter: a, Path: name, Name: name, Data: data})
			})
			want := play(t, inputs, chunk.Whole(inputs))
			r := rand.New(rand.NewPCG(1, 4))
			same(t, want, play(t, inputs, chunk.Random(inputs, r)), "in another order")
		})
	}
}

func testWild(t *testing.T, tool core.Tool, dir string) {
	known := realSessions(t)
	a, ok := adapters.ByTool(tool)
	if !ok {
		t.Fatalf("no adapter of %s", tool)
	}
	walkWild(t, dir, func(name, at string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(at)
			if err != nil {
				t.Fatal(err)
			}
			r := checkWild(t, trial.Input{Adapter: a, Path: name, Name: name, Data: data})
			if c, ok := known[dir+"/"+name]; ok {
				sane(t, r, c)
			}
		})
	})
}

// isLarge reports whether a published session is left to full runs.
func isLarge(d fs.DirEntry) bool {
	info, err := d.Info()
	return err == nil && info.Size() > int64(size.Of(128<<10, math.MaxInt)) && !inFull()
}

// walkWild names every file of a tool: as it is called below its folder, and
// where it is.
func walkWild(t *testing.T, dir string, do func(name, at string)) {
	t.Helper()
	root := filepath.Join(wild, dir)
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && at == root {
			t.Skipf("no sessions at %s", root)
		}
		if err != nil || d.IsDir() || isLarge(d) {
			return err
		}
		do(filepath.ToSlash(strings.TrimPrefix(at, root+string(filepath.Separator))), at)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// counts are what a program that knows nothing of ours counted in a session.
type counts struct {
	calls int
	edits int // attempted, also those that failed
}

// realSessions gives the counts of every transcript that a tool wrote, by its
// name.
func realSessions(t *testing.T) map[string]counts {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(wild, "INDEX.tsv"))
	if err != nil {
		t.Skipf("no list of sessions: %v", err)
	}
	known := map[string]counts{}
	var columns []string
	for line := range strings.Lines(string(b)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if columns == nil {
			columns = fields
			continue
		}
		row := map[string]string{}
		for i, f := range fields {
			row[columns[i]] = f
		}
		format, _, _ := strings.Cut(row["format"], "/")
		if row["origin"] != "real-session" || format != "claude-code" && format != "codex" {
			continue
		}
		calls, err1 := strconv.Atoi(row["n_tool_calls"])
		edits, err2 := strconv.Atoi(row["n_file_edits"])
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		known[row["file"]] = counts{calls, edits}
	}
	return known
}

func checkWild(t *testing.T, in trial.Input) *trial.Result {
	inputs := []trial.Input{in}
	r := whole(t, inputs)
	report(t, invariant.Result(r))
	arriveAtRandom(t, inputs, 1)
	return r
}

// sane compares counts that must go together.
func sane(t *testing.T, r *trial.Result, want counts) {
	n := map[string]int{}
	calls, results := map[string]int{}, map[string]int{}
	undescribed := 0
	for _, e := range r.Events() {
		n[e.Event]++
		switch e.Event {
		case "tool_call":
			calls[e.Body.CallID]++
		case "tool_result":
			results[e.Body.CallID]++
		case "unknown":
			if !e.Body.Bookkeeping && e.Body.Reason == "" {
				undescribed++
			}
		}
	}
	if all := len(r.Events()); undescribed*20 > all && undescribed > 3 {
		t.Errorf("%d of %d events are records that no one has described", undescribed, all)
	}
	if n["tool_call"] != want.calls {
		t.Errorf("%d calls, want %d", n["tool_call"], want.calls)
	}
	if n["file_edit"] > want.edits {
		t.Errorf("%d edits, want at most %d", n["file_edit"], want.edits)
	}
	for id, count := range results {
		if calls[id] > 0 && count > 2*calls[id] {
			t.Errorf("%d results of %d calls %s", count, calls[id], id)
		}
	}
}
