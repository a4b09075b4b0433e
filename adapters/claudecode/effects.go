package claudecode

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/change"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// effects takes in what a successful call did to files, or showed of them, and
// emits the edit that it made.
func (p *parser) effects(a *answer) {
	if a.failed {
		p.doubt(a)
		return
	}
	switch a.call.name {
	case "Read":
		p.wasRead(a)
	case "Bash", "PowerShell":
		p.ranShell(a)
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		p.edited(a)
	case "AskUserQuestion", "ExitPlanMode", "Task", "Agent", "Grep", "Glob", "TodoWrite":
	default:
		// A call that this file does not hold, or a tool not known yet: only
		// the client's own record of an edit counts.
		if a.data.Get("structuredPatch").Kind() == jsondoc.Array {
			p.edited(a)
		}
	}
}

// doubt ends what is known of a file after an edit whose result was lost: a client
// that was killed writes one when it is resumed, which says that it does not know
// (recorded 2.1.330).
func (p *parser) doubt(a *answer) {
	if !bytes.HasPrefix(a.text, []byte("[Tool call interrupted: ")) {
		return
	}
	switch a.call.name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		p.files.Forget(a.args.Get("file_path").Str())
		p.files.Forget(a.args.Get("notebook_path").Str())
	}
}

// wasRead notes what a file holds. The structured result has it, but in a
// subagent's file since 2.1.
func (p *parser) wasRead(a *answer) {
	if file := a.data.Get("file"); file.Exists() {
		p.files.Shown(file)
		return
	}
	path := a.args.Get("file_path").Str()
	if bytes.HasSuffix([]byte(path), []byte(".ipynb")) {
		p.files.Cells(path, a.output)
		return
	}
	whole := !a.args.Get("offset").Exists() && !a.args.Get("limit").Exists()
	p.files.Numbered(path, a.text, whole)
}

// ranShell notes what a shell command changed: the files that the client saw
// changed are not what they were (recorded 2.1.329), and a commit moves HEAD.
func (p *parser) ranShell(a *answer) {
	if diff := a.data.Get("bashEditDiff"); diff.Exists() {
		for path := range diff.Get("changedFiles").Elems() {
			p.files.Forget(path.Str())
		}
		for file := range diff.Get("files").Elems() {
			p.files.Forget(file.Get("filePath").Str())
		}
	}
	commit := a.data.Path("gitOperation", "commit")
	sha := commit.Get("sha").Str()
	if sha == "" || p.Project == nil {
		return
	}
	now := *p.Project
	now.Git.SHA = sha
	if branch := commit.Get("branch").Str(); branch != "" {
		now.Git.Branch = branch
	}
	p.Project = &now
}

// edited emits an edit that was applied, unless it changed nothing.
func (p *parser) edited(a *answer) {
	if p.edits.has(a.id) {
		return
	}
	diff, tool, ok := p.files.Of(change.Result{Tool: a.call.name, Data: a.data, Args: a.args, Text: a.text})
	if !ok || diff.Path == "" {
		return // changed nothing, or no one can tell what
	}
	p.Change = core.FileEdit{CallID: a.id, Tool: tool, Diff: diff}
	p.send(&p.Change, false)
}

// callSet remembers calls by the hash of their ids.
type callSet struct{ of map[uint64]struct{} }

// has adds a call and reports whether it was there before: some clients of the
// editor extension write the last turn again when they resume (wild 2.0), and
// then a result stands twice in a transcript. Ids that are counters may mean
// another call the second time.
func (s *callSet) has(id string) bool {
	if len(id) < 16 {
		return false
	}
	if s.of == nil {
		s.of = map[uint64]struct{}{}
	}
	h := stream.Hash([]byte(id))
	_, ok := s.of[h]
	s.of[h] = struct{}{}
	return ok
}
