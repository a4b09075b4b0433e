package testkit_test

import (
	"cmp"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/golden"
	"github.com/memscribe/memscribe/testkit/size"
)

const (
	fixtures = "../fixtures"
	shared   = "../../shared/transcripts" // more recordings than the repository holds
)

// elsewhere is where sessions were recorded anew, to be held to the same.
var elsewhere = flag.String("recordings", "", "a folder of recordings to read in place of the shared ones")

// recorded is the folder of the recordings that are read beside the fixtures.
func recorded() string { return cmp.Or(*elsewhere, shared) }

// session is a case and what comes out of it, read once for all tests.
type session struct {
	*corpus.Case
	root   string
	once   sync.Once
	inputs []trial.Input
	result *trial.Result
	err    error
}

func (s *session) load(t testing.TB) {
	t.Helper()
	s.once.Do(func() {
		a, ok := adapters.ByTool(s.Tool)
		if !ok {
			s.err = errors.New("no adapter")
			return
		}
		if s.inputs, s.err = trial.Inputs(s.Case, a); s.err == nil {
			s.result, s.err = trial.Whole(s.inputs, nil)
		}
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
}

// cached holds the sessions of each corpus: tests share what was read.
var cached sync.Map

// inFull reports whether every version of every tool is read wherever it is recorded: at
// the ordinary size, the recordings that are not in the repository are those of the last
// version that plays a scenario.
func inFull() bool { return size.IsFull() || golden.Updating() }

func sessions(t testing.TB, root string) []*session {
	t.Helper()
	if all, ok := cached.Load(root); ok {
		return all.([]*session)
	}
	cases, err := corpus.Load(root, tools()...)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no recordings at %s", root)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("no sessions below %s", root)
	}
	all := make([]*session, 0, len(cases))
	for _, c := range cases {
		all = append(all, &session{Case: c, root: root})
	}
	if root == shared && !inFull() {
		all = slices.DeleteFunc(all, func(s *session) bool { return !slices.Contains(latest(all, s.Tool), s) })
	}
	cached.Store(root, all)
	return all
}

// each runs a test on every session of a corpus.
func each(t *testing.T, root string, test func(t *testing.T, s *session)) {
	t.Helper()
	for _, s := range sessions(t, root) {
		t.Run(s.Name(), func(t *testing.T) {
			s.load(t)
			test(t, s)
		})
	}
}

// isSpared reports whether a session is left out of what is slow: a shared one
// whose scrubbed copy is a fixture and, unless it is a full run, what a later version of
// the tool played too.
func (s *session) isSpared(t testing.TB) bool {
	t.Helper()
	isCopied := s.root == shared && slices.ContainsFunc(sessions(t, fixtures), func(f *session) bool { return f.Name() == s.Name() })
	return isCopied || !size.IsFull() && !slices.Contains(latest(sessions(t, s.root), s.Tool), s)
}

// latest picks each scenario of a tool as its last version plays it.
func latest(all []*session, tool core.Tool) []*session {
	last := map[string]*session{}
	for _, s := range all {
		if have := last[s.Scenario]; s.Tool == tool && (have == nil || semver.Compare("v"+s.Version, "v"+have.Version) > 0) {
			last[s.Scenario] = s
		}
	}
	return slices.SortedFunc(maps.Values(last), func(a, b *session) int { return strings.Compare(a.Scenario, b.Scenario) })
}

// partial reports whether only some tests are run.
func partial() bool {
	f := flag.Lookup("test.run")
	return f != nil && strings.Contains(f.Value.String(), "/")
}

// TestEveryFixtureIsRead: a scenario without a transcript would be left out of every test, and
// its author would see green.
func TestEveryFixtureIsRead(t *testing.T) {
	folders, err := fs.Glob(os.DirFS(fixtures), "*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	read, err := corpus.Load(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range folders {
		if !slices.ContainsFunc(read, func(c *corpus.Case) bool { return c.Name() == dir }) {
			t.Errorf("fixtures/%s has no transcript below home/, where the tool keeps it: see IsTranscript in internal/verify/corpus", dir)
		}
	}
}
