// Package capture drives transcripts through the pipeline and delivers the nodes to
// a sink.
//
//	bytes → frame → pipeline → encode and redact → sink
//
// Everything happens on the goroutine that calls: feeding returns when what
// follows from the bytes has been applied to the sink, but for a megabyte at most
// that waits for more or for [Capture.Settle]. So a sink that takes its time slows
// the reading down and nothing piles up. A position in a file may
// be noted as done once [Capture.Settle] has returned.
//
// A [Capture] is fed by one of three: by a command that reads given files once
// ([Capture.Open], [Stream.Read], [Stream.Close]), by a [Follower] while files grow,
// and by a [Keeper] while databases change. All three end in the same pipeline, which
// is why a watch and a replay give the same nodes.
//
// The write path of a node:
//
//	pipeline.Set.Take ──▶ hold? ──▶ encode, redact ──▶ batch ──▶ Sink.Apply ──▶ Sink.Flush
//	                       │           │ fails            │ 1 MB, or Settle      Settle only
//	                       ▼           ▼                  ▼
//	                      held     the transcript     announce: the store learns
//	                   until its   is stopped from    which files belong together,
//	                   group was   this seq on        before the sink has a node
//	                   read again                     of it
//
// A failure of the sink is returned, and nothing is lost: the batch stays until the
// sink has it. A failure to read, to parse or to redact concerns one transcript; it is
// a [Problem], and the others continue.
package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/frame"
	"github.com/memscribe/memscribe/io/spill"
	"github.com/memscribe/memscribe/io/store"
)

const (
	// maxEarly is how many bytes of events may wait for a session's project to be
	// known.
	maxEarly = 1 << 20
	// readSize is how much is read at a time: little enough for a processor's
	// nearest memory, and for the scheduler not to take the read for one that waits.
	readSize = 64 << 10
	// chunkSize is how much is read between two deliveries; each may be a
	// transaction.
	chunkSize = 256 << 10
	// batchSize is how much is delivered at a time, in bytes.
	batchSize = 4 << 20
	// enough is how many bytes of encoded nodes wait for more before the sink is given
	// them.
	enough = 1 << 20
)

// Problem is something about an input that its owner should hear of. It names the file
// as it was given to Open, and the line, counted from 1.
type Problem struct {
	File   string
	Line   int64 // 0 if it concerns no line
	Reason string
	Lost   bool // something could not be processed; else it was kept as it is
}

// Options say where what is captured goes.
type Options struct {
	Set     *pipeline.Set
	Encoder *encode.Encoder
	Sink    sink.Sink // of the nodes; nil: they are not wanted
	Events  io.Writer // if not nil: gets the events, one a line, as they come
	// Echoes, if not nil, has events that are echoes wait there until Settle writes
	// those of sessions without another witness. Else they come like any other.
	Echoes *spill.Store
	Report func(Problem) // must not be nil
	// MaxLine and MaxDocument are how long a line, or a transcript of one document,
	// may be to be kept whole; 0 are those of package frame.
	MaxLine, MaxDocument int
}

// Capture is the way from transcripts to a sink. It serves one goroutine, and keeps up
// to batchSize bytes of encoded nodes, which [Capture.Settle] gives to the sink.
type Capture struct {
	options  Options
	spare    *frame.Lines    // of a transcript that was closed, to be used again
	document *frame.Document // the same of one that was one document
	event    []byte
	failed   error             // of writing events
	told     map[session]bool  // sessions with a transcript of their own
	asides   []aside           // echoes that wait
	nodes    map[string]int64  // that were delivered, by kind
	stopped  map[string]uint64 // transcripts that nothing more is written of, and from which seq on

	// hold, if not nil, says which nodes cannot be delivered yet.
	hold func(*core.Node) bool
	held []*core.Node
	// announce, if not nil, is called before anything is applied.
	announce func()

	// What has been encoded and waits to be applied: the JSON of lines[i] ends
	// at ends[i] of batch. It stays until the sink has it.
	batch []byte
	ends  []int
	lines []sink.Line
}

// New returns a Capture without streams.
func New(o Options) *Capture {
	return &Capture{options: o, stopped: map[string]uint64{}, nodes: map[string]int64{}, told: map[session]bool{}}
}

// Settle has the sink make durable what it was given, and gives it what waits first.
// Once it has returned nil, everything that was fed before is in the sink, but for nodes
// that wait for another group. After an error it may be called again.
func (c *Capture) Settle(ctx context.Context) error {
	c.writeAsides()
	if err := c.deliverAll(ctx); err != nil {
		return err
	}
	if c.options.Sink == nil {
		return nil
	}
	return c.options.Sink.Flush(ctx)
}

