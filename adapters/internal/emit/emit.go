// Package emit is what the parsers of stores have in common: the state of
// emitting the events of one conversation, record by record.
package emit

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Emitter emits events. Its fields say what stands at the head of each.
type Emitter struct {
	Session string
	Thread  string
	Parent  string
	Scope   string // of call ids; see [core.Event]
	Echo    bool   // of what another transcript records; see [core.Event]
	Project *core.Project

	Last    uint64 // seq of the last event
	LastID  string // its id
	Emitted bool   // the current record gave an event

	emit func(*core.Event)
	raw  core.Raw
}

// Head is what stands at the beginning of one event.
type Head struct {
	ID, CopyOf string
	Time       core.Time
	Injected   bool
}

// Begin begins a record. It reports false, and has said so in an event, if that
// is not JSON.
func (e *Emitter) Begin(rec core.Record, emit func(*core.Event)) bool {
	e.emit, e.Emitted = emit, false
	if rec.Doc != nil {
		e.raw = core.RawValue(rec.Doc.Root())
		return true
	}
	reason := "not JSON"
	if rec.Err != nil {
		reason = rec.Err.Error()
	}
	e.Send(Head{}, &core.Unknown{Raw: core.RawBytes(rec.Bytes), Reason: reason})
	return false
}

// BeginText begins a record that is text.
func (e *Emitter) BeginText(rec core.Record, emit func(*core.Event)) {
	e.emit, e.Emitted, e.raw = emit, false, core.RawBytes(rec.Bytes)
}

// Send emits an event.
func (e *Emitter) Send(h Head, body core.Body) {
	ev := core.Event{
		Session: e.Session, Thread: e.Thread, ID: h.ID, ParentID: e.Parent, CopyOf: h.CopyOf, CallScope: e.Scope,
		Time: h.Time, Injected: h.Injected, Project: e.Project, Body: body, Echo: e.Echo,
	}
	e.emit(&ev)
	e.Last, e.Emitted = ev.Seq, true
	if ev.ID != "" {
		e.LastID = ev.ID
	}
}

// Edit emits an edit of a call, unless it changed nothing or names no file.
func (e *Emitter) Edit(h Head, call, tool string, d core.Diff) {
	if d.Path != "" && (d.Added+d.Removed > 0 || d.Change != core.Modify) {
		e.Send(h, &core.FileEdit{CallID: call, Tool: tool, Diff: d})
	}
}

// Known keeps the record, which carries nothing that was said or done.
func (e *Emitter) Known(h Head, rawType string) {
	e.Send(h, &core.Unknown{RawType: rawType, Raw: e.raw, Bookkeeping: true})
}

// Unknown keeps the record, whose meaning is not known.
func (e *Emitter) Unknown(h Head, rawType string) {
	e.Send(h, &core.Unknown{RawType: rawType, Raw: e.raw})
}

// Said emits a person's turn of one text.
func (e *Emitter) Said(h Head, text core.Text, more ...core.Part) {
	e.Send(h, &core.UserTurn{Text: text, Parts: append([]core.Part{{Kind: core.TextPart, Text: text}}, more...)})
}

// Other is a part that is kept as it is.
func Other(v jsondoc.Value) core.Part { return core.Part{Kind: core.OtherPart, Raw: core.RawValue(v)} }

// Nested is the value in a string that holds JSON, or the value itself if it is
// no string. The document must live as long as the value.
func Nested(doc *jsondoc.Doc, v jsondoc.Value) jsondoc.Value {
	if v.Kind() != jsondoc.String {
		return v
	}
	s := []byte(v.Str())
	n, err := doc.Parse(s)
	if err != nil || strings.TrimSpace(string(s[n:])) != "" {
		return jsondoc.Value{}
	}
	return doc.Root()
}

// Unmarked is a text without the marks that a client puts around what comes from
// outside: those of Gemini CLI, and of Hermes Agent, with its words to the model.
// Kimi Code puts what a server answered besides behind its text.
func Unmarked(text string) string {
	if strings.HasSuffix(text, "\n</mcp-result-extras>") {
		if inner, _, ok := strings.Cut(text, "\n<mcp-result-extras>\n"); ok {
			return inner
		}
	}
	if inner, ok := strings.CutPrefix(text, "<untrusted_context>\n"); ok {
		return strings.TrimSuffix(inner, "\n</untrusted_context>")
	}
	if strings.HasPrefix(text, "<untrusted_tool_result source=") {
		_, inner, _ := strings.Cut(text, "\n\n")
		if end := strings.LastIndex(inner, "\n</untrusted_tool_result>"); end >= 0 {
			return inner[:end]
		}
	}
	return text
}

// Resolve makes a path absolute, below a folder.
func Resolve(dir, name string) string {
	drive := len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') || strings.HasPrefix(name, `\\`)
	if name == "" || dir == "" || path.IsAbs(name) || drive {
		return name
	}
	if strings.Contains(dir, `\`) {
		return dir + `\` + strings.ReplaceAll(name, "/", `\`)
	}
	return path.Join(dir, name)
}
