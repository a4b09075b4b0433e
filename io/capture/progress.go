package capture

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/shape"
)

// Progress is what has happened up to a Settle of a Follower.
type Progress struct {
	Files    []FileProgress // that have had something new since the last one, sorted
	Dropped  []string       // that are no longer in memory
	Nodes    map[string]int64
	Known    int  // files that are followed, in memory or not
	InMemory int  // files in memory
	Idle     bool // there is nothing to read for the moment
}

// FileProgress is how far a file has been taken in.
type FileProgress struct {
	File     string
	Tool     core.Tool // "": no tool's
	Bytes    int64
	Modified int64 // when it was last written to, in nanoseconds since 1970
	Done     bool  // nothing of it waits
	Records  int64
	Unknown  int64 // records that no one has described
	// Unseen is what is not known of its records, by kind and name: records,
	// members and versions of the tool. Nil if there is nothing.
	Unseen    map[shape.Unseen]int64
	Malformed int64 // records that are not JSON
	Stopped   bool  // it could not be redacted, or the program broke on it
}

// observe tells of what was settled.
// Files that were dropped from memory are named once, and no longer listed.
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
	slices.SortFunc(p.Files, func(a, b FileProgress) int { return cmp.Compare(a.File, b.File) })
	f.o.Observe(p)
}

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

// unseen is what a stream has met that is not known.
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
