package decide

import "github.com/memscribe/memscribe/core"

// Verdict is the judgement of a turn before the reply is known. If it is no decision yet, the
// reply may make it one, as long as Asked is not nil.
type Verdict struct {
	Kind      Kind
	Markers   []core.Marker // of the whole turn, by offset
	Decisions []Decided     // by offset; empty unless Kind is a decision
	// Elevated says that the turn gets a conversation node: it decides
	// something, or asks for work.
	Elevated bool
	// Continuation says that the turn asks for no new work: "continue", "yes".
	Continuation bool
	// Accepts says that the turn accepts a proposal of the assistant. A "continue" alone
	// does not.
	Accepts bool
	// Score is how many of 100 turns with this evidence decide something.
	Score int
	// Asked is kept until the reply is known. It is nil if no reply can make the turn a
	// decision.
	Asked *Asked
}

// Decided is one decision. Its texts share the memory of the turn and of the message before
// it; a caller that keeps them for long should copy them.
type Decided struct {
	Kind    Kind
	Epitome string // the sentence that decides, verbatim, with neighbours that belong to it
	// EpitomeInAssistant says that Epitome is a part of the assistant's message, which the
	// turn accepts.
	EpitomeInAssistant bool
	Offset             int // of Epitome in Said if EpitomeInAssistant, else in Turn; in bytes
	Options            []core.Option
	// Turn and Said are the texts that Epitome and Options are parts of: the person's
	// words, and the assistant's message. Said is "" if no part is in it.
	Turn, Said string
	// Structured says that the decision is an answer to a tool: offsets of its markers are
	// offsets in the epitome, not in the turn.
	Structured   bool
	IsBan        bool
	Standing     bool // outlives the task
	Confirmation bool // the turn is the confirmation of a proposal
	Revokes      bool // takes an earlier decision back
	Besides      bool // the turn also asks for something outside of its decisions
	Markers      []core.Marker
	// Score is how many of 100 decisions with this evidence are right.
	Score  int
	margin int64 // sum of its sentence minus that of the best sentence of the turn; at most 0
}

// Kind is the kind of a turn or of a decision.
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
