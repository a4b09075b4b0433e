package labels_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/internal/eval/labels"
	"github.com/memscribe/memscribe/testkit/golden"
	"github.com/memscribe/memscribe/testkit/size"
)

// shared is the folder of the labelled turns, which are not part of the project.
const shared = "../../../../shared/labels"

func load(t *testing.T, name string) []labels.Turn {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no labelled turns: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	turns, err := labels.Certain(f)
	if err != nil {
		t.Fatal(err)
	}
	return turns
}

func standard(t *testing.T) *gate.Rules {
	t.Helper()
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// learnt are the turns from which the weights are learnt, seeds included.
func learnt(t *testing.T) []labels.Turn {
	t.Helper()
	if testing.Short() {
		t.Skip("learning takes a minute")
	}
	turns, err := labels.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"more.jsonl", "labels.jsonl", "hard.jsonl"} {
		turns = append(turns, load(t, name)...)
	}
	return turns
}

// inFull reports whether the folds are learnt, too, which takes minutes: before a release,
// and where -run names a test of this package.
func inFull() bool {
	f := flag.Lookup("test.run")
	return size.IsFull() || f != nil && strings.Contains(f.Value.String(), "Test")
}

// TestFrozen shows that the frozen weights are those that the labels give, to the
// byte. The numbers that join the models come from the folds; they are compared in full only.
func TestFrozen(t *testing.T) {
	got, err := os.ReadFile("../../../core/decide/weights.tsv")
	if err != nil {
		t.Fatal(err)
	}
	same := false
	if inFull() {
		want, err := labels.Learn(standard(t), learnt(t))
		if err != nil {
			t.Fatal(err)
		}
		same = bytes.Equal(got, want)
	} else {
		want := labels.LearnWeights(standard(t), learnt(t))
		same = len(want) > 100_000 && bytes.HasSuffix(got, want)
	}
	if !same {
		t.Error("core/decide/weights.tsv is out of date: run go generate ./core/decide")
	}
}

// TestFrozenFloors judges every fourth turn of the open projects by the frozen weights, which
// have seen it: the figures say nothing of other projects, but a judge that became worse
// shows. [TestFloors] has the figures that count.
func TestFrozenFloors(t *testing.T) {
	if testing.Short() {
		t.Skip("judges a thousand turns")
	}
	var turns []labels.Turn
	for i, x := range load(t, "more.jsonl") {
		if !x.IsLocked() && i%4 == 0 {
			turns = append(turns, x)
		}
	}
	outcomes, err := labels.Judge(standard(t), turns)
	if err != nil {
		t.Fatal(err)
	}
	all := labels.Measure(outcomes)
	for _, f := range []floor{
		{"precision", all.Overall.Precision.Value(), 0.88},
		{"recall", all.Overall.Recall.Value(), 0.68},
		{"epitome", all.Epitome.Value(), 0.90},
		{"kind", all.Kind.Value(), 0.68},
		{"standing or not", all.Standing.Value(), 0.87},
		{"turns flagged as a ban", all.Ban.Value(), 0.80},
		{"bans flagged", all.BanAll.Value(), 0.62},
		{"labelled options named", all.Options.Value(), 0.59},
		{"named options", all.Named.Value(), 0.49},
	} {
		f.hold(t)
	}
}

// floor is what a figure must not fall below.
type floor struct {
	name       string
	got, least float64
}

func (f floor) hold(t *testing.T) {
	t.Helper()
	t.Logf("%s: %.3f", f.name, f.got)
	if f.got < f.least {
		t.Errorf("%s is %.3f, at least %.2f is expected", f.name, f.got, f.least)
	}
}

// TestFloors judges the turns of every open project by weights that have not seen
// it, and holds the figures to floors, the scores to what they say, and the document
// to the figures.
func TestFloors(t *testing.T) {
	if !inFull() {
		t.Skip("the folds are learnt in full only; TestFrozenFloors judges by the frozen weights")
	}
	turns := slices.DeleteFunc(load(t, "more.jsonl"), func(x labels.Turn) bool { return x.IsLocked() })
	outcomes, err := labels.CrossValidate(standard(t), turns)
	if err != nil {
		t.Fatal(err)
	}
	sure := slices.DeleteFunc(slices.Clone(outcomes), func(o labels.Outcome) bool { return o.Confidence < 3 })
	all, certain := labels.Measure(outcomes), labels.Measure(sure)
	for _, f := range []floor{
		{"precision", all.Overall.Precision.Value(), 0.77},
		{"recall", all.Overall.Recall.Value(), 0.51},
		{"precision where the reader was sure", certain.Overall.Precision.Value(), 0.85},
		{"recall where the reader was sure", certain.Overall.Recall.Value(), 0.62},
		{"epitome", all.Epitome.Value(), 0.915},
		{"kind", all.Kind.Value(), 0.63},
		{"standing or not", all.Standing.Value(), 0.85},
		{"turns flagged as a ban", all.Ban.Value(), 0.79},
		{"bans flagged", all.BanAll.Value(), 0.57},
		{"labelled options named", all.Options.Value(), 0.63},
		{"all labelled options of a decision named", all.Complete.Value(), 0.57},
		{"named options", all.Named.Value(), 0.41},
	} {
		f.hold(t)
	}
	calibrated(t, outcomes)
	checkDoc(t, all, certain)
}

