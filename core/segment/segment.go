// Package segment collects the facts of one stream: a person's turns, decisions,
// arcs of work and edits.
//
// Adding an event only records facts. A fact, once recorded, gains nothing but
// the mark of what superseded it, and that mark says since when: whoever asks
// later what held at some point of the stream gets the same answer whatever has
// been added since.
//
//	thread ── arc ── turn ── decision
//	           │
//	           └──── edit
//
// An arc is the work that one human turn set: it lasts until the next turn that
// sets work. "Go on" and "yes, do that" belong to the arc they continue; once its
// edits have begun, a "yes" to what the assistant offers next is work of its own.
//
// A worked example, with seq in front (ExampleFacts runs it):
//
//	1  user       What do we have for the sessions?       arc 1
//	2  assistant  Redis, or Postgres like the rest.
//	3  user       Let's use Postgres instead of Redis …   arc 3, decision D
//	4  assistant  I'll add the table.                     D is judged again
//	5  edit       schema.sql                              of arc 3; D is judged again
//	6  user       continue                                still arc 3
//	7  edit       store.go                                of arc 3
//	8  rewind     to 2                                    D is superseded since 8
//
// [Facts.Add] of 3 leaves D in [Facts.New], that of 8 leaves it in [Facts.Changed]. D is
// live at 7 and not at 9, and both answers stay as they are. The edits stay: files are
// not taken back with the conversation.
//
// Everything is bounded: texts that are only needed until the next turn by the
// constants beside them, what is kept for good by the limit of [New]. A Facts serves
// one goroutine.
package segment

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/memory"
	"github.com/memscribe/memscribe/core/title"
	"github.com/memscribe/memscribe/core/topic"
)

// Never is the seq of what has not happened: no event has it, and it sorts behind all.
const Never = ^uint64(0)

// Thread is one line of a session: the main line, or a subagent's. Where two processes
// wrote into one transcript, each strand is a Thread of its own.
//
// It lives as long as the Facts, unless the limit has it dropped. Of its fields, these
// are for the whole session: Decisions, standing, Arc, cuts, gone. These end sooner:
//
//	said, announced   at the person's next turn, or when the thread is idle
//	open              when a reply of decide.MaxReply bytes has come, or at the next turn
//	calls             a ring of the latest maxCalls; of an idle thread the open ones
type Thread struct {
	Session, Name string
	Arc           *Arc        // the current one; nil before the first human turn
	Decisions     []*Decision // in stream order

	standing  []*Decision // those that no rewind has taken, in stream order, and some that are revoked
	last      uint64      // seq of its latest event
	said      said
	announced *announced // nil until the assistant says something
	calls     calls
	open      *exchange // the latest turn's; nil once nothing more can come of it
	waiting   int       // bytes of its calls, while it is idle
	cuts      []cut     // each behind the one before, and with a lesser id
	strand    uint32
	from      *Thread // of a strand: where it comes from
	gone      []*gone // what rewinds left, in stream order
}

// cut is where a rewind in another stream ends a thread. It also counts for decisions
// that are read later than the rewind.
type cut struct {
	after uint64 // seq of the last event that counts
	by    string // id of the rewind
}

// Arc is the work that one human turn set. It outlives what that turn says: an edit
// that comes a hundred turns later, each a "continue", belongs to it.
//
// A rewind makes the arc of that time the current one again, and leaves this one to
// those who hold it.
type Arc struct {
	Start     uint64 // seq of the turn that set it
	Nth       int    // how many arcs were before it in its strand
	Opening   Opening
	Decisions []*Decision // taken in it, in stream order, the first maxOfArc of them
	before    *Arc
	swept     uint64 // the seq before which arcs were dropped last
	edited    bool   // its work has begun: an edit was made in it
}

// Before is the arc before this one in its strand, nil if there is none or it was dropped.
func (a *Arc) Before() *Arc { return a.before }

// next is the Nth of an arc that follows this one.
func (a *Arc) next() int {
	if a == nil {
		return 0
	}
	return a.Nth + 1
}

const (
	// maxOpening is how much of a turn is read for what it speaks of.
	maxOpening = 2 << 10
	// maxOffer is how much of the message that a mere "yes" accepts is, from its end.
	maxOffer = 400
)

// maxOfArc is how many decisions an arc has: every edit in it is held to each of them,
// so that the product of both is bounded. Those that are taken beyond that are found by
// what they name, like those of earlier arcs.
const maxOfArc = 256