// deliver encodes what the pipeline has to say, and applies it to the sink once there
// is enough of it: each delivery may be a transaction. What waits, Settle applies.
func (c *Capture) deliver(ctx context.Context) error {
	return c.delivers(ctx, enough)
}

// deliverAll leaves nothing waiting.
func (c *Capture) deliverAll(ctx context.Context) error { return c.delivers(ctx, 0) }

// delivers gives the sink what has become known, in batches; a last one of fewer than
// atLeast bytes waits for more. After a failure nothing is given to the sink any more.
func (c *Capture) delivers(ctx context.Context, atLeast int) error {
	if c.failed != nil {
		return c.failed
	}
	nodes, said := c.options.Set.Take(), c.options.Set.Messages()
	if err := c.options.Set.Err(); err != nil {
		return err
	}
	if c.options.Sink == nil {
		return nil
	}
	for _, m := range said {
		c.encodeMessage(m)
		if err := c.applyIf(ctx, batchSize); err != nil {
			return err
		}
	}
	for _, n := range nodes {
		if c.hold != nil && c.hold(n) {
			c.held = append(c.held, n)
			continue
		}
		c.encode(n)
		if err := c.applyIf(ctx, batchSize); err != nil {
			return err
		}
	}
	return c.applyIf(ctx, atLeast)
}

// applyIf applies what waits if it is so many bytes.
func (c *Capture) applyIf(ctx context.Context, size int) error {
	if len(c.batch) < size {
		return nil
	}
	return c.apply(ctx)
}

// release gives back what was held: it is delivered next, unless another node
// has taken its place.
func (c *Capture) release() {
	for _, n := range c.held {
		c.options.Set.Return(n)
	}
	c.held = nil
}

// encode adds a node to the batch. One that cannot be redacted stops its stream.
// Nothing is added to the batch then: what cannot be redacted does not leave the
// process.
func (c *Capture) encode(n *core.Node) {
	name := nameOf(n)
	if seq, ok := c.stopped[name]; ok && n.Seq >= seq {
		return
	}
	out, err := c.options.Encoder.Node(c.batch, n)
	if err != nil {
		c.stop(name, n.Seq, n.Provenance, fmt.Errorf("redact: %w", err))
		return
	}
	c.batch = out
	c.ends = append(c.ends, len(out))
	c.lines = append(c.lines, sink.Line{
		ID: n.ID, Kind: n.Name(), Source: n.Source, Session: n.Session, Thread: n.Thread, Seq: n.Seq,
	})
}

// encodeMessage adds a message to the batch. One that cannot be redacted stops its
// stream.
func (c *Capture) encodeMessage(m *core.Message) {
	t := Transcript{File: m.At.File}
	if m.At.Row != "" {
		t.Key = cmp.Or(m.Thread, m.Session)
	}
	name := t.name()
	if seq, ok := c.stopped[name]; ok && m.Seq >= seq {
		return
	}
	out, err := c.options.Encoder.Message(c.batch, m)
	if err != nil {
		c.stop(name, m.Seq, []core.Location{m.At}, fmt.Errorf("redact: %w", err))
		return
	}
	c.batch = out
	c.ends = append(c.ends, len(out))
	c.lines = append(c.lines, sink.Line{
		ID: m.ID, Kind: sink.Message, Source: m.Source, Session: m.Session, Thread: m.Thread, Seq: m.Seq,
	})
}

// fileOf is the file that a node was found in last.
func fileOf(n *core.Node) string {
	if len(n.Provenance) == 0 {
		return ""
	}
	return n.Provenance[len(n.Provenance)-1].File
}

// nameOf is the name of the transcript that a node comes from. The conversations of
// a database are named by their sessions.
func nameOf(n *core.Node) string {
	t := Transcript{File: fileOf(n)}
	if t.File != "" && n.Provenance[len(n.Provenance)-1].Row != "" {
		t.Key = cmp.Or(n.Thread, n.Session)
	}
	return t.name()
}

// stop has nothing more written of one transcript, from seq on, and reports why. Other
// transcripts continue.
func (c *Capture) stop(name string, seq uint64, at []core.Location, err error) {
	c.stopped[name] = seq
	file, _, _ := strings.Cut(name, "\x00")
	p := Problem{File: file, Reason: fmt.Sprintf("%v; nothing more of this transcript is written", err), Lost: true}
	if len(at) > 0 {
		p.Line = at[len(at)-1].Line
	}
	c.options.Report(p)
}

