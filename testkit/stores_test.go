package testkit_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/input"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/io/tail"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestStoresAlive plays what the stores of recorded sessions were in the course
// of the session to a watch, one state after another in one place. What it holds
// in the end equals what a watch finds that begins when all is over.
func TestStoresAlive(t *testing.T) {
	for _, root := range []string{fixtures, recorded()} {
		storesAlive(t, root)
	}
}

func storesAlive(t *testing.T, root string) {
	homes, err := filepath.Glob(filepath.Join(root, "*", "*", "*", "snapshots"))
	if err != nil || len(homes) == 0 {
		t.Logf("no states of stores at %s", root)
	}
	for _, snapshots := range size.Some(homes, 6) {
		dir := filepath.Dir(snapshots)
		rel, _ := filepath.Rel(root, dir)
		tool, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		a, ok := adapters.ByTool(core.Tool(tool))
		if !ok {
			t.Fatalf("no adapter of %s", tool)
		}
		t.Run(filepath.ToSlash(rel), func(t *testing.T) {
			states, err := filepath.Glob(filepath.Join(snapshots, "*"))
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, filepath.Join(dir, "home"))
			home := t.TempDir()
			cold := watchStates(t, a, home, states[len(states)-1:])
			live := watchStates(t, a, home, states)
			// What the client has deleted meanwhile, only who was there knows.
			for _, id := range slices.Sorted(maps.Keys(live)) {
				if cold[id] == "" && !forgotten(dir) {
					t.Errorf("too many: %s", live[id])
				}
			}
			for _, id := range slices.Sorted(maps.Keys(cold)) {
				if diff := cmp.Diff(cold[id], live[id]); diff != "" {
					t.Errorf("node (-cold +live):\n%s", diff)
				}
			}
			if len(cold) == 0 {
				t.Error("there are no nodes")
			}
		})
	}
}

// forgotten reports whether a recording has a rewind.
func forgotten(dir string) bool { return strings.Contains(filepath.Base(dir), "rewind") }

// held is a sink that keeps the last of each id.
type heldNodes map[string]string

func (h heldNodes) Apply(_ context.Context, lines []sink.Line) error {
	for _, l := range lines {
		h[l.ID] = string(l.JSON)
	}
	return nil
}
func (heldNodes) Flush(context.Context) error { return nil }
func (heldNodes) Close() error                { return nil }

// settling is a consumer that says when it has settled.
type settling struct {
	tail.Consumer

	idle chan<- bool
	ctx  context.Context //nolint:containedctx // ends the test
}

func (s *settling) Settle(ctx context.Context, idle bool) error {
	err := s.Consumer.Settle(ctx, idle)
	if !idle {
		return err
	}
	select {
	case s.idle <- true:
	case <-s.ctx.Done():
	}
	return err
}

// watchStates watches a home that becomes one state after another.
func watchStates(t *testing.T, a core.Adapter, home string, states []string) heldNodes {
	t.Helper()
	become(t, home, states[0])
	var steps []func()
	for _, state := range states[1:] {
		steps = append(steps, func() { become(t, home, state) })
	}
	return watchSteps(t, a, home, steps...)
}

// leaping is a clock by which every look at a store takes too long: each
// conversation is read in a look of its own.
func leaping() func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time {
		now = now.Add(time.Minute)
		return now
	}
}

// watchSteps watches a home. Each step is done when all that was there has been
// read.
func watchSteps(t *testing.T, a core.Adapter, home string, steps ...func()) heldNodes {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nodes := heldNodes{}
	c := capture.New(capture.Options{Set: set, Encoder: &encode.Encoder{}, Sink: nodes, Report: func(p capture.Problem) {
		t.Logf("%s: %s", p.File, p.Reason)
	}})
	judge := func(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing) {
		s := input.Sample(path, head, whole)
		a := input.Judge(adapters.Detect, s, place)
		if a == nil {
			return nil, core.Lines
		}
		return a, input.Framing(a, s)
	}
	source := &tail.Source{
		Roots:  discover.Roots([]core.Adapter{a}, discover.Env{OS: "linux", Home: home}),
		Report: func(file string, err error) { t.Errorf("%s: %v", file, err) },
	}
	follower := capture.NewFollower(capture.FollowerOptions{Capture: c, Judge: judge, Files: source})
	source.Keeper = capture.NewKeeper(follower, capture.KeeperOptions{Layout: adapters.Layout, Clock: leaping()})
	wake, idle := make(chan time.Time), make(chan bool)
	source.Wake, source.Clock = wake, leaping()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- source.Run(ctx, &settling{Consumer: follower, idle: idle, ctx: ctx})
	}()
	for _, step := range steps {
		<-idle
		step()
		wake <- time.Time{}
	}
	<-idle
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return nodes
}

