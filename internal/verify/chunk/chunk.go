// Package chunk feeds transcripts in arbitrary pieces and orders, for tests of chunking. What
// comes out must not show it.
//
// A schedule says which bytes arrive when, and when a sink asks for nodes. Two schedules of the
// same transcripts must have the same outcome:
//
//	want, _ := chunk.Play(inputs, chunk.Whole(inputs), true)
//	got, _ := chunk.Play(inputs, chunk.Interleaved(inputs, r), true)
//	for _, d := range chunk.Differences(want, got) {
//		t.Error(d)
//	}
//
// The schedules, from simple to wild:
//
//	Whole         one transcript after another, each in one piece
//	Split         one is cut in two, and a sink asks for nodes in between
//	Bytes         every byte is a piece
//	Random        transcripts in any order, in pieces of any length
//	Interleaved   all transcripts at once, in turns
//
// Small pieces are as likely as large ones, so that borders in the middle of a character, an
// escape or a line end are common. The memory of a piece is overwritten after it was fed, so a
// stage that keeps a slice of it is found.
package chunk

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/frame"
)

// Piece is the next bytes of one of the transcripts. A piece of length 0 ends
// it.
type Piece struct {
	File, Len int
	Take      bool // a sink asks for the nodes after it
}

// Schedule is an order of arrival. What it does not bring arrives at its end.
type Schedule []Piece

// Whole brings one transcript after another.
func Whole(inputs []trial.Input) Schedule {
	var s Schedule
	for i, in := range inputs {
		s = append(s, Piece{File: i, Len: len(in.Data)}, Piece{File: i, Take: true})
	}
	return s
}

// Split cuts one transcript in two and asks for the nodes in between; the others
// come whole, in their places.
func Split(inputs []trial.Input, file, at int) Schedule {
	var s Schedule
	for i, in := range inputs {
		if i == file {
			s = append(s, Piece{File: i, Len: at, Take: true}, Piece{File: i, Len: len(in.Data) - at})
		} else {
			s = append(s, Piece{File: i, Len: len(in.Data)})
		}
		s = append(s, Piece{File: i, Take: true})
	}
	return slices.DeleteFunc(s, func(p Piece) bool { return p.Len == 0 && p.File == file && !p.Take })
}

// Bytes brings every byte by itself.
func Bytes(inputs []trial.Input) Schedule {
	var s Schedule
	for i, in := range inputs {
		for range in.Data {
			s = append(s, Piece{File: i, Len: 1})
		}
		s = append(s, Piece{File: i, Take: true})
	}
	return s
}

// Random brings one transcript after another, in an order and in pieces that the
// generator chooses.
func Random(inputs []trial.Input, r *rand.Rand) Schedule {
	var s Schedule
	for _, i := range r.Perm(len(inputs)) {
		for left := len(inputs[i].Data); left > 0; {
			p := Piece{File: i, Len: size(r, left), Take: r.IntN(3) == 0}
			left -= p.Len
			s = append(s, p)
		}
		s = append(s, Piece{File: i})
	}
	return s
}

// Interleaved brings all transcripts at once, in pieces and turns that the
// generator chooses.
func Interleaved(inputs []trial.Input, r *rand.Rand) Schedule {
	var s Schedule
	left, open := make([]int, len(inputs)), make([]int, len(inputs))
	for i, in := range inputs {
		left[i], open[i] = len(in.Data), i
	}
	for len(open) > 0 {
		at := r.IntN(len(open))
		i := open[at]
		if left[i] == 0 {
			s = append(s, Piece{File: i, Take: r.IntN(2) == 0})
			open = slices.Delete(open, at, at+1)
			continue
		}
		p := Piece{File: i, Len: size(r, left[i]), Take: r.IntN(3) == 0}
		left[i] -= p.Len
		s = append(s, p)
	}
	return s
}

// size returns a length from 1 to most, small ones as likely as large ones.
func size(r *rand.Rand, most int) int {
	limit := 1 << r.IntN(17)
	return 1 + r.IntN(min(limit, most))
}

// Outcome is what came out. Of events it keeps a digest, because schedules are played by the
// thousand; of nodes it keeps the JSON, to show what differs.
type Outcome struct {
	Events map[string][sha256.Size]byte // of each transcript, by its name
	Nodes  map[string]string            // the last of each id
}

