// Package buildinfo says what the program was built from.
//
// It needs no flags of the linker: the version and the commit are what the Go toolchain records
// in every binary. A build from a work tree with changes says "(modified)".
package buildinfo

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version returns the version of the module, the first 12 digits of its commit where the
// build knows it, and the Go version and system it was built with:
//
//	v1.2.0 0123456789ab go1.26.8 linux/amd64
func Version() string {
	v, commit := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = " " + s.Value[:min(len(s.Value), 12)] + commit
			case s.Key == "vcs.modified" && s.Value == "true":
				commit += " (modified)"
			}
		}
	}
	return fmt.Sprintf("%s%s %s %s/%s", v, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
