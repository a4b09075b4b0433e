// Package status reports the state of a capture, as metrics for a monitor and as
// text for a person.
//
// A [Board] is updated by the goroutine that captures, and read by others.
//
// A Board has four views:
//
//	/metrics   Prometheus    counters since the start, lags as quantiles
//	/status    the web page  [Summary]: numbers by tool, no name of a transcript
//	/healthz   a supervisor  200, or 503 while the sink cannot be written to
//	a line     a terminal    [View]
//
// They are served on loopback addresses only, and requests of web pages are refused. Names and
// messages pass Clean first.
//
// The line on a terminal, and the metrics that say the same for a monitor:
//
//	following · 12 transcripts of claude_code, codex · 812 conversations · 40 decisions · lag 15ms
//
//	memscribe_transcripts 12
//	memscribe_nodes_total{kind="decision"} 40
//	memscribe_lag_seconds{quantile="0.5"} 0.015
//	memscribe_idle 1
//	memscribe_sink_waiting 0
//
// A lag is the time from a write to a transcript until its nodes are durable in the sink. The
// latest 512 are kept. Writes before the start of the program have none.
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

// Board keeps the latest state of a capture. It is safe for concurrent use. Its size grows with the
// number of transcripts in memory, and with the number of unknown kinds of records.
type Board struct {
	// Clean, if not nil, redacts names and messages. It must be set before the Board is read.
	Clean func(string) string

	mu      sync.Mutex
	started time.Time
	files   map[string]File
	totals  map[core.Tool]Totals
	unseen  map[core.Tool]map[shape.Unseen]int64
	state   State
}

// File is the progress of a transcript in memory.
type File struct {
	capture.FileProgress

	// Lag is the time from the last write to the file until its nodes were durable in the
	// sink; 0 if the write was before the start of the program.
	Lag time.Duration
}

// Totals are the sums over a tool's transcripts since the start, including those that are no
// longer in memory.
type Totals struct {
	Bytes, Records, Unknown, Malformed int64
}

// State is the state of a capture as a whole.
type State struct {
	Nodes    map[string]int64 // delivered since the start, by kind
	Known    int              // number of transcripts that are followed
	InMemory int
	Idle     bool      // everything is read and delivered
	Settled  time.Time // time of the last flush
	Errors   int64
	Error    string // the last one
	Waiting  string // why the sink cannot be written to; or ""
	// Lags are the latest lagsKept lags, oldest first.
	Lags []time.Duration
}

// lagsKept is the number of lags that are kept.
const lagsKept = 512

// NewBoard returns a Board for a capture that starts now.
func NewBoard(now time.Time) *Board {
	return &Board{started: now, files: map[string]File{}, totals: map[core.Tool]Totals{}, unseen: map[core.Tool]map[shape.Unseen]int64{}}
}

// Update adds the progress of a Settle.
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

// update adds the progress of a file. Totals get the difference to its former progress; a file that
// is read again from its start is counted again.
func (b *Board) update(p capture.FileProgress, now time.Time) {
	old := b.files[p.File]
	if p.Bytes < old.Bytes || p.Records < old.Records { // it was read again from its start
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

// met adds the counts of unknown shapes of a file. Names that redaction changes are counted
// together.
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

// Unseen returns the counts of unknown shapes, by tool.
func (b *Board) Unseen() map[core.Tool]map[shape.Unseen]int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make(map[core.Tool]map[shape.Unseen]int64, len(b.unseen))
	for tool, met := range b.unseen { // order does not matter: a copy
		all[tool] = maps.Clone(met)
	}
	return all
}

// Failed records an error of an input.
func (b *Board) Failed(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Errors++
	b.state.Error = reason
}

// Again records that everything is read again, and why.
func (b *Board) Again(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Errors++
	b.state.Error, b.state.Idle = reason, false
	clear(b.files)
}

// Waiting records why the sink cannot be written to; "" means that it works again.
func (b *Board) Waiting(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Waiting = reason
}

// Look returns the present state.
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

// Files returns the transcripts in memory, sorted by name.
func (b *Board) Files() []File {
	b.mu.Lock()
	defer b.mu.Unlock()
	files := slices.SortedStableFunc(maps.Values(b.files), func(x, y File) int { return cmp.Compare(x.File, y.File) })
	for i := range files {
		if name := b.cleaned(files[i].File); name != files[i].File {
			// so that names stay different
			files[i].File = name + "#" + core.HashPath(files[i].File)
		}
	}
	return files
}

// Tools returns the totals by tool.
func (b *Board) Tools() map[core.Tool]Totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.totals)
}

// Quantile returns the lag that a share of the latest lags does not exceed.
func (s State) Quantile(share float64) time.Duration {
	if len(s.Lags) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.Lags))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}
