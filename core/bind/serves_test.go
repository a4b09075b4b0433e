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

// announced is an edit before which the agent has said something.
func announced(e *segment.Edit, words string) *segment.Edit {
	said := *e
	said.Announced = words
	return &said
}

// without is a ban of what a sentence names.
func without(seq uint64, sentence string, objects ...string) *segment.Decision {
	d := ban(seq, sentence)
	for _, o := range objects {
		d.Options = append(d.Options, core.Option{Text: o})
	}
	return speaking(d)
}

// TestObjects has edits in the turn that forbids something: only those that touch it, or what is to be taken
// instead, fall under the ban.
func TestObjects(t *testing.T) {
	pad := without(1, "We will never use left-pad, write the padding in padNumber.", "left-pad")
	pad.Options = append(pad.Options, chosen("padNumber"))
	for _, tt := range []struct {
		name string
		ban  *segment.Decision
		edit *segment.Edit
		want string
	}{
		{"it goes", pad, edit("package.json", `-"left-pad": "1.3"`), "governs 1 shared_identifier"},
		{"its parts, in another order", pad, edit("a.css", "+padding-left: 2px"), ""},
		{"it stays", pad, edit("package.json", `-"left-pad": "1.3"`, `+"left-pad": "1.4"`), ""},
		{"what is to be taken instead", pad, edit("a.js", "+function padNumber(n) {}"), "governs 1 shared_identifier"},
		{"the same work", pad, edit("a.js", "+x = 1"), ""},
		{"a phrase", without(1, "Keep fixes mechanical; don't rewrite prose.", "rewrite prose"), edit("a.md", "+`x`"), ""},
		{"a phrase that is touched", without(1, "Never force push here.", "force push"), edit("run.sh", "-git push --force"), "governs 1 same_arc"},
		{"half of a phrase", without(1, "Never force push here.", "force push"), edit("run.sh", "+git push"), ""},
		{"a thing at a place", without(1, "Never use lodash in this repo.", "lodash in this repo"), edit("a.js", `+import map from "lodash/map"`), "governs 1 same_arc"},
		{"one of several", without(1, "Never use lodash or ramda in this repo.", "lodash or ramda in this repo"), edit("a.js", `+import map from "ramda"`), "governs 1 same_arc"},
		{"none of several", without(1, "Never use lodash or ramda in this repo.", "lodash or ramda in this repo"), edit("a.js", `+import map from "remeda"`), ""},
		{"what is said of it", without(1, "Never use lodash (too big) here.", "lodash (too big) here"), edit("a.js", `+import map from "lodash/map"`), "governs 1 same_arc"},
		{"a kind of files", without(1, "Please do not touch the js.", "js"), edit("app.js", "+x"), "governs 1 same_arc"},
		{"files by what they are called", without(1, "Never touch the vendored files.", "vendored files"), edit("vendor/x.js", "+x"), "governs 1 same_arc"},
		{"the folder of the project", without(1, "Never touch the vendored files.", "vendored files"), at("/vendor", edit("/vendor/x.js", "+x")), ""},
		{"another kind of files", without(1, "Please do not touch the js.", "js"), edit("app.css", "+x"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := new(bind.Index)
			x.Add(tt.ban)
			if got := show(bind.Links(tt.edit, bind.Context{Index: x, Arc: arc(false, tt.ban), Seq: 100, Known: 100})); got != tt.want {
				t.Errorf("links %q, want %q", got, tt.want)
			}
		})
	}
}

// memory is an edit of the agent's own memory.
func memory(e *segment.Edit) *segment.Edit {
	e.Memory = new(core.MemoryAccess)
	return e
}

// at is an edit of a session in a folder.
func at(cwd string, e *segment.Edit) *segment.Edit {
	e.Head.Project = &core.Project{Cwd: cwd}
	return e
}

