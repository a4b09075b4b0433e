package meta

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Talk is what was said and done in a few sessions that have to do with each other:
// one begins, others fork it, copy it as a resume does, go on from a point of it in
// another file, or are its subagents. In each, decisions are taken, revoked, taken
// back by rewinds and taken again, files are edited, and the view of the model is
// made shorter. Talks follow from their seeds.
type Talk struct {
	Seed  uint64
	Files []Spoken
}

// Spoken is a transcript of a Talk.
type Spoken struct {
	Name   string
	Events []core.Event
}

// NewTalk makes the talk of a seed.
func NewTalk(seed uint64) Talk {
	w := &writer{rng: rand.New(rand.NewPCG(seed, 11))}
	w.begin("main", "s1", "")
	w.turns(4 + w.rng.IntN(8))
	for range 1 + w.rng.IntN(3) {
		switch w.rng.IntN(5) {
		case 0, 1:
			w.fork()
		case 2:
			w.resume()
		case 3:
			w.elsewhere()
		default:
			w.subagent()
		}
	}
	t := Talk{Seed: seed}
	for _, f := range w.files {
		t.Files = append(t.Files, f.Spoken)
	}
	return t
}

// String shows a talk as a reader of a failure wants it: a line an event.
func (t Talk) String() string {
	var b strings.Builder
	for _, f := range t.Files {
		fmt.Fprintf(&b, "%s:\n", f.Name)
		for i := range f.Events {
			fmt.Fprintf(&b, "  %2d %s\n", i, shown(&f.Events[i]))
		}
	}
	return b.String()
}

// shown is an event as a reader of a failure wants it.
func shown(ev *core.Event) string {
	s := fmt.Sprintf("%s/%s %s", ev.Session, ev.Thread, ev.ID)
	if ev.CopyOf != "" {
		s += " copy of " + ev.CopyOf
	}
	if ev.Anchor {
		s += " (anchor)"
	}
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		return fmt.Sprintf("%s start, base %s %s", s, b.Base.Session, b.Base.Event)
	case *core.UserTurn:
		return s + " user: " + b.Text.String()
	case *core.AssistantTurn:
		return s + " says: " + b.Text.String()
	case *core.ToolCall:
		return s + " calls " + b.CallID
	case *core.ToolResult:
		return s + " result of " + b.CallID + " " + b.Spawned
	case *core.FileEdit:
		return fmt.Sprintf("%s edit %s %s %q", s, b.CallID, b.Diff.Path, b.Diff.Unified[strings.Index(b.Diff.Unified, "@@\n")+3:])
	case *core.Rewind:
		return fmt.Sprintf("%s rewind to %s, seq %d, elsewhere %v", s, b.ToEvent, b.ToSeq, b.CrossStream)
	}
	return fmt.Sprintf("%s %T", s, ev.Body)
}

// writer writes a talk.
type writer struct {
	rng   *rand.Rand
	files []*file
	at    *file // the one that is written
	count int   // of events, calls and agents: ids are unique, as those of tools are
}

// file is a transcript while it is written.
type file struct {
	Spoken

	session, thread string
	copied          int         // events at its start that another file has, too
	agents          []string    // that were started and have no file yet
	topics          [][2]string // something was decided about each
}

// topics are choices that the talk is about: what is taken, and what it replaces.
func topics() [][2]string {
	return [][2]string{{"Postgres", "MySQL"}, {"Redis", "memcached"}, {"Kafka", "RabbitMQ"}, {"Preact", "Angular"}, {"pnpm", "yarn"}}
}

func (w *writer) begin(name, session, thread string) {
	var topics [][2]string
	if w.at != nil {
		topics = slices.Clone(w.files[0].topics)
	}
	w.at = &file{Spoken: Spoken{Name: name + strconv.Itoa(len(w.files))}, session: session, thread: thread, topics: topics}
	w.files = append(w.files, w.at)
}

func (w *writer) number() int {
	w.count++
	return w.count
}

// put writes an event. Its time is that of its number: a second each.
func (w *writer) put(body core.Body) {
	n := w.number()
	w.at.Events = append(w.at.Events, core.Event{
		Session: w.at.session, Thread: w.at.thread, ID: "e" + strconv.Itoa(n), Time: core.Unix(1_700_000_000 + int64(n)), Body: body,
		Anchor: w.rng.IntN(3) == 0,
	})
}

func (w *writer) turns(n int) {
	for range n {
		w.turn()
	}
}

// turn is one thing that happens in the file that is written.
func (w *writer) turn() {
	topic := w.topic()
	switch w.rng.IntN(12) {
	case 0, 1:
		w.at.topics = append(w.at.topics, topic)
		w.say("Let's use %s instead of %s for the service.", topic[0], topic[1])
	case 2:
		w.revoke(topic)
	case 3, 4: // a person tries it, and goes back
		w.revoke(topic)
		w.put(&core.Rewind{ToEvent: w.at.Events[len(w.at.Events)-3].ID, ToSeq: uint64(len(w.at.Events) - 3)})
	case 5:
		w.say("Never use %s here.", topic[1])
	case 6, 7:
		w.edit(topic)
	case 8:
		w.say("Please write it.")
		w.edit(topic)
	case 9, 10:
		w.rewind()
	default:
		if w.rng.IntN(2) == 0 {
			w.put(&core.Compaction{Summary: core.Plain("They use " + topic[0] + ".")})
			return
		}
		w.spawn()
	}
}