// apply hands the batch to the sink. The lines share one buffer, which is used again when
// it returns.
func (c *Capture) apply(ctx context.Context) error {
	if len(c.lines) == 0 {
		return nil
	}
	from := 0
	for i, end := range c.ends {
		c.lines[i].JSON = c.batch[from:end:end]
		from = end
	}
	if c.announce != nil {
		c.announce()
	}
	if err := c.options.Sink.Apply(ctx, c.lines); err != nil {
		return err
	}
	for i := range c.lines {
		if c.lines[i].Kind != sink.Message {
			c.nodes[c.lines[i].Kind]++
		}
	}
	c.lines, c.ends = c.lines[:0], c.ends[:0]
	c.batch = c.batch[:0]
	if cap(c.batch) > 4*batchSize {
		c.batch = nil
	}
	return nil
}

// Stream is one transcript that is being read: framer, parser and pipeline of one file,
// or of one conversation of a database. It ends with [Stream.Close].
type Stream struct {
	capture *Capture
	stream  *pipeline.Stream
	file    string
	name    string // by which it is stopped
	lines   frame.Framer
	emit    func(frame.Line)
	dropped bool    // it was said that old decisions have no say any more
	early   []early // events that wait for their project to be known
	waiting int     // bytes of them
}

// Transcript is what is known of a transcript before it is read.
type Transcript struct {
	Adapter core.Adapter
	Info    core.StreamInfo
	Framing core.Framing
	File    string // what provenance says
	Key     string // of the conversation, where the file is a database with many
}

// name tells a transcript from others, also of the same file.
func (t Transcript) name() string {
	if t.Key == "" {
		return t.File
	}
	return t.File + "\x00" + t.Key
}

// Open begins a transcript. If one of the same file is open, it should be closed first:
// the file has changed in other ways than by growing. That one of the same name was
// stopped earlier does not count any more.
func (c *Capture) Open(t Transcript) *Stream {
	delete(c.stopped, t.name())
	s := &Stream{
		capture: c, stream: c.options.Set.Open(t.Adapter, t.Info, t.File), file: t.File, name: t.name(),
	}
	switch {
	case t.Framing == core.Document:
		s.lines = c.newDocument()
		s.stream.SetWhole()
	case c.spare != nil:
		s.lines, c.spare = c.spare, nil
	default:
		s.lines = &frame.Lines{Max: c.options.MaxLine}
	}
	s.emit = s.line
	if c.options.Events != nil {
		s.stream.OnEvent(s.event)
	}
	return s
}

// begin has a document read again, and reports whether that is possible: nothing may
// follow from what it has said.
func (s *Stream) begin(t Transcript) bool {
	if s.isStopped() || !s.stream.Restart(t.Adapter, t.Info) {
		return false
	}
	s.stream.SetWhole()
	s.lines, s.early = s.capture.newDocument(), nil
	return true
}

// newDocument cuts a transcript of one document, in the memory of one before if there is
// any: such documents are tens of kilobytes to megabytes, and many in a row are read.
func (c *Capture) newDocument() *frame.Document {
	if d := c.document; d != nil {
		c.document = nil
		return d
	}
	return &frame.Document{Max: c.options.MaxDocument}
}