// Opening is a person's turn without its words: what an arc keeps of the turn that set
// it, so that the text of a long prompt can be let go.
type Opening struct {
	Head     *core.Node  // the head that the turn's nodes share; never changed
	Origin   string      // what its nodes are named after
	Copied   bool        // the record says that it is a copy
	Elevated bool        // worth a conversation node
	Words    topic.Words // what it speaks of
	Offered  bool        // these are of what it accepts: it says nothing itself
	Since    uint64      // seq of the event that showed it
}

// Turn is a person's turn that is worth keeping. Its Text is all that was typed;
// whoever keeps the Turn keeps that.
type Turn struct {
	Opening
	Text    string
	Verdict decide.Verdict
}

// Decision is one thing that was decided. It is made once and never removed from the
// stream; what becomes known later changes only Score and Outs, and the
// memory of it:
//
//	found ──▶ scored again ──▶ spilled ──▶ dropped
//	          with each piece  its texts   over the limit: no say any more,
//	          of the reply     are stored  its node stays as it was sent
//
// Since says from where on it may be seen, and Outs when it did not hold:
// [Decision.Live] answers from both, the same at any later time.
type Decision struct {
	decide.Decided
	Title      []title.Part // of spans of Turn and Said
	Words      topic.Words  // what the title and the options speak of; of a plan, all of it
	Thread     *Thread
	Head       *core.Node // its turn's, or its own
	Copied     bool
	Origin     string // what its node is named after, with Index
	Index      int
	Nth        int // of the arc in which it was taken
	Turns      core.TurnRange
	By         string // "user", or the model's name
	Confirming string // the turn that confirmed a proposal
	Since      uint64 // seq of the event since which it is known

	Spilled Spilled // where Turn, Said and Confirming are, once they were let go
	Outs    []Out   // when it did not hold

	revokes *Decision // what it took back
	held    *int      // in how many strands it stands, if there are several
	listed  bool      // among the standing ones of its thread
	dropped bool      // it has no say any more; see ledger
}

// Edit is an edit that the transcript says was applied. The diff is the event's and
// shares its memory.
type Edit struct {
	core.FileEdit
	Head      core.Node
	Origin    string // what its node is named after, with the path
	Copied    bool
	Thread    *Thread
	Arc       *Arc        // the arc of the call that made it
	CallSeq   uint64      // seq of that call
	Announced topic.Words // what the assistant said last before that call
	Memory    *core.MemoryAccess
}

// Memory is something that a call wrote to a memory of the agent's own, or read
// from one.
type Memory struct {
	core.MemoryAccess
	Head   *core.Node // the call's
	Origin string     // what its node is named after, with Index
	Index  int
	Copied bool
	Turns  core.TurnRange // from the call to its result
}

// Spawn says that a call started a subagent. The child's thread may stand in this
// stream or in another, before this event or behind it.
type Spawn struct {
	Child   string // the thread it started
	Thread  *Thread
	Arc     *Arc
	CallSeq uint64
}

// Facts are the facts of one stream. The zero value is not usable; see New.
//
// What is kept grows with the number of decisions, arcs and threads, not with the bytes
// of the transcript. It is not safe for use by several goroutines.
type Facts struct {
	judge   *decide.Judge
	threads map[string]*Thread
	last    *Thread // of the event before: most events follow in the same line
	mains   busy
	agents  busy
	ledger  ledger

	// What the last Add recorded or changed, in order.
	Turns    []*Turn
	New      []*Decision
	Changed  []*Decision
	Edits    []*Edit
	Memories []*Memory
	Spawns   []*Spawn
	Anchor   *Thread     // of the event, if a rewind in another stream may name it
	Parted   []*Decision // that a strand begins with
	Cut      string      // the event in another stream to which the event goes back
	Base     core.Base   // of the session that the event opens
}

// New returns an empty set of facts. The judge says what is worth keeping; facts
// that are added to by the same goroutine may share one. Limit is how many bytes they
// may take, 0 for a standard of 64 MiB.
func New(judge *decide.Judge, limit int) *Facts {
	return &Facts{judge: judge, threads: map[string]*Thread{}, ledger: newLedger(cmp.Or(limit, standardLimit))}
}