// topic is what the file is about just now: mostly something that was decided in it,
// or in the file that it continues.
func (w *writer) topic() [2]string {
	if n := len(w.at.topics); n > 0 && w.rng.IntN(4) > 0 {
		return w.at.topics[w.rng.IntN(n)]
	}
	return topics()[w.rng.IntN(len(topics()))]
}

func (w *writer) revoke(topic [2]string) {
	for len(w.at.Events) == 0 { // there is something before it to go back to
		w.say("Please look at it.")
	}
	w.say("Actually, revert that: drop %s, use %s instead.", topic[0], []string{"SQLite", "DuckDB", topic[1]}[w.rng.IntN(3)])
}

// say has the person say something, if there is one, and the model answer.
func (w *writer) say(format string, args ...any) {
	if w.at.thread == "" {
		w.put(&core.UserTurn{Text: core.Plain(fmt.Sprintf(format, args...))})
	}
	w.put(&core.AssistantTurn{Text: core.Plain("Done."), Model: "m"})
}

// edit edits a file, mostly so that it shows which choice it carries out.
func (w *writer) edit(topic [2]string) {
	call, path := "c"+strconv.Itoa(w.number()), "src/"+strings.ToLower(topic[0])+".js"
	lines := "-" + strings.ToLower(topic[1]) + "\n+" + strings.ToLower(topic[0]) + "\n"
	if w.rng.IntN(4) == 0 {
		lines = "-a\n+b\n"
	}
	w.put(&core.ToolCall{CallID: call, Name: "Edit"})
	w.put(&core.FileEdit{CallID: call, Tool: "Edit", Diff: core.Diff{
		Path: path, Change: core.Modify, Unified: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n" + lines,
	}})
	w.put(&core.ToolResult{CallID: call, OK: true})
}

// spawn starts an agent, whose file may come later.
func (w *writer) spawn() {
	call, agent := "c"+strconv.Itoa(w.number()), "agent"+strconv.Itoa(w.number())
	w.put(&core.ToolCall{CallID: call, Name: "Task"})
	w.put(&core.ToolResult{CallID: call, OK: true, Spawned: agent})
	w.at.agents = append(w.at.agents, agent)
}

// rewind goes back to an event of the same file, behind what it has copied.
func (w *writer) rewind() {
	if len(w.at.Events) == w.at.copied {
		return
	}
	to := w.at.copied + w.rng.IntN(len(w.at.Events)-w.at.copied)
	w.put(&core.Rewind{ToEvent: w.at.Events[to].ID, ToSeq: uint64(to)})
}

// some is one of the files before, of a main line.
func (w *writer) some() *file {
	for {
		if f := w.files[w.rng.IntN(len(w.files))]; f.thread == "" {
			return f
		}
	}
}

// anchor is an event of a file that another may refer to; nil if there is none.
func (w *writer) anchor(f *file) *core.Event {
	var all []*core.Event
	for i := range f.Events {
		if f.Events[i].Anchor {
			all = append(all, &f.Events[i])
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[w.rng.IntN(len(all))]
}

// fork begins a session that refers to the history of another.
func (w *writer) fork() {
	of := w.some()
	at := w.anchor(of)
	if at == nil {
		return
	}
	base := core.Base{Session: at.Session, Event: at.ID}
	w.begin("fork", "s"+strconv.Itoa(len(w.files)+1), "")
	w.put(&core.SessionStart{Base: base})
	w.say("Please write it.")
	w.edit(w.topic())
	w.turns(1 + w.rng.IntN(6))
}

// resume begins a session with copies of another's events. Nothing refers to a copy.
func (w *writer) resume() {
	of := w.some()
	w.begin("resume", "s"+strconv.Itoa(len(w.files)+1), "")
	for _, ev := range of.Events[:w.rng.IntN(len(of.Events)+1)] {
		if _, ok := ev.Body.(*core.SessionStart); ok || ev.CallScope != "" {
			continue
		}
		ev.CopyOf, ev.CallScope = ev.Identity(), ev.Session
		ev.Session, ev.ID, ev.Anchor = w.at.session, "e"+strconv.Itoa(w.number()), false
		w.at.Events = append(w.at.Events, ev)
	}
	w.at.copied = len(w.at.Events)
	w.turns(2 + w.rng.IntN(6))
}

// elsewhere continues a session in another file, from a point of the old one.
func (w *writer) elsewhere() {
	of := w.some()
	at := w.anchor(of)
	if at == nil {
		return
	}
	w.begin("elsewhere", at.Session, "")
	w.put(&core.Rewind{ToEvent: at.ID, CrossStream: true})
	w.turns(2 + w.rng.IntN(6))
}

// subagent writes what an agent did, in a file of its own.
func (w *writer) subagent() {
	of := w.some()
	if len(of.agents) == 0 {
		return
	}
	agent := of.agents[0]
	of.agents = of.agents[1:]
	w.begin("subagent", of.session, agent)
	for range 1 + w.rng.IntN(3) {
		w.edit(w.topic())
	}
}

// spoken is the tool whose transcripts are those of a Talk: a line is the number of
// an event.
type spoken struct{ events []core.Event }

func (spoken) Tool() core.Tool                         { return "talk" }
func (spoken) Places() []core.Place                    { return nil }
func (spoken) Detect(core.Sample) core.Fit             { return core.NoFit }
func (s spoken) NewParser(core.StreamInfo) core.Parser { return s }

func (s spoken) Parse(r core.Record, emit func(*core.Event)) {
	if n, err := strconv.Atoi(string(bytes.TrimSpace(r.Bytes))); err == nil && n < len(s.events) {
		ev := s.events[n]
		emit(&ev)
	}
}
