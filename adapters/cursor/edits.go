package cursor

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits lists what a call that succeeded changed. The first names are the
// editor's, the others the agent's.
func (p *parser) edits(c *call) []core.Diff {
	switch c.name {
	case "edit_file", "edit_file_v2", "search_replace", "write", "MultiEdit", "reapply", "StrReplace", "Write", "Edit":
		return []core.Diff{p.changed(c)}
	case "apply_patch", "ApplyPatch":
		return p.patched(c)
	case "delete_file", "Delete":
		if name := p.target(c); name != "" {
			return []core.Diff{p.files.Delete(name)}
		}
	case "run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2", "Shell":
		p.files.Ran(c.args.Get("command").Str())
	}
	return nil
}

// changed is the diff of one file, by the best record of it: the texts before
// and after, the hunks of the result, the strings of the call.
func (p *parser) changed(c *call) core.Diff {
	name := p.target(c)
	if name == "" {
		return core.Diff{}
	}
	if d, ok := p.fromContents(name, c.out); ok {
		return d
	}
	if hunks := hunksOf(c.out.Path("diff", "chunks")); len(hunks) > 0 {
		d := edit.FromHunks(name, hunks)
		if d.Added+d.Removed > 0 {
			return p.withStrings(p.files.Apply(d), c)
		}
	}
	for _, key := range []string{"contents", "content", "streamContent"} {
		if text := c.args.Get(key); text.Kind() == jsondoc.String && c.name != "edit_file" {
			return p.files.Write(name, text.Str())
		}
	}
	if text := c.params.Get("streamingContent"); text.Kind() == jsondoc.String {
		return p.files.Write(name, text.Str())
	}
	// Only the strings are known. The sketch that edit_file takes for an argument is no text
	// of the file. Several replacements are made one after the other, as the editor does.
	if pairs := asked.Pairs(c.args); len(pairs) > 0 {
		return p.files.ReplaceAll(name, pairs)
	}
	return core.Diff{}
}

// fromContents reads the texts that a result names by the hashes of their rows. A file that was
// there before, with a text that is not kept, has no diff; what it holds now is known all the same.
func (p *parser) fromContents(name string, out jsondoc.Value) (core.Diff, bool) {
	id := func(key string) string { return strings.TrimPrefix(out.Get(key).Str(), "composer.content.") }
	after, ok := p.content[id("afterContentId")]
	if !ok {
		return core.Diff{}, false
	}
	p.files.Set(name, after)
	if id("beforeContentId") == "" {
		return edit.Created(name, after), true
	}
	before, ok := p.content[id("beforeContentId")]
	return edit.FromTexts(name, before, after), ok
}

// withStrings adds the strings of a replacement to its diff.
func (p *parser) withStrings(d core.Diff, c *call) core.Diff {
	before, after := c.args.Get("old_string"), c.args.Get("new_string")
	if before.Kind() == jsondoc.String && after.Kind() == jsondoc.String {
		a, b := before.Str(), after.Str()
		d.Old, d.New = &a, &b
	}
	return d
}

// hunksOf reads the chunks of a diff: the lines of each begin with a sign, which some builds follow
// by a space. Lines of the diff are not checked against the counts.
func hunksOf(chunks jsondoc.Value) []edit.Hunk {
	var all []edit.Hunk
	for c := range chunks.Elems() {
		text := strings.TrimSuffix(c.Get("diffString").Str(), "\n")
		if text == "" {
			continue
		}
		h := edit.ReadHunk(c)
		lines := strings.Split(text, "\n")
		if strings.HasPrefix(lines[0], "@@") {
			lines = lines[1:]
		}
		h.Lines = unspaced(lines)
		all = append(all, h)
	}
	return all
}

// unspaced takes off the space behind the signs, if all lines have one and some of them is changed.
func unspaced(lines []string) []string {
	changed := false
	for _, l := range lines {
		if l == "" || l == "+" || l == "-" || strings.HasPrefix(l, `\`) {
			continue
		}
		if !strings.HasPrefix(l[1:], " ") {
			return lines
		}
		changed = changed || l[0] != ' '
	}
	if !changed {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l
		if len(l) > 1 && l[0] != '\\' {
			out[i] = l[:1] + l[2:]
		}
	}
	return out
}

// patched lists the edits of a patch in the V4A form.
func (p *parser) patched(c *call) []core.Diff {
	text := cmp.Or(stream.Some(c.args, "patch", "input"), c.args.Str())
	diffs, _ := p.files.Patches(text, func(name string) string { return stream.Resolve(p.cwd, name) }) // what is no patch changed nothing
	return diffs
}

// Before bubbles were rows, the header of a conversation held them, in a list, in
// tabs or by their ids, and their calls apart:
//
//	conversation [bubble]   conversationMap {id: bubble}   tabs [{bubbles [bubble]}]
//	capabilities [{data {bubbleDataMap: {id: call}}}]       a string, or the value itself
//
// A header that lists rows as well may hold what no row has.

// before reads the bubbles that a header holds.
// Bubbles of a header without rows are emitted at once, in its order; those of one with
// rows wait until the row of theirs comes, and are taken only where that is empty.
func (p *parser) before(v jsondoc.Value) {
	p.inline, p.tools = nil, nil
	for c := range v.Get("capabilities").Elems() {
		for id, call := range stream.Nested(&p.kept, c.Path("data", "bubbleDataMap")).Fields() {
			p.tools = noted(p.tools, id.Str(), call)
		}
	}
	for id, b := range v.Get("conversationMap").Fields() {
		p.inline = noted(p.inline, id.Str(), b)
	}
	listed := v.Get("fullConversationHeadersOnly").Len() > 0
	for _, list := range p.lists(v) {
		for b := range list.Elems() {
			id := stream.Some(b, "bubbleId", "id")
			if listed {
				p.inline = noted(p.inline, id, b)
				continue
			}
			p.bubble(id, b)
		}
	}
}

// lists are the lists of bubbles in a header: the tabs' only if there is no other.
func (p *parser) lists(v jsondoc.Value) []jsondoc.Value {
	if c := v.Get("conversation"); c.Len() > 0 {
		return []jsondoc.Value{c}
	}
	var all []jsondoc.Value
	for tab := range v.Get("tabs").Elems() {
		all = append(all, tab.Get("bubbles"))
	}
	return all
}

// noted keeps a copy of a value, which lives no longer than its record.
func noted(all map[string][]byte, id string, v jsondoc.Value) map[string][]byte {
	if id == "" || v.Kind() != jsondoc.Object {
		return all
	}
	if all == nil {
		all = map[string][]byte{}
	}
	all[id] = slices.Clone(bytes.TrimSpace(v.Raw()))
	return all
}

// done is the call of a bubble that does not hold it. It is valid until the next call.
func (p *parser) done(id string) jsondoc.Value {
	kept, ok := p.tools[id]
	if !ok {
		return jsondoc.Value{}
	}
	if _, err := p.ran.Parse(kept); err != nil {
		return jsondoc.Value{}
	}
	return p.ran.Root()
}
