// Package segment collects the facts of one stream: a person's turns, decisions, arcs of work
// and edits.
//
// Adding an event records facts. A recorded fact changes in one way only: it is marked as
// superseded, and the mark says since when. The question "what was in force at this point of
// the stream?" therefore has the same answer whatever is added later.
//
//	thread ── arc ── turn ── decision
//	           │
//	           └──── edit
//
// An arc is the work that one human turn asked for, up to the next turn that asks for other
// work. "Go on" and "yes, do that" continue an arc. Once the arc has edits, a "yes" to the
// assistant's next offer starts a new one.
//
// A worked example, with seq in front (ExampleFacts runs it):
//
//	1  user       What do we have for the sessions?       arc 1
//	2  assistant  Redis, or Postgres like the rest.
//	3  user       Let's use Postgres instead of Redis …   arc 3, decision D
//	4  assistant  I'll add the table.                     D will be judged again
//	5  edit       schema.sql                              of arc 3
//	6  user       continue                                still arc 3
//	7  edit       store.go                                of arc 3
//	8  rewind     to 2                                    D is superseded since 8
//
// [Facts.Add] of 3 puts D into [Facts.New], that of 8 puts it into [Facts.Changed]. D is live
// at 7 and not at 9, and neither answer ever changes. The score that 4 and 5 give to D is there
// with the next [Facts.Settle]. The edits remain: a rewind of the conversation does not undo
// changes to files.
//
// Memory is bounded: constants limit the texts that are needed until the next turn, and the
// limit of [New] the facts that are kept. A Facts is used by one goroutine.
//
// Where to find what:
//
//	segment.go               Facts and its types; what each event records
//	exchange.go, said.go     a turn with its reply, judged again as the reply grows
//	gaps.go, strand.go       rewinds, revocations, and several processes in one thread
//	calls.go, announced.go   tool calls, and what the assistant announced before them
//	lastwords.go             the assistant's words that a person may accept
//	title.go                 titles of decisions
//	active.go, budget.go     which threads keep short-lived fields; what is dropped
//	spilled.go               texts that are stored outside of memory
package segment

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/memory"
	"github.com/memscribe/memscribe/core/title"
	"github.com/memscribe/memscribe/core/topic"
)

// Never is a seq greater than that of any event.
const Never = ^uint64(0)

// Thread is one line of a session: the main conversation, or that of a subagent. If two
// processes wrote to one transcript, each strand is a Thread.
//
// It lives as long as the Facts, unless the limit drops it. The fields Decisions,
// rewindable, Arc, cuts and rewinds live as long as the Thread. Others live shorter:
//
//	lastWords, announced   until the person's next turn, or until the thread is idle
//	exchange               until the reply has decide.MaxReply bytes, or the next turn
//	said                   until the person's next turn, or until the thread is idle
//	calls                  a ring of the latest maxCalls; of an idle thread the open ones
type Thread struct {
	Session, Name string
	Arc           *Arc        // the current arc; nil before the first human turn
	Decisions     []*Decision // in stream order

	rewindable []*Decision // decisions that a rewind may supersede, in stream order
	last       uint64      // seq of the latest event
	lastWords  lastWords
	announced  *announced // nil until the assistant says something
	calls      calls
	exchange   *exchange // of the latest turn; nil when it is complete
	said       *said     // of the latest turn; nil while the thread is idle
	idleBytes  int       // bytes of the calls, while the thread is idle
	cuts       []cut     // by ascending seq and descending id
	strand     uint32
	parent     *Thread        // of a strand: the thread that it was forked from
	rewinds    []*rewindPoint // in stream order
}

// cut is the point at which a rewind in another stream ends a thread. It also applies to
// decisions that are read after the rewind.
type cut struct {
	afterSeq uint64 // seq of the last event that counts
	by       string // id of the rewind
}

// Arc is the work that one human turn asked for. An edit a hundred turns later still
// belongs to it if each of those turns is a "continue".
//
// A rewind makes an earlier arc the current one.
type Arc struct {
	Start       uint64 // seq of the turn that opened it
	Nth         int    // number of earlier arcs in the strand
	Opening     Opening
	Decisions   []*Decision // made in this arc, in stream order, at most maxOfArc
	previous    *Arc
	sweptBefore uint64 // argument of the latest dropBefore
	hasEdits    bool   // an edit was made in it
}

