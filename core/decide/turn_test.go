package decide_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
)

func yes(s string) core.Option { return core.Option{Text: s, Chosen: true} }
func no(s string) core.Option  { return core.Option{Text: s} }

// TestOptions shows which alternatives a turn names, and which of them it takes.
func TestOptions(t *testing.T) {
	rules := standard(t)
	for _, tc := range []struct {
		text string
		want []core.Option
	}{
		{"Let's use Postgres instead of MySQL for the orders service.", []core.Option{yes("Postgres"), no("MySQL")}},
		{"Instead of printing all the data, print a summary table.", []core.Option{yes("summary table"), no("printing all the data")}},
		{"Use cursor pagination rather than offset.", []core.Option{yes("cursor pagination"), no("offset")}},
		{"Drop the wrapper in favour of plain functions.", []core.Option{yes("plain functions"), no("wrapper")}},
		{"Migrate the build from webpack to vite.", []core.Option{yes("vite"), no("webpack")}},
		{"Rename getOrder to findOrder.", []core.Option{yes("findOrder"), no("getOrder")}},
		{"Replace moment with date-fns.", []core.Option{yes("date-fns"), no("moment")}},
		{"Change the text \"Save\" to \"Save draft\".", []core.Option{yes("Save draft"), no("Save")}},
		{"Change the title to \"Save draft\".", []core.Option{yes("Save draft")}},
		{"I was thinking Redis, but I'd rather not run another service.", []core.Option{no("Redis"), no("run another service")}},
		{"Instead of green use a bluish tint.", []core.Option{yes("bluish tint"), no("green")}},
		{"Don't add the points to the score but make a separate column.", []core.Option{no("points to the score"), yes("separate column")}},
		{"We should not show \"AGENTS.md\" there, but instead \"Instructions\".", []core.Option{no("AGENTS.md"), yes("Instructions")}},
		{"Let's use Postgres instead of Redis. Add a test.", []core.Option{yes("Postgres"), no("Redis")}},
		{"Actually scrap Stripe, revert that.", []core.Option{no("Stripe")}},
		{"Gaps should be recorded in the discrepancies-log.", []core.Option{yes("recorded in the discrepancies-log")}},
		{"The main branch should be linked, not the fork.", []core.Option{no("fork"), yes("main branch")}},
		{"The wire format must not be changed.", []core.Option{no("wire format")}},
		{"Forget pino, keep ours.", []core.Option{no("pino"), yes("ours")}},
		{"And for money: default to EUR.", []core.Option{yes("EUR")}},
		{"Let's cap page size at 100.", []core.Option{yes("100")}},
		{"Convert getOrder to Postgres style yourself.", []core.Option{yes("Postgres style")}},
		{"I liked the circle better.", []core.Option{yes("circle")}},
		{"Move format.js to money.js.", []core.Option{yes("money.js")}},
		{"Call it /livez instead of /healthz.", []core.Option{yes("/livez"), no("/healthz")}},
		{"Name the claim account, not customer.", []core.Option{no("customer"), yes("claim account")}},
		{"I prefer named exports over default exports.", []core.Option{yes("named exports"), no("default exports")}},
		{"Either Redis or an in-process LRU would do, go with the in-process LRU.", []core.Option{no("Redis"), yes("in-process LRU")}},
		{"Let's use `@clack/prompts` instead of bun-promptx", []core.Option{yes("@clack/prompts"), no("bun-promptx")}},
		{"Use \"Intl Number Format\" for currency, not hand-rolled strings.", []core.Option{no("hand-rolled strings"), yes("Intl Number Format")}},
		{"Remove the hello endpoint.", []core.Option{no("hello endpoint")}},
		{"Never use left-pad in the frontend.", []core.Option{no("left-pad in the frontend")}},
		{"No new dependencies.", []core.Option{no("new dependencies")}},
		{"We will never use Redis.", []core.Option{no("Redis")}},
		{"No one may use left-pad.", []core.Option{no("left-pad")}},
		{"MongoDB is out of the question.", []core.Option{no("MongoDB")}},
		{"Redis will never be used here.", []core.Option{no("Redis")}},
		{"You are not allowed to add dependencies.", []core.Option{no("dependencies")}},
		{"We will need Cura, IdeaMaker and PrusaSlicer support.", []core.Option{yes("Cura"), yes("IdeaMaker"), yes("PrusaSlicer support")}},
		{"The accent colour should be #8abeb7 everywhere.", []core.Option{yes("#8abeb7 everywhere")}},
	} {
		v := taken(t, rules, decide.Input{Text: tc.text})
		if len(v.Decisions) != 1 {
			t.Errorf("%q: %d decisions (%d)", tc.text, len(v.Decisions), v.Score)
			continue
		}
		if diff := cmp.Diff(tc.want, v.Decisions[0].Options, withoutPlace()); diff != "" {
			t.Errorf("%q: %s", tc.text, diff)
		}
	}
}

