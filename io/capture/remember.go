package capture

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/checkpoint"
)

// Limits bound what a Follower keeps in memory of transcripts that are idle. Those that
// are being written to count, but are never dropped.
type Limits struct {
	// files in memory; 0: 256
	Streams int
	// nodes in memory; 0: 100,000
	Nodes int
}

// orDefault is the limits with those that were not set: 256 streams, 100,000 nodes.
func (l Limits) orDefault() Limits {
	if l.Streams == 0 {
		l.Streams = 256
	}
	if l.Nodes == 0 {
		l.Nodes = 100_000
	}
	return l
}

// save tells the store what has reached the sink, and returns the files of which
// there was something to tell.
func (f *Follower) save() (changed map[string]struct{}) {
	done := map[*pipeline.Group]checkpoint.Group{}
	for _, file := range slices.Sorted(maps.Keys(f.dirty)) {
		f.saveFile(file, done)
	}
	changed = f.dirty
	f.dirty = map[string]struct{}{}
	mark := f.o.Store.Mark()
	if f.o.Mark != nil {
		mark = cmp.Or(f.o.Mark(), mark)
	}
	f.problem(f.o.Store.Commit(mark))
	return changed
}

func (f *Follower) problem(err error) {
	if err != nil && f.o.Problem != nil {
		f.o.Problem(err)
	}
}

// announce tells the store which files have become one group, before the sink is
// given what follows from it: whatever ends the program from here on, the next run
// reads all of them again if one of them is different by then, or gone.
func (f *Follower) announce() {
	news := false
	for _, g := range f.joined {
		news = f.intend(g) || news
	}
	f.joined = f.joined[:0]
	if news {
		f.announced = true
		f.problem(f.o.Store.Commit(f.o.Store.Mark()))
	}
}

// intend reports whether there was something to tell. Of files that the store has
// never heard of there is not: they are read anyway.
func (f *Follower) intend(g *pipeline.Group) bool {
	store, files := f.o.Store, filesOf(g)
	groups := map[checkpoint.Group]bool{}
	for _, file := range files {
		groups[store.Of(file)] = true
	}
	if len(groups) < 2 {
		return false
	}
	var known checkpoint.Group
	for _, of := range slices.Sorted(maps.Keys(groups)) {
		known = store.Join(known, of)
	}
	for _, file := range files {
		if store.Of(file) == 0 {
			store.Add(known, file)
		}
	}
	for of := range groups {
		if _, loading := f.loading[of]; loading {
			f.loading[known] = struct{}{}
		}
	}
	return true
}

// saveFile notes how far a file has reached the sink; one that is gone is forgotten.
func (f *Follower) saveFile(file string, done map[*pipeline.Group]checkpoint.Group) {
	store, x := f.o.Store, f.files[file]
	if x == nil {
		store.Forget(file)
		return
	}
	switch {
	case x.hasFacts():
		group := x.stream.stream.Group()
		if _, ok := done[group]; !ok {
			done[group] = f.saveGroup(group)
		}
	case store.Of(file) == 0:
		store.Add(store.New(), file)
	}
	switch {
	case x.isDone():
		store.Done(file, x.stamp)
	case store.IsDone(file, x.stamp): // an earlier run took its last line, which waits for its end again
		store.Add(store.Of(file), file)
	}
	if x.state == collecting && x.marked { // too short to tell whose it is
		f.forgetFile(file)
		store.SetLive(store.Of(file), false)
	}
}

// isDone reports whether nothing that the file held at its stamp is still to be
// delivered.
func (x *followed) isDone() bool {
	switch {
	case !x.marked || x.state == unfinished:
		return false
	case x.state == fed:
		return x.stream.isComplete()
	case x.state == closed:
		return !x.stream.isStopped()
	default:
		return true
	}
}

// saveGroup tells the store which files belong together.
func (f *Follower) saveGroup(g *pipeline.Group) checkpoint.Group {
	store := f.o.Store
	files := filesOf(g)
	var known checkpoint.Group
	for _, file := range files {
		known = store.Join(known, store.Of(file))
	}
	if known == 0 {
		known = store.New()
	}
	store.SetLive(known, true)
	for _, file := range files {
		if store.Of(file) == 0 {
			store.Add(known, file)
		}
		if x := f.files[file]; x != nil {
			store.AddKeys(known, x.keys)
			x.keys = nil
		}
	}
	return known
}

// forgetFile lets a file go that is idle. It is read from its start if it changes.
func (f *Follower) forgetFile(file string) {
	delete(f.files, file)
	f.dropped = append(f.dropped, file)
	f.o.Files.Release(file)
}

// park drops groups from memory that have been idle for longest, if there is too
// much in it.
// It goes down to half of the limits, so that it is not called for at every file. Of
// what is dropped the sink keeps the nodes; a change has the whole group read again.
func (f *Follower) park() {
	set := f.o.Capture.options.Set
	if len(f.files) <= f.limit.Streams && set.Len() <= f.limit.Nodes {
		return
	}
	for _, g := range f.idle() {
		if len(f.files) <= f.o.Limits.Streams/2 && set.Len() <= f.o.Limits.Nodes/2 {
			break
		}
		f.drop(g)
	}
	// What had to stay is not looked at again for every append.
	f.limit.Streams = max(f.o.Limits.Streams, len(f.files)*5/4)
	f.limit.Nodes = max(f.o.Limits.Nodes, set.Len()*5/4)
}

// idle lists the groups that can be dropped, those first that have been idle for
// longest. The one that had something new just now stays.
// A group of which a line is not complete is not idle.
func (f *Follower) idle() []*pipeline.Group {
	used := map[*pipeline.Group]int64{}
	busy := map[*pipeline.Group]bool{}
	first := map[*pipeline.Group]string{}
	for _, file := range slices.Sorted(maps.Keys(f.files)) {
		x := f.files[file]
		if !x.hasFacts() {
			continue
		}
		g := x.stream.stream.Group()
		used[g] = max(used[g], x.used)
		busy[g] = busy[g] || !x.isDone()
		if first[g] == "" {
			first[g] = file
		}
	}
	var groups []*pipeline.Group
	for g := range used {
		if !busy[g] && used[g] < f.turn-1 {
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b *pipeline.Group) int {
		return cmp.Or(cmp.Compare(used[a], used[b]), cmp.Compare(first[a], first[b]))
	})
	return groups
}

// drop lets a group go, with all its files: they are only understood together.
func (f *Follower) drop(g *pipeline.Group) {
	for _, file := range filesOf(g) {
		f.o.Store.SetLive(f.o.Store.Of(file), false)
		f.forgetFile(file)
	}
	f.o.Capture.options.Set.Forget(g)
}
