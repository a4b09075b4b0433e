package main

import (
	"io"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// enough is the heap below which the collector need not hurry. Reading a
	// gigabyte of one session stays within it; the lines that wait to be written
	// are not in it.
	enough = 110 << 20
	// slack is what may be garbage besides what is live, once that needs more.
	slack = 16 << 20
	// lookEvery is how many bytes are read between two looks at what is live.
	lookEvery = 32 << 20
	// lazy is how many percent of what is live may be garbage, as long as all of
	// it is within the limit. Reading leaves much garbage and little that lives.
	lazy = 400
)

// frugal is a reader that keeps the garbage collector from letting the heap
// double, as it would by itself: up to the limit garbage costs nothing, and near
// it the collector works harder. The limit grows with what is really in use, so
// that the collector is never asked for the impossible.
type frugal struct {
	io.Reader

	unlooked int64
}

// collectLazily has the collector wait until memory is short. It is for a
// program that reads what there is and ends. The user's own settings hold.
func (a *app) collectLazily() {
	if a.getenv("GOGC") == "" && a.getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(enough)
		debug.SetGCPercent(lazy)
	}
}

// frugal wraps r, unless the user has set a limit.
func (a *app) frugal(r io.Reader) io.Reader {
	if a.getenv("GOMEMLIMIT") != "" {
		return r
	}
	return &frugal{r, lookEvery}
}

func (f *frugal) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if f.unlooked += int64(n); f.unlooked >= lookEvery {
		f.unlooked = 0
		limitMemory()
	}
	return n, err
}

func limitMemory() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() == metrics.KindUint64 {
		used := int64(live[0].Value.Uint64())
		debug.SetMemoryLimit(max(enough, used+used/16+slack))
	}
}
