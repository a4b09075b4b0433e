package vscode

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// place is a file in a request.
type place struct{ request, file string }

// opening is what a file was when a request first edited it, as the editing session
// that belongs to the chat session says. It is the only record of what a file held
// before an edit that the client merged in; each is used once.
type opening struct {
	text    string
	created bool // by the request: there was no file
}

// placeOf names files the same way however their paths are written.
func placeOf(request, file string) place {
	file = strings.ReplaceAll(file, `\`, "/")
	if len(file) > 1 && file[1] == ':' {
		file = strings.ToLower(file[:1]) + file[1:]
	}
	return place{request, file}
}

// openingsOf reads the states of editing sessions, in the order of their paths.
// A state that cannot be read is left out: the parser does without it, and reads again
// when it has changed.
func openingsOf(beside map[string][]byte) map[place]opening {
	all := map[place]opening{}
	for _, name := range slices.Sorted(maps.Keys(beside)) {
		if path.Base(name) != stateFile {
			continue
		}
		var doc jsondoc.Doc
		if _, err := doc.Parse(beside[name]); err != nil {
			continue // it is being written
		}
		s := editingState{contents: path.Dir(name) + "/" + contentsFolder, beside: beside, openings: all}
		if timeline := doc.Root().Get("timeline"); timeline.Kind() == jsondoc.Object {
			s.timeline(timeline)
			continue
		}
		s.history(doc.Root())
	}
	return all
}

// editingState is the state of an editing session while it is read.
type editingState struct {
	contents string // the folder of the texts
	beside   map[string][]byte
	openings map[place]opening
}

// add notes what a file was, unless that is known already.
func (s editingState) add(p place, o opening) {
	if _, ok := s.openings[p]; !ok && p.request != "" && p.file != "" {
		s.openings[p] = o
	}
}

// timeline reads the layout of late 2025 and since: each file's text before the
// first edit of each request, and what was done to files as a whole.
func (s editingState) timeline(v jsondoc.Value) {
	for op := range v.Get("operations").Elems() {
		if op.Get("type").Is("create") {
			s.add(placeOf(op.Get("requestId").Str(), filePath(op.Get("uri"))), opening{created: true})
		}
	}
	for pair := range v.Get("fileBaselines").Elems() {
		for base := range pair.Elems() { // the first is a key that says the same
			s.addText(base, base.Get("content"))
		}
	}
	for op := range v.Get("operations").Elems() {
		if op.Get("type").Is("delete") {
			s.addText(op, op.Get("finalContent"))
		}
	}
}

// addText notes a text that is in the state, unless it is a notebook's, which
// is not what its file holds.
func (s editingState) addText(of, text jsondoc.Value) {
	if text.Kind() == jsondoc.String && of.Get("notebookViewType").Kind() != jsondoc.String {
		s.add(placeOf(of.Get("requestId").Str(), filePath(of.Get("uri"))), opening{text: text.Str()})
	}
}

// history reads the layout before: at the first stop of each request the files
// that were edited before, and each file as it was at first, both by the names of
// their texts.
func (s editingState) history(v jsondoc.Value) {
	seen := map[string]bool{}
	for request := range v.Get("linearHistory").Elems() {
		id := request.Get("requestId").Str()
		now, first := map[string]bool{}, true
		for stop := range request.Get("stops").Elems() {
			for entry := range stop.Get("entries").Elems() {
				p := placeOf(id, filePath(entry.Get("resource")))
				if now[p.file] = true; first && seen[p.file] {
					s.addContent(p, entry.Get("currentHash"))
				}
			}
			first = false
		}
		s.addInitial(v.Get("initialFileContents"), id, seen)
		maps.Copy(seen, now)
	}
}

// addInitial notes the files that a request may be the first to edit.
func (s editingState) addInitial(contents jsondoc.Value, request string, seen map[string]bool) {
	for pair := range contents.Elems() {
		var uri, hash jsondoc.Value
		for x := range pair.Elems() {
			uri, hash = hash, x
		}
		if p := placeOf(request, filePath(uri)); !seen[p.file] {
			s.addContent(p, hash)
		}
	}
}

// addContent notes the text of a file at a place, if it is kept beside the state under this hash.
func (s editingState) addContent(p place, hash jsondoc.Value) {
	if text, ok := s.beside[s.contents+hash.Str()]; ok && hash.Kind() == jsondoc.String {
		s.add(p, opening{text: string(text), created: len(text) == 0})
	}
}

// opened takes in what a file was before the request first edited it, and reports
// whether the request created it.
func (p *parser) opened(file string) (created bool) {
	at := placeOf(idOf(p.reply.request), file)
	o, ok := p.openings[at]
	if !ok {
		return false
	}
	delete(p.openings, at)
	if o.created {
		p.files.Forget(file)
		return true
	}
	p.files.Set(file, o.text)
	return false
}

// asIn gives the strings of a replacement the line ends of a text: the one where it
// cannot be found otherwise, the other always, as the editor does.
func asIn(text, before, after string) (string, string) {
	end := ends(text)
	if end == "" {
		return before, after
	}
	if !strings.Contains(text, before) && strings.Contains(text, withEnds(before, end)) {
		before = withEnds(before, end)
	}
	return before, withEnds(after, end)
}

// ends is what most lines of a text end in; "" if it has one line only.
func ends(text string) string {
	lines, crlf := strings.Count(text, "\n"), strings.Count(text, "\r\n")
	switch {
	case lines == 0:
		return ""
	case crlf > lines/2:
		return "\r\n"
	}
	return "\n"
}

// withEnds is a text with all its line ends replaced.
func withEnds(text, end string) string {
	if end == "\n" {
		return edit.LF(text)
	}
	return edit.CRLF(text)
}

// asCreated is a text as the editor writes it into a new file: with the line ends of the
// system, which on Windows is left as it is.
func asCreated(file, text string) string {
	if strings.HasPrefix(file, "/") {
		return edit.LF(text)
	}
	return text
}

// Which call an edit is of: the part that tells of it stands behind the call's part.
// Subagents that work at the same time have several calls before several edits, and the
// client's own word for whose an edit is names the wrong one of them (recorded: 1.139.1).

// edits reports whether a tool of the client's can edit files.
func edits(tool string) bool {
	return slices.ContainsFunc([]string{"String", "create", "Patch", "Edit", "edit"}, func(word string) bool { return strings.Contains(tool, word) })
}

// claims notes that a call succeeded: what is edited next may be its doing.
func (y *reply) claims(c *call, v jsondoc.Value) {
	y.owner = c
	if c.args != "" || !subagent(v) {
		y.waiting = y.waiting[:0]
		return
	}
	agent := y.thread(v)
	for _, message := range []string{"invocationMessage", "pastTenseMessage"} {
		for _, uri := range v.Path(message, "uris").Fields() {
			y.touch(agent, filePath(uri))
		}
	}
	if edits(c.name) {
		y.waiting = append(y.waiting, claim{c, agent})
	}
}

// claim is a call of a subagent with no edit reported yet.
type claim struct {
	call  *call
	agent string
}

// touch notes that a subagent has read or edited a file.
func (y *reply) touch(agent, file string) {
	if y.touched == nil {
		y.touched = map[place]bool{}
	}
	y.touched[placeOf(agent, file)] = true
}

// ownerOf is the call that an edit of a file is of: of those that wait, the one whose
// subagent alone knows the file; the call of the edit before, if its subagent knows it; else the
// first that waits.
func (y *reply) ownerOf(file string) *call {
	knows := func(w claim) bool { return y.touched[placeOf(w.agent, file)] }
	i := slices.IndexFunc(y.waiting, knows)
	switch {
	case len(y.waiting) == 0:
		return y.owner
	case i >= 0:
		if slices.ContainsFunc(y.waiting, func(w claim) bool { return w.agent != y.waiting[i].agent && knows(w) }) {
			i = 0
		}
	case y.assigned.call != nil && knows(y.assigned):
		return y.assigned.call
	default:
		i = 0
	}
	y.assigned = y.waiting[i]
	y.waiting = slices.Delete(y.waiting, i, i+1)
	y.touch(y.assigned.agent, file)
	y.owner = y.assigned.call
	return y.owner
}
