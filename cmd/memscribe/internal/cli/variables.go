package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/config"
)

// StrayVariables returns those of the environment that begin as ours do and mean
// nothing.
func (a *App) StrayVariables() []string {
	known := a.variables()
	var stray []string
	for _, entry := range a.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "MEMSCRIBE_") && !known[name] {
			stray = append(stray, name)
		}
	}
	return stray
}

// variables lists the variables that the program reads, so that an unknown one with
// its prefix can be reported as a mistake.
func (a *App) variables() map[string]bool {
	known := map[string]bool{"MEMSCRIBE_CONFIG": true}
	for _, k := range a.Schema().Keys() {
		if k.Variable != "" {
			known[k.Variable] = true
		}
	}
	return known
}

// NearVariable is advice about a variable that means nothing: the one that may be meant.
func (a *App) NearVariable(name string) string {
	if near := config.Nearest(name, slices.Sorted(maps.Keys(a.variables()))); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}
