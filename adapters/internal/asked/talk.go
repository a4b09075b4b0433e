package asked

import (
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Talk is what the parsers of conversations have in common whose calls say what they
// ask for, and whose results say whether that was done.
type Talk struct {
	stream.Base

	Files edit.Files
	Calls Calls
	begun bool
}

// Open begins the session, in a folder of work if that is known. A session begins once.
func (t *Talk) Open(h stream.Head, cwd string, start core.SessionStart) {
	if t.begun {
		return
	}
	t.begun = true
	start.Cwd = cwd
	if cwd != "" {
		t.Project = &core.Project{Cwd: cwd, Git: start.Git}
	}
	h.ID = t.Session + "/start" // a session's name may be an id of something in it
	t.Send(h, &start)
}

// Call emits a call.
func (t *Talk) Call(h stream.Head, id, name string, args jsondoc.Value) {
	t.Calls.Put(id, name, args)
	t.Send(h, &core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)})
}

// Result emits what a call came to, and returns the call. A shell command casts doubt
// on what is known of files; edits, if it is not nil, names the tools whose argument
// "command" is none.
func (t *Talk) Result(h stream.Head, id string, ok bool, out core.Raw, edits func(name string) bool) (name string, args jsondoc.Value) {
	name, args = t.Calls.Take(id)
	t.Send(h, &core.ToolResult{CallID: id, OK: ok, Output: out})
	if command := Command(args); command != "" && (edits == nil || !edits(name)) {
		t.Files.Ran(command)
	}
	return name, args
}

// Asked emits the edits that a call has asked for.
func (t *Talk) Asked(h stream.Head, id, name string, args jsondoc.Value) {
	for _, d := range Edits(&t.Files, t.Resolve, args) {
		t.Edit(h, id, name, d)
	}
}

// Resolve makes a path absolute.
func (t *Talk) Resolve(name string) string {
	if t.Project == nil || name == "" {
		return name
	}
	return edit.Clean(stream.Resolve(t.Project.Cwd, name))
}
