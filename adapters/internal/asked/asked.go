// Package asked tells the edits of calls by what the calls asked for: of clients
// that record no more of an edit than that it succeeded.
//
// Tools of different clients call the same things by different names. What is known
// here are the names; which tools edit at all each adapter says itself.
package asked

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Calls are the calls that have no result yet. The zero value has none.
type Calls struct {
	open pending.Calls[string, call]
	doc  jsondoc.Doc
}

// call is a tool by its name and the arguments that it takes.
type call struct{ name, args string }

// Put notes a call. Its arguments are an object, or the text of one.
func (c *Calls) Put(id, name string, args jsondoc.Value) {
	text := string(args.Raw())
	if args.Kind() == jsondoc.String {
		text = args.Str()
	}
	c.open.Put(id, call{name: name, args: text}, len(text))
}

// Take returns a call that is answered now. The arguments are good until the next call is taken.
func (c *Calls) Take(id string) (name string, args jsondoc.Value) {
	made := c.open.Take(id)
	if n, err := c.doc.Parse([]byte(made.args)); err == nil && n > 0 {
		args = c.doc.Root()
	}
	return made.name, args
}

// Path is the file that a call names.
func Path(args jsondoc.Value) string {
	return stream.Str(args, "path", "file_path", "filePath", "filepath", "absolute_path", "target_file", "filename")
}

// Edits are the changes that a call has asked for, in the files that are known as
// they are known: the whole content of one, strings to be replaced, or a patch.
// Resolve makes a path absolute. [stream.Base.Edit] drops those that change nothing.
func Edits(files *edit.Files, resolve func(string) string, args jsondoc.Value) []core.Diff {
	if patch := stream.Str(args, "input", "patch", "patchText", "patch_text"); strings.Contains(patch, "*** Begin Patch") {
		diffs, _ := files.Patches(patch, resolve) // what is no patch changed nothing
		return diffs
	}
	file := resolve(Path(args))
	if file == "" {
		return nil
	}
	if content, ok := stream.First(args, "content", "contents", "file_text", "file_content"); ok {
		return []core.Diff{files.Write(file, content)}
	}
	if pairs := Pairs(args); len(pairs) > 0 {
		return []core.Diff{files.ReplaceAll(file, pairs)}
	}
	return nil
}

// maxPairs bounds the replacements of one call.
const maxPairs = 4096

// Pairs are the replacements that a call asks for: one, or a list.
func Pairs(args jsondoc.Value) []edit.Pair {
	var all []edit.Pair
	add := func(v jsondoc.Value) {
		before, ok := stream.First(v, "old_string", "old_str", "oldString", "oldStr", "oldValue", "oldText", "old_text", "old", "search", "find", "before")
		after, also := stream.First(v, "new_string", "new_str", "newString", "newStr", "newValue", "newText", "new_text", "new", "replace", "replacement", "after")
		if !ok || !also || len(all) >= maxPairs {
			return
		}
		every := false
		for _, name := range []string{"replace_all", "replaceAll", "change_all", "allowMultiple"} {
			every = every || v.Get(name).Bool()
		}
		all = append(all, edit.Pair{Before: before, After: after, All: every})
	}
	add(args)
	for _, name := range []string{"edits", "changes", "edit", "replacements"} {
		list := args.Get(name)
		add(list)
		if list.Kind() == jsondoc.Array {
			for e := range list.Elems() {
				add(e)
			}
		}
	}
	return all
}

// Command is the shell command that a call runs; "" if it names none.
func Command(args jsondoc.Value) string { return stream.Str(args, "command", "cmd", "script") }

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

// Result emits what a call came to, and returns the call. A shell command casts doubt on what is
// known of files; edits, if it is not nil, names the tools whose argument "command" is none.
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