const offered = `Two ways to go on:

1. **Subagent-driven** - a fresh worker per task
2. **Parallel session** - a new session in a worktree
3. Stop here

Which approach?`

const table = `| Option | What it costs |
|---|---|
| A | nothing |

Option A: keep the cache in memory
Option B: move it to Redis

Which one do you prefer?`

const reviewed = `What I saw:

1. Good comments
2. Good tests

What could be done:

1. Extract the filter
2. Split the condition

Which one?`

const named = `**Option 1 — Popup**: quick

**Option 2 — Redirect**: robust

The steps of either:

1. Add a button
2. Test it

Which option?`

// TestPicks shows answers that pick from what the assistant listed.
func TestPicks(t *testing.T) {
	rules := standard(t)
	sub, par, stop := "Subagent-driven", "Parallel session", "Stop here"
	for _, tc := range []struct {
		text, prev string
		want       []core.Option
	}{
		{"1", offered, []core.Option{yes(sub), no(par), no(stop)}},
		{"2.", offered, []core.Option{no(sub), yes(par), no(stop)}},
		{"option 2 please", offered, []core.Option{no(sub), yes(par), no(stop)}},
		{"let's go with 1", offered, []core.Option{yes(sub), no(par), no(stop)}},
		{"the second option", offered, []core.Option{no(sub), yes(par), no(stop)}},
		{"do 1 and 3", offered, []core.Option{yes(sub), no(par), yes(stop)}},
		{"1-2", offered, []core.Option{yes(sub), yes(par), no(stop)}},
		{"Add a matrix to the docs", "Want me to add a version matrix to the docs, or keep it pinned to 3.12?", []core.Option{yes("add a version matrix to the docs"), no("keep it pinned to 3.12")}},
		{"keep the file in memory", "Should I write the file to disk or keep it in memory?", []core.Option{no("write the file to disk"), yes("keep it in memory")}},
		{"yes, let's go with B", table, []core.Option{no("keep the cache in memory"), yes("move it to Redis")}},
		{"the second option", reviewed, []core.Option{no("Extract the filter"), yes("Split the condition")}},
		{"option 2", reviewed, []core.Option{no("Extract the filter"), yes("Split the condition")}},
		{"选择1", offered, []core.Option{yes(sub), no(par), no(stop)}},
		{"先使用2方案。", offered, []core.Option{no(sub), yes(par), no(stop)}},
		{"1번으로 진행해줘", offered, []core.Option{yes(sub), no(par), no(stop)}},
		{"案2で進めてください", offered, []core.Option{no(sub), yes(par), no(stop)}},
		{"давай вариант 2", offered, []core.Option{no(sub), yes(par), no(stop)}},
		{"vamos con la opción 2", offered, []core.Option{no(sub), yes(par), no(stop)}},
		{"Option 1 please", named, []core.Option{yes("Popup"), no("Redirect")}},
		{"走選項1", "**選項 1 — 改註冊方式**\n\n**選項 2 — 查事件迴圈**\n\n1. 先量\n2. 再改\n\n要我開始嗎?", []core.Option{yes("改註冊方式"), no("查事件迴圈")}},
		{"1번으로 진행해줘", "**방법 1 (권장)**: 새로 만들기\n**방법 2**: 유지하기\n\n진행할까요?", []core.Option{yes("새로 만들기"), no("유지하기")}},
		{"Option B please", "I see two.\n\nOption A (timeline): is there\nOption B (RLS diagnostics): a page\nOption B (which I like) is small.\n\nWhich one?", []core.Option{no("timeline"), yes("RLS diagnostics")}},
		{"option 1", "1. **Show a page**: quick\n2. **Optionally**, write a log: slow\n\nWhich one?", []core.Option{yes("Show a page"), no("write a log")}},
		{"Option 2 please", "**Option 1: Redis (Recommended)**: quick\n**Option 2: Postgres**: one more server\n\nWhich one?", []core.Option{no("Redis"), yes("Postgres")}},
		{"Option 1 please", "### Option 3: Use a link (ugly)\n\nNext:\n1. **Monitor**: one hour\n2. **Review**: the rest\n\nWhich option?", []core.Option{yes("Option 1")}},
		{"방법 1로 진행해줘", "**방법 1**: 새로 만들기\n**방법 2**: 유지하기\n\n진행할까요?", []core.Option{yes("새로 만들기"), no("유지하기")}},
	} {
		v := taken(t, rules, decide.Input{Text: tc.text, PrevAssistant: tc.prev})
		if v.Kind != decide.Choice {
			t.Errorf("%q is %s (%d)", tc.text, v.Kind, v.Score)
			continue
		}
		if diff := cmp.Diff(tc.want, v.Decisions[0].Options, withoutPlace()); diff != "" {
			t.Errorf("%q: %s", tc.text, diff)
		}
	}
}

