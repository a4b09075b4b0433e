// Package capture drives transcripts through the pipeline and delivers the nodes to
// a sink.
//
//	bytes → frame → pipeline → encode and redact → sink
//
// Everything runs on the calling goroutine. Feeding returns when the nodes have been applied
// to the sink, except for at most a megabyte that waits for more, or for [Capture.Settle].
// A slow sink therefore slows down reading, and nothing piles up. A position in a file may
// be saved as done once [Capture.Settle] has returned.
//
// Three things feed a [Capture]: a command that reads files once ([Capture.Open],
// [Stream.Read], [Stream.Close]), a [Follower] while files grow, and a [Keeper] while
// databases change. All three use the same pipeline, so watch and replay give the same
// nodes.
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
// An error of the sink is returned, and nothing is lost: the batch is kept until the sink
// has it. An error of reading, parsing or redacting concerns one transcript: it is reported
// as a [Problem], and the other transcripts continue.
//
// Which file has what:
//
//	capture.go     Capture, Stream: bytes in, encoded nodes out
//	events.go      the other output: events, and echoes that wait for their transcript
//	follow.go      Follower: files that grow, groups, what is read again
//	remember.go    what the Follower saves in package checkpoint
//	companion.go   sidecars that change while a transcript grows
//	keep.go        Keeper: databases and trees of files
//	progress.go    what package status shows
//
// Memory. A Capture holds up to 4 MiB of encoded nodes. A Follower holds the facts of 256 files
// and 100,000 nodes by default, and drops the groups that have been idle longest when there are
// more; a dropped group is read again when one of its files changes.
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
	// maxEarly is how many bytes of events may wait until a session's project is known.
	maxEarly = 1 << 20
	// readSize is how many bytes are read at a time. It fits a processor's cache, and
	// such reads are too short for the scheduler to treat them as blocking.
	readSize = 64 << 10
	// chunkSize is how many bytes are read between two deliveries.
	chunkSize = 256 << 10
	// batchSize is how many bytes are delivered at a time.
	batchSize = 4 << 20
	// minBatch is how many bytes of encoded nodes are collected before they are applied.
	minBatch = 1 << 20
)

// Problem is something about an input that the user should know. File is the name that was
// given to Open.
type Problem struct {
	File   string
	Line   int64 // counted from 1; 0 if it concerns no line
	Reason string
	Lost   bool // something could not be processed
}

// Options say where captured nodes and events go.
type Options struct {
	Set     *pipeline.Set
	Encoder *encode.Encoder
	Sink    sink.Sink // for nodes; nil if they are not wanted
	Events  io.Writer // for events, one per line; may be nil
	// Echoes, if not nil, stores events that are echoes until Settle, which writes those
	// of sessions without a transcript. If it is nil they are written like others.
	Echoes *spill.Store
	Report func(Problem) // must not be nil
	// MaxLine and MaxDocument limit the bytes of a line and of a transcript that is one
	// document; 0 is the default of package frame.
	MaxLine, MaxDocument int
}

// Capture reads transcripts and delivers their nodes to a sink. It is used by one goroutine.
// It keeps up to batchSize bytes of encoded nodes until [Capture.Settle].
type Capture struct {
	options       Options
	spare         *frame.Lines    // of a closed transcript, for reuse
	document      *frame.Document // the same for a document
	event         []byte
	failed        error             // of writing events
	hasTranscript map[session]bool  // sessions whose own transcript was read
	echoes        []waitingEcho     // echoes that wait for Settle
	nodes         map[string]int64  // delivered nodes, by kind
	stopped       map[string]uint64 // stopped transcripts, and from which seq on

	// hold, if not nil, reports whether a node cannot be delivered yet.
	hold func(*core.Node) bool
	held []*core.Node
	// announce, if not nil, is called before anything is applied.
	announce func()

	// Encoded lines that are not applied yet: the JSON of lines[i] ends at ends[i] of
	// batch.
	batch []byte
	ends  []int
	lines []sink.Line
}

// New returns a Capture without streams.
func New(o Options) *Capture {
	return &Capture{options: o, stopped: map[string]uint64{}, nodes: map[string]int64{}, hasTranscript: map[session]bool{}}
}

