package source

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/input"
	"github.com/memscribe/memscribe/io/spill"
)

// Reading on several lanes. Each lane is a capture with streams of its own; all of
// them deliver to one sink, one at a time. Which lane reads a part is left to chance:
//
//	plan ── parts ──┬─► lane ── capture ──┐
//	                ├─► lane ── capture ──┼─► the sink
//	                └─► lane ── capture ──┘
//
// Transcripts that have a say in each other's nodes share a node or a session. If they
// were read on different lanes, they are read again together, on one more lane. What
// they had given apart stays: it is a part of what they give together, under the same
// ids, and a sink keeps the last line of each id. So the sink ends up with what one
// lane would have given it.
type lanes struct {
	r    *Reading
	way  Way
	all  []*lane
	sink *turns
	pace *pacer

	parts [][]int // numbers of the plan's sources
	next  atomic.Int64
	large atomic.Int64 // the same of those parts that only the first lane reads
	again int          // sources that were read once more, together

	telling sync.Mutex
	notes   [][]note // of the parts that were read and cannot be told of yet
	done    []bool
	told    int                      // parts
	said    map[capture.Problem]bool // what was told, which is not said again
}

// lane is one of the captures.
type lane struct {
	set     *pipeline.Set
	capture *capture.Capture
	texts   *spill.Store
	from    map[*pipeline.Stream]int // the number of its source
	notes   []note                   // of the part that is being read
}

// note is something to tell of a transcript, in the order in which one lane would.
type note struct {
	problem capture.Problem
	unread  error // of opening it
	seen    bool
	what    input.Transcript
	stats   pipeline.Stats
}

// turns is a sink to which several lanes deliver, one at a time.
type turns struct {
	mu sync.Mutex
	to sink.Sink
}

// Apply implements [sink.Sink].
func (t *turns) Apply(ctx context.Context, lines []sink.Line) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.to.Apply(ctx, lines)
}

// Flush does nothing: the sink is flushed once every lane has delivered.
func (*turns) Flush(context.Context) error { return nil }

// Close does nothing: the sink is not a lane's.
func (*turns) Close() error { return nil }

// lanes prepares to read the parts of the plan on several lanes.
func (r *Reading) lanes(s sink.Sink, parts [][]int) *lanes {
	return &lanes{
		r: r, sink: &turns{to: s}, parts: parts, notes: make([][]note, len(parts)), done: make([]bool, len(parts)),
		said: map[capture.Problem]bool{},
	}
}

// run delivers the nodes of the transcripts, on so many lanes.
func (x *lanes) run(ctx context.Context, jobs int) (err error) {
	r := x.r
	x.way = Way{Nodes: x.sink, Privacy: r.Privacy, Budget: Budget(r.Env, r.Privacy.Memory), Messages: r.Messages}
	defer func() {
		for _, l := range x.all {
			err = errors.Join(err, l.texts.Close())
		}
	}()
	for range min(jobs, len(x.parts)) {
		if _, err := x.add(); err != nil {
			return err
		}
	}
	KeepTo(r.Env, x.way.Budget, true)
	x.pace = newPacer(r.Env)
	for _, err := range r.Plan.Before() {
		r.Report.CannotOpen(err)
	}
	defer r.Report.Left(r.Plan.Links)
	if err := x.read(ctx); err != nil {
		return err
	}
	for _, err := range r.Plan.After() {
		r.Report.CannotOpen(err)
	}
	if err := x.readTogether(ctx); err != nil {
		return err
	}
	return x.sink.to.Flush(ctx)
}

// add makes one more lane. What takes long to make they have in common.
func (x *lanes) add() (*lane, error) {
	texts, err := spill.New()
	if err != nil {
		return nil, err
	}
	l := &lane{texts: texts, from: map[*pipeline.Stream]int{}}
	x.all = append(x.all, l)
	if err = x.way.prepare(); err != nil {
		return nil, err
	}
	way := x.way
	way.Texts = texts
	way.Problem = func(p capture.Problem) { l.notes = append(l.notes, note{problem: p}) }
	if way.encoder, err = fork(x.way.encoder); err != nil {
		return nil, err
	}
	if l.set, err = way.set(); err != nil {
		return nil, err
	}
	l.capture, err = way.capture(l.set)
	return l, err
}

// read reads all parts, the largest first, so that no lane is left with one in the end.
// Those with a large file are the first lane's: the memory that a long line takes is then
// taken once.
func (x *lanes) read(ctx context.Context) error {
	var large, order []int
	for i := range x.parts {
		if x.r.Plan.HasLarge(x.parts[i]) {
			large = append(large, i)
		} else {
			order = append(order, i)
		}
	}
	for _, parts := range [][]int{large, order} {
		slices.SortStableFunc(parts, func(i, j int) int {
			return int(min(1, max(-1, x.r.Plan.Bytes(x.parts[j])-x.r.Plan.Bytes(x.parts[i]))))
		})
	}
	within, end := context.WithCancelCause(ctx)
	defer end(nil)
	var reading sync.WaitGroup
	for i, l := range x.all {
		reading.Go(func() {
			err := panics.Caught(func() (err error) {
				if i == 0 {
					err = x.work(within, l, large, &x.large)
				}
				if err == nil {
					err = x.work(within, l, order, &x.next)
				}
				if err == nil {
					err = l.capture.Settle(within)
				}
				return err
			})
			if err != nil {
				end(err)
			}
		})
	}
	reading.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return context.Cause(within)
}

