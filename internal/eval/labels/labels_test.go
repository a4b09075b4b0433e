package labels_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/internal/eval/labels"
	"github.com/memscribe/memscribe/testkit/golden"
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
	rules, err := gate.New(gate.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// laidDown is the share of the turns found that choose, forbid, rule, accept or
// take back.
func laidDown(reports ...*labels.Report) (found, all int) {
	for _, r := range reports {
		for _, x := range r.Found {
			if x.Name != string(decide.Spec) {
				found, all = found+x.Share.Of, all+x.Share.All
			}
		}
	}
	return found, all
}

// talk is the share of the questions and the feedback taken for decisions.
func talk(reports ...*labels.Report) (taken, all int) {
	for _, r := range reports {
		for _, x := range r.Taken {
			if x.Name == string(decide.Question) || x.Name == string(decide.Feedback) {
				taken, all = taken+x.Share.Of, all+x.Share.All
			}
		}
	}
	return taken, all
}

// TestFloors cross-validates by project, holds the figures to floors and the
// document to the figures.
func TestFloors(t *testing.T) {
	rules := standard(t)
	natural, hard := load(t, "labels.jsonl"), load(t, "hard.jsonl")
	measure := func(turns, further []labels.Turn) *labels.Report {
		outcomes, err := labels.CrossValidate(rules, turns, further)
		if err != nil {
			t.Fatal(err)
		}
		return labels.Measure(outcomes)
	}
	r, apart := measure(natural, hard), measure(hard, natural)
	found, all := laidDown(r)
	foundHard, allHard := laidDown(apart)
	for _, f := range []struct {
		name  string
		got   float64
		least float64
	}{
		{"precision", r.Overall.Precision.Value(), 0.91},
		{"precision among the hard turns", apart.Overall.Precision.Value(), 0.93},
		{"recall", r.Overall.Recall.Value(), 0.77},
		{"recall of the hard turns", apart.Overall.Recall.Value(), 0.85},
		{"found of what chooses, forbids, rules, accepts or takes back", float64(found) / float64(all), 0.86},
		{"found of the same among the hard turns", float64(foundHard) / float64(allHard), 0.86},
		{"epitome", r.Epitome.Value(), 0.92},
		{"epitome among the hard turns", apart.Epitome.Value(), 0.92},
		{"flag of bans", r.Ban.Value(), 0.95},
		{"flag of bans among the hard turns", apart.Ban.Value(), 0.95},
		{"named options", r.Named.Value(), 0.82},
		{"named options among the hard turns", apart.Named.Value(), 0.82},
		{"labelled options", r.Options.Value(), 0.50},
	} {
		if f.got < f.least {
			t.Errorf("%s is %.3f, at least %.2f is expected", f.name, f.got, f.least)
		}
	}
	if taken, of := talk(r, apart); float64(taken) > 0.03*float64(of) {
		t.Errorf("%d of %d questions and reports are taken for decisions", taken, of)
	}
	checkDoc(t, r, apart)
	if testing.Verbose() {
		var report bytes.Buffer
		if err := r.Write(&report, rules); err != nil {
			t.Fatal(err)
		}
		t.Log(report.String())
	}
}

// checkDoc holds the figures in docs/decisions.md to those that were measured.
func checkDoc(t *testing.T, natural, hard *labels.Report) {
	t.Helper()
	const (
		file               = "../../../docs/decisions.md"
		first, second, end = "### The natural mix\n", "### The hard turns, apart\n", "## What is out of reach\n"
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
	natural.Figures(&b)
	b.WriteString("\n" + second + "\n")
	hard.Figures(&b)
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

// TestFrozen shows that the frozen weights are those that the labels give.
func TestFrozen(t *testing.T) {
	turns, err := labels.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	turns = append(append(turns, load(t, "labels.jsonl")...), load(t, "hard.jsonl")...)
	want, err := labels.Fit(labels.ReadAll(standard(t), turns)).Source()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../core/decide/weights.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("core/decide/weights.go is out of date: run go generate ./core/decide")
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
	r := labels.Measure(labels.Judge(rules, labels.Fit(nil).Frozen(), turns))
	if r.Overall.Precision.Of != 1 || r.Overall.Precision.All != 1 || r.Overall.Recall.All != 2 || math.Abs(r.Overall.F1-2.0/3) > 1e-9 {
		t.Errorf("overall %+v", r.Overall)
	}
	if r.Options.Of != 2 || r.Named.Of != 2 || r.EpitomeSame.Of != 1 || len(r.Missed) != 1 || len(r.Wrong) != 0 {
		t.Errorf("options %+v, named %+v, epitome %+v, missed %d, wrong %d", r.Options, r.Named, r.EpitomeSame, len(r.Missed), len(r.Wrong))
	}
	if p := r.Overall.Precision; p.Low < 0.2 || p.Low > 0.21 || p.High != 1 {
		t.Errorf("interval of 1/1 is %.3f to %.3f", p.Low, p.High)
	}
}

func TestLoadRefuses(t *testing.T) {
	_, err := labels.Load(strings.NewReader("{\"label\":\"other\"}\n{\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
