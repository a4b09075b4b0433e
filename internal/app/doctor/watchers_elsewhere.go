//go:build !linux

package doctor

// noMoreWatchers is why no more programs of the user can watch folders, if that is
// known.
func noMoreWatchers() error { return nil }

// wasReplaced reports whether the program that a process runs was replaced, if
// that is known.
func wasReplaced(int) bool { return false }