// work reads one part after the other, until there is none that no lane has begun.
func (x *lanes) work(ctx context.Context, l *lane, order []int, next *atomic.Int64) error {
	for {
		i := int(next.Add(1)) - 1
		if i >= len(order) {
			return nil
		}
		part := x.r.Plan.Part(x.parts[order[i]])
		if err := l.read(ctx, x, part); err != nil {
			return err
		}
		x.r.Plan.Join(part)
		x.tell(order[i], l)
	}
}

// read reads a part.
func (l *lane) read(ctx context.Context, x *lanes, part *input.Plan) error {
	for t, err := range part.Transcripts(ctx) {
		if err != nil {
			l.notes = append(l.notes, note{unread: err})
			continue
		}
		s, stats, err := read(ctx, l.capture, t)
		if err != nil {
			return err
		}
		x.pace.next()
		l.from[s] = t.Source
		if x.r.Report.IsVerbose(ctx) {
			t.Body, t.Rows = nil, nil
			l.notes = append(l.notes, note{seen: true, what: t, stats: stats})
		}
	}
	return nil
}

// tell tells of a part that was read, once all parts before it have been told of.
// What is noted of a part waits for the parts before it; at the end nothing waits.
func (x *lanes) tell(part int, l *lane) {
	x.telling.Lock()
	defer x.telling.Unlock()
	x.notes[part], x.done[part], l.notes = l.notes, true, nil
	for ; x.told < len(x.parts) && x.done[x.told]; x.told++ {
		x.say(x.notes[x.told])
		x.notes[x.told] = nil
	}
}

// say passes on what a lane has noted while it read. Notes are kept until then so
// that messages come in the order of the input and not in the order in which lanes
// finish.
func (x *lanes) say(notes []note) {
	for _, n := range notes {
		switch {
		case n.unread != nil:
			x.r.Report.CannotOpen(n.unread)
		case n.seen:
			x.r.Report.Seen(n.what, n.stats)
		default:
			x.said[n.problem] = true
			x.r.Report.Problem(n.problem)
		}
	}
}

// readTogether reads again what turned out to belong together and was read on
// different lanes, until nothing does.
func (x *lanes) readTogether(ctx context.Context) error {
	for {
		sources := x.apart()
		if len(sources) == 0 {
			return nil
		}
		x.again += len(sources)
		l, err := x.add()
		if err != nil {
			return err
		}
		if err = l.read(ctx, x, x.r.Plan.Again(sources)); err == nil {
			err = l.capture.Settle(ctx)
		}
		if err != nil {
			return err
		}
		x.say(slices.DeleteFunc(l.notes, func(n note) bool { return n.unread == nil && (n.seen || x.said[n.problem]) }))
		l.notes = nil
	}
}

// apart returns the sources of transcripts that share a node or a session with one of
// another lane, with all that belongs to them. The lanes forget what came of these.
// An archive or a database has many transcripts and is read as a whole, so that all
// that came of it is forgotten: the loop ends when no source adds a group.
func (x *lanes) apart() []int {
	groups := map[*pipeline.Group]*lane{}
	for i, l := range x.all {
		for _, o := range x.all[:i] {
			l.set.EachShared(o.set, func(mine, others *pipeline.Stream) { groups[mine.Group()], groups[others.Group()] = l, o })
		}
	}
	sources := map[int]bool{}
	for more := true; more; {
		for g, l := range groups {
			for _, st := range g.Streams() {
				sources[l.from[st]] = true
			}
		}
		more = false
		for _, l := range x.all {
			for st, n := range l.from { // an archive, or a database, is read as a whole
				if sources[n] && groups[st.Group()] == nil {
					groups[st.Group()], more = l, true
				}
			}
		}
	}
	for g, l := range groups {
		for _, st := range g.Streams() {
			delete(l.from, st)
		}
		l.set.Forget(g)
	}
	return slices.Sorted(maps.Keys(sources))
}

// prepare makes what all lanes have in common.
func (w *Way) prepare() (err error) {
	if w.rules != nil {
		return nil
	}
	if w.encoder, err = w.Privacy.Encoder(); err != nil {
		return err
	}
	if w.rules = w.Privacy.Rules.Gate; w.rules == nil {
		if w.rules, err = gate.New(lexicon.Standard()); err != nil {
			return err
		}
	}
	w.model, err = decide.Model()
	return err
}

// fork is another encoder that does the same.
func fork(e *encode.Encoder) (*encode.Encoder, error) {
	other := &encode.Encoder{NoContent: e.NoContent}
	engine, ok := e.Scrubber.(*redact.Engine)
	if !ok {
		return other, nil
	}
	mine, err := engine.Fork()
	other.Scrubber = mine
	return other, err
}
