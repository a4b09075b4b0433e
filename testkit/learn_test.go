package testkit_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/golden"
	"github.com/memscribe/memscribe/testkit/shapes"
)

// tableOf is the file with a tool's table; Kilo's is that of OpenCode.
func tableOf(tool core.Tool) string {
	if tool == core.Kilo {
		tool = core.OpenCode
	}
	return filepath.Join("../core/shape/tables", string(tool)+".txt")
}

// TestTables: every table can be read, is the tool's own, and
// knows a variant. With -update the tables learn from what is recorded and what was
// published; what they know already they keep.
func TestTables(t *testing.T) {
	if golden.Updating() {
		learn(t)
		return
	}
	described := 0
	for _, a := range adapters.All() {
		held := shape.Table(a.Tool())
		if held == nil {
			continue
		}
		described++
		known, err := shape.Parse(held)
		if err != nil {
			t.Errorf("%s: %v", a.Tool(), err)
			continue
		}
		if known.Census().Variant() != "" {
			t.Errorf("%s: a transcript without a record has a variant", a.Tool())
		}
		if table, err := os.ReadFile(tableOf(a.Tool())); err != nil || !bytes.Equal(table, held) {
			t.Errorf("%s: not the table of its file: %v", a.Tool(), err)
		}
		if kept := shapes.New(held).Table(); bytes.Contains(held, []byte(shapes.Mark)) && !bytes.Equal(kept, held) {
			t.Errorf("%s: learning nothing changes its table:\n%s", a.Tool(), cmp.Diff(string(held), string(kept)))
		}
	}
	if described < 12 {
		t.Errorf("%d tools have tables", described)
	}
}

func learn(t *testing.T) {
	learners := map[string]*shapes.Learner{}
	of := func(in trial.Input) {
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
		if !isThere(root) {
			continue // what a table has from there already, it keeps
		}
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
	if isThere(wild) {
		published(t, of)
	}
	for file, l := range learners {
		if err := os.WriteFile(file, l.Table(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUnseen: what the tables of the tools that nobody has recorded do not know is
// named, and what they know is not.
func TestUnseen(t *testing.T) {
	for _, tt := range []struct {
		tool   core.Tool
		record string
		want   []string
	}{
		{core.Cursor, `{"table":"bubble","key":"b","data":{"type":"1","text":"x","toolFormerData":{"name":"n","aura":1}}}`, []string{"member bubble.data.toolFormerData.aura"}},
		{core.Cursor, `{"table":"blob","key":"b","data":{"role":"assistant","content":[{"type":"hologram"}]}}`, []string{"kind blob.data.content:hologram"}},
		{core.Cursor, `{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}`, nil},
		{core.Windsurf, `{"type":"user_input","status":"done","user_input":{"user_response":"x"}}`, nil},
		{core.Windsurf, `{"type":"run_command","status":"done","run_command":{}}`, []string{"kind run_command"}},
		{core.Zed, `{"table":"thread","key":"a","data":{"version":"0.9.0","messages":["Resume",{"Agent":{"content":[{"Video":1}]}}]}}`, []string{"member thread.data.messages.Agent.content.Video", "version 0.9.0"}},
		{core.Zed, `{"table":"thread","key":"a","data":{"version":"0.2.0","messages":[{"id":0,"role":"user","segments":[{"type":"text","text":"x"}]}]}}`, nil},
		{core.Hermes, `{"table":"message","key":"1","role":"user","content":"x","mood":"calm"}`, []string{"member message.mood"}},
		{core.Hermes, `{"role":"session_meta","model":"m","platform":"cli","tools":[{"any":1}]}`, nil},
	} {
		known, err := shape.Parse(shape.Table(tt.tool))
		if err != nil {
			t.Fatal(err)
		}
		census := known.Census()
		var doc jsondoc.Doc
		if _, err = doc.Parse([]byte(tt.record)); err != nil {
			t.Fatal(err)
		}
		census.Record(doc.Root())
		var got []string
		for _, u := range slices.SortedFunc(maps.Keys(census.Unseen()), shape.Unseen.Compare) {
			got = append(got, u.String())
		}
		if !slices.Equal(got, tt.want) || census.Variant() == "" && tt.want == nil {
			t.Errorf("%s: %s: unseen %q, want %q; variant %q", tt.tool, tt.record, got, tt.want, census.Variant())
		}
	}
}