// calibrated checks that of decisions with a score, about so many of 100 are right.
func calibrated(t *testing.T, outcomes []labels.Outcome) {
	t.Helper()
	var n, right, sum [10]int
	for i := range outcomes {
		k := min(outcomes[i].Verdict.Score/10, 9)
		n[k]++
		sum[k] += outcomes[i].Verdict.Score
		if outcomes[i].IsDecision() {
			right[k]++
		}
	}
	for k := range n {
		if n[k] == 0 {
			continue
		}
		want, got := float64(sum[k])/float64(n[k]), 100*float64(right[k])/float64(n[k])
		t.Logf("scores from %d on: expected %.1f, found %.1f of %d", 10*k, want, got, n[k])
		if math.Abs(want-got) > 5 {
			t.Errorf("scores from %d on: expected %.1f, found %.1f of %d", 10*k, want, got, n[k])
		}
	}
}

// checkDoc holds the figures in docs/decisions.md to those that were measured.
func checkDoc(t *testing.T, all, certain *labels.Report) {
	t.Helper()
	const (
		file               = "../../../docs/decisions.md"
		first, second, end = "### All turns\n", "### Turns of which the reader was sure\n", "## The locked projects\n"
	)
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(have)
	from, to := strings.Index(doc, first), strings.Index(doc, end)
	if from < 0 || to < from {
		t.Fatalf("%s has no figures", file)
	}
	var b strings.Builder
	b.WriteString(doc[:from] + first + "\n")
	all.Figures(&b)
	b.WriteString("\n" + second + "\n")
	certain.Figures(&b)
	b.WriteString("\n" + doc[to:])
	if golden.Updating() {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != doc {
		t.Errorf("%s is not up to date (go test ./internal/eval/labels -update):\n%s", file, golden.Diff([]byte(b.String()), have))
	}
}

func TestSeeds(t *testing.T) {
	turns, err := labels.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, turn := range turns {
		key := turn.Text + "\x00" + turn.PrevAssistant
		if seen[key] {
			t.Errorf("%s: %q stands twice", turn.ID, turn.Text)
		}
		seen[key] = true
	}
}

// TestMeasure checks the arithmetic on outcomes with known figures.
func TestMeasure(t *testing.T) {
	turns, err := labels.Load(strings.NewReader(`
{"id":"a","text":"Use tabs instead of spaces.","label":"choice","epitome":"Use tabs instead of spaces.","epitome_in":"user","options":[{"text":"tabs","chosen":true},{"text":"spaces","chosen":false}],"scope":"local"}
{"id":"b","text":"why?","label":"question"}
{"id":"c","text":"hello","label":"spec","epitome":"hello","epitome_in":"user"}
`))
	if err != nil {
		t.Fatal(err)
	}
	rules := standard(t)
	r := measure(t, rules, turns)
	if r.Overall.Precision.Of != 1 || r.Overall.Precision.All != 1 || r.Overall.Recall.All != 2 || math.Abs(r.Overall.F1-2.0/3) > 1e-9 {
		t.Errorf("overall %+v", r.Overall)
	}
	if r.Options.Of != 2 || r.Complete.Of != 1 || r.Complete.All != 1 || r.Named.Of != 2 || r.EpitomeSame.Of != 1 || len(r.Missed) != 1 || len(r.Wrong) != 0 {
		t.Errorf("options %+v, named %+v, epitome %+v, missed %d, wrong %d", r.Options, r.Named, r.EpitomeSame, len(r.Missed), len(r.Wrong))
	}
	if p := r.Overall.Precision; p.Low < 0.2 || p.Low > 0.21 || p.High != 1 {
		t.Errorf("interval of 1/1 is %.3f to %.3f", p.Low, p.High)
	}
}

func measure(t *testing.T, rules *gate.Rules, turns []labels.Turn) *labels.Report {
	t.Helper()
	outcomes, err := labels.Judge(rules, turns)
	if err != nil {
		t.Fatal(err)
	}
	return labels.Measure(outcomes)
}

func TestLoadRefuses(t *testing.T) {
	_, err := labels.Load(strings.NewReader("{\"label\":\"other\"}\n{\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
