package capture

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/checkpoint"
)

// Limits bound what a Follower keeps in memory. Transcripts that are being written count, but
// are never dropped.
type Limits struct {
	// Streams is the number of files in memory; 0 is 256.
	Streams int
	// Nodes is the number of nodes in memory; 0 is 100,000.
	Nodes int
}

// orDefault returns the limits with defaults for those that are 0.
func (l Limits) orDefault() Limits {
	if l.Streams == 0 {
		l.Streams = 256
	}
	if l.Nodes == 0 {
		l.Nodes = 100_000
	}
	return l
}

// save saves what has reached the sink, and returns the files with changes.
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

// problem tells of an error that costs time and no data; nil is none.
func (f *Follower) problem(err error) {
	if err != nil && f.o.Problem != nil {
		f.o.Problem(err)
	}
}

// announce saves which files have become one group, before the sink gets their nodes. If the
// program ends after that, the next run reads all of them again if one has changed or is
// deleted.
func (f *Follower) announce() {
	news := false
	for _, g := range f.joined {
		news = f.joinGroups(g) || news
	}
	f.joined = f.joined[:0]
	if news {
		f.announced = true
		f.problem(f.o.Store.Commit(f.o.Store.Mark()))
	}
}

// joinGroups joins the saved groups of a group's files, and reports whether there were
// several. Files that the store does not know need no saving: they are read anyway.
func (f *Follower) joinGroups(g *pipeline.Group) bool {
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

// saveFile saves how far a file has reached the sink. It forgets a deleted file.
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
	case store.IsDone(file, x.stamp): // an earlier run read its last line, which now has no end
		store.Add(store.Of(file), file)
	}
	if x.state == collecting && x.marked { // too short to detect the tool
		f.forgetFile(file)
		store.SetLive(store.Of(file), false)
	}
}

// isDone reports whether the content of the file at its stamp is completely delivered.
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

// saveGroup saves which files form a group.
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

// forgetFile drops an idle file from memory. It is read from its start if it changes.
func (f *Follower) forgetFile(file string) {
	delete(f.files, file)
	f.dropped = append(f.dropped, file)
	f.o.Files.Release(file)
}

// dropIdle drops the longest idle groups from memory if the limits are exceeded, down to half
// of the limits. Their nodes stay in the sink; the whole group is read again if a file
// changes.
func (f *Follower) dropIdle() {
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
	// Do not search again at every append if little could be dropped.
	f.limit.Streams = max(f.o.Limits.Streams, len(f.files)*5/4)
	f.limit.Nodes = max(f.o.Limits.Nodes, set.Len()*5/4)
}

// idle returns the groups that can be dropped, the longest idle first. A group is not idle if
// it has just changed, or if a line is incomplete.
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

// drop drops a group with all its files from memory.
func (f *Follower) drop(g *pipeline.Group) {
	for _, file := range filesOf(g) {
		f.o.Store.SetLive(f.o.Store.Of(file), false)
		f.forgetFile(file)
	}
	f.o.Capture.options.Set.Forget(g)
}
