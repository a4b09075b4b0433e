package nodedb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/search"
)

// ErrProject is the error of a project that nothing is known of.
var ErrProject = errors.New("no such project")

// KnowsProject returns an ErrProject that names the projects that are called nearly
// so, if there is none of that name.
func (r *Reader) KnowsProject(ctx context.Context, name string) error {
	return r.look(ctx, func(v view) error { return v.knowsProject(ctx, name) })
}

// knowsProject returns an error that names near projects if none has the name.
func (v view) knowsProject(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	is, err := v.projects(ctx, name)
	if err != nil || len(is) > 0 {
		return err
	}
	all, err := schema.Collect(ctx, v, schema.Single[string], "SELECT project FROM tally GROUP BY project ORDER BY max(last) DESC, project")
	if err != nil {
		return err
	}
	near := search.NearProjects(name, all)
	if len(near) == 0 {
		return fmt.Errorf("%w: %s; known are %s", ErrProject, name, strings.Join(search.SomeProjects(all), ", "))
	}
	return fmt.Errorf("%w: %s; there is %s", ErrProject, name, strings.Join(near, ", "))
}

// ProjectsOf are the projects of a name: a folder, with all below it, or the last element
// of one. None is an ErrProject that names what is near.
func (r *Reader) ProjectsOf(ctx context.Context, name string) (all []string, err error) {
	err = r.look(ctx, func(v view) error {
		if err = v.knowsProject(ctx, name); err == nil {
			all, err = v.projects(ctx, name)
		}
		return err
	})
	return all, err
}
