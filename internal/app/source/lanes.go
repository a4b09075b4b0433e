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

// lanes reads transcripts on several goroutines. Each lane is a capture with streams of its own.
// All lanes deliver to one sink, one at a time. Which lane reads a part depends on timing:
//
//	plan ── parts ──┬─► lane ── capture ──┐
//	                ├─► lane ── capture ──┼─► the sink
//	                └─► lane ── capture ──┘
//
// Transcripts that can affect each other's nodes share a node or a session. If they were read on
// different lanes, they are read again together, on one more lane. The nodes that were sent
// before have the same ids as those of the second reading, and a sink keeps the last line of
// each id. The sink ends up with what a single lane would have given it.
type lanes struct {
	r    *Reading
	way  Way
	all  []*lane
	sink *turns
	pace *pacer

	parts [][]int // numbers of the plan's sources, by part
	next  atomic.Int64
	large atomic.Int64 // the next part that only the first lane reads
	again int          // number of sources that were read a second time

	telling sync.Mutex
	notes   [][]note                 // by part: problems that wait until earlier parts are reported
	done    []bool                   // by part
	told    int                      // number of parts that are reported
	said    map[capture.Problem]bool // problems that were reported, so that none is reported twice
}

// lane is one capture and its streams. It is used by one goroutine at a time.
type lane struct {
	set     *pipeline.Set
	capture *capture.Capture
	texts   *spill.Store             // spilled texts of the set
	from    map[*pipeline.Stream]int // the number of the source of each stream
	notes   []note                   // problems of the part that is being read
}

// note is something to report about a transcript. Notes are reported in the order of the sources,
// as a single lane would.
type note struct {
	problem capture.Problem
	unread  error // the error of opening it
	seen    bool
	what    input.Transcript
	stats   pipeline.Stats
}

// turns is a sink that several lanes may deliver to; it serialises them.
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

// Flush does nothing: the sink is flushed when all lanes have delivered.
func (*turns) Flush(context.Context) error { return nil }

// Close does nothing: lanes do not own the sink.
func (*turns) Close() error { return nil }

// lanes returns lanes for the parts of the plan.
func (r *Reading) lanes(s sink.Sink, parts [][]int) *lanes {
	return &lanes{
		r: r, sink: &turns{to: s}, parts: parts, notes: make([][]note, len(parts)), done: make([]bool, len(parts)),
		said: map[capture.Problem]bool{},
	}
}

// run reads all transcripts and delivers their nodes, with so many lanes. An error of the sink
// or of the machine ends all lanes; bad transcripts are reported and passed over.
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

// add returns another lane. Rules, weights and the scrubber's tables are shared.
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

// read reads all parts, the largest first, so that the lanes end at about the same time. Only
// the first lane reads parts with a large file: one long line may take hundreds of megabytes,
// and two at once would be too many.
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

// work reads one part after the other until no part is left that no lane has begun. Next is
// shared by all lanes.
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

// read reads the transcripts of a part, in order, and notes what is to be reported about them.
// The error is one of the sink or of the machine.
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

// tell reports the problems of a part when all parts before it are reported. Until then they
// wait; when all parts are read, none waits.
func (x *lanes) tell(part int, l *lane) {
	x.telling.Lock()
	defer x.telling.Unlock()
	x.notes[part], x.done[part], l.notes = l.notes, true, nil
	for ; x.told < len(x.parts) && x.done[x.told]; x.told++ {
		x.say(x.notes[x.told])
		x.notes[x.told] = nil
	}
}

// say reports the problems of a part. So messages come in the order of the input, not in the
// order in which lanes finish.
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

// readTogether reads transcripts again that belong together and were read on different lanes. It
// repeats until no two lanes have anything in common.
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

// apart returns the sources whose transcripts share a node or a session with those of another
// lane, and all sources of their groups. The lanes forget these groups, so that their streams
// are free to be read again.
//
// An archive or a database is one source with many transcripts: if one of its groups is read
// again, all are. The loop therefore continues until no source adds another group.
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

// prepare makes what all lanes share: the rules, the weights, and the encoder that they fork.
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

// fork returns another encoder that does the same, for another goroutine.
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
