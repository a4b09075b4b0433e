package prose

import "strings"

// The marks around what Memscribe itself gave to an agent: a record of what was decided
// before. Where it comes back in a transcript, in whoever's turn, nobody decides it a
// second time. The marks have no character that a tool would escape; each begins and
// ends a line of its own:
//
//	[memscribe recall: decided in this project; a record, not a request]
//	- Never add new dependencies. (2026-11-01, decision:468f6ea2)
//	[memscribe recall: end]
const (
	RecallBegin = "[memscribe recall: decided"
	RecallEnd   = "[memscribe recall: end]"
)

// The marks around rules in a file that agents are given. They are those of
// internal/rules.
const (
	RulesBegin = "<!-- memscribe rules: begin -->"
	RulesEnd   = "<!-- memscribe rules: end -->"
)

// recalled reports whether a record begins in a line that ends later in the turn. What
// stands before it in the line is judged by itself; a mark without an end is a
// person's words.
//
// Without this an agent that repeats a recalled rule would decide it again in every
// session.
func (p *projector) recalled(at, end int) bool {
	for _, mark := range [...]struct{ begin, end string }{{RecallBegin, RecallEnd}, {RulesBegin, RulesEnd}} {
		i := strings.Index(p.text[at:end], mark.begin)
		if i < 0 || !strings.Contains(p.text[at+i:], mark.end) {
			continue
		}
		if strings.TrimSpace(p.text[at:at+i]) != "" {
			p.line(at, at+i)
		}
		p.element = mark.end
		if k := strings.Index(p.text[at+i:end], mark.end); k >= 0 {
			p.element = ""
			p.line(at+i+k+len(mark.end), end)
		}
		return true
	}
	return false
}

// leastCited is how many digits of an id a record gives.
const leastCited = 8

// Cites reports whether a text names a recorded decision by its id, as every line of a
// record does: "decision:468f6ea2".
func Cites(text string) bool {
	const kind = "decision:"
	for rest := text; ; {
		i := strings.Index(rest, kind)
		if i < 0 {
			return false
		}
		rest = rest[i+len(kind):]
		n := 0
		for n < len(rest) && strings.IndexByte("0123456789abcdef", rest[n]) >= 0 {
			n++
		}
		if n >= leastCited {
			return true
		}
	}
}