// become makes a folder equal to another, in place.
func become(t *testing.T, dir, state string) {
	t.Helper()
	keep := map[string]bool{}
	err := filepath.WalkDir(state, func(at string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(state, at)
		to := filepath.Join(dir, rel)
		keep[to] = true
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(to, 0o700)
		}
		from := at
		if name, ok := strings.CutSuffix(to, corpus.Dump); ok {
			delete(keep, to)
			to, from = name, filepath.Join(t.TempDir(), "state")
			keep[to] = true
			if err := trial.Restore(t.Context(), at, from); err != nil {
				return err
			}
		}
		b, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o600)
	})
	err = errors.Join(err, filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !keep[at] {
			return os.Remove(at)
		}
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// TestBothStores reads a session that lies in files and, as the client's own
// import puts it there, in the database: each node is there once.
func TestBothStores(t *testing.T) {
	var tree *session
	for _, s := range sessions(t, fixtures) {
		if s.Name() == "opencode/1.0.185/tool_failure" {
			tree = s
		}
	}
	if tree == nil {
		t.Fatal("the session is not there")
	}
	tree.load(t)
	path := filepath.Join(t.TempDir(), "opencode.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	script := []string{
		`CREATE TABLE session (id TEXT, directory TEXT, version TEXT, time_created INTEGER, time_updated INTEGER)`,
		`CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)`,
		`CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)`,
		`CREATE TABLE line (doc TEXT)`,
	}
	const from = ` FROM (SELECT doc, doc ->> 'table' AS kind, doc -> 'data' AS d FROM line) WHERE kind = `
	after := []string{
		`INSERT INTO session SELECT d ->> 'id', d ->> 'directory', d ->> 'version', d ->> '$.time.created', 1` + from + `'session'`,
		`INSERT INTO message SELECT d ->> 'id', d ->> 'sessionID', d ->> '$.time.created', 1, json_remove(d, '$.id', '$.sessionID')` + from + `'message'`,
		`INSERT INTO part SELECT d ->> 'id', d ->> 'messageID', d ->> 'sessionID', 1, 1, json_remove(d, '$.id', '$.sessionID', '$.messageID')` + from + `'part'`,
		`DROP TABLE line`,
	}
	exec := func(query string, args ...any) {
		if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	for _, q := range script {
		exec(q)
	}
	for _, in := range tree.inputs {
		for line := range strings.Lines(string(in.Data)) {
			exec(`INSERT INTO line VALUES (?)`, line)
		}
	}
	for _, q := range after {
		exec(q)
	}
	both := slices.Clone(tree.inputs)
	a := tree.inputs[0].Adapter.(core.DatabaseAdapter)
	if err := trial.ReadDatabase(path, a, func(c store.Conversation) {
		in := trial.Input{Adapter: a, Path: "opencode.db", Name: "opencode.db"}
		for _, r := range c.Rows {
			in.At, in.Data = append(in.At, r.At), append(append(in.Data, r.JSON...), '\n')
		}
		both = append(both, in)
	}); err != nil {
		t.Fatal(err)
	}
	ids := func(r *trial.Result) (list []string) {
		for _, n := range r.Nodes {
			list = append(list, n.ID)
		}
		slices.Sort(list)
		return list
	}
	if len(both) == len(tree.inputs) {
		t.Fatal("the database has no conversation")
	}
	if diff := cmp.Diff(ids(tree.result), ids(whole(t, both))); diff != "" {
		t.Errorf("nodes of one store and of both (-one +both):\n%s", diff)
	}
}
