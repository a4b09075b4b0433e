package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/patch"
	"github.com/memscribe/memscribe/internal/verify/scenario"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/internal/verify/truth"
	"github.com/memscribe/memscribe/testkit/record"
	"github.com/memscribe/memscribe/testkit/script"
)

// Run with: make e2e
var (
	wanted = flag.Bool("clients", false, "run real clients, which are installed from npm")
	cache  = flag.String("cache", "", "folder in which clients are kept (in the user's cache, if none is named)")
)

// TestMain lends the test's program to the sessions that it starts.
func TestMain(m *testing.M) {
	inside, err := record.Inside(context.Background())
	if !inside {
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// beside is a client and what it plays.
type beside struct {
	tool      core.Tool
	version   string
	scenarios []string
}

// clients lists the clients. Their checksums are in testdata, a lock file each.
func clients() []beside {
	return []beside{
		{core.ClaudeCode, "2.1.330", []string{"happy_path", "tool_failure", "resume_two_processes", "subagent_thread", "multi_edit_single_commit", "fork", "recall"}},
		{core.Codex, "0.166.0", []string{"happy_path", "tool_failure", "resume_two_processes", "subagent_thread", "file_ops", "rewind_compaction", "recall"}},
	}
}

func TestClientsBesideWatch(t *testing.T) {
	if !*wanted {
		t.Skip("runs with -clients only (make e2e): it installs real clients from npm")
	}
	program := filepath.Join(t.TempDir(), "memscribe")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/memscribe").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	alone := record.Confinable(t.Context())
	if alone != nil {
		t.Logf("the clients share this machine's network, with a proxy that refuses: %v", alone)
	}
	for _, c := range clients() {
		t.Run(string(c.tool), func(t *testing.T) {
			dir := install(t, c)
			for _, name := range c.scenarios {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					out := filepath.Join(t.TempDir(), string(c.tool), c.version, name)
					servers, err := serversOf(t, name)
					if err != nil {
						t.Fatal(err)
					}
					job := record.Job{
						Tool: c.tool, Version: c.version, Scenario: name, Client: dir, Out: out, Program: program,
						Confine: alone == nil, Limit: 3 * time.Minute, Servers: servers,
					}
					if err := record.Run(t.Context(), job); err != nil {
						t.Fatal(err)
					}
					check(t, out)
					if name == "recall" {
						checkTold(t, out)
					}
				})
			}
		})
	}
}

// serversOf makes the servers of a scenario.
func serversOf(t *testing.T, scenario string) (map[string]string, error) {
	t.Helper()
	s, err := script.Load(scenario)
	if err != nil {
		return nil, err
	}
	return record.InstallServers(t.Context(), t.TempDir(), s)
}

// checkTold wants a session to hold what the hooks told, and what the server answered.
func checkTold(t *testing.T, dir string) {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(dir, "home"), func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(at)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`[memscribe recall: decided in this project`, `We never use moment in this service: dates are formatted with Intl.DateTimeFormat. (2`,
		`\"status\":\"decision\"`, `\"title\":\"Add formatDate to src/format.js.\"`,
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no transcript holds %s", want)
		}
	}
}

