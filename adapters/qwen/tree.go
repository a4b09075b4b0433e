package qwen

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// tree knows, of every record of the main line, in which turn it stands and which
// event it ended with. That is all it takes to see a rewind: nothing is deleted,
// what follows just names an earlier parent. The client's own reader walks from
// the last record to the root and leaves out all else (source).
type tree struct {
	at    map[uint64]place // by the digest of the uuid
	turns uint32           // how many there were
	live  uint32           // the turn at the tip of the branch that is alive

	key       uint64
	now       place // of the current record
	parent    place
	hasParent bool
	on        bool // the current record is one of the tree
	repeated  bool // its uuid was there before
	fragments int  // how often, this time included

	first  uint64 // seq of the stream's first event
	origin string // its id
}

// place is where a record stands.
type place struct {
	seq    uint64 // of its last event
	digest uint64 // of its content
	turn   uint32
	pieces uint32 // records with this uuid
}

// find is the place of a record by its uuid.
func (t *tree) find(uuid jsondoc.Value) (place, bool) {
	if uuid.Kind() != jsondoc.String {
		return place{}, false
	}
	at, ok := t.at[stream.Hash(uuid.Body())]
	return at, ok
}

// enter looks up where a record hangs.
func (t *tree) enter(r *record, thread string) {
	t.on, t.repeated, t.fragments = r.uuid.Kind() == jsondoc.String, false, 1
	if !t.on {
		return
	}
	t.key = stream.Hash(r.uuid.Body())
	t.now, t.repeated = t.at[t.key]
	t.now.pieces++
	t.fragments = int(t.now.pieces)
	t.parent, t.hasParent = t.find(r.parent)
	if t.repeated {
		return
	}
	t.now.digest, t.now.turn = contentDigest(r), t.live
	if t.hasParent && thread == "" {
		t.now.turn = t.parent.turn
	}
}

// leave notes a record, once its events are out.
func (t *tree) leave(last uint64) {
	if !t.on {
		return
	}
	if t.at == nil {
		t.at = map[uint64]place{}
	}
	t.now.seq = last
	t.at[t.key] = t.now
}

// contentDigest tells one content of a record from another: records with one uuid are
// pieces of one message (source), or copies.
func contentDigest(r *record) uint64 {
	return stream.Hash(r.message.Raw())*31 + stream.Hash(r.payload.Raw()) + stream.Hash(r.result.Get("callId").Raw())
}

// prompt begins a turn, after a rewind if the prompt follows another turn than
// the one that is alive.
func (p *parser) prompt() {
	t := &p.tree
	if !t.on || t.repeated {
		return
	}
	if t.hasParent && t.parent.turn != t.live {
		p.rewind(p.Parent, t.parent.seq)
	}
	t.turns++
	t.live, t.now.turn = t.turns, t.turns
}

// rewound reads the record that a rewind leaves: its parent is the last record that
// still counts, or on nothing if none does (source). Other readers report one
// that names it.
func (p *parser) rewound(r *record) {
	t := &p.tree
	to, ok := t.parent, t.hasParent
	id := p.Parent
	if !ok {
		target := r.payload.Get("targetUuid")
		to, ok = t.find(target)
		id = target.Str()
	}
	switch {
	case ok:
		p.rewind(id, to.seq)
		t.live, t.now.turn = to.turn, to.turn
	case r.parent.Kind() == jsondoc.Null:
		p.rewind(t.origin, t.first)
		t.live, t.now.turn = 0, 0
	}
}

// rewind emits a rewind. Its id differs from the record's, which belongs to
// what follows.
func (p *parser) rewind(toEvent string, toSeq uint64) {
	id := p.ID
	p.ID = "rewind:" + id
	p.send(&core.Rewind{ToEvent: toEvent, ToSeq: toSeq}, false)
	p.ID = id
}
