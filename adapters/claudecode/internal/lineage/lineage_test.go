package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/lineage"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// play runs a script of records through a tree: "p a" is the prompt a on the
// record before, "p a<b" on b; the other kinds are c for a command, m for the
// model and o for others. It returns the records that left the live branch, and
// where they went back to.
func play(t *testing.T, script string) string {
	t.Helper()
	var tree lineage.Tree
	var left []string
	names := map[uint64]string{}
	last := ""
	for i, step := range strings.Split(script, " ") {
		kind, id, _ := strings.Cut(step, ":")
		id, parent, has := strings.Cut(id, "<")
		if !has {
			parent = last
		}
		last = id
		var doc jsondoc.Doc
		if _, err := doc.Parse(fmt.Appendf(nil, "[%q,%q]", id, parent)); err != nil {
			t.Fatal(err)
		}
		var pair []jsondoc.Value
		for v := range doc.Root().Elems() {
			pair = append(pair, v)
		}
		tree.Enter(pair[0], pair[1])
		if kind == "p" || kind == "c" {
			if d := tree.Branch(); d.Rewound {
				tree.Left(&d, id, uint64(i))
				left = append(left, id+" to "+names[d.ToSeq])
			}
		}
		switch kind {
		case "p":
			tree.Prompt(uint64(i))
		case "c":
			tree.Command()
		case "m":
			tree.Answer(uint64(i))
		}
		tree.Leave(uint64(i + 1))
		names[uint64(i+1)] = id
	}
	return strings.Join(left, ", ")
}

func TestTree(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"a plain conversation", "p:a m:b o:c p:d m:e p:f", ""},
		{"taken back to the first turn", "p:a m:b p:c m:d p:e<b m:f p:g", "e to b"},
		{"taken back twice to the same place", "p:a m:b p:c m:d p:e<b m:f p:g<b", "e to b, g to b"},
		{"taken back from a branch to a turn before it", "p:a m:b p:c m:d p:e m:f p:g<d m:h p:i<b", "g to d, i to b"},
		{"within the turn", "p:a m:b m:c p:d<b", ""},
		{"results in another order", "p:a m:b m:c o:d<c o:e<b p:f<d", ""},
		{"a parent in no line", "p:a m:b p:c<x m:d p:e", ""},
		{"a command without an answer", "p:a m:b c:c o:d p:e<b", ""},
		{"a command with an answer", "p:a m:b c:c m:d p:e<b", "e to b"},
		{"a command on the new branch", "p:a m:b p:c m:d c:e<b p:f", "e to b"},
		{"a record that is there twice", "p:a m:b p:c m:d p:c<b p:e<d", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := play(t, tt.script); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSides(t *testing.T) {
	var tree lineage.Tree
	var sides lineage.Sides
	var got []string
	for _, step := range []string{`["m1",null,1]`, `["a1",null]`, `["a2","a1"]`, `["b1","m1"]`, `["a3","a2"]`, `["b2","b1"]`, `["x","lost"]`, `[null,"a3"]`} {
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(step)); err != nil {
			t.Fatal(err)
		}
		var v [3]jsondoc.Value
		n := 0
		for el := range doc.Root().Elems() {
			v[n] = el
			n++
		}
		if v[2].Exists() {
			tree.Enter(v[0], v[1])
			tree.Leave(1)
			continue
		}
		thread, begins := sides.Of(v[0], v[1], &tree)
		got = append(got, fmt.Sprint(thread, begins))
	}
	want := "a1true a1false b1true a1false b1false b1false a1false"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %q, want %q", s, want)
	}
}
