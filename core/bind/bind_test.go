package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/segment"
)

func decided(seq uint64, epitome string, options ...core.Option) *segment.Decision {
	return &segment.Decision{
		Decided: decide.Decided{Kind: decide.Choice, Epitome: epitome, Options: options},
		Head:    &core.Node{Seq: seq},
	}
}

func ban(seq uint64, epitome string) *segment.Decision {
	d := decided(seq, epitome)
	d.Kind, d.IsBan, d.Standing = decide.Ban, true, true
	return d
}

func standing(d *segment.Decision) *segment.Decision {
	rule := *d
	rule.Standing = true
	return &rule
}

func chosen(s string) core.Option { return core.Option{Text: s, Chosen: true} }

func edit(path string, lines ...string) *segment.Edit {
	e := &segment.Edit{CallSeq: 100}
	e.Diff = core.Diff{Path: path, Unified: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n" + strings.Join(lines, "\n") + "\n"}
	return e
}

func arc(elevated bool, ds ...*segment.Decision) *segment.Arc {
	return &segment.Arc{Opening: segment.Opening{Elevated: elevated}, Decisions: ds}
}

// TestNear shows how many turns later an edit still counts as the work of a decision, or
// as under a ban, that names what it names: of what does not stand always.
func TestNear(t *testing.T) {
	helper := decided(1, "Round in formatCents.")
	helper.Nth = 2
	spare := ban(2, "Don't touch formatCents.")
	spare.Nth, spare.Standing = 2, false
	never := ban(3, "Never touch formatCents.")
	for nth, want := range map[int]string{
		2: "produced 1 shared_identifier, governs 2 shared_identifier, governs 3 shared_identifier",
		5: "produced 1 shared_identifier, governs 2 shared_identifier, governs 3 shared_identifier",
		6: "governs 3 shared_identifier",
	} {
		x := new(bind.Index)
		for _, d := range []*segment.Decision{helper, spare, never} {
			x.Add(d)
		}
		links := bind.Links(edit("a.js", "+formatCents(1)"), bind.Context{Index: x, Nth: nth, Seq: 100, Known: 100})
		if got := show(links); got != want {
			t.Errorf("turn %d: %s, want %s", nth, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	postgres := decided(1, "Use Postgres instead of MySQL.", chosen("Postgres"), core.Option{Text: "MySQL"})
	port := decided(2, "The default port is 8080, set in src/config.js.")
	helper := decided(3, "Round in formatCents.")
	tests := []struct {
		name string
		edit *segment.Edit
		arc  *segment.Arc
		live []*segment.Decision
		want string
	}{
		{"own arc", edit("x.go", "+x"), arc(true, port), nil, "produced 2 same_arc"},
		{"own arc before an earlier one that fits", edit("db.js", "-mysql"), arc(true, port), []*segment.Decision{postgres}, "produced 2 same_arc"},
		{"of several in the arc, the one served", edit("db.js", "-require('mysql2')"), arc(true, port, postgres), nil, "produced 1 same_arc"},
		{"of several in the arc, none that shows: the turn", edit("x.go", "+x"), arc(true, port, postgres), nil, "derived_from turn same_arc"},
		{"earlier decision by option", edit("db.js", "-mysql.createPool()"), arc(true), []*segment.Decision{postgres}, "produced 1 shared_identifier"},
		{"earlier decision by path", edit("/repo/src/config.js", "+x"), arc(true), []*segment.Decision{postgres, port}, "produced 2 shared_path"},
		{"earlier decision by identifier", edit("a.js", "+formatCents(1)"), nil, []*segment.Decision{helper}, "produced 3 shared_identifier"},
		{"a path is not its tail", edit("/repo/xsrc/config.js", "+x"), nil, []*segment.Decision{port}, ""},
		{"context lines do not count", edit("a.js", " formatCents(1)", "+x"), nil, []*segment.Decision{helper}, ""},
		{"nothing shared: the turn that set the work", edit("a.js", "+x"), arc(true), []*segment.Decision{postgres}, "derived_from turn same_arc"},
		{"nothing shared, no work set", edit("a.js", "+x"), arc(false), []*segment.Decision{postgres}, ""},
		{"a ban governs, and is not carried out", edit("src/vendor.js", "+x"), arc(true, ban(4, "Never edit src/vendor.js.")), nil, "derived_from turn same_arc, governs 4 shared_path"},
		{"what an edit carries out does not govern it too", edit("src/config.js", "+x"), nil, []*segment.Decision{standing(port)}, "produced 2 shared_path"},
		{"an earlier ban governs what it names", edit("src/vendor.js", "+x"), nil, []*segment.Decision{ban(4, "Never edit src/vendor.js.")}, "governs 4 shared_path"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := new(bind.Index)
			for _, d := range tt.live {
				x.Add(d)
			}
			if tt.arc != nil {
				for _, d := range tt.arc.Decisions {
					x.Add(d)
				}
			}
			got := show(bind.Links(tt.edit, bind.Context{Index: x, Arc: tt.arc, Seq: 100, Known: 100}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
		})
	}
}

func show(links []bind.Link) string {
	var out []string
	for _, l := range links {
		from := "turn"
		if l.Decision != nil {
			from = fmt.Sprint(l.Decision.Head.Seq)
		}
		out = append(out, fmt.Sprintf("%s %s %s", l.Relation, from, l.Evidence))
	}
	return strings.Join(out, ", ")
}

// TestOnlyWhatHeld: neither what was decided later nor what was superseded
// before.
func TestOnlyWhatHeld(t *testing.T) {
	later := decided(150, "Use Postgres.", chosen("Postgres"))
	gone := decided(1, "Use Postgres.", chosen("Postgres"))
	gone.Gaps = []segment.Gap{{Since: 50, Until: segment.Never, By: "r"}}
	x := new(bind.Index)
	x.Add(later)
	x.Add(gone)
	e := edit("db.js", "+postgres()")
	if links := bind.Links(e, bind.Context{Index: x, Arc: arc(false, later, gone), Seq: 100, Known: 100}); len(links) > 0 {
		t.Errorf("links %s, want none", show(links))
	}
	if links := bind.Links(e, bind.Context{Seq: 100, Known: 100}); len(links) > 0 {
		t.Errorf("links %s without any decision", show(links))
	}
}

func BenchmarkLinks(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		x := new(bind.Index)
		for i := range n {
			x.Add(decided(uint64(i), fmt.Sprintf("Use lib_%d in src/m%d.js.", i, i), chosen("Postgres")))
		}
		e := edit("src/m7.js", "-lib_7()", "+postgres()", "+"+strings.Repeat("word ", 200))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(e.Diff.Unified)))
			for b.Loop() {
				bind.Links(e, bind.Context{Index: x, Seq: 1 << 40, Known: 1 << 40})
			}
		})
	}
}

