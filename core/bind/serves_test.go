package bind_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// speaking is a decision that speaks of what its sentence says.
func speaking(d *segment.Decision) *segment.Decision {
	d.Words = topic.Of(d.Epitome)
	return d
}

// whole is an edit by which a file comes to be.
func whole(path string, lines ...string) *segment.Edit {
	e := edit(path, lines...)
	e.Diff.Change, e.Diff.Added = core.Create, len(lines)
	return e
}

// TestLater has edits of work that was set after a decision: they serve it if
// they name what it names, and are of the same topic or show it by themselves.
func TestLater(t *testing.T) {
	paging := func() *segment.Decision {
		return speaking(decided(1, "Use cursor pagination for listOrders, not offset pagination.", chosen("cursor pagination")))
	}
	store := func() *segment.Decision {
		return speaking(decided(1, "Use Postgres instead of MySQL for the shop.", chosen("Postgres"), core.Option{Text: "MySQL"}))
	}
	branch := func() *segment.Decision {
		return speaking(decided(1, "Check branchName with git before the refspec is built, or say in the comment why it is safe."))
	}
	keys := func() *segment.Decision { return speaking(decided(1, "Keys of src/config.js are in snake_case.")) }
	const elsewhere = "The header of the basket is too wide on phones."
	stays := edit("src/index.js", "-list(listOrders(id))", "+list(listOrders(id, after))")
	for _, tt := range []struct {
		name  string
		d     *segment.Decision
		later string
		edit  *segment.Edit
		want  string
	}{
		{"the topic is taken up again", paging(), "Back to pagination: wire it through the route.", stays, "produced 1 shared_identifier"},
		{"nothing but a yes lies between", paging(), "yes, do it", stays, "produced 1 shared_identifier"},
		{"another topic, and the name only stays", paging(), elsewhere, stays, ""},
		{"another complaint about the same lines", branch(), "The error of fetch does not say what went wrong.", edit("git.go", "-fail(branchName, out)", "+fail(branchName, out, err)"), ""},
		{"a name comes with what was decided of it", paging(), elsewhere, edit("a.js", "+// listOrders takes a cursor"), "produced 1 shared_identifier"},
		{"a name comes alone", paging(), elsewhere, edit("a.js", "+log(listOrders)"), ""},
		{"what was chosen comes in", store(), elsewhere, edit("db.js", "+open(postgres)"), "produced 1 shared_identifier"},
		{"what was not chosen goes", store(), elsewhere, edit("db.js", "-open(mysql2)"), "produced 1 shared_identifier"},
		{"what was chosen goes", store(), "Try Oracle too.", edit("db.js", "-driver: 'postgres'", "+driver: 'oracle'"), ""},
		{"a long page names it among all else", store(), elsewhere, whole("README.md", append(strings.Split(strings.Repeat("+words of it,", 50), ","), "+Postgres and Redis")...), ""},
		{"a common word with others", speaking(decided(1, "I want people to help, and nobody to copy the project.", chosen("people"))), elsewhere, edit("LICENSE", "+people may copy the project"), ""},
		{"a path, and its topic", keys(), "Now the database keys too.", edit("src/config.js", "+x"), "produced 1 shared_path"},
		{"a path alone", keys(), elsewhere, edit("src/config.js", "+wide: 80"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := new(bind.Index)
			x.Add(tt.d)
			later := &segment.Arc{Nth: 1, Start: 50, Opening: segment.Opening{Words: topic.Of(tt.later)}}
			if got := show(bind.Links(tt.edit, bind.Context{Index: x, Arc: later, Nth: 1, Seq: 100, Known: 100})); got != tt.want {
				t.Errorf("links %q, want %q", got, tt.want)
			}
		})
	}
}

// TestSeveral has edits in an arc whose turn holds more than one thing: each is bound to
// the one that it shows, and to none if it shows none.
func TestSeveral(t *testing.T) {
	shortcuts := func() *segment.Decision {
		return speaking(decided(1, "Add keyboard shortcuts and show the Build menu first."))
	}
	tips := func() *segment.Decision { return speaking(decided(2, "All tab fields have tool-tips as well.")) }
	runtime := func() *segment.Decision {
		d := speaking(decided(1, "Let's use Podman instead of Docker.", chosen("Podman"), core.Option{Text: "Docker"}))
		d.Besides = true
		return d
	}
	for _, tt := range []struct {
		name string
		edit *segment.Edit
		all  []*segment.Decision
		want string
	}{
		{"the second", edit("ui.py", `+tabs.setTabToolTip(0, "Lights")`), []*segment.Decision{shortcuts(), tips()}, "produced 2 same_arc"},
		{"the first", edit("ui.py", `+save.setShortcut("F4")`), []*segment.Decision{shortcuts(), tips()}, "produced 1 same_arc"},
		{"neither", edit("ui.py", "+x = 1"), []*segment.Decision{shortcuts(), tips()}, "derived_from turn same_arc"},
		{"a path that one of them names", whole("test/client.js", "+retry(3)"), []*segment.Decision{speaking(decided(1, "retry three times by default, retry on all failures")), speaking(decided(2, "Put a check into test/client.js."))}, "produced 2 same_arc"},
		{"a common word that is an option", edit("a.js", "+const age = new Date(post)"), []*segment.Decision{speaking(decided(1, "The order by default is new.", chosen("new"))), speaking(decided(2, "Show the age of each post."))}, "produced 2 same_arc"},
		{"what else the turn asks for", edit("agent.ts", "+click(x, y)"), []*segment.Decision{runtime()}, "derived_from turn same_arc"},
		{"what it decides", edit("run.sh", "-docker build ."), []*segment.Decision{runtime()}, "produced 1 same_arc"},
		{"a turn of one decision alone", edit("ui.py", "+x = 1"), []*segment.Decision{tips()}, "produced 2 same_arc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := new(bind.Index)
			for _, d := range tt.all {
				x.Add(d)
			}
			if got := show(bind.Links(tt.edit, bind.Context{Index: x, Arc: arc(true, tt.all...), Seq: 100, Known: 100})); got != tt.want {
				t.Errorf("links %q, want %q", got, tt.want)
			}
		})
	}
}

// TestRules: a standing rule governs an edit that shows that it is about what the rule
// names; a ban one that brings in or takes out its object.
func TestRules(t *testing.T) {
	colours := speaking(standing(decided(1, "All titles of chartView are blue.")))
	never := speaking(ban(2, "Never use left_pad."))
	for _, tt := range []struct {
		name string
		edit *segment.Edit
		want string
	}{
		{"the object of the rule", edit("a.js", "+chartView.title = blue"), "governs 1 shared_identifier"},
		{"its name alone", edit("CHANGELOG.md", "+- chartView loads in half the time"), ""},
		{"a name that stays", edit("a.js", "-chartView(a)", "+chartView(b)"), ""},
		{"the object of the ban", edit("package.json", "-left_pad"), "governs 2 shared_identifier"},
		{"an object that stays", edit("package.json", "-left_pad: 1", "+left_pad: 2"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := new(bind.Index)
			x.Add(colours)
			x.Add(never)
			later := &segment.Arc{Nth: 9, Start: 50, Opening: segment.Opening{Words: topic.Of("Something else entirely, please.")}}
			if got := show(bind.Links(tt.edit, bind.Context{Index: x, Arc: later, Nth: 9, Seq: 100, Known: 100})); got != tt.want {
				t.Errorf("links %q, want %q", got, tt.want)
			}
		})
	}
}
