package shell

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Resolve makes a path absolute, as it would be on the machine of the rollout.
func Resolve(dir, name string) string {
	switch {
	case name == "":
		return dir
	case isAbs(name):
		return clean(name)
	case dir == "", len(dir) > core.MaxContext:
		return clean(name)
	case strings.Contains(dir, `\`) && !strings.Contains(dir, "/"):
		joined := clean(strings.ReplaceAll(dir+`\`+name, `\`, "/"))
		return strings.ReplaceAll(joined, "/", `\`)
	}
	return clean(dir + "/" + name)
}

func isAbs(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\\`) ||
		len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
}

// clean takes "." and ".." out of a path that has slashes.
func clean(name string) string {
	if !strings.Contains(name, "/") {
		return name
	}
	return path.Clean(name)
}
