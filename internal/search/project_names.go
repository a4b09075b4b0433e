package search

import (
	"slices"
	"strings"
)

// mostNear is how many names are given.
const mostNear = 5

// NearProjects returns the names of projects that are like one.
func NearProjects(name string, all []string) []string {
	var names []string
	for _, p := range all {
		names = append(names, lastElement(p))
	}
	near := Near(lastElement(name), names)
	return near[:min(len(near), mostNear)]
}

// SomeProjects returns a few of the projects that there are.
func SomeProjects(all []string) []string {
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

// lastElement returns the last element of a path of any system.
func lastElement(path string) string {
	elements := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	if len(elements) == 0 {
		return path
	}
	return elements[len(elements)-1]
}