// Previous returns the arc before this one in the strand, or nil.
func (a *Arc) Previous() *Arc { return a.previous }

// next returns the Nth of the arc that follows this one.
func (a *Arc) next() int {
	if a == nil {
		return 0
	}
	return a.Nth + 1
}

const (
	// maxOpening is how many bytes of a turn are read for Opening.Words.
	maxOpening = 2 << 10
	// maxOffer is how many bytes at the end of the assistant's message a bare "yes" accepts.
	maxOffer = 400
)

// maxOfArc is how many decisions an arc lists. Every edit of an arc is compared with each
// of them, so the limit bounds that work. Further decisions bind by what they name, like
// those of earlier arcs.
const maxOfArc = 256

// Opening is what an arc keeps of the turn that opened it: everything but the text.
type Opening struct {
	Head     *core.Node  // shared by the nodes of the turn; never modified
	Origin   string      // the identity that its node ids are made from
	Copied   bool        // the record is a copy of another one
	Elevated bool        // worth a conversation node
	Words    topic.Words // the words of the turn
	Offered  bool        // Words are those of the offer that the turn accepts
	Since    uint64      // seq of the event since which it is worth a node
}

// Turn is a person's turn that is worth a node. Text is everything that was typed.
type Turn struct {
	Opening
	Text    string
	Verdict decide.Verdict
}

// Decision is one thing that was decided. Later events change its Score and its Gaps, and
// nothing else. Its life in memory:
//
//	found ──▶ rescored ────────▶ spilled ──▶ dropped
//	          with each piece    its texts   over the limit; its node stays
//	          of the reply       are stored  as it was sent
//
// Since says from which event on it is known, and Gaps when it was not in force:
// [Decision.Live] answers from both.
type Decision struct {
	decide.Decided
	Title      []title.Part // spans of Turn and Said
	Words      topic.Words  // of the title and the options; of a plan, all words
	Thread     *Thread
	Head       *core.Node // of its turn, or its own
	Copied     bool
	Origin     string // its node id is made from Origin and Index
	Index      int
	Nth        int // Nth of its arc
	Turns      core.TurnRange
	By         string // "user", or the model's name
	Confirming string // the turn that confirmed a proposal
	Since      uint64 // seq of the event since which it is known

	Spilled Spilled // where Turn, Said and Confirming are stored, once they are spilled
	Gaps    []Gap   // when it was not in force

	revokes      *Decision // the decision that it takes back
	holders      *int      // number of strands in which it is in force, if several
	isRewindable bool      // listed in Thread.rewindable
	dropped      bool      // see memoryBudget
}

// Edit is an edit that was applied, as the transcript says. Its diff shares the memory of
// the event.
type Edit struct {
	core.FileEdit
	Head      core.Node
	Origin    string // its node id is made from Origin and the path
	Copied    bool
	Thread    *Thread
	Arc       *Arc   // the arc of the call that made it
	CallSeq   uint64 // seq of that call
	Announced string // the end of the assistant's last message before that call
	Memory    *core.MemoryAccess
}

// Memory is a call's access to a memory of the agent.
type Memory struct {
	core.MemoryAccess
	Head   *core.Node // of the call
	Origin string     // its node id is made from Origin and Index
	Index  int
	Copied bool
	Turns  core.TurnRange // from the call to its result
}

// Spawn is the start of a subagent by a call. The thread of the child may be in this
// stream or another one, before this event or after it.
type Spawn struct {
	Child   string // name of the started thread
	Thread  *Thread
	Arc     *Arc
	CallSeq uint64
}

// Facts are the facts of one stream. The zero value is not usable; see New.
//
// Its memory grows with the number of decisions, arcs and threads, not with the size of
// the transcript. It is not safe for concurrent use.
type Facts struct {
	judge           *decide.Judge
	threads         map[string]*Thread
	last            *Thread // of the last event
	mainThreads     activeThreads
	subagentThreads activeThreads
	budget          memoryBudget

	unsettled []*exchange // decided, and continued since; see Settle

	// Judged, if not nil, is called each time the exchange of a decision is judged, with
	// what is known of it so far. It is for explanations.
	Judged func(*Decision, decide.Input)

	// What the last Add recorded or changed, in stream order.
	Turns     []*Turn
	New       []*Decision
	Changed   []*Decision
	Edits     []*Edit
	Memories  []*Memory
	Spawns    []*Spawn
	Anchor    *Thread     // thread of the event, if a rewind in another stream may name it
	Inherited []*Decision // decisions that a new strand begins with
	Cut       string      // id of the event in another stream that a rewind goes back to
	Base      core.Base   // base of the session that the event opens
}