// Read feeds everything that r has. A failure to read is reported as a Problem;
// the error is one of delivering, or of ctx.
// Reading stops where the transcript is stopped. It does not close the stream: what
// stands after the last line end still waits.
func (s *Stream) Read(ctx context.Context, r io.Reader) error {
	c, waiting := s.capture, 0
	for !s.isStopped() {
		room := s.lines.Room(readSize)
		n, err := r.Read(room)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.take(room[:n])
		if waiting += n; waiting >= chunkSize || err != nil {
			waiting = 0
			if e := c.deliver(ctx); e != nil {
				return e
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			c.options.Report(Problem{File: s.file, Line: s.lines.Number(), Reason: "read: " + reason(err), Lost: true})
			return nil
		}
	}
	return c.deliver(ctx)
}

// Rows feeds the records of a conversation that lies in a store, all of them. The
// error is one of delivering, or of ctx.
func (s *Stream) Rows(ctx context.Context, rows []store.Row) error {
	waiting := 0
	for _, r := range rows {
		if err := ctx.Err(); err != nil || s.isStopped() || s.capture.failed != nil {
			return errors.Join(err, s.capture.failed)
		}
		s.contained(func() { s.row(r) })
		s.tellDropped()
		if waiting += len(r.JSON); waiting < chunkSize {
			continue
		}
		waiting = 0
		if err := s.capture.deliver(ctx); err != nil {
			return err
		}
	}
	return s.capture.deliver(ctx)
}

// row takes in a row of a database.
func (s *Stream) row(r store.Row) {
	if r.Over != nil {
		s.over(r.JSON, r.At, r.Over)
		return
	}
	s.stream.Row(r.JSON, r.At)
}

// Feed takes in the next bytes and delivers what follows from them.
// The bytes may be used again when it returns.
func (s *Stream) Feed(ctx context.Context, b []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(b) == 0 || s.isStopped() {
		return nil
	}
	s.take(b)
	return s.capture.deliver(ctx)
}

// take takes in the next bytes.
func (s *Stream) take(b []byte) {
	if len(b) > 0 {
		s.contained(func() { s.lines.Feed(b, s.emit) })
		s.tellDropped()
	}
}

// tellDropped says, once, that old decisions have no say any more in what follows.
func (s *Stream) tellDropped() {
	if s.dropped {
		return
	}
	if d := s.stream.Dropped(); d.Limit > 0 {
		s.dropped = true
		s.capture.options.Report(Problem{File: s.file, Line: d.Line, Reason: fmt.Sprintf(
			"what is kept of its decisions is over the limit of %d bytes: from here on the oldest are kept as they are, and later records have no say in them", d.Limit)})
	}
}

// contained does something with the stream's records. If the program breaks on
// one, nothing more of this transcript is taken in, and others go on.
// A panic is reported with the record it happened at, as a problem of the transcript.
func (s *Stream) contained(feed func()) {
	err := panics.Caught(func() error {
		feed()
		return nil
	})
	if err != nil {
		at, seq := s.stream.At()
		s.capture.stop(s.name, seq, []core.Location{at}, err)
	}
}

// Close takes what stands after the last line end for a line, since no more will
// come, and delivers what follows. It returns what the stream has seen.
func (s *Stream) Close(ctx context.Context) (pipeline.Stats, error) {
	if !s.isStopped() {
		s.contained(func() { s.lines.Flush(s.emit) })
	}
	stats := s.stream.Stats()
	if out, _ := s.stream.IsExcluded(); !out && !s.isStopped() {
		s.writeEarly()
	}
	s.early, s.waiting = nil, 0
	s.stream.Close()
	switch l := s.lines.(type) {
	case *frame.Lines:
		l.Reset()
		s.lines, s.capture.spare = &frame.Lines{}, l
	case *frame.Document:
		l.Reset()
		s.lines, s.capture.document = &frame.Document{}, l
	}
	if m := stats.FirstMalformed; stats.Malformed > 0 {
		reason := m.Reason
		if stats.Malformed > 1 {
			reason += fmt.Sprintf(" (the first of %d such lines)", stats.Malformed)
		}
		s.capture.options.Report(Problem{File: s.file, Line: m.Line, Reason: reason + "; kept as it is"})
	}
	return stats, s.capture.deliver(ctx)
}

// Stream is what the pipeline knows of the transcript.
func (s *Stream) Stream() *pipeline.Stream { return s.stream }

// isComplete reports whether nothing of what was fed waits for more.
// A document never is: it counts when it was closed.
func (s *Stream) isComplete() bool {
	l, ok := s.lines.(*frame.Lines)
	return ok && l.Pending() == 0 && !s.isStopped()
}

// isStopped reports whether nothing more of this transcript is written.
func (s *Stream) isStopped() bool {
	_, ok := s.capture.stopped[s.name]
	return ok
}

// line takes in a line of the file. One that is longer than the limit comes with its
// beginning alone, and its size.
func (s *Stream) line(l frame.Line) {
	if s.capture.failed != nil {
		return
	}
	if l.Cut {
		at := core.Location{File: s.file, Offset: l.Offset, Line: l.Number}
		s.over(l.Bytes, at, &core.OverLimit{Size: l.Size, Limit: int64(s.lines.Limit()), Kept: len(l.Bytes)})
		return
	}
	s.stream.Line(l.Bytes, l.Offset, l.Number)
}

// over takes in the beginning of what is too large, and says so.
func (s *Stream) over(beginning []byte, at core.Location, over *core.OverLimit) {
	reason := over.Error()
	if at.Row != "" {
		reason = "row " + at.Row + ": " + reason
	}
	s.capture.options.Report(Problem{File: at.File, Line: at.Line, Lost: true, Reason: reason})
	s.stream.OverLimit(beginning, at, over)
}