// Settle applies all waiting nodes and flushes the sink. When it has returned nil,
// everything that was fed before is durable, except nodes that wait for another group.
// After an error it may be called again.
func (c *Capture) Settle(ctx context.Context) error {
	c.writeEchoes()
	if err := c.deliverAll(ctx); err != nil {
		return err
	}
	if c.options.Sink == nil {
		return nil
	}
	return c.options.Sink.Flush(ctx)
}

// deliver encodes new nodes and messages, and applies them when there are enough, since each
// delivery may be a transaction.
func (c *Capture) deliver(ctx context.Context) error {
	return c.deliverBatches(ctx, minBatch)
}

// deliverAll encodes and applies everything.
func (c *Capture) deliverAll(ctx context.Context) error { return c.deliverBatches(ctx, 0) }

// deliverBatches applies new nodes and messages in batches. A last batch of fewer than
// atLeast bytes waits for more. After an error of writing events nothing is delivered.
func (c *Capture) deliverBatches(ctx context.Context, atLeast int) error {
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

// applyIf applies the batch if it has at least size bytes.
func (c *Capture) applyIf(ctx context.Context, size int) error {
	if len(c.batch) < size {
		return nil
	}
	return c.apply(ctx)
}

// release returns held nodes to the set. The next delivery has them, unless there are better
// candidates by then.
func (c *Capture) release() {
	for _, n := range c.held {
		c.options.Set.Return(n)
	}
	c.held = nil
}

// encode adds a node to the batch. A node that cannot be redacted is not added, and stops
// its transcript.
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

// encodeMessage adds a message to the batch. A message that cannot be redacted is not added,
// and stops its transcript.
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

// fileOf returns the last file in a node's provenance.
func fileOf(n *core.Node) string {
	if len(n.Provenance) == 0 {
		return ""
	}
	return n.Provenance[len(n.Provenance)-1].File
}

// nameOf returns the name of the transcript that a node comes from. In a database, the
// session names the conversation.
func nameOf(n *core.Node) string {
	t := Transcript{File: fileOf(n)}
	if t.File != "" && n.Provenance[len(n.Provenance)-1].Row != "" {
		t.Key = cmp.Or(n.Thread, n.Session)
	}
	return t.name()
}

// stop stops writing one transcript from seq on, and reports the reason.
func (c *Capture) stop(name string, seq uint64, at []core.Location, err error) {
	c.stopped[name] = seq
	file, _, _ := strings.Cut(name, "\x00")
	p := Problem{File: file, Reason: fmt.Sprintf("%v; nothing more of this transcript is written", err), Lost: true}
	if len(at) > 0 {
		p.Line = at[len(at)-1].Line
	}
	c.options.Report(p)
}

// apply applies the batch to the sink. The lines share one buffer, which is reused.
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
	clear(c.lines) // they hold the batch, which may be large
	c.lines, c.ends = c.lines[:0], c.ends[:0]
	c.batch = c.batch[:0]
	if cap(c.batch) > 4*batchSize {
		c.batch = nil
	}
	return nil
}

// Stream reads one transcript: a file, or a conversation of a database. It ends with
// [Stream.Close].
type Stream struct {
	capture    *Capture
	stream     *pipeline.Stream
	file       string
	name       string // its key in Capture.stopped
	lines      frame.Framer
	emit       func(frame.Line)
	dropped    bool    // dropped facts were reported
	early      []early // events that wait until the project is known
	earlyBytes int     // bytes of them
}

// Transcript describes a transcript that is to be read.
type Transcript struct {
	Adapter core.Adapter
	Info    core.StreamInfo
	Framing core.Framing
	File    string // the name in provenance
	Key     string // of the conversation, if the file is a database
}

// name identifies a transcript, also among those of one file.
func (t Transcript) name() string {
	if t.Key == "" {
		return t.File
	}
	return t.File + "\x00" + t.Key
}

// Open begins a transcript. An open stream of the same transcript must be closed first. If
// the transcript was stopped before, it is written again.
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

// restart prepares to read a document again, and reports whether that is possible: no nodes
// may have come from it.
func (s *Stream) restart(t Transcript) bool {
	if s.isStopped() || !s.stream.Restart(t.Adapter, t.Info) {
		return false
	}
	s.stream.SetWhole()
	s.lines, s.early = s.capture.newDocument(), nil
	return true
}