// New returns an empty set of facts. The judge decides which turns are decisions; several
// Facts of one goroutine may share it. Limit is how many bytes they may take; 0 is 64 MiB.
func New(judge *decide.Judge, limit int) *Facts {
	return &Facts{judge: judge, threads: map[string]*Thread{}, budget: newMemoryBudget(cmp.Or(limit, standardLimit))}
}

// Add records an event. The lists of Facts then hold what it recorded, until the next
// Add reuses them.
//
// Events must come in the order of their Seq. Add copies the texts that it keeps, so the
// caller may reuse the event. Injected turns are not judged.
func (f *Facts) Add(ev *core.Event) {
	f.Turns, f.New, f.Changed = f.Turns[:0], f.New[:0], f.Changed[:0]
	f.Edits, f.Memories, f.Spawns = f.Edits[:0], f.Memories[:0], f.Spawns[:0]
	f.Anchor, f.Inherited, f.Cut, f.Base = nil, nil, "", core.Base{}
	f.budget.now = ev.Seq
	if ev.Anchor {
		f.Anchor = f.thread(ev)
	}
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		f.Base = b.Base
	case *core.UserTurn:
		if !ev.Injected {
			f.humanTurn(ev, b)
		}
	case *core.AssistantTurn:
		t := f.thread(ev)
		t.lastWords.add(ev, b)
		if !b.Unfinished {
			t.announce(ev, b.Text)
			f.addReply(ev, t, b.Text)
		}
	case *core.ToolCall:
		t := f.thread(ev)
		t.calls.add(b.CallID, call{seq: ev.Seq, arc: t.Arc, plan: planOf(b), memories: memoriesOf(ev, b)})
	case *core.ToolResult:
		f.toolResult(ev, b)
	case *core.FileEdit:
		f.fileEdit(ev, b)
	case *core.Rewind:
		if b.CrossStream {
			f.Cut = b.ToEvent
			return
		}
		f.rewind(ev, b)
	}
}

// CutAfter ends a thread after an event, because of a rewind in another stream of the
// session. Later decisions of the thread are superseded, including those that are read
// later. It returns the decisions that changed.
//
// It may be called at any time and several times. If several cuts supersede a decision,
// the one with the least id counts, whatever the order of reading.
func (t *Thread) CutAfter(seq uint64, by string) []*Decision {
	t.addCut(cut{afterSeq: seq, by: by})
	var changed []*Decision
	for i := len(t.Decisions) - 1; i >= 0 && t.Decisions[i].Head.Seq > seq; i-- {
		changed = append(changed, t.Decisions[i].rewoundBy(by, endOfStream)...)
	}
	return changed
}

// addCut adds a cut unless an earlier cut with a lesser id makes it redundant, and drops
// the cuts that it makes redundant.
func (t *Thread) addCut(c cut) {
	at, _ := slices.BinarySearchFunc(t.cuts, c.afterSeq+1, func(o cut, seq uint64) int { return cmp.Compare(o.afterSeq, seq) })
	if at > 0 && t.cuts[at-1].by <= c.by {
		return
	}
	from, to := at, at
	for from > 0 && t.cuts[from-1].afterSeq == c.afterSeq {
		from--
	}
	for to < len(t.cuts) && t.cuts[to].by >= c.by {
		to++
	}
	t.cuts = slices.Replace(t.cuts, from, to, c)
}

// applyCuts supersedes a decision that comes after a cut of the thread.
func (t *Thread) applyCuts(d *Decision) (changed []*Decision) {
	at, _ := slices.BinarySearchFunc(t.cuts, d.Head.Seq, func(o cut, seq uint64) int { return cmp.Compare(o.afterSeq, seq) })
	if at == 0 {
		return nil
	}
	return d.rewoundBy(t.cuts[at-1].by, endOfStream)
}

