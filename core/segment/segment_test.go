package segment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// recorder numbers events and keeps what their adding recorded.
type recorder struct {
	*segment.Facts
	t   testing.TB
	seq uint64

	turns     []segment.Turn
	decisions []*segment.Decision
	edits     []segment.Edit
	spawns    []segment.Spawn
	gone      []*segment.Decision
}

func record(t testing.TB) *recorder {
	t.Helper()
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return &recorder{Facts: segment.New(judge(t, rules), 0), t: t}
}

func judge(t testing.TB, rules *gate.Rules) *decide.Judge {
	t.Helper()
	m, err := decide.Model()
	if err != nil {
		t.Fatal(err)
	}
	return decide.NewJudge(rules, m, decide.Threshold)
}

func (r *recorder) add(thread string, b core.Body) uint64 {
	r.event(&core.Event{Thread: thread, Body: b})
	return r.seq - 1
}

// in adds an event to a session of several in one stream.
func (r *recorder) in(session, thread string, b core.Body) {
	r.event(&core.Event{Session: session, Thread: thread, Body: b})
}

func (r *recorder) event(ev *core.Event) {
	ev.Source, ev.Seq = core.Codex, r.seq
	if ev.Session == "" {
		ev.Session = "s"
	}
	if ev.ID == "" {
		ev.ID = fmt.Sprint("e", r.seq)
	}
	r.seq++
	r.Add(ev)
	for _, t := range r.Turns {
		r.turns = append(r.turns, *t)
	}
	for _, e := range r.Edits {
		r.edits = append(r.edits, *e)
	}
	for _, s := range r.Spawns {
		r.spawns = append(r.spawns, *s)
	}
	r.decisions = append(r.decisions, r.New...)
	r.gone = append(r.gone, r.Changed...)
	r.gone = append(r.gone, r.Settle()...)
}

func says(text string) *core.UserTurn { return &core.UserTurn{Text: core.Plain(text)} }

func edits(call string) *core.FileEdit {
	return &core.FileEdit{CallID: call, Diff: core.Diff{Path: "a.go"}}
}

const choice = "Let's use Postgres instead of MySQL for the orders service."

func TestArcs(t *testing.T) {
	r := record(t)
	set := r.add("", says(choice))
	r.add("", &core.ToolCall{CallID: "c1"})
	r.add("", says("continue"))
	r.add("", edits("c2"))
	if got := r.edits[0].Arc; got == nil || got.Start != set {
		t.Errorf("after «continue»: arc %+v, want the one that the first turn set", got)
	}
	r.add("", says("Please add a health check."))
	r.add("", edits("c1"))
	if got := r.edits[1]; got.Arc.Start != set || got.CallSeq != 1 {
		t.Errorf("an edit belongs to the arc of its call: got arc %d call %d", got.Arc.Start, got.CallSeq)
	}
}

// TestOffersSetWork shows that a "yes" to what is offered once the work was done sets the next
// work, also where it is not put as a question, and that a "yes" to a plan for the work
// itself does not.
func TestOffersSetWork(t *testing.T) {
	r := record(t)
	set := r.add("", says(choice))
	r.add("", &core.AssistantTurn{Text: core.Plain("I'd migrate the orders table first. Shall I use a script for that?"), Model: "m"})
	r.add("", says("yes"))
	r.add("", edits("c1"))
	r.add("", &core.AssistantTurn{Text: core.Plain("Done. Shall I add a metrics page with Prometheus too?"), Model: "m"})
	next := r.add("", says("yes"))
	r.add("", edits("c2"))
	r.add("", says("continue"))
	r.add("", edits("c3"))
	r.add("", &core.AssistantTurn{Text: core.Plain("Both are in. Further ideas:\n- cache the metrics\n- a page for the queue"), Model: "m"})
	more := r.add("", says("yes to all"))
	r.add("", edits("c4"))
	var got []uint64
	for _, e := range r.edits {
		got = append(got, e.Arc.Start)
	}
	if offered := topic.Of("cache the metrics, a page for the queue"); r.edits[3].Arc.Opening.Words.Shared(offered) != len(offered) {
		t.Error("work that a mere yes sets is not about what was offered")
	}
	if want := []uint64{set, next, next, more}; !slices.Equal(got, want) {
		t.Errorf("edits are in the arcs of %v, want %v", got, want)
	}
}

func TestConfirmationTakesTheProposal(t *testing.T) {
	r := record(t)
	proposal := r.add("", &core.AssistantTurn{Text: core.Plain("Shall I switch the cache to Redis?"), Model: "m"})
	r.add("", says("yes, do that"))
	if len(r.decisions) != 1 {
		t.Fatalf("decisions %+v, want the confirmed proposal", r.decisions)
	}
	d := r.decisions[0]
	if !d.EpitomeInAssistant || d.Turns != (core.TurnRange{Start: proposal, End: proposal + 1}) || d.Confirming != "yes, do that" {
		t.Errorf("got %+v", d)
	}
	if len(d.Head.Provenance) != 2 {
		t.Errorf("provenance %v, want the proposal and its confirmation", d.Head.Provenance)
	}
}