// newDocument returns a framer for a transcript that is one document. It reuses the memory of
// an earlier one, since many are read in a row and they can have megabytes.
func (c *Capture) newDocument() *frame.Document {
	if d := c.document; d != nil {
		c.document = nil
		return d
	}
	return &frame.Document{Max: c.options.MaxDocument}
}

// Read feeds everything from r. An error of reading is reported as a Problem; the returned
// error is one of delivering, or of ctx. Read ends early if the transcript is stopped. It
// does not close the stream: an incomplete last line still waits.
func (s *Stream) Read(ctx context.Context, r io.Reader) error {
	c, waiting := s.capture, 0
	for !s.isStopped() {
		room := s.lines.Room(readSize)
		n, err := r.Read(room)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.feed(room[:n])
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

// Rows feeds all records of a conversation in a store. The returned error is one of
// delivering, or of ctx.
func (s *Stream) Rows(ctx context.Context, rows []store.Row) error {
	waiting := 0
	for _, r := range rows {
		if err := ctx.Err(); err != nil || s.isStopped() || s.capture.failed != nil {
			return errors.Join(err, s.capture.failed)
		}
		s.catchPanic(func() { s.row(r) })
		s.reportDropped()
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

// row feeds a row of a database.
func (s *Stream) row(r store.Row) {
	if r.Over != nil {
		s.overLimit(r.JSON, r.At, r.Over)
		return
	}
	s.stream.Row(r.JSON, r.At)
	if r.Broken != nil {
		s.stream.Broken(r.JSON, r.At, r.Broken)
	}
}

// Feed feeds the next bytes and delivers their nodes. It does not keep b.
func (s *Stream) Feed(ctx context.Context, b []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(b) == 0 || s.isStopped() {
		return nil
	}
	s.feed(b)
	return s.capture.deliver(ctx)
}

// feed feeds the next bytes.
func (s *Stream) feed(b []byte) {
	if len(b) > 0 {
		s.catchPanic(func() { s.lines.Feed(b, s.emit) })
		s.reportDropped()
	}
}

// reportDropped reports once that old decisions were dropped.
func (s *Stream) reportDropped() {
	if s.dropped {
		return
	}
	if d := s.stream.Dropped(); d.Limit > 0 {
		s.dropped = true
		s.capture.options.Report(Problem{File: s.file, Line: d.Line, Reason: fmt.Sprintf(
			"its decisions take more than %d bytes: from here on the oldest stay as they are, and later records do not change them", d.Limit)})
	}
}

// catchPanic calls feed. A panic stops the transcript and is reported with the record that
// caused it.
func (s *Stream) catchPanic(feed func()) {
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
		s.catchPanic(func() { s.lines.Flush(s.emit) })
	}
	stats := s.stream.Stats()
	if out, _ := s.stream.IsExcluded(); !out && !s.isStopped() {
		s.writeEarly()
	}
	s.early, s.earlyBytes = nil, 0
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

// Stream returns what the pipeline knows of the transcript.
func (s *Stream) Stream() *pipeline.Stream { return s.stream }

// isComplete reports whether nothing of what was fed waits for more.
// A document never is: it counts when it was closed.
func (s *Stream) isComplete() bool {
	l, ok := s.lines.(*frame.Lines)
	return ok && l.Pending() == 0 && !s.isStopped()
}

// isStopped reports whether the transcript is stopped.
func (s *Stream) isStopped() bool {
	_, ok := s.capture.stopped[s.name]
	return ok
}

// line feeds a line of the file. A line over the limit has only its beginning and its size.
func (s *Stream) line(l frame.Line) {
	if s.capture.failed != nil {
		return
	}
	if l.Cut {
		at := core.Location{File: s.file, Offset: l.Offset, Line: l.Number}
		s.overLimit(l.Bytes, at, &core.OverLimit{Size: l.Size, Limit: int64(s.lines.Limit()), Kept: len(l.Bytes)})
		return
	}
	s.stream.Line(l.Bytes, l.Offset, l.Number)
}

// overLimit feeds the beginning of a record that is too large, and reports it.
func (s *Stream) overLimit(beginning []byte, at core.Location, over *core.OverLimit) {
	reason := over.Error()
	if at.Row != "" {
		reason = "row " + at.Row + ": " + reason
	}
	s.capture.options.Report(Problem{File: at.File, Line: at.Line, Lost: true, Reason: reason})
	s.stream.OverLimit(beginning, at, over)
}
