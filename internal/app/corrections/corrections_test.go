package corrections_test

import (
	"bytes"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/corrections"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/eval/labels"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// owner is a user with a home of their own.
func owner(t *testing.T) *setup.Setup {
	t.Helper()
	home := t.TempDir()
	s := &setup.Setup{
		Machine: host.Machine{
			OS:     "linux",
			Getenv: func(string) string { return "" },
			Home:   func() (string, error) { return home, nil },
			Now:    func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) },
		},
		Logger: func() *slog.Logger { return slog.New(slog.DiscardHandler) },
	}
	s.Rules = s.BuiltIn()
	return s
}

// database returns one with some nodes, and the decisions in it, the newest first.
func database(t *testing.T) (p corrections.Place, decisions []nodedb.Node) {
	t.Helper()
	p = corrections.Place{Database: filepath.Join(t.TempDir(), "nodes.db"), By: "Ada"}
	s, err := sqlite.Open(t.Context(), p.Database, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(s.Apply(t.Context(), sinktest.NewMaker(1).Take(60)), s.Close()); err != nil {
		t.Fatal(err)
	}
	return p, unjudged(t, p)
}

// unjudged returns the decisions that are not judged.
func unjudged(t *testing.T, p corrections.Place) []nodedb.Node {
	t.Helper()
	open, err := corrections.Unjudged(t.Context(), p, nodedb.Filter{}, 0)
	if err != nil || len(open) == 0 {
		t.Fatalf("%d decisions, %v", len(open), err)
	}
	return open
}

// TestSay stores what is said with its author, redacted, and takes it back.
func TestSay(t *testing.T) {
	s := owner(t)
	p, decisions := database(t)
	secret := "ghp_" + "q7Xb2Lr9Kd4Wn6Ye1Ts8Vu3Zm5Ph0Jc7Ga2F"
	o := corrections.Options{Place: p, Kind: annotate.Say, Nodes: []string{decisions[0].ID}, Text: "agreed, with " + secret}
	kept, err := corrections.Say(t.Context(), s, o)
	if err != nil || len(kept) != 1 || kept[0].By != "Ada" || kept[0].Node != decisions[0].ID {
		t.Fatalf("%+v, %v", kept, err)
	}
	if strings.Contains(kept[0].Text, secret) || !strings.HasPrefix(kept[0].Text, "agreed, with ") {
		t.Errorf("kept is %q", kept[0].Text)
	}
	o.Text, o.Undo = "", true
	if _, err = corrections.Say(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	all, err := corrections.All(t.Context(), p)
	if err != nil || len(all) != 2 || annotate.Marks(all)[decisions[0].ID].Notes != nil {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestSayRefuses: an id that no node has keeps all from being stored, and a database that
// is not there is not created.
func TestSayRefuses(t *testing.T) {
	s := owner(t)
	p, decisions := database(t)
	o := corrections.Options{Place: p, Kind: annotate.Accept, Nodes: []string{decisions[0].ID, "decision:ffffffffffff"}}
	if _, err := corrections.Say(t.Context(), s, o); !errors.Is(err, nodedb.ErrNode) {
		t.Errorf("an unknown id: %v", err)
	}
	if all, err := corrections.All(t.Context(), p); err != nil || len(all) != 0 {
		t.Errorf("stored are %+v, %v", all, err)
	}
	o.Database = filepath.Join(t.TempDir(), "none.db")
	if _, err := corrections.Say(t.Context(), s, o); err == nil {
		t.Error("a database that is not there is annotated")
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Database), "*")); len(files) > 0 {
		t.Errorf("created are %v", files)
	}
}

// TestUnjudged leaves out what was accepted, and keeps to a limit.
func TestUnjudged(t *testing.T) {
	s := owner(t)
	p, before := database(t)
	o := corrections.Options{Place: p, Kind: annotate.Accept, Nodes: []string{before[1].ID}}
	if _, err := corrections.Say(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	after := unjudged(t, p)
	if len(after) != len(before)-1 || slices.ContainsFunc(after, func(n nodedb.Node) bool { return n.ID == before[1].ID }) {
		t.Errorf("%d decisions are open, there were %d", len(after), len(before))
	}
	if some, err := corrections.Unjudged(t.Context(), p, nodedb.Filter{}, 1); err != nil || len(some) != 1 || some[0].ID != after[0].ID {
		t.Errorf("with a limit of 1: %+v, %v", some, err)
	}
}

// TestImport takes what another machine exported, redacted by the rules of this one, once.
func TestImport(t *testing.T) {
	s := owner(t)
	p, decisions := database(t)
	secret := "AKIA" + "Q3EGRZ7TNB5XMWDH"
	in := `{"schema":"memscribe.annotation/v1","id":"note:1","kind":"note","node":"` + decisions[0].ID + `","text":"key ` + secret + `","at":"2026-11-01T00:00:00Z","by":"Bob"}` + "\n"
	for i, want := range []int{1, 0} {
		all, added, err := corrections.Import(t.Context(), s, p, "their.ndjson", strings.NewReader(in))
		if err != nil || all != 1 || added != want {
			t.Fatalf("import %d: %d, %d new, %v", i, all, added, err)
		}
	}
	all, err := corrections.All(t.Context(), p)
	if err != nil || len(all) != 1 || strings.Contains(all[0].Text, secret) || all[0].By != "Bob" {
		t.Errorf("%+v, %v", all, err)
	}
	if _, _, err = corrections.Import(t.Context(), s, p, "their.ndjson", strings.NewReader("no JSON\n")); err == nil || !strings.Contains(err.Error(), "their.ndjson") {
		t.Errorf("what is no JSON: %v", err)
	}
}

// TestLabels leaves out decisions whose turn is not kept, and counts them.
func TestLabels(t *testing.T) {
	s := owner(t)
	p, decisions := database(t)
	for kind, n := range map[annotate.Kind]*nodedb.Node{annotate.Accept: &decisions[0], annotate.Reject: &decisions[1]} {
		if _, err := corrections.Say(t.Context(), s, corrections.Options{Place: p, Kind: kind, Nodes: []string{n.ID}}); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	left, err := corrections.Labels(t.Context(), &out, p)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := labels.Load(&out)
	if err != nil || len(turns)+left != 2 {
		t.Errorf("%d turns and %d left out of 2, %v", len(turns), left, err)
	}
}