func TestRewind(t *testing.T) {
	r := record(t)
	first := r.add("", says(choice))
	r.add("", says("Never touch the vendored files."))
	r.add("", replies("Understood. I will leave the vendored files alone from now on and never touch them."))
	r.gone = nil // sent again with the score that the reply gave it
	r.event(&core.Event{ID: "r", Body: &core.Rewind{ToEvent: "e0", ToSeq: first}})
	if len(r.gone) != 1 || r.gone[0].Epitome != "Never touch the vendored files." || r.gone[0].SupersededBy() != "r" {
		t.Fatalf("superseded %+v, want the ban", r.gone)
	}
	ban := r.gone[0]
	if !ban.Live(ban.Gaps[0].Since, segment.Never) || ban.Live(ban.Gaps[0].Since+1, segment.Never) || ban.Live(ban.Head.Seq, segment.Never) {
		t.Error("a decision holds after its turn and until what supersedes it")
	}
	r.add("", edits("c1"))
	if got := r.edits[0].Arc; got == nil || got.Start != first {
		t.Errorf("after the rewind: arc %+v, want that of the first turn", got)
	}
	r.event(&core.Event{ID: "r2", Body: &core.Rewind{ToEvent: "e0", ToSeq: first}})
	if len(r.gone) != 1 {
		t.Error("a second rewind superseded again")
	}
}

func TestThreadsDoNotMix(t *testing.T) {
	r := record(t)
	r.add("", says(choice))
	r.add("helper", edits("c1"))
	if r.edits[0].Arc != nil || r.edits[0].Thread.Name != "helper" {
		t.Errorf("a subagent's edit has arc %+v of thread %q", r.edits[0].Arc, r.edits[0].Thread.Name)
	}
	call := r.add("", &core.ToolCall{CallID: "c9"})
	r.add("", &core.ToolResult{CallID: "c9", Spawned: "helper"})
	if len(r.spawns) != 1 || r.spawns[0].CallSeq != call || r.spawns[0].Child != "helper" {
		t.Errorf("spawns %+v", r.spawns)
	}
	call = r.add("", &core.ToolCall{CallID: "c10"})
	r.add("", &core.ToolResult{CallID: "c10", Spawned: "second", AlsoSpawned: []string{"third"}})
	if len(r.spawns) != 3 || r.spawns[2].CallSeq != call || r.spawns[2].Child != "third" {
		t.Errorf("spawns of one call %+v", r.spawns)
	}
	r.event(&core.Event{Thread: "", Injected: true, Body: says(choice)})
	if len(r.decisions) != 1 {
		t.Error("injected text decided something")
	}
}

// TestManyThreads has more subagents work than are remembered: the main line still
// knows what a person answers, and every subagent the call whose result is to come.
func TestManyThreads(t *testing.T) {
	r := record(t)
	r.add("", &core.AssistantTurn{Text: core.Plain("Shall I use Postgres instead of MySQL for the orders service?")})
	for i := range 200 {
		name := fmt.Sprint("helper-", i)
		r.add(name, &core.ToolCall{CallID: "c1"})
		r.add(name, &core.AssistantTurn{Text: core.Plain("Done.")})
	}
	r.add("helper-0", edits("c1"))
	if e := r.edits[len(r.edits)-1]; e.CallSeq != 1 {
		t.Errorf("the edit of a subagent of long ago has the call at %d, want 1", e.CallSeq)
	}
	r.add("helper-199", edits("c1"))
	if e := r.edits[len(r.edits)-1]; e.CallSeq >= e.Head.Seq-1 {
		t.Errorf("the edit at %d of a subagent has its call at %d", e.Head.Seq, e.CallSeq)
	}
	r.add("", says("yes, do that"))
	if len(r.decisions) != 1 || !strings.Contains(r.decisions[0].Epitome, "Postgres") {
		t.Errorf("decided %+v, want what the assistant proposed", r.decisions)
	}
}

func TestStructuredChoice(t *testing.T) {
	r := record(t)
	r.add("", says("Which database fits?"))
	r.add("", &core.ToolCall{CallID: "q1", Name: "AskUserQuestion"})
	r.add("", &core.ToolResult{CallID: "q1", OK: true, Choices: []core.Choice{{
		Question: "Which database?", Options: []core.Option{{Text: "Postgres", Chosen: true}, {Text: "MySQL"}},
	}}})
	if len(r.decisions) != 1 || len(r.decisions[0].Options) != 2 {
		t.Fatalf("decisions %+v, want the answered question", r.decisions)
	}
	r.add("", edits("c1"))
	if ds := r.edits[0].Arc.Decisions; len(ds) != 1 || ds[0] != r.decisions[0] {
		t.Errorf("the arc's decisions are %+v", ds)
	}
}

