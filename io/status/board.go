// Package status reports the state of a capture, as metrics for a monitor and as
// text for a person.
//
// A [Board] hears of progress from the goroutine that captures, and answers any
// other.
//
// Three views of one Board, and who asks for them:
//
//	/metrics   Prometheus    counters since the start, lags as quantiles
//	/status    the web page  [Summary]: numbers by tool, no name of a transcript
//	/healthz   a supervisor  200, or 503 while the sink cannot be written to
//	a line     a terminal    [View]
//
// All of it stays on this machine: an address that others reach is refused, and so are
// pages of a browser. Names and messages pass Clean.
package status

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/io/capture"
)

// Board keeps the latest state of a capture. Any goroutine may use it. What it keeps
// grows with the transcripts in memory, and with the kinds of records that are not
// known.
type Board struct {
	// Clean, if not nil, takes out of names and messages what must not be shown.
	// Set it before anybody asks.
	Clean func(string) string

	mu      sync.Mutex
	started time.Time
	files   map[string]File
	totals  map[core.Tool]Totals
	unseen  map[core.Tool]map[shape.Unseen]int64
	state   State
}

// File is how far a transcript has been taken in that is in memory.
type File struct {
	capture.FileProgress

	// Lag is how long after it was last written to what was written was durable
	// in the sink; 0 for what was written before the program was started.
	Lag time.Duration
}

// Totals add up what was taken in of a tool's transcripts since the start, also
// of those that are no longer in memory.
type Totals struct {
	Bytes, Records, Unknown, Malformed int64
}

// State is what is to be said of a capture as a whole.
type State struct {
	Nodes    map[string]int64 // delivered since the start, by kind
	Known    int              // transcripts that are followed
	InMemory int
	Idle     bool      // all that there is has been taken in
	Settled  time.Time // when it was last made durable
	Errors   int64
	Error    string // the last one
	Waiting  string // why the sink cannot be written to; or ""
	// the latest lagsKept ones, oldest first
	Lags []time.Duration
}

// lagsKept is of how many of the latest changes the lag is kept.
const lagsKept = 512

// NewBoard returns a Board of a capture that starts now.
func NewBoard(now time.Time) *Board {
	return &Board{started: now, files: map[string]File{}, totals: map[core.Tool]Totals{}, unseen: map[core.Tool]map[shape.Unseen]int64{}}
}

// Update notes what was settled.
func (b *Board) Update(p capture.Progress, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range p.Files {
		b.update(p.Files[i], now)
	}
	for _, name := range p.Dropped {
		delete(b.files, name)
	}
	s := &b.state
	s.Nodes = maps.Clone(p.Nodes)
	s.Known, s.InMemory, s.Idle, s.Settled = p.Known, p.InMemory, p.Idle, now
}

// update notes how far a file has come. Totals get the difference to what was known of
// the file, so that one which is read again from its start counts once more.
func (b *Board) update(p capture.FileProgress, now time.Time) {
	old := b.files[p.File]
	if p.Bytes < old.Bytes || p.Records < old.Records { // it is read from its start
		old = File{}
	}
	t := b.totals[p.Tool]
	t.Bytes += p.Bytes - old.Bytes
	t.Records += p.Records - old.Records
	t.Unknown += p.Unknown - old.Unknown
	t.Malformed += p.Malformed - old.Malformed
	b.totals[p.Tool] = t
	b.met(p, old)
	f := File{FileProgress: p, Lag: old.Lag}
	written := time.Unix(0, p.Modified)
	if p.Bytes > old.Bytes && written.After(b.started) {
		f.Lag = max(now.Sub(written), 0)
		b.state.Lags = append(b.state.Lags, f.Lag)
		if len(b.state.Lags) > lagsKept {
			b.state.Lags = slices.Delete(b.state.Lags, 0, len(b.state.Lags)-lagsKept)
		}
	}
	b.files[p.File] = f
}

// met adds up what is not known of a tool's records. Names that may not be shown
// count together.
func (b *Board) met(p capture.FileProgress, old File) {
	for u, n := range p.Unseen { // order does not matter: counts
		if b.unseen[p.Tool] == nil {
			b.unseen[p.Tool] = map[shape.Unseen]int64{}
		}
		n -= old.Unseen[u]
		u.Name = b.cleaned(u.Name)
		b.unseen[p.Tool][u] += n
	}
}

// Unseen returns what was met, of each tool, that is not known of its records.
func (b *Board) Unseen() map[core.Tool]map[shape.Unseen]int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make(map[core.Tool]map[shape.Unseen]int64, len(b.unseen))
	for tool, met := range b.unseen { // order does not matter: a copy
		all[tool] = maps.Clone(met)
	}
	return all
}

// Failed notes an error of an input.
func (b *Board) Failed(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Errors++
	b.state.Error = reason
}

// Again notes that everything is taken in from the start, and why.
func (b *Board) Again(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Errors++
	b.state.Error, b.state.Idle = reason, false
	clear(b.files)
}

// Waiting notes why the sink cannot be written to; "" is that it can again.
func (b *Board) Waiting(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Waiting = reason
}

// Look returns the state as it is now.
func (b *Board) Look() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.state
	s.Nodes, s.Lags = maps.Clone(s.Nodes), slices.Clone(s.Lags)
	s.Error, s.Waiting = b.cleaned(s.Error), b.cleaned(s.Waiting)
	return s
}

// cleaned returns a text as it may be shown.
func (b *Board) cleaned(s string) string {
	if b.Clean == nil || s == "" {
		return s
	}
	return b.Clean(s)
}

// Files returns the transcripts in memory, in the order of their names.
func (b *Board) Files() []File {
	b.mu.Lock()
	defer b.mu.Unlock()
	files := slices.SortedStableFunc(maps.Values(b.files), func(x, y File) int { return cmp.Compare(x.File, y.File) })
	for i := range files {
		if name := b.cleaned(files[i].File); name != files[i].File {
			files[i].File = name + "#" + core.HashPath(files[i].File) // still one of its own
		}
	}
	return files
}

// Tools returns what was taken in of each tool.
func (b *Board) Tools() map[core.Tool]Totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.totals)
}

// Quantile returns the lag that a share of the latest changes did not exceed.
func (s State) Quantile(share float64) time.Duration {
	if len(s.Lags) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.Lags))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}