// TestEpitome shows that the epitome is the whole sentence, can be understood,
// and is never cut inside a name.
// TestEpitome shows that the epitome is the whole sentence, can be understood,
// and is never cut inside a name.
func TestEpitome(t *testing.T) {
	rules := standard(t)
	for _, tc := range []struct{ text, want string }{
		{"Thanks. Use `foo.Bar(x)` v1.2.3 instead of http://a.b/c?d.e, ok?", "Use `foo.Bar(x)` v1.2.3 instead of http://a.b/c?d.e, ok?"},
		{"Does it support several colours. If not it should.", "Does it support several colours. If not it should."},
		{"Don't use several routes. Instead filter the data.", "Don't use several routes. Instead filter the data."},
		{"please look at this:\n```\nuse x instead of y\n```\nThe title should be red.", "The title should be red."},
		{"The buttons should be blue. They should not wrap either. Thanks for all of that.", "The buttons should be blue. They should not wrap either."},
		{"- name the command publish\n- thanks", "name the command publish"},
		{"The button is green and turns yellow when the room is clean. Instead, I want a yellow button by default that becomes green.", "The button is green and turns yellow when the room is clean. Instead, I want a yellow button by default that becomes green."},
		{"nope - the labels should be bold", "nope - the labels should be bold"},
		{"use .editorconfig for the tab width.\n.gitignore should not list build/", ".gitignore should not list build/"},
	} {
		v := taken(t, rules, decide.Input{Text: tc.text})
		var got []string
		for _, d := range v.Decisions {
			got = append(got, d.Epitome)
			if tc.text[d.Offset:d.Offset+len(d.Epitome)] != d.Epitome {
				t.Errorf("%q: offset %d", tc.text, d.Offset)
			}
		}
		if !strings.Contains(strings.Join(got, "\x00"), tc.want) {
			t.Errorf("%q: epitomes %q (%d)", tc.text, got, v.Score)
		}
	}
}