// Add records an event. What it recorded is in the lists of Facts until the next Add,
// which uses their memory again: copy a list to keep it, not what it points to.
//
// Events come in the order of their Seq. The event may be used again by the caller; its
// texts are copied where they are kept. Injected turns of a person are not judged.
func (f *Facts) Add(ev *core.Event) {
	f.Turns, f.New, f.Changed = f.Turns[:0], f.New[:0], f.Changed[:0]
	f.Edits, f.Memories, f.Spawns = f.Edits[:0], f.Memories[:0], f.Spawns[:0]
	f.Anchor, f.Parted, f.Cut, f.Base = nil, nil, "", core.Base{}
	f.ledger.now = ev.Seq
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
		t.said.add(ev, b)
		t.announce(ev, b.Text)
		f.hear(ev, t, b.Text)
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

// CutAfter ends a thread after an event, by a rewind that stands in another stream of
// the session: what was decided since is superseded, and so is what is still to come.
// Edits that this stream holds were made before that rewind. It returns the decisions
// that changed.
//
// It may be called at any moment, and more than once: of several cuts that take the
// same decision the one with the least id counts, so that the order in which streams
// are read makes no difference.
func (t *Thread) CutAfter(seq uint64, by string) []*Decision {
	t.addCut(cut{after: seq, by: by})
	var changed []*Decision
	for i := len(t.Decisions) - 1; i >= 0 && t.Decisions[i].Head.Seq > seq; i-- {
		changed = append(changed, t.Decisions[i].rewound(by, ended)...)
	}
	return changed
}

// addCut adds a cut, unless one that stands before it has a lesser id: of those that
// take a decision, the one with the least id counts. It drops those to which it does
// the same.
func (t *Thread) addCut(c cut) {
	at, _ := slices.BinarySearchFunc(t.cuts, c.after+1, func(o cut, seq uint64) int { return cmp.Compare(o.after, seq) })
	if at > 0 && t.cuts[at-1].by <= c.by {
		return
	}
	from, to := at, at
	for from > 0 && t.cuts[from-1].after == c.after {
		from--
	}
	for to < len(t.cuts) && t.cuts[to].by >= c.by {
		to++
	}
	t.cuts = slices.Replace(t.cuts, from, to, c)
}

// cutOff marks a decision that stands after a cut of the thread.
func (t *Thread) cutOff(d *Decision) (changed []*Decision) {
	at, _ := slices.BinarySearchFunc(t.cuts, d.Head.Seq, func(o cut, seq uint64) int { return cmp.Compare(o.after, seq) })
	if at == 0 {
		return nil
	}
	return d.rewound(t.cuts[at-1].by, ended)
}

// thread is the thread of an event, on its strand; new ones begin with it. Events of one
// thread mostly follow each other, so that the last one is looked at first.
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
		f.ledger.spend(threadCost + len(key))
		if strand > 0 {
			f.part(t, ev.Strand)
		}
	}
	f.last, t.last = t, ev.Seq
	if t.Name == "" {
		f.mains.turnTo(t)
	} else {
		f.agents.turnTo(t) // however many they are, the main line waits for its person
	}
	return t
}

// threadKey names a thread in the stream. The first strand has the name of the thread.
func threadKey(session, thread string, strand uint32) string {
	key := session + "\x00" + thread
	if strand > 0 {
		key += "\x00" + strconv.FormatUint(uint64(strand), 10)
	}
	return key
}

// humanTurn takes in what a person typed: it is judged with what the assistant said before
// it, and opens an arc of its own unless it only has the work continue ("continue", or "yes"
// to a plan). A "yes" to what is offered once the work was done sets the next.
func (f *Facts) humanTurn(ev *core.Event, b *core.UserTurn) {
	t := f.thread(ev)
	f.unanswered(ev, t)
	text := b.Text.String()
	verdict := f.judge.Turn(text, t.said.tail)
	head := Head(ev)
	turn := &Turn{Text: text, Verdict: verdict, Opening: Opening{
		Head: &head, Copied: ev.CopyOf != "", Origin: ev.Identity(), Elevated: verdict.Elevated, Since: ev.Seq,
		Words: topic.Of(text[:min(len(text), maxOpening)]),
	}}
	if verdict.Accepts && len(turn.Words) == 0 {
		offer := t.said.tail()
		turn.Words, turn.Offered = topic.Of(offer[max(0, len(offer)-maxOffer):]), true
	}
	if t.Arc == nil || !verdict.Continuation || verdict.Accepts && t.Arc.edited {
		t.Arc = &Arc{Start: ev.Seq, Nth: t.Arc.next(), Opening: turn.Opening, before: t.Arc}
		f.ledger.spend(t.Arc.cost())
	}
	if verdict.Elevated {
		f.Turns = append(f.Turns, turn)
	}
	x := &exchange{turn: turn, asked: verdict.Asked, before: t.said.tail(), said: t.said.at, saidAt: t.said.seq, at: ev.At}
	f.decides(t, x, verdict.Decisions, ev.Seq)
	if t.open = x; x.asked == nil {
		t.open = nil
	}
	t.said.answered()
	t.announced.over()
}

