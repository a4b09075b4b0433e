// Package stream is the common base of the adapters' parsers.
//
// A parser turns records into events, one record at a time:
//
//	func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
//		if _, ok := p.Begin(rec, send); !ok {
//			return // not JSON: Begin has kept the record
//		}
//		p.Send(stream.Head{ID: …}, &core.UserTurn{…})
//	}
//
// [Base] fills in what the events of a record have in common. The kinds of a tool's
// records are in a table of [Kind] values: [Table] and [Dispatch] read a record by it.
// The rest of the package reads what many tools write: times, names, texts, paths.
package stream

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Base emits events. Parsers embed it and set its fields, which go into every
// event from then on. Between records only the head and Emitted are reset.
type Base struct {
	Head // of the current record, for [Base.Put]; Begin empties it

	// What the transcript is about.
	Session string
	Thread  string
	Project *core.Project
	Names   Names
	Kinds   Table // of its records

	// What the current record says of its events; see [core.Event].
	Parent string
	Scope  string // of call ids
	Echo   bool   // another transcript records the same
	On     *core.Strand
	Anchor bool

	First   uint64     // seq of the record's first event
	Last    uint64     // seq of the latest event
	LastID  string     // id of the latest event that had one
	Emitted bool       // the record gave an event
	Event   core.Event // the latest one, good until the next

	Raw core.Raw // what Known and Unknown keep: the record, unless a part of it is set here

	// For the whole file.
	Seen uint64      // seq of the first event that the model can see
	Cost *core.Usage // of an answer, until the first piece of it that is sent takes it

	emit func(*core.Event)
	body core.Unknown
}

// Bodies are bodies of events that a parser fills in again for each, which spares the
// memory of new ones: an event is good only during the call that hands it over.
type Bodies struct {
	User      core.UserTurn
	Assistant core.AssistantTurn
	Call      core.ToolCall
	Result    core.ToolResult
	Change    core.FileEdit
	Note      core.Unknown
	Tokens    core.Usage
	Parts     []core.Part
}

// Head is what one event says before its body. A parent, thread or scope in it counts
// instead of the base's.
type Head struct {
	ID, CopyOf            string
	Parent, Thread, Scope string
	Time                  core.Time
	Injected              bool
}

// Init sets the table of kinds and names the session: by the [Stem] of its file, or by the
// file's folder if the stem is one that the tool gives to the files of all sessions.
func (b *Base) Init(kinds []Kind, file string, same ...string) {
	b.Kinds, b.Session = NewTable(kinds), Stem(file)
	if slices.Contains(same, b.Session) {
		b.Session = path.Base(path.Dir(file))
	}
}

// Begin begins a record and returns its value. If the record is not JSON, Begin keeps
// it as an event and reports false.
func (b *Base) Begin(rec core.Record, emit func(*core.Event)) (root jsondoc.Value, ok bool) {
	b.emit, b.Emitted, b.Head = emit, false, Head{}
	b.Session, b.Thread, b.Project = core.BoundedID(b.Session), core.BoundedID(b.Thread), b.Project.Bounded()
	if rec.Doc != nil {
		root = rec.Doc.Root()
		b.Raw = core.RawValue(root)
		return root, true
	}
	b.Unreadable(rec.Bytes, rec.Err)
	return root, false
}

// BeginText begins a record that is text.
func (b *Base) BeginText(rec core.Record, emit func(*core.Event)) {
	b.emit, b.Emitted, b.Head, b.Raw = emit, false, Head{}, core.RawBytes(rec.Bytes)
}

// PlainText returns a record that is text. As in JSON, U+FFFD stands for each byte that is not
// UTF-8: places in a text are counted in what is written of it.
func PlainText(record []byte) string {
	if utf8.Valid(record) {
		return string(record)
	}
	return string([]rune(string(record)))
}

