package script

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/verify/scenario"
)

// TestScripts reads every script: each is one of which it is stated what it must
// show, and its edits can be made in the work tree in which it begins.
func TestScripts(t *testing.T) {
	names, err := Names()
	if err != nil || len(names) == 0 {
		t.Fatalf("%d scripts, %v", len(names), err)
	}
	stated := map[string]bool{}
	all, err := scenario.Statements()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		stated[s.Scenario] = true
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if !stated[name] {
				t.Error("nobody has stated what it must show")
			}
			s, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := s.WorkTree()
			if err != nil {
				t.Fatal(err)
			}
			editable(t, s, tree)
		})
	}
}

// editable looks for each text that an edit replaces: in the files of the
// beginning, or in what another op has put there.
func editable(t *testing.T, s *Scenario, tree map[string]string) {
	t.Helper()
	written := map[string]string{}
	var changes []Change
	absent, byShell := map[string]bool{}, map[string]bool{}
	for _, turn := range s.Turns {
		for _, step := range turn.Steps {
			for _, op := range step {
				written[op.Path] += op.Content + op.New
				byShell[op.Path] = byShell[op.Path] || op.Kind == Bash
				changes = append(changes, op.Edits...)
				for _, e := range op.Edits {
					written[e.Path] += e.New
				}
				if op.Kind == Edit {
					changes = append(changes, Change{Path: op.Path, Old: op.Old, New: op.New})
					absent[op.Path+op.Old] = op.Absent
				}
			}
		}
	}
	for _, c := range changes {
		name := path.Clean(c.Path)
		if byShell[c.Path] {
			continue // what a command made of it, the script does not know
		}
		if found := strings.Contains(tree[name]+written[c.Path]+written[name], c.Old); found == absent[c.Path+c.Old] {
			t.Errorf("that %q is in %s is %t", c.Old, c.Path, found)
		}
	}
}

func TestNoSuchScript(t *testing.T) {
	if _, err := Load("none"); err == nil {
		t.Error("read what is not there")
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"unknown member":         `{"turns":[],"runs":[{"mode":"new"}],"colour":"red"}`,
		"no runs":                `{"turns":[{"key":"a","prompt":"a b","steps":[[]]}]}`,
		"key not in its prompt":  `{"turns":[{"key":"c","prompt":"a b","steps":[[]]}],"runs":[{"mode":"new","turns":[0]}]}`,
		"no steps":               `{"turns":[{"key":"a","prompt":"a b"}],"runs":[{"mode":"new","turns":[0]}]}`,
		"turn that is not there": `{"turns":[{"key":"a","prompt":"a b","steps":[[]]}],"runs":[{"mode":"new","turns":[1]}]}`,
		"turn of a subagent":     `{"turns":[{"key":"a","prompt":"a b","steps":[[]],"subagent":true}],"runs":[{"mode":"new","turns":[0]}]}`,
		"recall by no program":   `{"turns":[{"key":"a","prompt":"a b","steps":[[]]}],"runs":[{"mode":"new","turns":[0]}],"recall":true}`,
	} {
		if s, err := parse([]byte(text)); err == nil {
			t.Errorf("%s: read %+v", name, s)
		}
	}
}

func TestContentOfPieces(t *testing.T) {
	s := &Scenario{Name: "of its own", Extra: []File{
		{Path: "a", Text: "head\n"}, {Path: "a", Text: "{000} of {0}\n", Times: 2}, {Path: "README.md", Text: "other"},
	}}
	tree, err := s.WorkTree()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("head\n001 of 1\n002 of 2\n", tree["a"]); d != "" {
		t.Error(d)
	}
	if tree["README.md"] != "other" || tree["src/db.js"] == "" {
		t.Errorf("files are %v", tree)
	}
}
