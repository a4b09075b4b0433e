package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/search"
)

// ErrProject is the error of a project that nothing is known of.
var ErrProject = errors.New("no such project")

// KnowsProject returns an ErrProject that names the projects that are called nearly
// so, if there is none of that name.
func (r *Reader) KnowsProject(ctx context.Context, name string) error {
	return r.look(ctx, func(v view) error { return v.knowsProject(ctx, name) })
}

func (v view) knowsProject(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	is, err := v.projects(ctx, name)
	if err != nil || len(is) > 0 {
		return err
	}
	all, err := v.allProjects(ctx)
	if err != nil {
		return err
	}
	near := nearNames(name, all)
	if len(near) == 0 {
		return fmt.Errorf("%w: %s; known are %s", ErrProject, name, strings.Join(someNames(all), ", "))
	}
	return fmt.Errorf("%w: %s; there is %s", ErrProject, name, strings.Join(near, ", "))
}

// mostNear is how many names are given.
const mostNear = 5

// nearNames are the names of projects that are like one.
func nearNames(name string, all []string) []string {
	var names []string
	for _, p := range all {
		names = append(names, lastElement(p))
	}
	near := search.Near(lastElement(name), names)
	return near[:min(len(near), mostNear)]
}

// someNames are a few of the projects that there are.
func someNames(all []string) []string {
	var some []string
	for _, p := range all {
		if e := lastElement(p); e != "" && !slices.Contains(some, e) {
			some = append(some, e)
		}
	}
	if len(some) > mostNear {
		some = append(some[:mostNear], "…")
	}
	if len(some) == 0 {
		return []string{"none"}
	}
	return some
}

func lastElement(path string) string {
	elements := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	if len(elements) == 0 {
		return path
	}
	return elements[len(elements)-1]
}
