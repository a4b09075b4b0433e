package edit

import (
	"path"
	"strings"
)

// Clean is a path without detours: a file has one name, whichever way a call went
// to it ("src/../docs/a", recorded with Claude Code 2.1.330). Paths with
// backslashes stay as they are.
func Clean(name string) string {
	if !strings.Contains(name, "/.") && !strings.Contains(name, "//") && !strings.HasPrefix(name, "./") || strings.Contains(name, "://") {
		return name
	}
	return path.Clean(name)
}
