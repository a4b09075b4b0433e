package commits

import (
	"context"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/gitwrite"
)

// Noted is what writing notes did.
type Noted struct {
	Written   int  // notes that were not there, or were others
	Same      int  // notes that were there already
	Rewriting bool // git was told to copy notes when commits are rewritten
}

// WriteNotes writes a git note about each commit of which an agent is known to have written
// lines. With rewrite, git copies the notes to the commits of a rebase or an amend.
//
// A note that says the same already is not written again, so repeating the command
// creates no commits in refs/notes/memscribe.
func WriteNotes(ctx context.Context, o Options, all []Commit, rewrite bool) (n Noted, err error) {
	repo, err := gitrepo.Open(ctx, o.Dir)
	if err != nil {
		return n, err
	}
	to := gitwrite.Repo{Root: repo.Root}
	for i := range all {
		if len(all[i].Sessions) == 0 {
			continue
		}
		changed, failed := to.Note(ctx, all[i].ID, all[i].Note())
		if failed != nil {
			return n, failed
		}
		if changed {
			n.Written++
		} else {
			n.Same++
		}
	}
	if rewrite {
		n.Rewriting, err = to.FollowRewrites(ctx)
	}
	return n, err
}

// Note returns what a git note says of a commit: its sessions, its decisions and where its lines
// come from, in the form of trailers.
//
//	Memscribe-Session: claude_code 5e550001-… (12 lines)
//	Memscribe-Decision: decision:94ab… Cursors, not offsets
//	Memscribe-Lines: agent_with_decision=9 agent_without_decision=3
func (c *Commit) Note() string {
	var b strings.Builder
	for _, s := range c.Sessions {
		fmt.Fprintf(&b, "Memscribe-Session: %s %s (%s)\n", s.Source, oneLine(s.ID), count(s.Lines, "line"))
	}
	for i := range c.Decisions {
		fmt.Fprintf(&b, "Memscribe-Decision: %s %s\n", c.Decisions[i].ID, oneLine(c.Decisions[i].Title))
	}
	b.WriteString("Memscribe-Lines:")
	for _, p := range []struct {
		n    int
		name string
	}{
		{c.Origin.Decided, "agent_with_decision"},
		{c.Origin.Edited, "agent_without_decision"},
		{c.Origin.Hand, "hand"},
		{c.Origin.Ambiguous, "ambiguous"},
		{c.Origin.None, "unknown"},
	} {
		if p.n > 0 {
			fmt.Fprintf(&b, " %s=%d", p.name, p.n)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// oneLine returns a text in which no line ends, so that it cannot be taken for a trailer.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == ' ' || r == 0x7f }), " ")
}
