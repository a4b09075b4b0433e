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

type call struct{ name, args string }

// Put notes a call. Its arguments are an object, or the text of one.
func (c *Calls) Put(id, name string, args jsondoc.Value) {
	text := string(args.Raw())
	if args.Kind() == jsondoc.String {
		text = args.Str()
	}
	c.open.Put(id, call{name: name, args: text}, len(text))
}

// Take returns a call that is answered now. The arguments are good until the next
// call is taken.
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
// Resolve makes a path absolute.
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
		if d := files.Write(file, content); d.Added+d.Removed > 0 || d.Change != core.Modify {
			return []core.Diff{d}
		}
		return nil
	}
	pairs := Pairs(args)
	if len(pairs) == 0 {
		return nil
	}
	if d := files.ReplaceAll(file, pairs); d.Added+d.Removed > 0 {
		return []core.Diff{d}
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
