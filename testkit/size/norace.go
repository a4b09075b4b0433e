//go:build !race

package size

// Race reports whether the race detector watches.
const Race = false