// TestManyCalls keeps what is remembered of calls bounded.
func TestManyCalls(t *testing.T) {
	r := record(t)
	for i := range 5000 {
		r.add("", &core.ToolCall{CallID: fmt.Sprint("c", i)})
	}
	r.add("", edits("c0"))
	r.add("", edits("c4999"))
	if old, recent := r.edits[0], r.edits[1]; old.CallSeq != 5000 || recent.CallSeq != 4999 {
		t.Errorf("call seqs %d, %d", old.CallSeq, recent.CallSeq)
	}
}

func BenchmarkAdd(b *testing.B) {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		b.Fatal(err)
	}
	events := []*core.Event{
		{ID: "u", Body: says("Have a look at the list of orders, please.")},
		{Body: &core.AssistantTurn{Text: core.Plain("I will look at it first and then say what I find.")}},
		{Body: &core.ToolCall{CallID: "c", Name: "Read"}},
		{Body: &core.ToolResult{CallID: "c", OK: true}},
		{Body: &core.Unknown{Bookkeeping: true}},
	}
	f := segment.New(judge(b, rules), 0)
	var seq uint64
	b.ReportAllocs()
	for b.Loop() {
		ev := events[seq%uint64(len(events))]
		ev.Seq = seq
		f.Add(ev)
		seq++
	}
}

// TestAnswerToAllThatWasSaid has a person answer what the assistant said in many
// pieces, of which the proposal is the first that is still kept.
func TestAnswerToAllThatWasSaid(t *testing.T) {
	for _, pieces := range []int{0, 1, 5, 9} {
		r := record(t)
		r.add("", &core.AssistantTurn{Text: core.Plain(strings.Repeat("I looked at it. ", 3000))})
		proposal := r.add("", &core.AssistantTurn{Text: core.Plain("Shall I switch the cache to Redis?")})
		for range pieces {
			proposal = r.add("", &core.AssistantTurn{Text: core.Plain(" ")})
		}
		r.add("", says("yes, do that"))
		if len(r.decisions) != 1 || r.decisions[0].Turns.Start != proposal {
			t.Errorf("%d pieces behind the proposal: decisions %+v", pieces, r.decisions)
		}
	}
}

// TestIdleLines has a line wait for the result of a call while many others of its
// stream go on: the edit still belongs to the arc of the call.
func TestIdleLines(t *testing.T) {
	const others = 500
	r := record(t)
	session := "waits"
	add := func(thread string, b core.Body) uint64 {
		r.in(session, thread, b)
		return r.seq - 1
	}
	set := add("", says(choice))
	add("", &core.ToolCall{CallID: "done"})
	add("", &core.ToolResult{CallID: "done", OK: true})
	call := add("", &core.ToolCall{CallID: "long"})
	now := add("", says("Please add a health check."))
	for i := range others {
		session = fmt.Sprint("other-", i)
		add("", says("Please fix the build."))
		add("", &core.ToolCall{CallID: "c"})
		add("", &core.ToolResult{CallID: "c", OK: true})
	}
	session = "waits"
	add("", edits("long"))
	add("", edits("done"))
	if got := r.edits[0]; got.Arc.Start != set || got.CallSeq != call {
		t.Errorf("an edit whose call waited: arc %d, call %d, want %d and %d", got.Arc.Start, got.CallSeq, set, call)
	}
	if got := r.edits[1]; got.Arc.Start != now {
		t.Errorf("an edit whose call was done long ago: arc %d, want the current one, %d", got.Arc.Start, now)
	}
}

// TestIdleLinesAreBounded has more lines wait than may be remembered: those that
// have waited longest are forgotten.
func TestIdleLinesAreBounded(t *testing.T) {
	const lines = 200
	r := record(t)
	plan := strings.Repeat("a step of the plan ", 200)
	for i := range lines {
		r.in(fmt.Sprint(i), "", says(choice))
		r.in(fmt.Sprint(i), "", planned(t, plan))
		r.in(fmt.Sprint(i), "", says("Please add a health check."))
	}
	kept := 0
	for i := range lines {
		asked := r.seq
		r.in(fmt.Sprint(i), "", edits("long"))
		if r.edits[i].CallSeq < asked {
			kept++
		}
	}
	if kept < 64 || kept > 64+100 {
		t.Errorf("the calls of %d lines of %d are known, want those that worked last and some that wait", kept, lines)
	}
}

// planned is a call that puts a plan before a person.
func planned(t *testing.T, plan string) *core.ToolCall {
	t.Helper()
	args := fmt.Appendf(nil, `{"plan":%q}`, plan)
	var doc jsondoc.Doc
	if _, err := doc.Parse(args); err != nil {
		t.Fatal(err)
	}
	return &core.ToolCall{CallID: "long", Args: core.RawValue(doc.Root())}
}
