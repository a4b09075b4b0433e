// Package lineage follows the parents of a transcript's records: where the
// conversation was taken back, where several processes go on with it at once, and
// which sidechain a record belongs to. It keeps a few bytes of each record.
package lineage

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Tree knows, of every record of the main line, in which turn it stands and
// which event it ended with. That is all it takes to see a rewind: the tool
// deletes nothing, the next prompt just names an earlier parent.
//
// A turn begins with a person's prompt, or with the model's first answer to a
// command. All other records belong to the turn of their parent: results of
// parallel calls have different parents of one turn, and records whose parent
// is null (compaction) or in no line (a common fault) follow what came before.
//
// Two processes that resume one session write the same: the prompt of the second
// has the parent that the first one's record has.
//
//	A ── B ── C          C was taken back: D supersedes it
//	      \── D ── E
//
//	A ── B ── C ── F     F continues C: a second process wrote D and E,
//	      \── D ── E     and the rewind before D is void
//
// What tells them apart is F, a record of the branch that was left. Until it comes D
// is a rewind, so that a live capture says so; see [Tree.Branch]. Each process has a
// line of turns, and most sessions have one line.
//
// The zero Tree is empty and ready.
type Tree struct {
	at    map[uint64]place // by the uuid
	turns []turn
	lines []line
	left  map[uint32]left // by the last turn of what was left

	// The current record.
	id        uint64
	now       uint32 // its turn
	line      uint32 // its line
	parent    place
	hasParent bool
	outside   bool         // it is none of the tree, or is in it already
	opens     *core.Strand // what its first event says, if a line begins with it

	opened bool // a command was typed that the model has not answered yet
}

// turn is where a turn began.
type turn struct {
	line   uint32
	before uint64 // seq of the last event before it
}

// place is where a record stands.
type place struct {
	seq  uint64 // of its last event
	turn uint32
}

// Skip says that the current record is not of the main line.
func (t *Tree) Skip() { t.outside = true }

// Enter says which record is the current one. One without a uuid, or with that
// of an earlier one, changes nothing.
func (t *Tree) Enter(uuid, parent jsondoc.Value) {
	if len(t.lines) == 0 {
		t.lines, t.turns = []line{{}}, []turn{{}}
	}
	t.opens = nil
	t.outside = uuid.Kind() != jsondoc.String
	if t.outside {
		return
	}
	t.id = stream.Hash(uuid.Body())
	_, t.outside = t.at[t.id]
	t.parent, t.hasParent = t.find(parent)
	if t.hasParent {
		t.now = t.parent.turn
	} else {
		t.now = t.lines[t.line].live
	}
	if len(t.lines) > 1 && !t.outside {
		t.line = t.lineOf(t.now)
	}
}

// Leave notes the current record, with the seq of its last event.
func (t *Tree) Leave(seq uint64) {
	if t.outside {
		return
	}
	if t.at == nil {
		t.at = map[uint64]place{}
	}
	t.at[t.id] = place{seq: seq, turn: t.now}
}

// Seq is the seq of a record's last event, if the tree holds the record.
func (t *Tree) Seq(uuid jsondoc.Value) (uint64, bool) {
	at, ok := t.find(uuid)
	return at.seq, ok
}

func (t *Tree) find(uuid jsondoc.Value) (place, bool) {
	if uuid.Kind() != jsondoc.String {
		return place{}, false
	}
	at, ok := t.at[stream.Hash(uuid.Body())]
	return at, ok
}

// Outside reports whether the current record changes nothing.
func (t *Tree) Outside() bool { return t.outside }

// Turns is how many turns there were so far, those taken back included.
func (t *Tree) Turns() int { return max(0, len(t.turns)-1) }

// Prompt says that the current record is a person's prompt: it begins a turn. Before
// is the seq of the last event before it.
func (t *Tree) Prompt(before uint64) {
	if !t.outside {
		t.begin(before)
	}
}

// Command says that a person typed something that is no prompt: a slash command,
// a shell command. The model may answer it, and then it is a turn.
func (t *Tree) Command() {
	if !t.outside {
		t.opened = true
	}
}

// Answer says that the current record is the model's. Before is the seq of the last
// event before it.
func (t *Tree) Answer(before uint64) {
	if t.outside {
		return
	}
	if !t.goOn() {
		t.passed()
	}
	if t.opened && t.now == t.lines[t.line].live {
		t.begin(before)
	}
}

func (t *Tree) begin(before uint64) {
	t.now = uint32(len(t.turns))
	t.turns = append(t.turns, turn{t.line, before})
	t.lines[t.line].live, t.opened = t.now, false
}

// Sides tells apart the sidechains that old versions wrote into the main file. They have no id of
// their own and are named after their first record. The zero Sides is empty and ready.
type Sides struct {
	at      map[uint64]uint32 // by a record's uuid: index of its thread
	threads []string
	last    uint32
}

// nameless is the thread of a sidechain whose first record has no id.
const nameless = "sidechain"

// Of returns the thread of a sidechain's record, and whether it begins with this
// record: one without a parent, or with one on the main line. One whose
// parent is in no line continues the last one.
func (s *Sides) Of(uuid, parent jsondoc.Value, main *Tree) (thread string, begins bool) {
	i, found := s.last, false
	if parent.Kind() == jsondoc.String {
		i, found = s.at[stream.Hash(parent.Body())]
	}
	if !found {
		i = s.last
		_, onMain := main.Seq(parent)
		if begins = onMain || parent.Kind() != jsondoc.String || len(s.threads) == 0; begins {
			i = s.open(uuid)
		}
	}
	if uuid.Kind() == jsondoc.String {
		if s.at == nil {
			s.at = map[uint64]uint32{}
		}
		s.at[stream.Hash(uuid.Body())] = i
	}
	s.last = i
	return s.threads[i], begins
}

func (s *Sides) open(uuid jsondoc.Value) uint32 {
	name := uuid.Str()
	if name == "" {
		name = nameless
	}
	s.threads = append(s.threads, name)
	return uint32(len(s.threads) - 1)
}