// thread returns the thread of an event, and creates it if it is new. Consecutive events
// mostly have the same thread, so the last one is tried first.
func (f *Facts) thread(ev *core.Event) *Thread {
	strand := uint32(0)
	if ev.Strand != nil {
		strand = ev.Strand.No
	}
	if t := f.last; t != nil && t.Name == ev.Thread && t.strand == strand && t.Session == ev.Session {
		t.last = ev.Seq
		return t
	}
	key := threadKey(ev.Session, ev.Thread, strand)
	t := f.threads[key]
	if t == nil {
		t = &Thread{Session: ev.Session, Name: ev.Thread, strand: strand}
		f.threads[key] = t
		f.budget.spend(threadCost + len(key))
		if strand > 0 {
			f.forkStrand(t, ev.Strand)
		}
	}
	f.last, t.last = t, ev.Seq
	if t.Name == "" {
		f.mainThreads.activate(t)
	} else {
		f.subagentThreads.activate(t) // apart from main threads, which subagents must not push out
	}
	return t
}

// threadKey is the key of a thread in Facts.threads.
func threadKey(session, thread string, strand uint32) string {
	key := session + "\x00" + thread
	if strand > 0 {
		key += "\x00" + strconv.FormatUint(uint64(strand), 10)
	}
	return key
}

// humanTurn judges what a person typed, together with the assistant's message before it,
// and opens an arc unless the turn continues the current one ("continue", or "yes" to a
// plan). A "yes" to an offer after the work was done opens one.
func (f *Facts) humanTurn(ev *core.Event, b *core.UserTurn) {
	t := f.thread(ev)
	text := b.Text.String()
	f.judgeUnanswered(ev, t)
	f.Changed = append(f.Changed, f.Settle()...)
	verdict := f.judge.Turn(text, t.lastWords.tail)
	head := Head(ev)
	turn := &Turn{Text: text, Verdict: verdict, Opening: Opening{
		Head: &head, Copied: ev.CopyOf != "", Origin: ev.Identity(), Elevated: verdict.Elevated, Since: ev.Seq,
		Words: topic.Of(text[:min(len(text), maxOpening)]),
	}}
	if verdict.Accepts && len(turn.Words) == 0 {
		offer := t.lastWords.tail()
		turn.Words, turn.Offered = topic.Of(offer[max(0, len(offer)-maxOffer):]), true
	}
	own := t.sentAgain(text, ev.Seq)
	repeats := own != nil
	if !repeats {
		own = saidOf(text)
	}
	if t.Arc == nil || !repeats && (!verdict.Continuation || verdict.Accepts && t.Arc.hasEdits) {
		t.Arc = &Arc{Start: ev.Seq, Nth: t.Arc.next(), Opening: turn.Opening, previous: t.Arc}
		f.budget.spend(t.Arc.cost())
	}
	if verdict.Elevated {
		f.Turns = append(f.Turns, turn)
	}
	x := &exchange{turn: turn, said: own, asked: verdict.Asked, before: t.lastWords.tail(), messageAt: t.lastWords.at, messageSeq: t.lastWords.seq, at: ev.At}
	if !repeats {
		f.addDecisions(t, x, verdict.Decisions, ev.Seq)
	}
	if t.exchange, t.said = x, own; x.asked == nil {
		t.exchange = nil
	}
	if len(verdict.Decisions) > 0 || !strings.HasPrefix(text, "/") {
		t.lastWords.reset() // a command of the tool answers nothing: "/code", then "go ahead"
	}
	t.announced.reset()
}

// addDecision records a decision, and supersedes the one that it revokes.
func (f *Facts) addDecision(t *Thread, d *Decision) {
	if d.Revokes {
		if old := t.findRevoked(d); old != nil {
			f.Changed = append(f.Changed, old.revokedBy(d)...)
		}
	}
	f.Changed = append(f.Changed, t.applyCuts(d)...)
	if t.Arc != nil {
		d.Nth = t.Arc.Nth
	}
	t.Decisions = insert(t.Decisions, d)
	t.addRewindable(d)
	if t.Arc != nil && len(t.Arc.Decisions) < maxOfArc {
		t.Arc.Decisions = insert(t.Arc.Decisions, d)
	}
	f.New = append(f.New, d)
	f.budget.spend(d.cost())
}

// addRewindable lists a decision for later rewinds.
func (t *Thread) addRewindable(d *Decision) {
	t.rewindable = insert(t.rewindable, d)
	d.isRewindable = true
}

// insert inserts a decision in stream order, after those of the same turn.
func insert(list []*Decision, d *Decision) []*Decision {
	at := len(list)
	for at > 0 && list[at-1].Head.Seq > d.Head.Seq {
		at--
	}
	return slices.Insert(list, at, d)
}