// Unreadable keeps bytes that are not JSON: a torn line, one overwritten with
// NULs, or a document that was read while it was written.
func (b *Base) Unreadable(bytes []byte, err error) {
	b.body = core.Unknown{Raw: core.RawBytes(bytes), Reason: "not JSON"}
	if err != nil {
		b.body.Reason = err.Error()
	}
	b.Send(Head{}, &b.body)
}

// Send emits an event. The event and its body are good during the call only, so
// that a parser may use a body again.
func (b *Base) Send(h Head, body core.Body) {
	b.Event = core.Event{
		Session: b.Session, Thread: cmp.Or(h.Thread, b.Thread), Strand: b.On, ID: h.ID, ParentID: cmp.Or(h.Parent, b.Parent),
		CopyOf: h.CopyOf, CallScope: cmp.Or(h.Scope, b.Scope),
		Time: h.Time, Injected: h.Injected, Project: b.Project, Body: body, Echo: b.Echo, Anchor: b.Anchor,
	}
	b.emit(&b.Event)
	if b.Last = b.Event.Seq; !b.Emitted {
		b.First, b.Emitted = b.Last, true
	}
	if b.Event.ID != "" {
		b.LastID = b.Event.ID
	}
}

// Put emits an event under the head of the record.
func (b *Base) Put(body core.Body, injected bool) {
	h := b.Head
	h.Injected = injected
	b.Send(h, body)
}

// Edit emits an edit of a call, unless it changed nothing or names no file.
func (b *Base) Edit(h Head, call, tool string, d core.Diff) {
	if d.Path != "" && (d.Added+d.Removed > 0 || d.Change != core.Modify) {
		b.Send(h, &core.FileEdit{CallID: call, Tool: tool, Diff: d})
	}
}

// Known keeps the record, which carries nothing that was said or done.
func (b *Base) Known(h Head, rawType string) { b.keep(h, rawType, b.Raw, true) }

// Unknown keeps the record, whose meaning is not known.
func (b *Base) Unknown(h Head, rawType string) { b.keep(h, rawType, b.Raw, false) }

// Keep keeps a value that is the record or a part of it. Known says that its kind
// is described and carries nothing that was said or done.
func (b *Base) Keep(h Head, rawType string, v jsondoc.Value, known bool) {
	b.keep(h, rawType, core.RawValue(v), known)
}

// keep emits a record that becomes no other event, as it is.
func (b *Base) keep(h Head, rawType string, raw core.Raw, known bool) {
	b.body = core.Unknown{RawType: rawType, Raw: raw, Bookkeeping: known}
	b.Send(h, &b.body)
}

// Said emits a person's turn of one text.
func (b *Base) Said(h Head, text core.Text, more ...core.Part) {
	b.Send(h, &core.UserTurn{Text: text, Parts: append([]core.Part{Text(text)}, more...)})
}

// Says emits words of the model.
func (b *Base) Says(h Head, model string, text core.Text) {
	b.answers(h, model, core.AssistantTurn{Text: text, Parts: []core.Part{Text(text)}})
}

// Thinks emits a thought of the model.
func (b *Base) Thinks(h Head, model string, thought core.Text) {
	b.answers(h, model, core.AssistantTurn{Thinking: thought})
}

// Shows emits a piece of an answer that is kept as it is.
func (b *Base) Shows(h Head, model string, v jsondoc.Value) {
	b.answers(h, model, core.AssistantTurn{Parts: []core.Part{Other(v)}})
}

// Replies emits what the model said and thought at once, if it did either.
func (b *Base) Replies(h Head, model string, text, thought core.Text) {
	turn := core.AssistantTurn{Text: text, Thinking: thought}
	if !text.IsEmpty() {
		turn.Parts = []core.Part{Text(text)}
	}
	if !text.IsEmpty() || !thought.IsEmpty() {
		b.answers(h, model, turn)
	}
}

// Paid emits the cost of an answer, unless a piece of the answer had it.
func (b *Base) Paid(h Head, model string) {
	if b.Cost != nil {
		b.answers(h, model, core.AssistantTurn{})
	}
}

