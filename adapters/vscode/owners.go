package vscode

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

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