// toolResult records which subagents a call started, which memories it read or wrote, and
// what a person decided by answering it. All of that belongs to the arc of the call, even
// if a new arc has begun since.
func (f *Facts) toolResult(ev *core.Event, b *core.ToolResult) {
	t := f.thread(ev)
	made := t.threadOfCall(b.CallID)
	c, known := made.calls.get(b.CallID)
	if b.Spawned != "" && known {
		f.Spawns = append(f.Spawns, &Spawn{Child: b.Spawned, Thread: t, Arc: c.arc, CallSeq: c.seq})
		for _, child := range b.AlsoSpawned {
			f.Spawns = append(f.Spawns, &Spawn{Child: child, Thread: t, Arc: c.arc, CallSeq: c.seq})
		}
	}
	if b.OK && len(c.memories) > 0 {
		f.remember(made, ev, b.CallID)
	}
	made.calls.markDone(b.CallID)
	if len(b.Choices) == 0 && b.Verdict == core.NoVerdict {
		return
	}
	head := Head(ev)
	for i, decided := range f.judge.Structured(b, c.plan) {
		d := &Decision{
			Decided: decided, Thread: t, Head: &head, Copied: ev.CopyOf != "", Origin: ev.CallIdentity(b.CallID), Index: i,
			Turns: core.TurnRange{Start: min(c.seq, ev.Seq), End: ev.Seq}, By: "user", Since: ev.Seq,
		}
		d.titleOfAnswer(d.Kind == decide.Choice && (b.Verdict != core.Rejected || d.Turn != b.Reason.String()))
		d.setWords()
		d.cloneTexts()
		f.addDecision(t, d)
		f.explain(d, decide.Input{Text: d.Turn, PrevAssistant: d.Said})
	}
}

// fileEdit records an edit. It belongs to the arc of its call: a person may have opened a
// new arc while the tool ran.
func (f *Facts) fileEdit(ev *core.Event, b *core.FileEdit) {
	t := f.thread(ev)
	e := &Edit{FileEdit: *b, Head: Head(ev), Origin: ev.CallIdentity(b.CallID), Copied: ev.CopyOf != "", Thread: t, Arc: t.Arc, CallSeq: ev.Seq}
	if c, ok := t.threadOfCall(b.CallID).calls.get(b.CallID); ok {
		e.Arc, e.CallSeq = c.arc, c.seq
	}
	if e.Arc != nil {
		e.Arc.hasEdits = true
	}
	e.Announced = t.announced.before(e.CallSeq)
	if a, ok := memory.OfEdit(b.Diff.Path, ev.Project); ok {
		e.Memory = &a
	}
	f.Edits = append(f.Edits, e)
	f.noteEdit(ev, t)
}

// popRewindable removes and returns the latest rewindable decision.
func (t *Thread) popRewindable() *Decision {
	n := len(t.rewindable) - 1
	d := t.rewindable[n]
	t.rewindable[n] = nil
	t.rewindable, d.isRewindable = t.rewindable[:n], false
	return d
}

// rewind supersedes the decisions after the point that a thread goes back to, unless
// another strand still holds them, and restores the arc of that point. It works in
// reverse stream order, so that a revocation is undone before the decision that it
// revoked.
func (f *Facts) rewind(ev *core.Event, b *core.Rewind) {
	t := f.thread(ev)
	left := t.saveRewindPoint(ev.ID, ev.Seq)
	f.budget.spend(left.cost())
	t.exchange = nil
	for len(t.rewindable) > 0 && t.rewindable[len(t.rewindable)-1].Head.Seq > b.ToSeq {
		d := t.popRewindable()
		if !d.isInForce() {
			continue
		}
		changed := d.rewoundBy(ev.ID, ev.Seq)
		if d.releaseHolder() {
			f.Changed = append(f.Changed, changed...)
			left.superseded = append(left.superseded, d)
		}
	}
	for t.Arc != nil && t.Arc.Start > b.ToSeq {
		t.Arc = t.Arc.previous
	}
}

// Head returns the head that the nodes of an event share.
func Head(ev *core.Event) core.Node {
	return core.Node{
		Source: ev.Source, Session: ev.Session, Thread: ev.Thread, Seq: ev.Seq, Time: ev.Time,
		Project: ev.Project, Provenance: []core.Location{ev.At},
	}
}
