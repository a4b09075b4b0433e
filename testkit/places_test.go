package testkit_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/testkit/golden"
)

// TestPlaces compares where each tool is looked for, on each system and with each
// variable of its environment, with what was read in the tools' sources and
// documentation.
func TestPlaces(t *testing.T) {
	dir := golden.Open(t, "testdata/places")
	for _, a := range adapters.All() {
		if len(a.Places()) > 0 {
			dir.Check(t, string(a.Tool())+".txt", []byte(placesOf(a)))
		}
	}
}

// placesOf lists the folders of a tool: a line for each system, and below it one
// for each variable that moves them.
func placesOf(a core.Adapter) string {
	variables := map[string]bool{}
	for _, place := range a.Places() {
		for _, root := range place.Roots {
			if root.Env != "" {
				variables[root.Env] = true
			}
		}
	}
	var s strings.Builder
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := func(set string) []string {
			var dirs []string
			for _, root := range discover.Roots([]core.Adapter{a}, discover.Env{OS: system, Home: "/home", Getenv: func(name string) string {
				switch {
				case name == set:
					return "/" + name
				case system == "windows" && name == "APPDATA":
					return "/home/AppData/Roaming" // always set there
				case system == "windows" && name == "LOCALAPPDATA":
					return "/home/AppData/Local"
				}
				return ""
			}}) {
				dirs = append(dirs, filepath.ToSlash(root.Dir))
			}
			return dirs
		}
		usual := list("")
		fmt.Fprintf(&s, "%s\n\t%s\n", system, strings.Join(usual, "\n\t"))
		for _, name := range slices.Sorted(maps.Keys(variables)) {
			moved := slices.DeleteFunc(list(name), func(dir string) bool { return slices.Contains(usual, dir) })
			if len(moved) > 0 {
				fmt.Fprintf(&s, "%s, %s\n\t%s\n", system, name, strings.Join(moved, "\n\t"))
			}
		}
	}
	return s.String()
}