// BenchmarkLinksLarge reads a long diff that shares nothing with a thousand
// decisions.
func BenchmarkLinksLarge(b *testing.B) {
	x := new(bind.Index)
	for i := range 1_000 {
		x.Add(decided(uint64(i), fmt.Sprintf("Use lib_%d in src/m%d.js.", i, i), chosen("Postgres")))
	}
	e := edit("main.go", strings.Repeat("+\treturn fmt.Errorf(\"open %s: %w\", path, err) // keep the cause\n", 900))
	b.ReportAllocs()
	b.SetBytes(int64(len(e.Diff.Unified)))
	for b.Loop() {
		bind.Links(e, bind.Context{Index: x, Seq: 1 << 40, Known: 1 << 40})
	}
}

// TestManyRules: an edit that names something of very many rules falls under the
// latest of them, and not under all.
func TestManyRules(t *testing.T) {
	const rules, most = 300, 64
	x := &bind.Index{}
	names := ""
	for i := range uint64(rules) {
		x.Add(ban(i+1, fmt.Sprintf("Never use store_%d.", i)))
		names += fmt.Sprintf("store_%d ", i)
	}
	links := bind.Links(edit("x.go", "+"+names), bind.Context{Index: x, Seq: 1000, Known: 1000})
	if len(links) != most {
		t.Fatalf("it falls under %d rules, want %d", len(links), most)
	}
	for i, l := range links {
		if want := uint64(rules - most + i + 1); l.Relation != core.Governs || l.Decision.Head.Seq != want {
			t.Errorf("link %d is %s %d, want governs %d", i, l.Relation, l.Decision.Head.Seq, want)
		}
	}
}
