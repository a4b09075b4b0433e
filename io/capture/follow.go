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

// sampleSize is how many bytes of a file are used to detect its tool.
const sampleSize = 64 << 10

// Files reads the files; see [tail.Source].
type Files interface {
	Again(path string)
	Release(path string)
}

// FollowerOptions configure a Follower.
type FollowerOptions struct {
	Capture *Capture
	// Judge detects the tool and the framing of a file from its beginning, head, which is
	// the whole file if whole is set. It returns nil for a file of no tool. Place is the
	// tool whose folder it is in, or nil.
	Judge func(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing)
	// Files reads files again when the Follower asks for it.
	Files Files
	// Store remembers what was done; nil if only while the process runs.
	Store *checkpoint.Store
	// Mark, if not nil, returns the sink's mark for the Store.
	Mark func() string
	// Problem is called when the Store cannot be written.
	Problem func(error)
	// Observe, if not nil, is called after every Settle. It must not keep the Progress.
	Observe func(Progress)
	// Idle, if not nil, is called when everything is settled and there is nothing to
	// read.
	Idle func(context.Context) error
	// Limits bound what is kept in memory.
	Limits Limits
}

// Follower captures files while they grow. It is the consumer of a [tail.Source].
//
// The nodes that it sends are those of a replay of the files as they are now; nodes of
// deleted files stay. Files whose streams are related form a group. If a file of a group is
// deleted or changes in other ways than by growing, the whole group is read again.
//
// Idle groups are dropped from memory when there are too many. Like groups of an earlier
// run, they are read again when one of their files changes or another file joins them.
//
// Things become durable in this order. A crash between two steps loses nothing; at worst,
// files are read again:
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
	dirty map[string]struct{} // files whose state is not saved yet

	rereading map[string]struct{} // files that are being read again
	joined    []*pipeline.Group   // to be saved before their nodes are applied
	// announced says that the store has to be synced before the sink is.
	announced bool
	// groups of an earlier run, or dropped ones, whose files are being read again
	loading map[checkpoint.Group]struct{}
	// counts Settles, for the age of files
	turn    int64
	dropped []string // files, since the last Settle
	limit   Limits   // over which idle groups are dropped
}

// state is the state of a file in a Follower.
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
//	 │ its parser        ▼ have accepted the new content (prepareRewrite)
//	 └─ continues ──── resumable ── cannot continue ──▶ read from its start
//
// A deleted file leaves the map, and its group is forgotten.
type state uint8

const (
	collecting state = iota // head has the bytes seen so far; the tool is not known
	unfinished              // like collecting; head counts as a line when the program ends
	ignored                 // not a transcript
	fed                     // stream gets each new chunk
	closed                  // stream is closed; its facts are kept
	resumable               // a rewritten document; stream is that before the rewrite
)

// followed is a file. It is kept while its group is in memory; the Store keeps its state
// for longer.
type followed struct {
	state   state
	stream  *Stream // from fed on
	tool    core.Tool
	framing core.Framing
	// head is the beginning of the file, until it is long enough to be sure of the tool.
	// If more bytes show another tool, the file is read from its start.
	head       []byte
	keys       []uint64 // new keys of its nodes, for the checkpoint
	bytes      int64    // read so far
	used       int64    // the turn of its last change
	marked     bool     // the file was read up to stamp
	stamp      discover.Stamp
	companions companions
	missing    []string // sidecars that were not there when it was opened
}

// hasFacts reports whether the set has facts of the file, and the sink may have its nodes.
func (x *followed) hasFacts() bool { return x.state == fed || x.state == closed }

// NewFollower returns a Follower without files.
func NewFollower(o FollowerOptions) *Follower {
	if o.Store == nil {
		o.Store = checkpoint.InMemory()
	}
	o.Limits = o.Limits.orDefault()
	f := &Follower{
		o: o, limit: o.Limits, files: map[string]*followed{}, dirty: map[string]struct{}{},
		rereading: map[string]struct{}{}, loading: map[checkpoint.Group]struct{}{},
	}
	o.Capture.options.Set.OnKey(f.addKey)
	o.Capture.options.Set.OnJoin(func(g *pipeline.Group) { f.joined = append(f.joined, g) })
	o.Capture.hold, o.Capture.announce = f.mustHold, f.announce
	return f
}

// Whole implements [tail.Consumer].
func (f *Follower) Whole(file string) bool {
	x := f.files[file]
	return x != nil && x.state == fed && x.framing == core.Document
}

// Take implements [tail.Consumer]. If a chunk shows that the tool was detected wrongly, the
// file is read from its start.
func (f *Follower) Take(ctx context.Context, c tail.Chunk) error {
	f.dirty[c.File] = struct{}{}
	if c.Fresh || c.Gone {
		if err := f.startOver(ctx, c); err != nil {
			return err
		}
	}
	if c.Gone {
		delete(f.rereading, c.File)
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
		if x.state == resumable { // no longer a document of this tool
			return f.restart(ctx, c.File)
		}
		x.stamp, x.marked = *c.Mark, true
		delete(f.rereading, c.File)
	}
	if !c.End {
		return nil
	}
	return f.close(ctx, x)
}

