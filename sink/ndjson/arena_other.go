//go:build !linux

package ndjson

// reserve returns size bytes of memory.
func reserve(size int) ([]byte, error) { return make([]byte, size), nil }

// release leaves the memory to the garbage collector.
func release([]byte) error { return nil }
