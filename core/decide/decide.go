package decide

import "github.com/memscribe/memscribe/core"

// Verdict is what a turn amounts to, as far as it is known before the reply. A turn
// that decides nothing may still do so later, through Asked.
type Verdict struct {
	Kind      Kind
	Markers   []core.Marker // of the whole turn, by offset
	Decisions []Decided     // by offset; empty unless Kind is a decision
	// Elevated says that the turn is worth a conversation node: it decides
	// something, or sets work.
	Elevated bool
	// Continuation says that the turn sets no new work: "continue", "yes".
	Continuation bool
	// Accepts says that the turn assents to what the assistant has put up, and does not
	// only have the work go on.
	Accepts bool
	// Score says how many of 100 turns that are known like this one decide
	// something.
	Score int
	// Asked is what is kept until the reply is known. It is nil if no reply can
	// make the turn a decision.
	Asked *Asked
}

// Decided is one thing that was decided. Its texts share the memory of the turn and of
// the message before; whoever keeps it for long should copy them.
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
	Besides      bool // the turn asks for something besides what it decides
	Markers      []core.Marker
	// Score says how many of 100 decisions that are known like this one are right.
	Score  int
	margin int64 // of its sentence to the turn's best one
}

// Kind is what a turn does.
type Kind string

// The kinds. The first six are decisions.
const (
	Choice   Kind = "choice"   // adopts, selects, replaces or drops something
	Ban      Kind = "ban"      // forbids something
	Rule     Kind = "rule"     // sets a standing convention, constraint or preference
	Spec     Kind = "spec"     // pins down how something shall be or behave
	Confirm  Kind = "confirm"  // accepts what the assistant proposed
	Revoke   Kind = "revoke"   // takes an earlier decision back
	Request  Kind = "request"  // asks for work
	Question Kind = "question" // asks, explores
	Feedback Kind = "feedback" // reports, approves, complains
	Other    Kind = "other"    // greetings, commands, nothing of the person's own
)

// IsDecision reports whether turns of the kind decide something.
func (k Kind) IsDecision() bool {
	switch k {
	case Choice, Ban, Rule, Spec, Confirm, Revoke:
		return true
	case Request, Question, Feedback, Other:
	}
	return false
}
