package decide

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// Input is a person's turn and what stands before it.
type Input struct {
	Text          string // the turn, verbatim
	PrevAssistant string // the assistant's message before it, or its tail; may be empty
}

// Verdict is what a turn amounts to.
type Verdict struct {
	Kind      Kind
	Markers   []core.Marker // of the whole turn, by offset
	Decisions []Decided     // by offset; empty unless Kind is a decision
	// Elevated says that the turn is worth a conversation node: it decides
	// something, or sets work.
	Elevated bool
	// Continuation says that the turn sets no new work: "continue", "yes".
	Continuation bool
	// Score is that of the sentence which speaks most for a decision, in
	// hundredths of log odds. It decides from 0 on. A turn without a sentence of
	// the person's own has [NoScore].
	Score int32
}

// NoScore is the score of a turn in which nothing could decide.
const NoScore int32 = -1 << 20

// Decided is one thing that was decided.
type Decided struct {
	Kind    Kind
	Epitome string // the verbatim sentence that decides
	// EpitomeInAssistant says that Epitome stands in the assistant's message and
	// the turn only accepts it.
	EpitomeInAssistant bool
	Offset             int // of Epitome, in the text that it stands in
	Options            []core.Option
	// Turn and Said are the texts in which Epitome and Options stand: the person's
	// words, and those of the assistant if any of them stands there.
	Turn, Said string
	// Structured says that the decision is the answer to a tool: its markers count in
	// the epitome, and not in the turn.
	Structured   bool
	IsBan        bool
	Standing     bool // outlives the task
	Confirmation bool // the turn is the confirmation of a proposal
	Revokes      bool // takes an earlier decision back
	Markers      []core.Marker
}

// Turn judges a person's turn.
func Turn(rules *gate.Rules, in Input) Verdict { return Weights(Frozen).Turn(rules, in) }

// Turn judges a person's turn by these weights.
func (w Weights) Turn(rules *gate.Rules, in Input) Verdict {
	return read(rules, in).verdict(w)
}

// Judge judges one turn after the other, in memory that it uses again: a turn
// has some words for which hundreds of things are noted. It serves one goroutine.
type Judge struct{ reading reading }

// NewJudge returns a Judge by the built-in weights.
func NewJudge(rules *gate.Rules) *Judge { return &Judge{reading{rules: rules}} }

// Turn judges a person's turn. Before gives the assistant's message before it, or
// its tail; it is called only if the turn may be an answer. The verdict is the
// caller's to keep.
func (j *Judge) Turn(text string, before func() string) Verdict {
	j.reading.read(text, before)
	return j.reading.verdict(Frozen)
}