// install returns the folder of a client, or skips the test where there is none
// to be had.
func install(t *testing.T, c beside) string {
	t.Helper()
	dir := *cache
	if dir == "" {
		own, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(own, "memscribe-ci", "clients")
	}
	lock, err := os.ReadFile(filepath.Join("testdata", string(c.tool)+".json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		lock = nil // it names the packages of one system
	}
	client, err := record.Install(t.Context(), dir, c.tool, c.version, lock)
	if errors.Is(err, record.ErrNoRegistry) {
		t.Skipf("cannot have the client: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// check holds what watch wrote to what happened.
func check(t *testing.T, dir string) {
	root := filepath.Dir(filepath.Dir(filepath.Dir(dir)))
	cases, err := corpus.Load(root)
	if err != nil || len(cases) != 1 {
		t.Fatalf("%d recordings, %v", len(cases), err)
	}
	c := cases[0]
	live, cold := folded(t, dir, record.Watched), folded(t, dir, record.Replayed)
	for _, id := range record.Departures(live, cold) {
		t.Errorf("watch and replay part at %s:\n  %s\n  %s", id, live[id], cold[id])
	}
	if len(live) == 0 {
		t.Error("watch wrote nothing")
	}
	nodes := decoded(t, live)
	checkSteps(t, c, dir, nodes)
	checkBound(t, nodes)
	checkResult(t, c)
	if t.Failed() {
		log, _ := os.ReadFile(filepath.Join(dir, record.WatchLog))
		t.Logf("watch said:\n%s", log)
	}
}

func folded(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return record.Folded(data)
}

func decoded(t *testing.T, log map[string]string) []*trial.Node {
	t.Helper()
	var nodes []*trial.Node
	for _, line := range log {
		n := new(trial.Node)
		if err := json.Unmarshal([]byte(line), n); err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, n)
	}
	slices.SortFunc(nodes, func(a, b *trial.Node) int { return strings.Compare(a.ID, b.ID) })
	return nodes
}

// checkSteps holds the episodes to the files: those of the calls of a step, one
// after another, make of every file that the step changed what it was after. An
// episode of a call that changed nothing is one too many.
func checkSteps(t *testing.T, c *corpus.Case, dir string, nodes []*trial.Node) {
	data, err := os.ReadFile(filepath.Join(dir, record.StepsFile))
	if err != nil {
		t.Fatal(err)
	}
	var steps []record.Changed
	if err := json.Unmarshal(data, &steps); err != nil {
		t.Fatal(err)
	}
	accounted := map[string]bool{}
	for _, s := range steps {
		if s.Shell || renamed(s) {
			markCalls(accounted, nodes, s)
			continue
		}
		now, is := text(s.Before)
		for _, call := range s.CallIDs {
			e := episodeOf(nodes, call, path.Join(c.Truth.Repo, s.Path))
			if e == nil {
				t.Errorf("no episode of %s by %s", s.Path, call)
				continue
			}
			accounted[e.ID] = true
			now, is = applied(t, e, now, is)
		}
		if after, there := text(s.After); after != now || there != is {
			t.Errorf("%s by %v: the episodes make it %q (there: %t), but it is %q (there: %t)", s.Path, s.CallIDs, now, is, after, there)
		}
	}
	for _, n := range nodes {
		if n.Node == "episode" && !accounted[n.ID] {
			t.Errorf("an episode of %s by %s, but nothing changed", n.Path, n.CallID)
		}
	}
}

// renamed reports whether a step moved a file: then the content that its diff
// changes is at the other path, and the whole recording is checked in checkResult.
func renamed(s record.Changed) bool { return s.Op == "rename" }

func markCalls(accounted map[string]bool, nodes []*trial.Node, s record.Changed) {
	for _, n := range nodes {
		if n.Node == "episode" && slices.Contains(s.CallIDs, n.CallID) && !s.Shell {
			accounted[n.ID] = true
		}
	}
}

func text(s *string) (string, bool) {
	if s == nil {
		return "", false
	}
	return *s, true
}

func episodeOf(nodes []*trial.Node, call, file string) *trial.Node {
	for _, n := range nodes {
		if n.Node == "episode" && n.CallID == call && (n.Path == file || n.Diff.Path == file) {
			return n
		}
	}
	return nil
}

// applied is what an episode makes of a file.
func applied(t *testing.T, e *trial.Node, before string, was bool) (string, bool) {
	t.Helper()
	parsed, err := patch.Parse(e.Diff.Unified)
	if err != nil || len(parsed) != 1 {
		t.Errorf("episode of %s by %s: %d files in its diff, %v", e.Path, e.CallID, len(parsed), err)
		return before, was
	}
	if e.Diff.Change == "write" {
		before, was = "", false // whether it was there, the transcript does not tell
	} else if was == (e.Diff.Change == "create") {
		t.Errorf("episode of %s by %s is a %s, but that it was there is %t", e.Path, e.CallID, e.Diff.Change, was)
	}
	after, err := parsed[0].Apply(before)
	if err != nil {
		t.Errorf("episode of %s by %s: %v", e.Path, e.CallID, err)
		return before, was
	}
	return after, e.Diff.Change != "delete"
}

// checkBound: every decision of a person that edits follow is what they hang on.
func checkBound(t *testing.T, nodes []*trial.Node) {
	byID := map[string]*trial.Node{}
	for _, n := range nodes {
		byID[n.ID] = n
	}
	bound := map[string]bool{}
	for _, n := range nodes {
		if n.Node != "binding" {
			continue
		}
		from, to := byID[n.From], byID[n.To]
		if from == nil || to == nil || to.Node != "episode" {
			t.Errorf("binding %s has no two ends", n.ID)
			continue
		}
		bound[to.ID] = bound[to.ID] || n.Relation == "produced"
	}
	for _, n := range nodes {
		if n.Node == "episode" && !bound[n.ID] && decidedBefore(nodes, n) {
			t.Errorf("the edit of %s by %s hangs on no decision", n.Path, n.CallID)
		}
	}
}

// decidedBefore reports whether the last turn before an edit decided something.
func decidedBefore(nodes []*trial.Node, edit *trial.Node) bool {
	last := &trial.Node{}
	for _, n := range nodes {
		spoken := n.Node == "decision" || n.Node == "conversation" && n.Speaker == "user"
		if spoken && n.SessionID == edit.SessionID && n.Timestamp <= edit.Timestamp && n.TurnRange != nil &&
			(n.Timestamp > last.Timestamp || n.Timestamp == last.Timestamp && n.Node == "decision") {
			last = n
		}
	}
	return last.Node == "decision"
}

// checkResult holds the recording to all that recordings are held to.
func checkResult(t *testing.T, c *corpus.Case) {
	a, ok := adapters.ByTool(c.Tool)
	if !ok {
		t.Fatalf("no adapter of %s", c.Tool)
	}
	inputs, err := trial.Inputs(c, a)
	if err != nil {
		t.Fatal(err)
	}
	result, err := trial.Whole(inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range truth.Check(c, result) {
		t.Error(p)
	}
	stated, err := scenario.Statements()
	if err != nil {
		t.Fatal(err)
	}
	want, ok := scenario.For(stated, c)
	if !ok {
		t.Fatalf("no statement of %s", c.Scenario)
	}
	shape := scenario.Shape(result, c.Truth.Repo)
	if line, ok := want.Holds(shape); !ok {
		t.Errorf("from line %d on it shows\n  %s\nwant\n  %s", line, strings.Join(shape, "\n  "), strings.Join(want.Lines, "\n  "))
	}
}
