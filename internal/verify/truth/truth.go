// Package truth compares the output of a recorded scenario with its ground truth.
//
// A scenario is a script: prompts, and a fake model that answers each of them with fixed calls.
// A real client ran it in a real work tree, and the recorder kept three things:
//
//	"transcripts"   what the client wrote; the input of the adapters
//	"truth.json"    what the script had the model ask for, and what it was told
//	"repo.diff"     what git saw of the work tree in the end
//
// The check replays the episodes on the files that the scenario began with. Each diff must
// apply without fuzz, and the files must end as git saw them. An adapter that places a hunk one
// line too low, or that invents or loses an edit, fails here even if its own output is well
// formed.
//
// Clients do not write everything down. What a client of a certain version leaves out is named
// in except.go, one function for each omission, with the versions of which it was recorded.
// Everything else is owed.
//
// An example of a scenario with one edit. The script had the model ask for an edit of src/a.js
// in call 7, and it succeeded:
//
//	truth.json     edit of src/a.js by call 7, ok
//	owed           one episode: path src/a.js, call 7, a diff that applies to the base
//	repo.diff      src/a.js at the end, which the base with all diffs must equal
//	typed          one prompt, which must be one person's turn
//
// Left over on either side is a problem: an owed edit without an episode, or an episode that
// nothing owes.
//
// Where to find what: calls.go compares calls, files.go the edits and the final files, talk.go
// what people typed. except.go names what a client of some version leaves out.
package truth

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// Check lists where the result of a case departs from its truth. An empty list
// says: each applied edit gave one episode with its path, its call and a diff
// that applies, nothing else gave one, the files end up as git saw them, and
// what people typed is what counts as a person's turn.
func Check(c *corpus.Case, r *trial.Result) []string {
	if c.Truth == nil {
		return []string{"no truth.json"}
	}
	k := &check{c: c, r: r}
	k.forget()
	k.episodes()
	k.diffs()
	k.calls()
	k.prompts()
	k.bindings()
	return k.problems
}

// check compares one result with what is known to be true of its session. It serves one call of
// Check.
type check struct {
	c *corpus.Case
	r *trial.Result
	// truth is what the transcripts can know: the script's truth without what the client never
	// wrote down, or deleted again.
	truth corpus.Truth // without what the transcript has forgotten
	// owed has the edits of truth in the order in which they were made.
	owed     []*owed
	problems []string
}

// owed is an edit for which an episode is owed. episode is nil until one is found, and stays
// nil for what a shell command made of a file: that only moves the work tree on.
type owed struct {
	corpus.Edit
	oldPath string // of a rename
	episode *trial.Node
}

// problem adds a problem.
func (k *check) problem(format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf(format, args...))
}

// owing lists the edits for which an episode is owed, and between them what shell commands made
// of files, in the order of the script.
//
// A rename stands twice in the truth, once with the old path and once with the new one, and
// owes one episode:
//
//	"truth"     rename src/a.js   call 7      (gone)
//	"truth"     rename src/b.js   call 7      (new)
//	"owed"      rename src/a.js → src/b.js    call 7
func (k *check) owing() []*owed {
	var all []*owed
	for _, e := range k.truth.Edits {
		if !e.Looked() && (e.Shell || !e.Applied) {
			continue
		}
		if n := len(all); !e.Shell && moves(&e) && n > 0 && all[n-1].CallID == e.CallID && all[n-1].oldPath == "" && moves(&all[n-1].Edit) {
			all[n-1].oldPath, all[n-1].Path = all[n-1].Path, e.Path
			continue
		}
		all = append(all, &owed{Edit: e})
	}
	return all
}

// moves reports whether an edit is half of a rename, by the client or by a server.
func moves(e *corpus.Edit) bool { return e.Op == "rename" || e.Op == "served" }

// episodes pairs each owed edit with one episode, the earliest that fits, and reports the edits
// and the episodes that are left over.
func (k *check) episodes() {
	k.owed = k.owing()
	left := k.r.NodesOf("episode")
	slices.SortStableFunc(left, func(a, b *trial.Node) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	for _, o := range k.owed {
		if o.Shell {
			continue
		}
		i := slices.IndexFunc(left, func(n *trial.Node) bool { return k.isEpisodeOf(n, o) })
		if i < 0 {
			k.problem("no episode for the %s of %s by %s %s", o.Op, o.Path, o.Tool, o.CallID)
			continue
		}
		o.episode = left[i]
		left = slices.Delete(left, i, i+1)
		k.episode(o)
	}
	for _, n := range left {
		k.problem("episode of %s by %s %s at %s:%d answers to no applied edit", n.Path, n.Tool, n.CallID, n.Provenance[0].File, n.Provenance[0].Line)
	}
}

// isEpisodeOf reports whether a node is the episode of an edit: the same file and the same
// call. Where the client gives calls ids of its own, the tool and the line of talk stand in for
// the call.
func (k *check) isEpisodeOf(n *trial.Node, o *owed) bool {
	if mintsOwn(k.c) || k.unnamed(o.CallID) {
		return k.samePath(n.Path, o.Path) && n.Tool == o.Tool && (n.ThreadID != "") == o.Subagent
	}
	return k.samePath(n.Path, o.Path) && n.CallID == o.CallID
}

// samePath compares a path of an episode, which is absolute or relative, with one relative to
// the recorded repository.
func (k *check) samePath(got, want string) bool {
	return got == path.Join(k.c.Truth.Repo, want) || got == want
}

// episode compares an episode with the edit that it was paired with, in all but its hunks:
// diffs does those.
func (k *check) episode(o *owed) {
	n := o.episode
	if n.Diff.Path != n.Path {
		k.problem("episode of %s: its diff is of %s", n.Path, n.Diff.Path)
	}
	if o.oldPath != "" && (n.Diff.Change != "rename" || !k.samePath(n.Diff.OldPath, o.oldPath)) {
		k.problem("episode of %s: %s from %q, want rename from %q", n.Path, n.Diff.Change, n.Diff.OldPath, o.oldPath)
	}
	if (n.ThreadID != "") != o.Subagent {
		k.problem("episode of %s by %s: thread %q, but by a subagent is %t", n.Path, n.CallID, n.ThreadID, o.Subagent)
	}
	if n.Tool == "" {
		k.problem("episode of %s by %s names no tool", n.Path, n.CallID)
	}
}
