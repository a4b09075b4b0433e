package source

import (
	"context"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
)

// Held is what a database still has of projects and files that are now excluded: excluding does
// not delete anything.
type Held struct {
	Projects []string // excluded projects
	Edits    []string // ids of episodes of excluded files in other projects
}

// IsNothing reports whether nothing is held.
func (h *Held) IsNothing() bool { return len(h.Projects) == 0 && len(h.Edits) == 0 }

// Held returns what a database has of projects and files that are now excluded. Edits are only
// looked for in projects that are not excluded as a whole.
func (p *Privacy) Held(ctx context.Context, r *nodedb.Reader) (h Held, err error) {
	leave, err := p.Leave()
	if err != nil {
		return h, err
	}
	all, err := r.ProjectNames(ctx)
	if err != nil {
		return h, err
	}
	out := map[string]bool{}
	for _, project := range all {
		if project != "" && leave(pipeline.Subject{Project: &core.Project{Cwd: project, RepoRoot: project}}) {
			h.Projects = append(h.Projects, project)
			out[project] = true
		}
	}
	h.Edits, err = lists.Edits(ctx, r, func(project, path string) bool {
		return !out[project] && leave(pipeline.Subject{Project: &core.Project{Cwd: project}, Path: path})
	})
	return h, err
}