// TestConfirm shows when an answer decides what the assistant proposed.
func TestConfirm(t *testing.T) {
	rules := standard(t)
	const switchCache = "The tests pass.\n\nShall I switch the cache to Redis so that several workers can share it?"
	for _, tc := range []struct {
		text, prev string
		want       string // epitome; "" if nothing is decided
	}{
		{"yes, do that", switchCache, "Shall I switch the cache to Redis so that several workers can share it?"},
		{"yes please", switchCache, "Shall I switch the cache to Redis so that several workers can share it?"},
		{"go ahead", switchCache, "Shall I switch the cache to Redis so that several workers can share it?"},
		{"implement your suggestion", "I suggest adding an LRU cache in front of the lookup.", "I suggest adding an LRU cache in front of the lookup."},
		{"implement your suggestion", "I suggest adding an LRU cache in front of the lookup.\n\n```js\nconst side = (p) => p.left\n  ?\n  1 : 2\n```", "I suggest adding an LRU cache in front of the lookup."},
		{"yes", "Committed. Shall I push?", ""},
		{"yes", "Should I run the tests now?", ""},
		{"yes please", "1. Hooks are installed.\n2. Nothing else is needed.\n\nWant me to check if it is enabled here?", ""},
		{"ok", "Done.", ""},
		{"yes", "", ""},
		{"yes", "Shall I switch the cache to Redis?\n\nOr would you prefer to wait?", "Shall I switch the cache to Redis?"},
		{"yes, do that", "I would do two things:\n\n1. Move the port from 3000 to 3478.\n2. Let nginx pass it on.\n\nShall I proceed?", "1. Move the port from 3000 to 3478.\n2. Let nginx pass it on."},
		{"go ahead with both", "Next steps:\n\n1) Move the port from 3000 to 3478.\n2) Let nginx pass it on.\n\nWhich one do you want to tackle first?", "1) Move the port from 3000 to 3478.\n2) Let nginx pass it on."},
		{"可以，合理", "我可以：\n1. 移除过期提示。\n2. 把汇率改成每次提交时刷新。\n\n您觉得这样处理是否合适？", "1. 移除过期提示。\n2. 把汇率改成每次提交时刷新。"},
		{"yes, do that", "1. Move the port from 3000 to 3478.\n2. Let nginx pass it on.\n\nThat keeps the cloud happy.\n\nDo you confirm these changes for the cloud?", "1. Move the port from 3000 to 3478.\n2. Let nginx pass it on."},
		{"yes, do that", "I lean towards the cache layer.\n\nIs that ok for you? Shall I start?", "I lean towards the cache layer."},
		{"yes, do that", "The tests pass.\n\nIf you’d like, I can:\n- move the port from 3000 to 3478\n- let nginx pass it on\n", "If you’d like, I can:\n- move the port from 3000 to 3478\n- let nginx pass it on"},
		{"yes", "Remove the second case and let the default handle it. This keeps the fallback. The comment says so already. Want me to make this change?", "Remove the second case and let the default handle it."},
		{"yes", "The table is long. Add a column for stops. Rename the section to Gradients. Want me to do that?", "Add a column for stops. Rename the section to Gradients."},
		{"yes", "Move the rule into the helper:\n\n```go\n// add the rule\n// add it\n// add it\n// add it\n// add it\n// add it\n// add it\n// add it\nuse(rule)\n```\n\nThat is all there is. Want me to make that change?", "Move the rule into the helper:"},
		{"yes", "Move the pattern into the helper.\n\nThis keeps the list in one place. Want me to make that change?", "Move the pattern into the helper."},
		{"let's do it", switchCache, "Shall I switch the cache to Redis so that several workers can share it?"},
		{"post it", "Say the word and I'll post it with `gh issue comment`.", ""},
		{"why?", switchCache, ""},
		{"no", switchCache, ""},
	} {
		in := decide.Input{Text: tc.text, PrevAssistant: tc.prev}
		if tc.want != "" {
			in.Reply, in.Edited = "Understood, I'll switch it: I add the cache and update the lookup.", true
		}
		v := turn(t, rules, in)
		got := ""
		if len(v.Decisions) > 0 {
			d := v.Decisions[0]
			got = d.Epitome
			if !d.Confirmation || !d.EpitomeInAssistant || tc.prev[d.Offset:d.Offset+len(d.Epitome)] != d.Epitome {
				t.Errorf("%q: %+v", tc.text, d)
			}
		}
		if got != tc.want {
			t.Errorf("%q after %q: epitome %q (%d), want %q", tc.text, tc.prev, got, v.Score, tc.want)
		}
	}
}

