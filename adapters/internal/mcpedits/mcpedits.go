// Package mcpedits tells the edits that agents make by way of servers of tools
// (MCP) which write files, for every client alike.
//
// A client records such an edit as a call and a result like any other. That it
// edits a file is known by three things together: the name of the tool, the form
// of its arguments, and the words with which the server says that it is done. A
// tool of another server that has the same name says something else.
//
// [Edits] stands between a parser and those whom it tells of events: behind the
// result of such a call come its edits, with diffs of what the server answered and
// of the texts that the parser knows files to have.
package mcpedits

import (
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Files is what a parser knows of the texts of files: an edit.Files, or what
// stands before one. Calls of servers are read and written into it too.
type Files interface {
	Text(path string) (string, bool)
	Sure(path string) (string, bool) // nothing can have changed it since it was seen
	Set(path, text string)
	Forget(path string)
	Move(from, to string)
	Turn() // of a person, who may change any file
}

// Copier is implemented by parsers whose transcripts may repeat a result that an
// earlier transcript holds under another name.
type Copier interface {
	// IsCopy reports whether the result that is being told of is such a copy, which makes no edit.
	IsCopy() bool
}

// Nester is implemented by parsers whose transcripts tell of calls that a call has
// made, by events of no kind.
type Nester interface {
	// Nests hands over what knows the edits of such a call.
	Nests(Inner)
}

// Inner says what a successful call of a server's tool has changed, one that another
// call made. Name is as a client writes it, with the server's. Such calls must be
// shown to it in their order, reads of files too.
type Inner func(name string, args jsondoc.Value, result core.Raw, where *core.Project) []core.Diff

// Edits is a parser that tells besides of the edits that servers made. Events of p are passed on as
// they are; the event of a result has the Seq of the last event behind it.
func Edits(p core.Parser, files Files) core.Parser {
	e := &editor{parser: p, files: files}
	e.copies, _ = p.(Copier)
	if n, ok := p.(Nester); ok {
		n.Nests(e.inner)
	}
	if text, ok := p.(core.TextParser); ok {
		return textEditor{e, text}
	}
	return e
}

// textEditor is an editor of transcripts that may be no JSON.
type textEditor struct {
	*editor
	core.TextParser
}

// editor remembers the calls of servers that have no result yet.
type editor struct {
	parser core.Parser
	files  Files
	copies Copier // nil if there are none
	emit   func(*core.Event)
	watch  func(*core.Event) // see, bound once

	open    pending.Calls[place, call]
	edited  pending.Calls[place, struct{}] // the calls whose edit was told, see answered
	folders map[string]struct{}
	args    jsondoc.Doc
	answer  jsondoc.Doc
}

// place names a call: telemetry of several sessions comes in one stream.
type place struct{ session, call string }

// call is what the result of a call will need of it.
type call struct {
	name string // as the client gives it
	tool tool
	args []byte // an object
}

// Renew implements [core.Refresher], if the parser does.
func (e *editor) Renew(changed map[string][]byte, gone []string) bool {
	r, ok := e.parser.(core.Refresher)
	return ok && r.Renew(changed, gone)
}

// Parse implements [core.Parser].
func (e *editor) Parse(rec core.Record, emit func(*core.Event)) {
	e.emit = emit
	if e.watch == nil {
		e.watch = e.see
	}
	e.parser.Parse(rec, e.watch)
}

// see passes an event on, and what follows from it.
func (e *editor) see(ev *core.Event) {
	switch body := ev.Body.(type) {
	case *core.ToolCall:
		e.called(ev.Session, body)
	case *core.UserTurn:
		if !ev.Injected && ev.Thread == "" {
			e.files.Turn()
		}
	case *core.FileEdit: // the parser tells of it itself
		e.open.Take(place{ev.Session, body.CallID})
	case *core.ToolResult:
		if made := e.open.Get(place{ev.Session, body.CallID}); made != nil {
			e.answered(ev, body, made)
			return
		}
	}
	e.emit(ev)
}

// inner implements [Inner].
func (e *editor) inner(name string, args jsondoc.Value, result core.Raw, where *core.Project) []core.Diff {
	t := toolOf(name)
	if t == none || args.Kind() != jsondoc.Object {
		return nil
	}
	return e.diffs(&call{name: name, tool: t, args: args.Raw()}, result, where)
}

// called notes a call that a server may edit or show a file for.
func (e *editor) called(session string, c *core.ToolCall) {
	name, args, ok := direct(c, &e.args)
	if !ok || c.CallID == "" {
		return
	}
	t := toolOf(name)
	if t == none || args.Kind() != jsondoc.Object {
		return
	}
	made := call{name: c.Name, tool: t, args: append([]byte(nil), args.Raw()...)}
	e.open.Put(place{session, c.CallID}, made, len(made.args))
}

// answered passes the result of a call on, and then the edits that it made.
func (e *editor) answered(ev *core.Event, result *core.ToolResult, made *call) {
	head := *ev // what the parser said, before the stream adds to it
	at := place{head.Session, result.CallID}
	e.open.Take(at)
	ok := result.OK && (e.copies == nil || !e.copies.IsCopy())
	var diffs []core.Diff
	// Some clients write the last turn again when they resume. Ids that are counters may
	// mean another call the second time.
	if again := len(at.call) >= 16 && e.edited.Get(at) != nil; ok && !again {
		diffs = e.diffs(made, result.Output, head.Project)
	}
	e.emit(ev)
	for _, d := range diffs {
		told := head
		told.Body = &core.FileEdit{CallID: result.CallID, Tool: made.name, Diff: d}
		e.emit(&told)
		ev.Seq = told.Seq
	}
	if len(diffs) > 0 {
		e.edited.Put(at, struct{}{}, len(at.call))
	}
}
