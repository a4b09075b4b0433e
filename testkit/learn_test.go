package testkit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/testkit/golden"
	"github.com/memscribe/memscribe/testkit/run"
	"github.com/memscribe/memscribe/testkit/shapes"
)

// tableOf is the file with a tool's table; Kilo's is that of OpenCode.
func tableOf(tool core.Tool) string {
	dir := string(tool)
	switch tool { //nolint:exhaustive // the others' packages have the tools' names
	case core.ClaudeCode:
		dir = "claudecode"
	case core.Continue:
		dir = "continuedev"
	case core.Kilo:
		dir = "opencode"
	}
	return filepath.Join("../adapters", dir, "shapes.txt")
}

// TestTables: every table can be read, is the one in the adapter's folder, and
// knows a variant. With -update the tables are learnt anew, from what is recorded
// and what was published.
func TestTables(t *testing.T) {
	if golden.Updating() {
		learn(t)
		return
	}
	described := 0
	for _, a := range adapters.All() {
		d, ok := a.(core.Describer)
		if !ok {
			continue
		}
		described++
		known, err := shape.Parse(d.Shapes())
		if err != nil {
			t.Errorf("%s: %v", a.Tool(), err)
			continue
		}
		if known.Census().Variant() != "" {
			t.Errorf("%s: a transcript without a record has a variant", a.Tool())
		}
		if table, err := os.ReadFile(tableOf(a.Tool())); err != nil || !bytes.Equal(table, d.Shapes()) {
			t.Errorf("%s: not the table of its folder: %v", a.Tool(), err)
		}
	}
	if described < 12 {
		t.Errorf("%d tools have tables", described)
	}
}

func learn(t *testing.T) {
	learners := map[string]*shapes.Learner{}
	of := func(in run.Input) {
		file := tableOf(in.Adapter.Tool())
		if learners[file] == nil {
			table, err := os.ReadFile(file)
			if err != nil {
				return // a tool of which there is too little
			}
			learners[file] = shapes.New(table)
		}
		learners[file].Transcript(in.Data, in.Framing() == core.Document)
	}
	for _, root := range []string{fixtures, recorded()} {
		for _, s := range sessions(t, root) {
			s.load(t)
			for _, in := range s.inputs {
				of(in)
			}
		}
	}
	for _, in := range telemetry(t) {
		of(in)
	}
	published(t, of)
	for file, l := range learners {
		if err := os.WriteFile(file, l.Table(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