// TestForbidsInstead has a turn that begins as an acceptance does, and forbids.
func TestForbidsInstead(t *testing.T) {
	v := taken(t, standard(t), decide.Input{Text: "please do not touch the js.", PrevAssistant: "I switched the table to `data.columns`. Shall I change the header, too?"})
	if len(v.Decisions) != 1 || v.Decisions[0].EpitomeInAssistant || !v.Decisions[0].IsBan {
		t.Errorf("decisions %+v, want the ban alone", v.Decisions)
	}
}

// TestFlags shows what a decision says besides its words.
func TestFlags(t *testing.T) {
	rules := standard(t)
	for _, tc := range []struct {
		text                   string
		ban, standing, revokes bool
	}{
		{"Never touch the vendored files.", true, true, false},
		{"Do not sort here, please.", true, false, false},
		{"Don't change any other files.", true, false, false},
		{"Write a second script, do not rely on tmux.", true, false, false},
		{"Use an integer and not a float for the price.", false, false, false},
		{"Always use tabs.", false, true, false},
		{"Don't merge the cells but put a dash in there.", false, false, false},
		{"Let's go back to the single file version.", false, false, true},
		{"Make the title red.", false, false, false},
		{"On second thought call it /livez instead of /healthz.", false, false, true},
		{"I selected the theme and got a crash, that should never happen. Make it fall back to dark.", false, false, false},
		{"フォールバックは不要です。デフォルトはmainにしてください。", false, false, false},
		{"不要使用任何第三方库，默认用标准库。", true, false, false},
	} {
		v := taken(t, rules, decide.Input{Text: tc.text})
		if len(v.Decisions) == 0 {
			t.Errorf("%q decides nothing (%d)", tc.text, v.Score)
			continue
		}
		d := v.Decisions[0]
		if d.IsBan != tc.ban || d.Standing != tc.standing || d.Revokes != tc.revokes {
			t.Errorf("%q: ban %v, standing %v, revokes %v", tc.text, d.IsBan, d.Standing, d.Revokes)
		}
	}
}

// TestTurns shows what turns that decide nothing are taken for.
func TestTurns(t *testing.T) {
	rules := standard(t)
	for _, tc := range []struct {
		text                   string
		kind                   decide.Kind
		elevated, continuation bool
	}{
		{"continue", decide.Request, false, true},
		{"ok go on", decide.Request, false, true},
		{"yes", decide.Feedback, false, true},
		{"add tests", decide.Request, true, false},
		{"please fix the failing test", decide.Request, true, false},
		{"commit and push", decide.Request, true, false},
		{"why is this slow?", decide.Question, false, false},
		{"Thanks. Is mysql2 promise-based by default?", decide.Question, false, false},
		{"still broken", decide.Feedback, false, false},
		{"that looks great", decide.Feedback, false, false},
		{"/compact keep the decision", decide.Other, false, false},
		{"git status", decide.Other, false, false},
		{"/ask shouldn't we use Redis instead of Postgres, so that we never lock the table?", decide.Other, false, false},
		{"/ask is there a way? I'd rather not have two stores, so use Redis instead of Postgres.", decide.Choice, true, false},
		{"", decide.Other, false, false},
		{"```\nalways use tabs\n```", decide.Other, false, false},
		{"<system-reminder>never do that</system-reminder>", decide.Other, false, false},
	} {
		v := turn(t, rules, decide.Input{Text: tc.text})
		if v.Kind != tc.kind || v.Elevated != tc.elevated || v.Continuation != tc.continuation {
			t.Errorf("%q: %s, elevated %v, continuation %v (%d)", tc.text, v.Kind, v.Elevated, v.Continuation, v.Score)
		}
	}
}

