package capture

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/shape"
)

// Progress is the state of a Follower after a Settle.
type Progress struct {
	Files    []FileProgress // files with changes since the last Settle, sorted
	Dropped  []string       // files that are no longer in memory
	Nodes    map[string]int64
	Known    int  // followed files, in memory or not
	InMemory int  // files in memory
	Idle     bool // there is nothing to read
}

// FileProgress is how far a file was read.
type FileProgress struct {
	File     string
	Tool     core.Tool // "" if of no tool
	Bytes    int64
	Modified int64 // time of the last change, in nanoseconds since 1970
	Done     bool  // everything is delivered
	Records  int64
	Unknown  int64 // records of unknown kinds
	// Unseen counts unknown records, members and versions of the tool. It may be nil.
	Unseen    map[shape.Unseen]int64
	Malformed int64 // records that are not JSON
	Stopped   bool  // it could not be redacted, or the program panicked
}

// observe calls Observe after a Settle. Each file that was dropped from memory is named once.
func (f *Follower) observe(changed map[string]struct{}, idle bool) {
	if f.o.Observe == nil {
		return
	}
	p := Progress{
		Nodes: f.o.Capture.nodes, Known: f.o.Store.Len(), InMemory: len(f.files), Idle: idle, Dropped: f.dropped,
	}
	for file := range changed {
		if x := f.files[file]; x != nil {
			p.Files = append(p.Files, x.progress(file))
		} else {
			p.Dropped = append(p.Dropped, file)
		}
	}
	f.dropped = nil
	slices.Sort(p.Dropped)
	sort.SliceStable(p.Files, func(i, j int) bool {
		a, b := &p.Files[i], &p.Files[j]
		return cmp.Compare(a.File, b.File) < 0
	})
	f.o.Observe(p)
}

// progress returns how far a file was read. Of one whose facts are spilled, only what the file system says.
func (x *followed) progress(file string) FileProgress {
	p := FileProgress{File: file, Bytes: x.bytes, Modified: x.stamp.Modified, Done: x.isDone()}
	if !x.hasFacts() {
		return p
	}
	stats := x.stream.stream.Stats()
	p.Tool, p.Records, p.Malformed = x.stream.stream.Tool(), stats.Records, stats.Malformed
	p.Stopped = x.stream.isStopped()
	for _, n := range stats.Unknown {
		p.Unknown += n
	}
	p.Unseen = unseen(stats)
	return p
}

// unseen returns the counts of what is unknown in a stream.
func unseen(stats pipeline.Stats) map[shape.Unseen]int64 {
	if len(stats.Unknown)+len(stats.Unseen) == 0 {
		return nil
	}
	all := make(map[shape.Unseen]int64, len(stats.Unknown)+len(stats.Unseen))
	maps.Copy(all, stats.Unseen)
	for name, n := range stats.Unknown { // order does not matter: by name
		all[shape.Unseen{What: "record", Name: name}] += n
	}
	return all
}
