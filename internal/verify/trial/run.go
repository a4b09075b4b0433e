// Package trial runs transcripts through framer, parser and fold as the commands do, and
// returns the events and nodes both as canonical JSON and decoded.
//
//	r, err := trial.Whole(inputs, nil)   // nil: nothing is redacted
//	for _, d := range r.NodesOf("decision") {
//		fmt.Println(d.SessionID, d.Epitome)
//	}
//
// A test that feeds pieces, in any order and from several transcripts at once, opens a Capture
// instead:
//
//	c, err := trial.New(nil)
//	s := c.Open(in)
//	s.Feed(in.Data[:100])
//	c.Take() // as a sink would, between two polls
//	s.Feed(in.Data[100:])
//	s.End()
//	r, err := c.Result()
//
// Records of a store are read as the lines of a made-up transcript. Their places are told in
// terms of those lines, so that the checks of package invariant need not know of stores.
//
// Why events are decoded from their JSON and not taken from the pipeline: a check then sees
// what a reader of the output sees, and cannot rely on the types under test. The same holds for
// nodes: each is encoded when it is taken, so a node that changes later without being reported
// again shows up as a difference.
package trial

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/frame"
)

// Input is one transcript.
type Input struct {
	Adapter  core.Adapter
	Path     string // what its parser may know of where it lies
	Name     string // what provenance says
	Data     []byte
	Sidecars map[string][]byte // what the tool wrote beside it
	// At, of a conversation that lies in a store, says where its records are: the
	// lines of Data, in their order.
	At []core.Location
}

// Info returns what the parser may know.
func (in Input) Info() core.StreamInfo { return core.StreamInfo{Path: in.Path, Sidecars: in.Sidecars} }

// Inputs reads the transcripts of a case, decompressed, with the files that the tool wrote
// beside them. A store gives one transcript for each of its conversations.
func Inputs(c *corpus.Case, a core.Adapter) ([]Input, error) {
	inputs := make([]Input, 0, len(c.Files))
	for _, f := range c.Files {
		stored, ok, err := conversations(f, a)
		if err != nil {
			return nil, fmt.Errorf("read store %s: %w", f.Name, err)
		}
		if ok {
			inputs = append(inputs, stored...)
			continue
		}
		data, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, fmt.Errorf("read transcript: %w", err)
		}
		if data, err = unpacked(data); err != nil {
			return nil, fmt.Errorf("decompress %s: %w", f.Name, err)
		}
		beside := discover.Info(a, f.Name, f.Path).Sidecars
		inputs = append(inputs, Input{Adapter: a, Path: f.Name, Name: f.Name, Data: data, Sidecars: beside})
	}
	return inputs, nil
}

// unpacked returns what compressed bytes hold; bytes that are not compressed are themselves.
func unpacked(data []byte) ([]byte, error) {
	const magic = "\x28\xb5\x2f\xfd"
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return data, nil
	}
	dec, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	return dec.DecodeAll(data, nil)
}

// Result is what came out of one or more transcripts. It holds no parser and no fold, and stays
// valid.
type Result struct {
	Streams []*Stream // in the order in which they were opened
	Nodes   []*Node   // the last of each id, in canonical order
}

// Stream is what came out of one transcript. Stats, Variant and Fingerprint are set by End.
type Stream struct {
	Input  Input
	Events []*Event
	Stats  pipeline.Stats
	// Variant and Fingerprint say what the records are like.
	Variant, Fingerprint string

	capture *Capture
	lines   frame.Framer
	at      frame.Line
	stream  *pipeline.Stream
}

// Framing says how the records lie in the transcript, as its adapter judges.
func (in Input) Framing() core.Framing {
	const head = 64 << 10
	if in.At != nil {
		return core.Lines
	}
	if f, ok := in.Adapter.(core.Framer); ok {
		return f.Framing(core.Sample{Path: in.Path, Head: in.Data[:min(len(in.Data), head)]})
	}
	return core.Lines
}

// Framer returns what cuts the transcript into records.
func (in Input) Framer() frame.Framer {
	if in.Framing() == core.Document {
		return &frame.Document{}
	}
	return &frame.Lines{}
}

// Capture reads transcripts piece by piece, in any order. It is for one goroutine. The first
// error is kept, and returned by Result.
type Capture struct {
	set     *pipeline.Set
	enc     encode.Encoder
	streams []*Stream
	// held has the last node of each id.
	held   map[string]held
	places map[Location]Location // of records of stores: where they are as lines
	err    error
}

// held is a node as a sink would hold it: encoded when it was taken, so that a later change of
// the node shows only if the fold reports it again.
type held struct {
	node *core.Node
	json []byte
}

// Rules are the gate's standard ones, compiled once: tests make thousands of
// captures.
//
//nolint:gochecknoglobals // never changes, and is made on first use
var Rules = sync.OnceValues(func() (*gate.Rules, error) { return gate.New(lexicon.Standard()) })