// TestSeveral shows that a turn may decide several things.
func TestSeveral(t *testing.T) {
	v := taken(t, standard(t), decide.Input{Text: "Always store times in UTC. Sessions should be JWTs, not cookies. Thanks! Never log the token."})
	var got []decide.Kind
	for _, d := range v.Decisions {
		got = append(got, d.Kind)
		for _, m := range d.Markers {
			if m.Offset < d.Offset || m.Offset+len(m.Text) > d.Offset+len(d.Epitome) {
				t.Errorf("marker %+v lies outside %q", m, d.Epitome)
			}
		}
	}
	if diff := cmp.Diff([]decide.Kind{decide.Rule, decide.Choice, decide.Ban}, got); diff != "" {
		t.Error(diff)
	}
	if v.Kind != decide.Ban {
		t.Errorf("the turn is %s", v.Kind)
	}
}

// TestLong shows that of a turn that reads like a document no more than the five strongest passages are
// decisions, a ban among them.
func TestLong(t *testing.T) {
	var b strings.Builder
	b.WriteString("Work through the plan below.\n\nRules\n- Never push to main.\n")
	for i := range 12 {
		fmt.Fprintf(&b, "\nPhase %d\n- Use Postgres %d instead of MySQL.\n- The header should be blue.\n- Always store times in UTC.\n", i, i)
	}
	v := taken(t, standard(t), decide.Input{Text: b.String()})
	if n := len(v.Decisions); n != 5 {
		t.Errorf("%d decisions, not 5", n)
	}
	if !slices.ContainsFunc(v.Decisions, func(d decide.Decided) bool { return d.IsBan }) {
		t.Errorf("the ban is none of %+v", v.Decisions)
	}
}

// TestItems shows that an item of a list is a decision of its own where another sentence would only join
// its neighbour.
func TestItems(t *testing.T) {
	v := taken(t, standard(t), decide.Input{Text: "Change the header:\n- use Inter instead of Roboto for the title\n- the date, the author: in grey\n- the buttons should be blue"})
	var got []string
	for _, d := range v.Decisions {
		got = append(got, d.Epitome)
	}
	want := []string{"use Inter instead of Roboto for the title", "the date, the author: in grey", "the buttons should be blue"}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%q is no decision of its own: %q (%d)", w, got, v.Score)
		}
	}
}

// TestBrief shows that neighbours which decide are one decision in a turn of several sentences, since
// a later one often counts on the one before it. What forbids stands for itself.
func TestBrief(t *testing.T) {
	const one = "Use the search endpoint instead of the listing. All of the three fields are optional, but at least one must be set."
	const two = "Never store the token on disk."
	v := taken(t, standard(t), decide.Input{Text: "Build a page that searches posts.\n\n" + one + " " + two + "\n\nSort the posts by date, newest first."})
	var got []string
	for _, d := range v.Decisions {
		got = append(got, d.Epitome)
	}
	if !slices.Contains(got, one) || !slices.Contains(got, two) {
		t.Errorf("decisions %q, want %q and %q among them", got, one, two)
	}
	const bans = "Do not change the design.\nDo not change the tests."
	v = taken(t, standard(t), decide.Input{Text: "Add a column for the country.\nRead the notes first.\n\n" + bans})
	if i := slices.IndexFunc(v.Decisions, func(d decide.Decided) bool { return d.Epitome == bans }); i < 0 || !v.Decisions[i].IsBan {
		t.Errorf("%+v: want the two bans to be one", v.Decisions)
	}
}

// TestLabels shows that an item which only names a part is no decision beside others.
func TestLabels(t *testing.T) {
	v := taken(t, standard(t), decide.Input{Text: "Use this order instead of the old one:\n1. Globe,\n2. Feature,\n- the title should be blue"})
	for _, d := range v.Decisions {
		if strings.HasPrefix(d.Epitome, "1.") || strings.HasPrefix(d.Epitome, "2.") {
			t.Errorf("%q is a decision", d.Epitome)
		}
	}
}

