package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/config"
)

// StrayVariables returns the environment variables that begin with MEMSCRIBE_ and are not
// known: probably typing mistakes.
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

// variables returns the environment variables that the program reads.
func (a *App) variables() map[string]bool {
	known := map[string]bool{"MEMSCRIBE_CONFIG": true}
	for _, k := range a.Schema().Keys() {
		if k.Variable != "" {
			known[k.Variable] = true
		}
	}
	return known
}

// NearVariable returns "; did you mean …?" with the known variable that is most similar to
// name; "" if none is similar.
func (a *App) NearVariable(name string) string {
	if near := config.Nearest(name, slices.Sorted(maps.Keys(a.variables()))); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}