// offered is a decision that says what is accepted in the same turn.
func offered(d *segment.Decision) *segment.Decision {
	d.EpitomeInAssistant = true
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
	comes := edit("src/index.js", "-list(orders(id))", "+list(listOrders(id, after))")
	for _, tt := range []struct {
		name  string
		d     *segment.Decision
		later string
		edit  *segment.Edit
		want  string
	}{
		{"the topic is taken up again", paging(), "Back to pagination: wire it through the route.", comes, "produced 1 shared_identifier"},
		{"the topic is taken up again, and the name only stays", paging(), "Back to pagination: wire it through the route.", stays, "produced 1 shared_identifier"},
		{"the topic, and something else that it asks for", paging(), "The pagination loses its filters: keep filters and sorting in the link.", edit("src/index.js", "+link(listOrders(id), filters, sorting)"), ""},
		{"the topic, and what is asked for is announced", paging(), "The pagination loses its filters.", announced(comes, "Now the filters in the pagination."), ""},
		{"nothing but a yes lies between", paging(), "yes, do it", stays, "produced 1 shared_identifier"},
		{"another topic, and the name only stays", paging(), elsewhere, stays, ""},
		{"another complaint about the same lines", branch(), "The error of fetch does not say what went wrong.", edit("git.go", "-fail(branchName, out)", "+fail(branchName, out, err)"), ""},
		{"a name comes in work on something else", paging(), elsewhere, edit("a.js", "+// listOrders takes a cursor"), ""},
		{"a name comes alone", paging(), elsewhere, edit("a.js", "+log(listOrders)"), ""},
		{"what was chosen comes in", store(), elsewhere, edit("db.js", "+open(postgres)"), "produced 1 shared_identifier"},
		{"what was not chosen goes", store(), elsewhere, edit("db.js", "-open(mysql2)"), "produced 1 shared_identifier"},
		{"what was chosen goes", store(), "Try Oracle too.", edit("db.js", "-driver: 'postgres'", "+driver: 'oracle'"), ""},
		{"a long page names it among all else", store(), elsewhere, whole("README.md", append(strings.Split(strings.Repeat("+words of it,", 50), ","), "+Postgres and Redis")...), ""},
		{"nothing but a common word, on the same topic", speaking(decided(1, "Look at fifty commits in entire/sessions on each branch.", chosen("entire/sessions"))), "Sort the branches by date.", edit("tree.go", "+if branch.sessions() > 0 {"), ""},
		{"the name of a file, on the same topic", speaking(decided(1, "We log JSON lines. Add src/log.js.", chosen("src/log.js"))), "Log the port on start.", edit("index.js", "-app.listen(port)", "+app.listen(port, () => log('info', jsonOf(port)))"), "produced 1 shared_identifier"},
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
		{"its memory is the agent's own", memory(edit("MEMORY.md", "+x = 1")), []*segment.Decision{tips()}, "derived_from turn same_arc"},
		{"a memory of what was decided", memory(edit("MEMORY.md", "+tool-tips")), []*segment.Decision{tips()}, "produced 2 same_arc"},
		{"a trial with one word of it", at("/repo", edit("/tmp/trial.py", "+tabs = 1")), []*segment.Decision{tips()}, "derived_from turn same_arc"},
		{"a trial outside of the project", at("/repo", edit("/tmp/trial.py", "+x = 1")), []*segment.Decision{tips()}, "derived_from turn same_arc"},
		{"a project among temporary files", at("/tmp/repo", edit("/tmp/repo/ui.py", "+x = 1")), []*segment.Decision{tips()}, "produced 2 same_arc"},
		{"an offer and its yes", edit("ui.py", "+x = 1"), []*segment.Decision{offered(tips()), tips()}, "produced 2 same_arc"},
		{"a word that stays is no sign", edit("ui.py", "-tabs.setToolTip(menu)", "+tabs.setToolTip(menu, shortcut)"), []*segment.Decision{tips(), shortcuts()}, "produced 1 same_arc"},
		{"nothing but a word that stays", edit("ui.py", "-shortcut: 1", "+shortcut: 2"), []*segment.Decision{tips(), shortcuts()}, "produced 1 same_arc"},
		{"what the agent says, against what the lines say", announced(edit("git.go", "+ctx, cancel := fetchContext(background)"), "Now let it end after a time limit."), []*segment.Decision{speaking(decided(1, "The fetch runs in the background.")), speaking(decided(2, "Set a time limit, so that each call is known to end."))}, "produced 2 same_arc"},
		{"what the agent says right before", announced(edit("ui.py", "+x = 1"), "Now the tool-tips of all tabs."), []*segment.Decision{shortcuts(), tips()}, "produced 2 same_arc"},
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

// TestRuleOfManyNames: a name that a later decision has too says nothing of the rule.
func TestRuleOfManyNames(t *testing.T) {
	rule := speaking(standing(decided(1, "Keep changes tiny, and open a GitHub request; do not merge.")))
	page := speaking(decided(20, "The conflict is shown on GitHub, and the user merges there."))
	for _, tt := range []struct {
		all  []*segment.Decision
		want string
	}{
		{[]*segment.Decision{rule}, "governs 1 shared_identifier"},
		{[]*segment.Decision{rule, page}, "produced 20 same_arc"},
	} {
		x := new(bind.Index)
		for _, d := range tt.all {
			x.Add(d)
		}
		a := &segment.Arc{Nth: 2, Start: 20, Opening: segment.Opening{Words: page.Words}, Decisions: tt.all[1:]}
		if len(tt.all) == 1 {
			a.Opening.Words = topic.Of("Something else entirely, please.")
		}
		e := edit("plan.md", "+A GitHub user may merge the request.")
		if got := show(bind.Links(e, bind.Context{Index: x, Arc: a, Nth: 2, Seq: 100, Known: 100})); got != tt.want {
			t.Errorf("of %d: links %q, want %q", len(tt.all), got, tt.want)
		}
	}
}

// TestTurns has an arc in which a person goes on: the latest turn's decision goes first, and
// what the turn says besides its decision is no work of that.
func TestTurns(t *testing.T) {
	retry := speaking(decided(1, "Retry failed requests three times in the client."))
	timeout := speaking(decided(5, "The client waits ten seconds for each request."))
	opening := segment.Opening{Elevated: true, Words: topic.Of("Retry failed requests three times in the client. And the sidebar overlaps the header on phones.")}
	for _, tt := range []struct {
		name string
		edit *segment.Edit
		all  []*segment.Decision
		want string
	}{
		{"of the latest turn", edit("client.js", "+retry(3, seconds(10))"), []*segment.Decision{retry, timeout}, "produced 5 same_arc"},
		{"of the first, if the latest says nothing of it", edit("api.js", "+retry(failed)"), []*segment.Decision{retry, timeout}, "produced 1 same_arc"},
		{"what the turn says besides", edit("layout.css", "+.sidebar { top: var(--header) }"), []*segment.Decision{retry}, "derived_from turn same_arc"},
		{"what it decides", edit("api.js", "+retry(3)"), []*segment.Decision{retry}, "produced 1 same_arc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := new(bind.Index)
			for _, d := range tt.all {
				x.Add(d)
			}
			a := &segment.Arc{Start: 1, Opening: opening, Decisions: tt.all}
			if got := show(bind.Links(tt.edit, bind.Context{Index: x, Arc: a, Seq: 100, Known: 100})); got != tt.want {
				t.Errorf("links %q, want %q", got, tt.want)
			}
		})
	}
}

// TestBans: what else a ban names is under it while its topic lasts; what a ban of files
// says is of these alone.
func TestBans(t *testing.T) {
	pushes := ban(1, "Never push to origin from releaseJob without a dry run.")
	pushes.Options = []core.Option{{Text: "push"}}
	pushes = speaking(pushes)
	vendored := speaking(ban(2, "Do not edit src/vendor.js."))
	theme := without(3, "Dim the footer, do not touch the theme.", "theme")
	theme.Standing = false
	for _, tt := range []struct {
		name  string
		later string
		edit  *segment.Edit
		want  string
	}{
		{"what it forbids", "The header is too wide.", edit("run.sh", "+git push"), "governs 1 shared_identifier"},
		{"what else it names, later", "The header is too wide.", edit("run.sh", "+releaseJob"), ""},
		{"what else it names, on the same topic", "Back to the push of releases to origin.", edit("run.sh", "+releaseJob"), ""},
		{"its file", "The header is too wide.", edit("src/vendor.js", "+x"), "governs 2 shared_path"},
		{"another file", "The header is too wide.", edit("src/own.js", "+x"), ""},
		{"for a task, on its topic", "Back to the theme of the footer.", edit("docs/theme.md", "+x"), "governs 3 shared_identifier"},
		{"for a task, in another", "Links have two colours.", edit("docs/theme.md", "+x"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := new(bind.Index)
			x.Add(pushes)
			x.Add(vendored)
			x.Add(theme)
			later := &segment.Arc{Nth: 1, Start: 50, Opening: segment.Opening{Words: topic.Of(tt.later)}, Decisions: []*segment.Decision{vendored}}
			if got := show(bind.Links(tt.edit, bind.Context{Index: x, Arc: later, Nth: 1, Seq: 100, Known: 100})); got != tt.want {
				t.Errorf("links %q, want %q", got, tt.want)
			}
		})
	}
}
