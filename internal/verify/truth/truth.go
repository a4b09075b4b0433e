// Package truth compares the output of a recorded scenario with its ground truth.
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

// check compares one result with what is known to be true of its session.
type check struct {
	c        *corpus.Case
	r        *trial.Result
	truth    corpus.Truth // without what the transcript has forgotten
	owed     []*owed
	problems []string
}

// owed is an edit for which an episode is owed.
type owed struct {
	corpus.Edit
	oldPath string // of a rename
	episode *trial.Node
}

// problem adds a problem.
func (k *check) problem(format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf(format, args...))
}

// owing lists what episodes are owed, and between them what shell commands made of
// files. A rename stands twice in the truth, with
// the old path and with the new one; it owes one episode.
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

// episodes pairs owed edits with episodes.
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

// isEpisodeOf reports whether a node is the episode of an edit that really happened.
func (k *check) isEpisodeOf(n *trial.Node, o *owed) bool {
	if mintsOwn(k.c) || k.unnamed(o.CallID) {
		return k.samePath(n.Path, o.Path) && n.Tool == o.Tool && (n.ThreadID != "") == o.Subagent
	}
	return k.samePath(n.Path, o.Path) && n.CallID == o.CallID
}

// samePath compares a path with one relative to the recorded repository.
func (k *check) samePath(got, want string) bool {
	return got == path.Join(k.c.Truth.Repo, want) || got == want
}

// episode compares the episode with the edit.
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