// TestExplain shows that the terms are those of the score, the heaviest first.
func TestExplain(t *testing.T) {
	in := decide.Input{Text: "Thanks. Let's use Postgres instead of MySQL.", Reply: "I'll switch the store to Postgres.", Edited: true}
	j := judge(t, standard(t), decide.Threshold)
	x := j.Explain(in)
	if v := j.Exchange(in); x.Score != v.Score {
		t.Errorf("explained as %d, judged as %d", x.Score, v.Score)
	}
	if x.Sentence != "Let's use Postgres instead of MySQL." {
		t.Errorf("strongest sentence %q", x.Sentence)
	}
	for i, term := range x.Terms {
		if i > 0 && max(term.Weight, -term.Weight) > max(x.Terms[i-1].Weight, -x.Terms[i-1].Weight) {
			t.Errorf("%q stands behind %q", term.Feature, x.Terms[i-1].Feature)
		}
	}
	if !slices.ContainsFunc(x.Terms, func(t decide.Term) bool { return t.Feature == "edited yes" && t.Weight > 0 }) {
		t.Errorf("that it was edited does not speak for it: %v", x.Terms)
	}
}

// TestShortRules shows that rules whose hits are shorter than the built-in ones'
// name no options that are not there.
func TestShortRules(t *testing.T) {
	var own []gate.RuleConfig
	for _, f := range []string{
		"act.prefer", "mod.instead-of", "mod.not-but", "mod.named", "act.name", "act.change", "act.dont", "act.no-x", "act.must-not", "act.dont-want", "act.option",
		"act.is-value", "act.move", "act.revert",
	} {
		own = append(own, gate.RuleConfig{ID: "own." + f, Category: "imperative", Family: f, Patterns: []string{"over", "better", "x"}})
	}
	rules, err := gate.Configured(lexicon.Standard(), gate.Config{Rules: own})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"over", "better", "x", "use over", "x over", "over better x", "prefer better", "i like better", "use a, not x", "rename x", "no x please"} {
		for _, d := range taken(t, rules, decide.Input{Text: text, PrevAssistant: "Do you want x or over?"}).Decisions {
			for _, o := range d.Options {
				if o.Text == "" || !strings.Contains(text+"Do you want x or over?", o.Text) {
					t.Errorf("%q names %q", text, o.Text)
				}
			}
		}
	}
}

// TestOwnRules shows that a strong rule of the user's own decides by itself, and
// a question remains one.
func TestOwnRules(t *testing.T) {
	const text = "Jargon is tabu in our docs."
	if v := turn(t, standard(t), decide.Input{Text: text}); len(v.Decisions) > 0 {
		t.Fatalf("%q decides by itself (%d)", text, v.Score)
	}
	rules, err := gate.Configured(lexicon.Standard(), gate.Config{Rules: []gate.RuleConfig{{ID: "own.tabu", Category: "rejection", Tier: "strong", Patterns: []string{"is tabu"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if v := turn(t, rules, decide.Input{Text: text}); len(v.Decisions) != 1 || v.Decisions[0].Epitome != text {
		t.Errorf("%q: %+v", text, v)
	}
	if v := turn(t, rules, decide.Input{Text: "Why do you think that jargon is tabu?"}); len(v.Decisions) > 0 {
		t.Errorf("a question decides (%d)", v.Score)
	}
}

// TestNamesAsJudged: what is learnt of the names in a turn is what the judge sees of them: its
// language, and what the rules of that language name.
func TestNamesAsJudged(t *testing.T) {
	rules := standard(t)
	for text, want := range map[string][2]string{
		"Use Redis instead of MySQL.":                            {"rule +", "rule + in en"},
		"Usa Redis en lugar de MySQL para guardar las sesiones.": {"frame +", "frame + in eu"},
		"Redis を使ってください。MySQL は使わない。":                            {"", " in wide"},
	} {
		var signs []string
		for _, c := range decide.Names(rules, decide.Input{Text: text}, 0) {
			signs = append(signs, c.Signs...)
		}
		for _, w := range want {
			if !slices.ContainsFunc(signs, func(s string) bool { return strings.HasSuffix(s, w) }) {
				t.Errorf("nothing in %q has the sign %q", text, w)
			}
		}
	}
}
