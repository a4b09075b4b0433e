package commits

import (
	"context"
	"fmt"

	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/gitwrite"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// maxTrailers is how many trailers of a kind a message gets.
const maxTrailers = 10

// Trailers adds to the file of a commit's message which sessions and decisions the lines
// come from that are going to be committed. A message that has them already stays.
//
// If no session is known for the lines, the message stays as it is.
func Trailers(ctx context.Context, r *nodedb.Reader, o Options, message string) error {
	repo, err := gitrepo.Open(ctx, o.Dir)
	if err != nil {
		return err
	}
	c, err := tallied(ctx, r, blame.Options{Dir: o.Dir, Project: o.Project, Staged: true})
	if err != nil || len(c.Sessions) == 0 {
		return err
	}
	to := gitwrite.Repo{Root: repo.Root}
	return to.AddTrailers(ctx, message, c.trailers())
}

// trailers returns what a message says of a commit.
//
//	Memscribe-Session: claude_code 5e550001-…
//	Memscribe-Decision: decision:94ab… Cursors, not offsets
func (c *Commit) trailers() (all []string) {
	for _, s := range c.Sessions[:min(len(c.Sessions), maxTrailers)] {
		all = append(all, fmt.Sprintf("Memscribe-Session: %s %s", s.Source, oneLine(s.ID)))
	}
	for i := range c.Decisions[:min(len(c.Decisions), maxTrailers)] {
		all = append(all, fmt.Sprintf("Memscribe-Decision: %s %s", c.Decisions[i].ID, oneLine(c.Decisions[i].Title)))
	}
	return all
}

// InstallTrailers has the repository of a folder add trailers by a hook, and RemoveTrailers
// has it no longer do that. They return the file of the hook and whether it changed.
func InstallTrailers(ctx context.Context, dir string) (name string, changed bool, err error) {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return "", false, err
	}
	to := gitwrite.Repo{Root: repo.Root}
	return to.InstallHook(ctx, `memscribe trailers message "$1" 2>/dev/null`)
}

// RemoveTrailers takes the hook's lines out again.
func RemoveTrailers(ctx context.Context, dir string) (name string, changed bool, err error) {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return "", false, err
	}
	to := gitwrite.Repo{Root: repo.Root}
	return to.RemoveHook(ctx)
}
