package described

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the records of one transcript. Its fields last for the file.
type parser struct {
	stream.Base

	d       *Description
	records int
	begun   map[uint64]bool // hashes of the sessions that have a session_start: a log may hold many in turn
	model   string
	files   edit.Files
	calls   pending.Calls[string, call]
}

// call is what a call does when it succeeds.
type call struct {
	tool, path, command string
	before, after       string
	replaces, writes    bool
}

// maxBegun bounds the sessions that are remembered. Beyond it all are forgotten, and one
// may begin again.
const maxBegun = 1 << 16

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	p.records++
	if _, ok := p.Begin(rec, send); !ok {
		return
	}
	v, d := rec.Doc.Root(), p.d
	h := stream.Head{ID: name(at(v, d.ID)), Time: moment(at(v, d.Time))}
	p.place(h, v)
	kind := at(v, d.Kind).Str()
	if slices.Contains(d.Ignore, kind) {
		p.Known(h, kind)
		return
	}
	before := p.Last
	p.said(h, v)
	switch id := name(at(v, d.Result)); {
	case id != "":
		p.answered(h, id, v)
	case p.isCall(v):
		p.called(h, v)
	}
	if p.Last == before || !p.Emitted {
		p.Unknown(h, kind)
	}
}

// moment reads a time: a text, or a count of seconds or milliseconds.
func moment(v jsondoc.Value) core.Time {
	if v.Kind() == jsondoc.String {
		return core.ParseTime(v.Str())
	}
	return stream.Seconds(v)
}

// name is an id: a text, or a number as it is written.
func name(v jsondoc.Value) string {
	if v.Kind() == jsondoc.Number {
		return string(v.Raw())
	}
	return v.Str()
}

// place takes in the session of a record, where the work happens and with which model, and begins a
// session with its first record.
func (p *parser) place(h stream.Head, v jsondoc.Value) {
	if session := name(at(v, p.d.Session)); session != "" {
		p.Session = core.BoundedID(session)
	}
	if dir := at(v, p.d.Cwd).Str(); dir != "" && (p.Project == nil || p.Project.Cwd != dir) {
		p.Project = &core.Project{Cwd: dir}
	}
	p.model = cmp.Or(at(v, p.d.Model).Str(), p.model)
	key := stream.Hash([]byte(p.Session))
	if p.begun[key] {
		return
	}
	if p.begun == nil || len(p.begun) >= maxBegun {
		p.begun = map[uint64]bool{}
	}
	p.begun[key] = true
	p.Start(stream.Head{ID: "start:" + p.Session, Time: h.Time}, core.SessionStart{Model: p.model})
}

// said reads a turn of either side.
func (p *parser) said(h stream.Head, v jsondoc.Value) {
	text, role := at(v, p.d.Text), at(v, p.d.Role).Str()
	if text.Kind() != jsondoc.String {
		return
	}
	switch said := core.Token(text); {
	case slices.Contains(p.d.User, role):
		p.Said(h, said)
	case slices.Contains(p.d.Assistant, role):
		p.Send(h, &core.AssistantTurn{Text: said, Model: p.model, Parts: []core.Part{{Kind: core.TextPart, Text: said}}})
	}
}

// isCall reports whether a record makes a call: it has an id for one, names a tool
// or a file, or runs a command.
func (p *parser) isCall(v jsondoc.Value) bool {
	for _, pointer := range []string{p.d.Call, p.d.Tool, p.d.Path, p.d.Command} {
		if name(at(v, pointer)) != "" {
			return true
		}
	}
	return false
}

// called reads a call. Where results have no records of their own, it is done.
func (p *parser) called(h stream.Head, v jsondoc.Value) {
	d := p.d
	id := cmp.Or(name(at(v, d.Call)), "record-"+strconv.Itoa(p.records))
	before, after, content := at(v, d.Old), at(v, d.New), at(v, d.Content)
	made := call{tool: cmp.Or(at(v, d.Tool).Str(), "call"), path: at(v, d.Path).Str(), command: at(v, d.Command).Str()}
	switch {
	case before.Kind() == jsondoc.String && after.Kind() == jsondoc.String:
		made.before, made.after, made.replaces = before.Str(), after.Str(), true
	case content.Kind() == jsondoc.String:
		made.after, made.writes = content.Str(), true
	}
	args := at(v, d.Args)
	if !args.Exists() {
		args = v
	}
	p.Send(h, &core.ToolCall{CallID: id, Name: made.tool, Args: core.RawValue(args)})
	p.calls.Put(id, made, len(made.before)+len(made.after))
	if d.Result == "" {
		p.answered(h, id, v)
	}
}

// answered reads the result of a call, and the edit that it made.
func (p *parser) answered(h stream.Head, id string, v jsondoc.Value) {
	made := p.calls.Take(id)
	failed := isTrue(at(v, p.d.Error))
	p.Send(h, &core.ToolResult{CallID: id, OK: !failed, Output: core.RawValue(at(v, p.d.Text))})
	if made.command != "" {
		p.files.Ran(made.command)
	}
	file := p.Resolve(made.path)
	if failed || file == "" {
		return
	}
	var d core.Diff
	switch {
	case made.replaces && made.before != made.after:
		d = p.files.Replace(file, made.before, made.after, false)
	case made.writes:
		d = p.files.Write(file, made.after)
	}
	p.Edit(h, id, made.tool, d)
}

// isTrue reports whether a value says that something is so.
func isTrue(v jsondoc.Value) bool {
	switch v.Kind() {
	case jsondoc.Absent, jsondoc.Null:
		return false
	case jsondoc.String:
		return v.Str() != ""
	case jsondoc.Number:
		return string(v.Raw()) != "0"
	default:
		return v.Bool() || v.Kind() == jsondoc.Object || v.Kind() == jsondoc.Array
	}
}