// feed feeds a chunk to the file's stream. Until the tool is known it collects the beginning
// of the file and detects again with each chunk.
func (f *Follower) feed(ctx context.Context, x *followed, c tail.Chunk) error {
	switch x.state {
	case ignored, closed:
		return nil
	case fed:
		if x.companions.isStale() && !x.isRefreshed() || discover.Appeared(c.File, x.missing) {
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
	case a == nil && enough && x.state == resumable: // no longer a transcript
		return f.restart(ctx, c.File)
	case a == nil && enough:
		x.state, x.head = ignored, nil
		return nil
	case a == nil:
		x.waitFor(collecting)
		return nil
	case framing == core.Lines && bytes.IndexByte(x.head, '\n') < 0 && !c.End && !enough:
		x.waitFor(unfinished)
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

// waitFor sets the state of a file that needs more bytes. A resumable file stays resumable.
func (x *followed) waitFor(s state) {
	if x.state != resumable {
		x.state = s
	}
}

// open opens the stream of a file, or resumes that before a rewrite. It returns false if
// another transcript must be read again together with this one.
func (f *Follower) open(x *followed, a core.Adapter, framing core.Framing, c tail.Chunk) bool {
	looked, missing := companionsOf(a, c), discover.Missing(a, c.Path, c.File) // before they are read
	t := Transcript{Adapter: a, Info: discover.Info(a, c.Path, c.File), Framing: framing, File: c.File}
	if x.state == resumable {
		if !x.resume(t) {
			return false
		}
		x.state = fed
		return true
	}
	x.state, x.tool, x.framing, x.companions, x.missing = fed, a.Tool(), framing, looked, missing
	x.stream = f.o.Capture.Open(t)
	if x.companions.work == "" {
		return true
	}
	x.stream.stream.ShareGroup(x.companions.work)
	return !f.hasStaleCompanions(x)
}

// isMisjudged reports whether more bytes show another tool or framing. A replay would use
// the whole head.
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

// startOver prepares for a file that was rewritten or deleted.
func (f *Follower) startOver(ctx context.Context, c tail.Chunk) error {
	if !c.Gone {
		if ok, err := f.prepareRewrite(ctx, f.files[c.File]); ok || err != nil {
			return err
		}
	}
	err := f.forgetGroupOf(ctx, c.File)
	delete(f.files, c.File)
	return err
}

// restart reads a file from its start again.
func (f *Follower) restart(ctx context.Context, file string) error {
	if err := f.forgetGroupOf(ctx, file); err != nil {
		return err
	}
	f.reread(file)
	return nil
}

// close closes the stream of a file, if it has one. Its facts are kept.
func (f *Follower) close(ctx context.Context, x *followed) error {
	if x.state != fed {
		return nil
	}
	x.state = closed
	_, err := x.stream.Close(ctx)
	return err
}

// forgetGroupOf forgets the group of a file that was deleted or rewritten, and reads the
// other files of the group again.
func (f *Follower) forgetGroupOf(ctx context.Context, file string) error {
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

// filesOf returns the files of a group's streams.
func filesOf(g *pipeline.Group) []string {
	var files []string
	for _, st := range g.Streams() {
		files = append(files, st.File())
	}
	return files
}

// reread reads a file again whose stream is about to be forgotten.
func (f *Follower) reread(file string) {
	delete(f.files, file)
	f.dirty[file] = struct{}{}
	f.rereading[file] = struct{}{}
	f.o.Files.Again(file)
}

// load reads the files of a group that is not in memory, except one. Its nodes are in the
// sink; they are made again to be ranked with those of the new file.
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

// addKey records a new key of a stream.
func (f *Follower) addKey(st *pipeline.Stream, k pipeline.Key) {
	x := f.files[st.File()]
	holder := f.o.Store.Holder(uint64(k))
	if x != nil && (holder == 0 || holder != f.o.Store.Of(st.File())) {
		x.keys = append(x.keys, uint64(k))
	}
	f.load(holder, st.File())
}

// mustHold reports whether a node must wait because a group that is being read again may
// have a better candidate.
func (f *Follower) mustHold(n *core.Node) bool {
	if len(f.loading) == 0 {
		return false
	}
	g := f.o.Store.Holder(uint64(pipeline.KeyOf(n.ID)))
	_, loading := f.loading[g]
	return loading && f.o.Store.Of(fileOf(n)) != g
}

// Settle implements [tail.Consumer]. When no file is being read again, it releases held nodes
// and saves the state, so that no file is saved as done while its nodes are held.
func (f *Follower) Settle(ctx context.Context, idle bool) error {
	if idle {
		f.giveUp()
	}
	if len(f.rereading) == 0 {
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
	if len(f.rereading) > 0 {
		return nil
	}
	changed := f.save()
	f.dropIdle()
	f.observe(changed, idle)
	if idle && f.o.Idle != nil {
		return f.o.Idle(ctx)
	}
	return nil
}

// giveUp stops waiting for files that cannot be read again because of an error, which would
// hold back the nodes of all others. They are read when the error has passed.
func (f *Follower) giveUp() {
	for file := range f.rereading {
		if g := f.o.Store.Of(file); g != 0 {
			f.o.Store.Add(g, file)
		}
	}
	clear(f.rereading)
}