// Play takes the transcripts in as the schedule says, and whatever it does not bring at its
// end. Without observe no one looks at the events, as in a run for nodes alone; the nodes must
// be the same.
func Play(inputs []trial.Input, s Schedule, observe bool) (*Outcome, error) {
	p, err := newPlayer(inputs, observe)
	if err != nil {
		return nil, err
	}
	for _, piece := range s {
		f := p.open(piece.File)
		if piece.Len == 0 && !piece.Take || piece.Len == 0 && f.fed == len(f.in.Data) {
			f.end()
		} else {
			f.feed(piece.Len)
		}
		if piece.Take {
			p.take()
		}
	}
	for i := range inputs {
		f := p.open(i)
		f.feed(len(f.in.Data) - f.fed)
		f.end()
	}
	p.take()
	return p.outcome(), p.err
}

// player feeds inputs piece by piece, in any order, and notes what comes out. err is the first
// error of the encoder.
type player struct {
	inputs  []trial.Input
	set     *pipeline.Set
	enc     encode.Encoder
	files   []*file
	nodes   map[string]string
	observe bool
	buf     []byte
	err     error
}

// file is a transcript on its way in. fed counts the bytes that it was given.
type file struct {
	in     trial.Input
	fed    int
	ended  bool
	lines  frame.Framer
	stream *pipeline.Stream
	events hash.Hash
}

// newPlayer returns a player over inputs, none of them open. observe has it note every event.
func newPlayer(inputs []trial.Input, observe bool) (*player, error) {
	r, err := trial.Rules()
	if err != nil {
		return nil, err
	}
	m, err := trial.Model()
	if err != nil {
		return nil, err
	}
	set, err := pipeline.NewSet(pipeline.Options{Rules: r, Model: m})
	if err != nil {
		return nil, err
	}
	return &player{inputs: inputs, set: set, files: make([]*file, len(inputs)), nodes: map[string]string{}, observe: observe}, nil
}

// open opens an input, or returns it as it stands.
func (p *player) open(i int) *file {
	if p.files[i] != nil {
		return p.files[i]
	}
	in := p.inputs[i]
	f := &file{in: in, lines: in.Framer(), events: sha256.New()}
	f.stream = p.set.Open(in.Adapter, in.Info(), in.Name)
	if p.observe {
		f.stream.OnEvent(func(ev *core.Event) {
			var err error
			if p.buf, err = p.enc.Event(p.buf[:0], ev); err != nil && p.err == nil {
				p.err = fmt.Errorf("encode event: %w", err)
			}
			f.events.Write(append(p.buf, '\n'))
		})
	}
	p.files[i] = f
	return f
}

// feed hands the next n bytes over in memory that is overwritten afterwards: a framer or parser
// that keeps a slice of it shows up as a difference.
func (f *file) feed(n int) {
	chunk := slices.Clone(f.in.Data[f.fed : f.fed+n])
	f.fed += n
	f.lines.Feed(chunk, f.line)
	for i := range chunk {
		chunk[i] = 'x'
	}
}

// end closes an input: a last line without an end counts then.
func (f *file) end() {
	if !f.ended {
		f.ended = true
		f.lines.Flush(f.line)
		f.stream.Close()
	}
}

// line feeds one line.
func (f *file) line(l frame.Line) { f.in.Feed(f.stream, l) }

// take notes the nodes that have changed since the last call, by their ids.
func (p *player) take() {
	for _, n := range p.set.Take() {
		b, err := p.enc.Node(nil, n)
		if err != nil && p.err == nil {
			p.err = fmt.Errorf("encode node: %w", err)
		}
		p.nodes[n.ID] = string(b)
	}
}

// outcome returns what came of everything that was fed.
func (p *player) outcome() *Outcome {
	o := &Outcome{Events: map[string][sha256.Size]byte{}, Nodes: p.nodes}
	for _, f := range p.files {
		o.Events[f.in.Name] = [sha256.Size]byte(f.events.Sum(nil))
	}
	return o
}

// Differences lists what two outcomes do not have in common.
func Differences(want, got *Outcome) []string {
	list := DifferentNodes(want, got)
	for _, name := range slices.Sorted(maps.Keys(want.Events)) {
		if want.Events[name] != got.Events[name] {
			list = append(list, "events of "+name+" differ")
		}
	}
	return list
}

// DifferentNodes lists the nodes that two outcomes do not have in common.
func DifferentNodes(want, got *Outcome) []string {
	var list []string
	for _, id := range slices.Sorted(maps.Keys(want.Nodes)) {
		switch g, ok := got.Nodes[id]; {
		case !ok:
			list = append(list, "missing: "+want.Nodes[id])
		case g != want.Nodes[id]:
			list = append(list, "differs: "+want.Nodes[id]+"\n  got: "+g)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(got.Nodes)) {
		if _, ok := want.Nodes[id]; !ok {
			list = append(list, "too many: "+got.Nodes[id])
		}
	}
	return list
}