// decided records a decision and what it takes back.
// It is listed where a rewind, an edit of its arc and a later revocation look for it.
func (f *Facts) decided(t *Thread, d *Decision) {
	if d.Revokes {
		if old := t.revoked(d); old != nil {
			f.Changed = append(f.Changed, old.revoked(d)...)
		}
	}
	f.Changed = append(f.Changed, t.cutOff(d)...)
	if t.Arc != nil {
		d.Nth = t.Arc.Nth
	}
	t.Decisions = insert(t.Decisions, d)
	t.list(d)
	if t.Arc != nil && len(t.Arc.Decisions) < maxOfArc {
		t.Arc.Decisions = insert(t.Arc.Decisions, d)
	}
	f.New = append(f.New, d)
	f.ledger.spend(d.cost())
}

// list has a rewind find the decision.
func (t *Thread) list(d *Decision) {
	t.standing = insert(t.standing, d)
	d.listed = true
}

// insert puts a decision in stream order, behind those of the same turn.
func insert(list []*Decision, d *Decision) []*Decision {
	at := len(list)
	for at > 0 && list[at-1].Head.Seq > d.Head.Seq {
		at--
	}
	return slices.Insert(list, at, d)
}

// toolResult takes in the answer to a call: which subagents it started, which memories were
// read or written by it, and what a person decided by answering it. It belongs to the arc
// of the call, even if a new one has begun since.
func (f *Facts) toolResult(ev *core.Event, b *core.ToolResult) {
	t := f.thread(ev)
	made := t.madeIn(b.CallID)
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
	made.calls.done(b.CallID)
	if len(b.Choices) == 0 && b.Verdict == core.NoVerdict {
		return
	}
	head := Head(ev)
	for i, decided := range decide.Structured(b, c.plan) {
		d := &Decision{
			Decided: decided, Thread: t, Head: &head, Copied: ev.CopyOf != "", Origin: ev.CallIdentity(b.CallID), Index: i,
			Turns: core.TurnRange{Start: min(c.seq, ev.Seq), End: ev.Seq}, By: "user", Since: ev.Seq,
		}
		d.titleOfAnswer(d.Kind == decide.Choice && (b.Verdict != core.Rejected || d.Turn != b.Reason.String()))
		d.speaks()
		d.own()
		f.decided(t, d)
	}
}

// fileEdit takes in an edit. It belongs to the arc in which its call was made: a person may
// have typed something while the tool was at work.
func (f *Facts) fileEdit(ev *core.Event, b *core.FileEdit) {
	t := f.thread(ev)
	e := &Edit{FileEdit: *b, Head: Head(ev), Origin: ev.CallIdentity(b.CallID), Copied: ev.CopyOf != "", Thread: t, Arc: t.Arc, CallSeq: ev.Seq}
	if c, ok := t.madeIn(b.CallID).calls.get(b.CallID); ok {
		e.Arc, e.CallSeq = c.arc, c.seq
	}
	if e.Arc != nil {
		e.Arc.edited = true
	}
	e.Announced = t.announced.before(e.CallSeq)
	if a, ok := memory.OfEdit(b.Diff.Path, ev.Project); ok {
		e.Memory = &a
	}
	f.Edits = append(f.Edits, e)
	f.saw(ev, t)
}

// unlist takes the latest decision from the standing ones.
func (t *Thread) unlist() *Decision {
	n := len(t.standing) - 1
	d := t.standing[n]
	t.standing[n] = nil
	t.standing, d.listed = t.standing[:n], false
	return d
}

// rewind takes a thread back: what was decided since no longer counts, unless it
// counts on another strand from now on, and the arc is the one of that time.
// Decisions of the same thread go in reverse stream order, so that a revocation is
// taken before what it had revoked stands again.
func (f *Facts) rewind(ev *core.Event, b *core.Rewind) {
	t := f.thread(ev)
	left := t.leave(ev.ID, ev.Seq)
	f.ledger.spend(left.cost())
	t.open = nil
	for len(t.standing) > 0 && t.standing[len(t.standing)-1].Head.Seq > b.ToSeq {
		d := t.unlist()
		if !d.stands() {
			continue
		}
		changed := d.rewound(ev.ID, ev.Seq)
		if d.letGo() {
			f.Changed = append(f.Changed, changed...)
			left.taken = append(left.taken, d)
		}
	}
	for t.Arc != nil && t.Arc.Start > b.ToSeq {
		t.Arc = t.Arc.before
	}
}

// Head is the head that the nodes of an event share.
func Head(ev *core.Event) core.Node {
	return core.Node{
		Source: ev.Source, Session: ev.Session, Thread: ev.Thread, Seq: ev.Seq, Time: ev.Time,
		Project: ev.Project, Provenance: []core.Location{ev.At},
	}
}