// answers emits a piece of an answer. The first piece carries the cost.
func (b *Base) answers(h Head, model string, turn core.AssistantTurn) {
	turn.Model, turn.MessageID, turn.Usage = model, h.ID, b.Cost
	b.Cost = nil
	b.Send(h, &turn)
}

// Start begins the session: in the folder that start names, or else in the project that
// is known already.
func (b *Base) Start(h Head, start core.SessionStart) {
	switch {
	case start.Cwd != "":
		b.Project = &core.Project{Cwd: start.Cwd, Git: start.Git}
	case b.Project != nil:
		start.Cwd = b.Project.Cwd
	}
	b.Send(h, &start)
}

// Compact emits a summary, which replaces for the model what it could see, up to an event.
func (b *Base) Compact(h Head, summary core.Text, end uint64) {
	body := &core.Compaction{Summary: summary}
	if end > b.Seen {
		body.Start, body.End = b.Seen, end
	}
	b.Send(h, body)
	b.Seen = b.Last
}

// Mark is an event that a conversation can go back to.
type Mark struct {
	ID  string
	Seq uint64
}

// Here is the latest event.
func (b *Base) Here() Mark { return Mark{b.LastID, b.Last} }

// Rewind emits that the conversation went back to an event.
func (b *Base) Rewind(h Head, to Mark) { b.Send(h, &core.Rewind{ToEvent: to.ID, ToSeq: to.Seq}) }

// Own is the tool's name of the conversation that is read: of a subagent it is the thread.
func (b *Base) Own() string { return cmp.Or(b.Thread, b.Session) }

// Prompt collects what one message of a person says, piece by piece.
type Prompt struct {
	parts []core.Part
	words []string
}

// Say adds a text.
func (p *Prompt) Say(text jsondoc.Value) {
	p.words = append(p.words, text.Str())
	p.parts = append(p.parts, Text(core.Token(text)))
}

// Show adds a picture.
func (p *Prompt) Show(media jsondoc.Value) { p.Picture(media.Str()) }

// Picture adds a picture of a media type; "" if that is not known.
func (p *Prompt) Picture(mediaType string) {
	p.parts = append(p.parts, core.Part{Kind: core.ImagePart, MediaType: mediaType})
}

// Keep adds a piece that is kept as it is.
func (p *Prompt) Keep(v jsondoc.Value) { p.parts = append(p.parts, Other(v)) }

// Wordless reports whether no text was added.
func (p *Prompt) Wordless() bool { return len(p.words) == 0 }

// All returns the texts as one, with sep between them, and the pieces.
func (p *Prompt) All(sep string) (core.Text, []core.Part) {
	return core.Plain(strings.Join(p.words, sep)), p.parts
}

// Prompted emits a person's turn, if it says anything.
func (b *Base) Prompted(h Head, p *Prompt) {
	if text, parts := p.All("\n"); len(parts) > 0 {
		b.Send(h, &core.UserTurn{Text: text, Parts: parts})
	}
}

// Follow notes the folder and the branch in which the work happens now. A value that
// is no string changes nothing.
func (b *Base) Follow(cwd, branch jsondoc.Value) {
	if cwd.Kind() != jsondoc.String {
		return
	}
	was := core.Project{}
	if b.Project != nil {
		was = *b.Project
	}
	sameBranch := branch.Kind() != jsondoc.String || branch.Is(was.Git.Branch)
	if b.Project != nil && sameBranch && cwd.Is(was.Cwd) {
		return
	}
	now := core.Project{Cwd: cwd.Str(), Git: was.Git}
	if !sameBranch {
		now.Git = core.Git{Branch: branch.Str()}
	}
	b.Project = &now
}

// Resolve makes a path absolute, below the folder in which the work happens.
func (b *Base) Resolve(name string) string {
	if b.Project == nil {
		return name
	}
	return Resolve(b.Project.Cwd, name)
}