// Model is the built-in judge of decisions, read once.
//
//nolint:gochecknoglobals // never changes, and is made on first use
var Model = sync.OnceValues(decide.Model)

// New returns a capture that writes with the given scrubber; nil writes
// everything.
func New(s core.Scrubber) (*Capture, error) {
	rules, err := Rules()
	if err != nil {
		return nil, err
	}
	model, err := Model()
	if err != nil {
		return nil, err
	}
	set, err := pipeline.NewSet(pipeline.Options{Rules: rules, Model: model, Shapes: true})
	if err != nil {
		return nil, err
	}
	return &Capture{set: set, enc: encode.Encoder{Scrubber: s}, held: map[string]held{}, places: map[Location]Location{}}, nil
}

// Open adds a transcript. Of its Data only the beginning is looked at: the caller
// feeds it.
func (c *Capture) Open(in Input) *Stream {
	s := &Stream{Input: in, capture: c, lines: in.Framer()}
	s.stream = c.set.Open(in.Adapter, in.Info(), in.Name)
	s.stream.OnEvent(s.event)
	c.streams = append(c.streams, s)
	return s
}

// event encodes an event and keeps what is read back from its JSON: the checks see what a
// reader of the file sees, not what the parser had in mind.
func (s *Stream) event(ev *core.Event) {
	b, err := s.capture.enc.Event(nil, ev)
	if err != nil {
		s.capture.fail("encode event", err)
		return
	}
	e, err := readEvent(b)
	if err != nil {
		s.capture.fail("read event back", err)
		return
	}
	if s.Input.At != nil { // in the testkit's own terms, which are those of lines
		at := Location{File: s.Input.Name, Offset: s.at.Offset, Line: s.at.Number}
		s.capture.places[e.Provenance] = at
		e.Provenance = at
	}
	s.Events = append(s.Events, e)
}

// Feed reads the next bytes of the transcript.
func (s *Stream) Feed(chunk []byte) { s.lines.Feed(chunk, s.line) }

// End says that the transcript is finished.
func (s *Stream) End() {
	s.lines.Flush(s.line)
	s.Stats = s.stream.Stats()
	s.Variant, s.Fingerprint = s.stream.Shape()
	s.stream.Close()
}

// line feeds a line, and remembers where events come from.
func (s *Stream) line(l frame.Line) {
	s.at = l
	s.Input.Feed(s.stream, l)
}

// Feed gives a line of the transcript to a stream.
func (in Input) Feed(s *pipeline.Stream, l frame.Line) {
	if in.At != nil && l.Number <= int64(len(in.At)) {
		s.Row(l.Bytes, in.At[l.Number-1])
		return
	}
	s.Line(l.Bytes, l.Offset, l.Number)
}

// Take writes the nodes that are new or different since the last call, as a sink receives them.
// A later node replaces an earlier one of its id.
func (c *Capture) Take() {
	for _, n := range c.set.Take() {
		b, err := c.enc.Node(nil, n)
		if err != nil {
			c.fail("encode node", err)
			return
		}
		c.held[n.ID] = held{node: n, json: b}
	}
}

// fail keeps the first error.
func (c *Capture) fail(what string, err error) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %w", what, err)
	}
}

// Result takes what is left and returns all that came out so far. The capture may be fed on
// afterwards.
func (c *Capture) Result() (*Result, error) {
	c.Take()
	if c.err != nil {
		return nil, c.err
	}
	all := slices.SortedStableFunc(maps.Values(c.held), func(a, b held) int { return nodeprep.Compare(a.node, b.node) })
	r := &Result{Streams: c.streams}
	for _, h := range all {
		n, err := readNode(h.json)
		if err != nil {
			return nil, fmt.Errorf("read node back: %w", err)
		}
		for i, at := range n.Provenance {
			if line, ok := c.places[at]; ok {
				n.Provenance[i] = line
			}
		}
		r.Nodes = append(r.Nodes, n)
	}
	return r, nil
}

// Whole reads the transcripts one after another, each from its first byte to
// its last. Its streams read no more, and hold only their results.
func Whole(inputs []Input, s core.Scrubber) (*Result, error) {
	c, err := New(s)
	if err != nil {
		return nil, err
	}
	for _, in := range inputs {
		st := c.Open(in)
		st.Feed(in.Data)
		st.End()
		c.Take()
	}
	for _, st := range c.streams {
		st.capture, st.lines, st.stream = nil, nil, nil
	}
	return c.Result()
}

// Events returns the events of all streams, in their order.
func (r *Result) Events() []*Event {
	var all []*Event
	for _, s := range r.Streams {
		all = append(all, s.Events...)
	}
	return all
}

// NodesOf returns the nodes of one kind, in canonical order.
func (r *Result) NodesOf(kind string) []*Node {
	var some []*Node
	for _, n := range r.Nodes {
		if n.Node == kind {
			some = append(some, n)
		}
	}
	return some
}
