package capture

import (
	"bytes"
	"context"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// sampleSize is how many bytes of a file are looked at to find out whose it is.
const sampleSize = 64 << 10

// Files is who reads the files; see [tail.Source].
type Files interface {
	Again(path string)
	Release(path string)
}

// FollowerOptions say what a Follower works with.
type FollowerOptions struct {
	Capture *Capture
	// Judge says whose transcript a file is that begins with head, which is all
	// of it if whole is set, and how its records lie in it; nil is for no tool's.
	// Place is the tool in whose folder it lies, or nil.
	Judge func(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing)
	// Files reads a file again when a Follower asks for it.
	Files Files
	// Store remembers what has been dealt with; nil: only while the process runs.
	Store *checkpoint.Store
	// Mark is what the sink says of itself, for the Store; nil is nothing.
	Mark func() string
	// Problem hears when the Store cannot be written.
	Problem func(error)
	// Observe, if not nil, hears of every Settle. It may keep nothing of it.
	Observe func(Progress)
	// Idle, if not nil, is called when everything is settled and there is nothing to
	// read for the moment.
	Idle func(context.Context) error
	// Limits bound what is kept in memory; zero are those that suit a machine on
	// which other programs run too.
	Limits Limits
}

// Follower captures files while they grow. It consumes what a [tail.Source]
// finds.
//
// What it sends to the sink is always what a replay of the files as they are
// would give; nodes of files that are gone stay. For that, files that may have a
// say in each other's nodes are a group. When a file of a group has changed in
// other ways than by growing, or is gone, all of the group is read again.
//
// Groups that have been idle are dropped from memory when there are too many.
// Like those that an earlier run has dealt with, they
// are read again when one of them changes, or another file turns out to belong
// to them.
//
// The order in which things become durable, so that a crash between any two steps loses
// nothing and at worst has files read again:
//
//	1  the store learns which files are one group    announce, before the first node
//	2  the sink applies the nodes                    Apply
//	3  the store is synced, if 1 was new             Settle
//	4  the sink flushes                              Settle
//	5  the store learns how far the files are done   save
//
// It is called by one goroutine, that of the [tail.Source].
type Follower struct {
	o     FollowerOptions
	files map[string]*followed
	dirty map[string]struct{} // files whose state the store does not know

	again  map[string]struct{} // files that are being read again
	joined []*pipeline.Group   // that the store hears of before their nodes are applied
	// announced says that the store has to be synced before the sink is.
	announced bool
	// groups of an earlier run, or parked ones, whose files are being read
	loading map[checkpoint.Group]struct{}
	// counts Settles: the age of a file's latest news
	turn    int64
	dropped []string // files, since the last Settle
	limit   Limits   // beyond which idle groups are looked for
}

// state is what the Follower does with a file.
//
//	              no tool's, and enough was seen
//	collecting ─────────────────────────────────▶ ignored
//	 │     ▲
//	 │     │ more bytes
//	 ├──▶ unfinished            a tool's, but its first line has no end
//	 │ a tool's
//	 ▼
//	fed ──── End ────▶ closed
//	 ▲                   │ rewritten, and the transcripts that it is a sidecar of
//	 │ its parser        ▼ have accepted the new content (quieten)
//	 └─ continues ──── resumable ── cannot continue ──▶ read from its start
//
// A file that is gone leaves the map, and its events are withdrawn.
type state uint8

const (
	collecting state = iota // head has the bytes seen so far; the tool is not known
	unfinished              // as collecting; the head is taken for a line when the program ends
	ignored                 // not a transcript: nothing of it is read
	fed                     // stream takes each new chunk
	closed                  // stream has ended; its facts stand
	resumable               // a rewritten document: stream is the one from before the rewrite
)

// followed is a file that was seen. It is kept while its group is in memory; the Store
// knows of it for longer.
type followed struct {
	state   state
	stream  *Stream // from fed on
	tool    core.Tool
	framing core.Framing
	// head is the beginning of the file, kept until there is enough of it to be sure of the
	// tool. If more bytes name another tool, the file is read from its start.
	head       []byte
	keys       []uint64 // new keys of its nodes, for the checkpoint
	bytes      int64    // taken in so far
	used       int64    // the turn in which it last had something new
	marked     bool     // everything that the file held at stamp has been taken in
	stamp      discover.Stamp
	companions companions
}

// hasFacts reports whether the set holds facts of the file.
// Only then has the sink anything of it, or may have.
func (x *followed) hasFacts() bool { return x.state == fed || x.state == closed }

// NewFollower returns a Follower that follows nothing yet.
func NewFollower(o FollowerOptions) *Follower {
	if o.Store == nil {
		o.Store = checkpoint.InMemory()
	}
	o.Limits = o.Limits.orDefault()
	f := &Follower{
		o: o, limit: o.Limits, files: map[string]*followed{}, dirty: map[string]struct{}{},
		again: map[string]struct{}{}, loading: map[checkpoint.Group]struct{}{},
	}
	o.Capture.options.Set.OnKey(f.key)
	o.Capture.options.Set.OnJoin(func(g *pipeline.Group) { f.joined = append(f.joined, g) })
	o.Capture.hold, o.Capture.announce = f.holds, f.announce
	return f
}

// Whole implements [tail.Consumer].
func (f *Follower) Whole(file string) bool {
	x := f.files[file]
	return x != nil && x.state == fed && x.framing == core.Document
}

// Take implements [tail.Consumer]. A chunk of a file whose beginning was judged too
// early is dropped, and the file read from its start.
func (f *Follower) Take(ctx context.Context, c tail.Chunk) error {
	f.dirty[c.File] = struct{}{}
	if c.Fresh || c.Gone {
		if err := f.begins(ctx, c); err != nil {
			return err
		}
	}
	if c.Gone {
		delete(f.again, c.File)
		return nil
	}
	x := f.files[c.File]
	if x == nil {
		x = &followed{}
		f.files[c.File] = x
	}
	x.used = f.turn
	if f.isMisjudged(x, c) {
		return f.restart(ctx, c.File)
	}
	x.bytes += int64(len(c.Bytes))
	x.marked = x.marked && len(c.Bytes) == 0
	if err := f.feed(ctx, x, c); err != nil {
		return err
	}
	if c.Mark != nil {
		if x.state == resumable { // it is no longer a document of this tool
			return f.restart(ctx, c.File)
		}
		x.stamp, x.marked = *c.Mark, true
		delete(f.again, c.File)
	}
	if !c.End {
		return nil
	}
	return f.close(ctx, x)
}

// feed passes a chunk to the file's parser. Until the tool is known it collects the
// beginning of the file and asks again with each chunk.
func (f *Follower) feed(ctx context.Context, x *followed, c tail.Chunk) error {
	switch x.state {
	case ignored, closed:
		return nil
	case fed:
		if x.companions.seemsStale() && !x.isRefreshed() {
			return f.restart(ctx, c.File)
		}
		return x.stream.Feed(ctx, c.Bytes)
	case collecting, unfinished, resumable:
	}
	x.head = append(x.head, c.Bytes...)
	if len(x.head) == 0 {
		return nil
	}
	enough := len(x.head) >= sampleSize
	a, framing := f.o.Judge(c.Path, x.head[:min(len(x.head), sampleSize)], !enough, c.Place)
	switch {
	case a == nil && enough && x.state == resumable: // it is no longer a transcript
		return f.restart(ctx, c.File)
	case a == nil && enough:
		x.state, x.head = ignored, nil
		return nil
	case a == nil:
		x.await(collecting)
		return nil
	case framing == core.Lines && bytes.IndexByte(x.head, '\n') < 0 && !c.End && !enough:
		x.await(unfinished)
		return nil
	}
	if !f.open(x, a, framing, c) {
		return f.restart(ctx, c.File)
	}
	head := x.head
	if enough {
		x.head = nil
	}
	return x.stream.Feed(ctx, head)
}

// await waits in the given state for more of the file. A resumable file stays one.
func (x *followed) await(s state) {
	if x.state != resumable {
		x.state = s
	}
}

// open begins the stream of a file, or resumes the one from before a rewrite. It
// returns false if another transcript must be read again together with this one.
func (f *Follower) open(x *followed, a core.Adapter, framing core.Framing, c tail.Chunk) bool {
	looked := companionsOf(a, c) // before they are read
	t := Transcript{Adapter: a, Info: discover.Info(a, c.Path, c.File), Framing: framing, File: c.File}
	if x.state == resumable {
		if !x.resume(t) {
			return false
		}
		x.state = fed
		return true
	}
	x.state, x.tool, x.framing, x.companions = fed, a.Tool(), framing, looked
	x.stream = f.o.Capture.Open(t)
	if x.companions.work == "" {
		return true
	}
	x.stream.stream.ShareGroup(x.companions.work)
	return !f.isMissed(x)
}

// isMisjudged reports whether a file that was short when it was judged is
// another's now that more of it is there: a replay would judge it by all of its
// head.
func (f *Follower) isMisjudged(x *followed, c tail.Chunk) bool {
	if x.state != fed || x.head == nil || len(c.Bytes) == 0 {
		return false
	}
	x.head = append(x.head, c.Bytes[:min(len(c.Bytes), sampleSize-len(x.head))]...)
	enough := len(x.head) >= sampleSize
	a, framing := f.o.Judge(c.Path, x.head, !enough, c.Place)
	if enough {
		x.head = nil
	}
	return a == nil || a.Tool() != x.tool || framing != x.framing
}

// begins makes ready for a file that was started again, or is gone.
func (f *Follower) begins(ctx context.Context, c tail.Chunk) error {
	if !c.Gone {
		if ok, err := f.quieten(ctx, f.files[c.File]); ok || err != nil {
			return err
		}
	}
	err := f.withdraw(ctx, c.File)
	delete(f.files, c.File)
	return err
}

// restart has a file read from its start, as if nothing of it had been seen.
func (f *Follower) restart(ctx context.Context, file string) error {
	if err := f.withdraw(ctx, file); err != nil {
		return err
	}
	f.reread(file)
	return nil
}

// close ends the stream of a file, if it has one. The facts stay.
func (f *Follower) close(ctx context.Context, x *followed) error {
	if x.state != fed {
		return nil
	}
	x.state = closed
	_, err := x.stream.Close(ctx)
	return err
}

// withdraw takes back what a file has said: it is gone, or has changed in other
// ways than by growing. The others of its group are read again.
func (f *Follower) withdraw(ctx context.Context, file string) error {
	x := f.files[file]
	if x != nil && x.state == resumable {
		x.state = closed
	}
	if x == nil || !x.hasFacts() {
		f.load(f.o.Store.Of(file), file)
		return nil
	}
	if err := f.close(ctx, x); err != nil {
		return err
	}
	group := x.stream.stream.Group()
	for _, other := range filesOf(group) {
		if other != file {
			f.reread(other)
		}
	}
	f.o.Capture.options.Set.Forget(group)
	return nil
}

// filesOf are the files of a group's streams.
func filesOf(g *pipeline.Group) []string {
	var files []string
	for _, st := range g.Streams() {
		files = append(files, st.File())
	}
	return files
}

// reread has a file read again whose stream is about to be forgotten.
func (f *Follower) reread(file string) {
	delete(f.files, file)
	f.dirty[file] = struct{}{}
	f.again[file] = struct{}{}
	f.o.Files.Again(file)
}

// load has the files of a group read that is not in memory, but for one.
// Its nodes are in the sink; they are made again, so that they can be compared with
// what the new file says.
func (f *Follower) load(g checkpoint.Group, but string) {
	if f.o.Store.IsLive(g) {
		return
	}
	f.o.Store.SetLive(g, true)
	f.loading[g] = struct{}{}
	for _, file := range f.o.Store.Paths(g) {
		if file != but {
			f.reread(file)
		}
	}
}

// key hears of every key that a stream has brought in.
func (f *Follower) key(st *pipeline.Stream, k pipeline.Key) {
	x := f.files[st.File()]
	holder := f.o.Store.Holder(uint64(k))
	if x != nil && (holder == 0 || holder != f.o.Store.Of(st.File())) {
		x.keys = append(x.keys, uint64(k))
	}
	f.load(holder, st.File())
}

// holds reports whether a node has to wait: a group that is being read again
// knows it too, and may know better.
func (f *Follower) holds(n *core.Node) bool {
	if len(f.loading) == 0 {
		return false
	}
	g := f.o.Store.Holder(uint64(pipeline.KeyOf(n.ID)))
	_, loading := f.loading[g]
	return loading && f.o.Store.Of(fileOf(n)) != g
}

// Settle implements [tail.Consumer].
// Nodes that wait for another group are released once no file is being read again. What
// was taken in is saved only then, so that the Store never calls a file done whose
// nodes are held.
func (f *Follower) Settle(ctx context.Context, idle bool) error {
	if idle {
		f.giveUp()
	}
	if len(f.again) == 0 {
		clear(f.loading)
		f.o.Capture.release()
	}
	if err := f.o.Capture.deliver(ctx); err != nil {
		return err
	}
	if f.announced {
		f.problem(f.o.Store.Sync())
		f.announced = false
	}
	if err := f.o.Capture.Settle(ctx); err != nil {
		return err
	}
	f.turn++
	if len(f.again) > 0 {
		return nil
	}
	changed := f.save()
	f.park()
	f.observe(changed, idle)
	if idle && f.o.Idle != nil {
		return f.o.Idle(ctx)
	}
	return nil
}

// giveUp notes that files which should have been read again cannot be: an error
// of theirs keeps them from it. They are read when that has passed.
// Without that one unreadable file would hold back the nodes of all others.
func (f *Follower) giveUp() {
	for file := range f.again {
		if g := f.o.Store.Of(file); g != 0 {
			f.o.Store.Add(g, file)
		}
	}
	clear(f.again)
}
