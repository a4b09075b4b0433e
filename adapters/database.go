package adapters

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// KeepsDatabase reports whether a wanted tool keeps a database under the name of the file at a
// slash-separated path, wherever that is. Whether it is one, or still is, its content says.
func KeepsDatabase(file string, wants func(core.Tool) bool) bool {
	switch path.Ext(file) {
	case ".db", ".sqlite", ".sqlite3", ".vscdb":
	default:
		return false // as nearly all files
	}
	for _, a := range All() {
		if _, ok := a.(core.DatabaseAdapter); ok && wants(a.Tool()) && namesDatabase(a, path.Base(file)) {
			return true
		}
	}
	return false
}

// isPlaced reports whether a path ends as those of a tool's databases do.
func isPlaced(a core.Adapter, file string) bool {
	for _, place := range a.Places() {
		for _, pattern := range place.Patterns {
			tail := file
			if names := strings.Split(file, "/"); len(names) > strings.Count(pattern, "/") {
				tail = strings.Join(names[len(names)-strings.Count(pattern, "/")-1:], "/")
			}
			if ok, err := path.Match(pattern, tail); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// namesDatabase reports whether a tool's places have a database of that name.
func namesDatabase(a core.Adapter, name string) bool {
	for _, place := range a.Places() {
		for _, pattern := range place.Patterns {
			if ok, err := path.Match(path.Base(pattern), name); ok && err == nil {
				return true
			}
		}
	}
	return false
}
