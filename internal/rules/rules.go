// Package rules writes the decisions in force in a project as text for agents.
//
// Of the decisions of a project those are rules that outlive their task and are sure.
// They are ranked, and as many are taken as fit into a budget of tokens:
//
//	ban       something is forbidden
//	rule      it was said to hold always, from now on, everywhere
//	choice    one of several was chosen: in an answer to a tool, or instead of another
//	accepted  a proposal that a person accepted
//
// The text stands between two markers in a file that is a person's own. [Splice] changes
// what is between them and no byte besides.
package rules

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sure is the score from which on what was said in a person's turn is a rule. What a
// person answered to a tool, or accepted, is sure without it.
const Sure = 90

// Kind says why a decision is a rule. The kinds are ranked in this order.
type Kind string

// The kinds.
const (
	Ban      Kind = "ban"
	Standing Kind = "rule"
	Choice   Kind = "choice"
	Accepted Kind = "accepted"
)

// rank orders kinds: bans first, then rules, choices and acceptances.
func (k Kind) rank() int { return slices.Index([]Kind{Ban, Standing, Choice, Accepted}, k) }

// Decision is what has to be known of a decision.
type Decision struct {
	ID, Title, Epitome         string
	Timestamp, Source, Session string

	Score      int
	IsBan      bool
	Superseded bool
	Memory     bool   // it was said to be remembered, or to hold always
	Structured bool   // it answers a tool
	Answer     string // the options that were taken
	Confirms   bool   // it accepts a proposal
	Chosen     bool   // an alternative was taken
	Rejected   bool   // an alternative was not
	Approved   bool   // a person said afterwards that it is right, or added it
	Pinned     bool   // a person wants it first
	SharedBy   string // the teammate that it was received from; "" is nobody
}

// Rule is a decision that is in force. Its JSON is what is printed of it.
//
//	{"id":"decision:d411…","kind":"choice","title":"Use cursor pagination","epitome":"…","score":97,
//	 "timestamp":"2026-11-22T09:43:52.030Z","session_id":"01a202a3-…","source":"pi"}
type Rule struct {
	ID        string `json:"id"`
	Kind      Kind   `json:"kind"`
	Title     string `json:"title"`
	Epitome   string `json:"epitome"`
	Score     int    `json:"score"`
	Timestamp string `json:"timestamp,omitempty"`
	SessionID string `json:"session_id"`
	Source    string `json:"source"`
	SharedBy  string `json:"shared_by,omitempty"` // the teammate that it was received from

	pinned bool
}

// Of lists the rules among decisions by rank, and of one rank what is pinned and then
// the newest first. A title that stands several times counts once.
func Of(all []Decision) []Rule {
	var rules []Rule
	for i := range all {
		d := &all[i]
		if kind := kindOf(d); kind != "" {
			rules = append(rules, Rule{
				ID: d.ID, Kind: kind, Title: d.Title, Epitome: d.Epitome, Score: d.Score,
				Timestamp: d.Timestamp, SessionID: d.Session, Source: d.Source, SharedBy: d.SharedBy, pinned: d.Pinned,
			})
		}
	}
	sort.SliceStable(rules, func(i, j int) bool {
		a, b := &rules[i], &rules[j]
		return cmp.Or(cmp.Compare(a.Kind.rank(), b.Kind.rank()), cmp.Compare(bit(b.pinned), bit(a.pinned)), cmp.Compare(b.Timestamp, a.Timestamp), cmp.Compare(a.ID, b.ID)) < 0
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(rules, func(r Rule) bool {
		key := strings.ToLower(strings.TrimRight(r.Title, " .!"))
		again := seen[key]
		seen[key] = true
		return again
	})
}

// kindOf returns the kind of rule that a decision is, or "".
func kindOf(d *Decision) Kind {
	sure := d.Score >= Sure || d.Structured || d.Confirms || d.Approved
	switch {
	case d.Superseded || !sure || d.Title == "", d.Structured && !d.Approved && settlesNothing(d.Answer):
		return ""
	case d.IsBan:
		return Ban
	case d.Memory:
		return Standing
	case d.Structured && !d.Confirms, d.Chosen && d.Rejected:
		return Choice
	case d.Confirms, d.Approved:
		return Accepted
	}
	return "" // it is carried out, and over
}

// settlesNothing reports whether an answer to a tool hands the choice back, or only says how
// the talk continues:
//
//	You decide                true
//	Next area                 true
//	Done — create context     true
//	Nextcloud                 false
func settlesNothing(answer string) bool {
	words := strings.FieldsFunc(strings.ToLower(answer), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	said := strings.ReplaceAll(strings.Join(words, " "), "’", "'")
	for _, open := range []string{"you decide", "you choose", "up to you", "your call", "your choice", "no preference", "don't care", "whatever you think"} {
		if said == open || strings.HasPrefix(said, open+" ") {
			return true
		}
	}
	if slices.Contains([]string{"next", "next area", "next topic", "move on", "more questions", "continue", "skip", "done"}, said) {
		return true
	}
	return len(words) > 1 && words[0] == "done"
}

// bit returns 1 for true.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// quarters returns what a text costs in quarters of a token: an ASCII character one, any
// other four. Tokenizers of models make about as many tokens of prose; of code, and of
// what is not English, often fewer.
func quarters(text string) int {
	n := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		n += perToken
		i += size
	}
	return n
}

const perToken = 4

// Tokens estimates how many tokens a text has.
func Tokens(text string) int { return (quarters(text) + perToken - 1) / perToken }

// Fit takes as many rules as a budget of tokens has room for, best rank first. A rule
// that does not fit is left out whole, and the next is tried.
func Fit(all []Rule, f Format, budget int) (taken []Rule, left int) {
	room := budget*perToken - quarters(Text(nil, f))
	headed := map[Kind]bool{}
	for i := range all {
		r := &all[i]
		cost := quarters(line(r, f))
		if !headed[r.Kind] {
			cost += quarters(heading(r.Kind))
		}
		if cost > room {
			left++
			continue
		}
		room -= cost
		headed[r.Kind] = true
		taken = append(taken, *r)
	}
	return taken, left
}
