//go:build !linux

package doctor

// noMoreWatchers returns nil: the limit is not known on this system.
func noMoreWatchers() error { return nil }

// wasReplaced returns false: it is not known on this system.
func wasReplaced(int) bool { return false }
