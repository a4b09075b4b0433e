package decide

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
