package prose

import "strings"

// The marks around a record of earlier decisions that Memscribe gave to an agent. If the
// record appears in a transcript, in any turn, it is not decided again. The marks have no
// character that a tool would escape, and each is a line of its own:
//
//	[memscribe recall: decided in this project; a record, not a request]
//	- Never add new dependencies. (2026-11-01, decision:468f6ea2)
//	[memscribe recall: end]
const (
	RecallBegin = "[memscribe recall: decided"
	RecallEnd   = "[memscribe recall: end]"
)

// The marks around rules in a file that agents are given. internal/rules writes the same ones.
const (
	RulesBegin = "<!-- memscribe rules: begin -->"
	RulesEnd   = "<!-- memscribe rules: end -->"
)

// recalled handles a line in which a record begins, and skips to its end. It reports whether
// there is one. Text before the mark is judged as a line; a mark without an end counts as the
// person's words.
//
// Without this, a recalled rule that an agent repeats would be decided again in every session.
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

// leastCited is the number of digits of an id in a record.
const leastCited = 8

// Cites reports whether a text names a decision by its id, as every line of a record does:
// "decision:468f6ea2".
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
