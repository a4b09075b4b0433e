package explain

import (
	"cmp"
	"slices"
	"strings"
)

// The parts of an exchange.
const (
	Turn   = "turn"   // what the person wrote
	Before = "before" // what the agent had said
	Reply  = "reply"  // what the agent then says
	Edits  = "edits"
)

// from returns the part of an exchange that a feature is taken from, by the beginning of its
// name. What names no part is of the turn.
func from(feature string) string {
	for _, p := range []string{Before, Reply} {
		if strings.HasPrefix(feature, p) {
			return p
		}
	}
	switch {
	case strings.HasPrefix(feature, "takes up "), strings.HasPrefix(feature, "says again "):
		return Reply
	case strings.HasPrefix(feature, "edited "):
		return Edits
	}
	return Turn
}

// phrase is the wording of the features that begin with prefix. The rest of the feature's name
// takes the place of % in says:
//
//	feature "reply begins: sorry"   prefix "reply begins: "   begins with “sorry”
type phrase struct{ prefix, says string }

// phrases returns the phrases; of several prefixes the longest counts.
func phrases() []phrase {
	return []phrase{
		{"says ", "has the words “%”"},
		{"opens with ", "opens with “%”"},
		{"ends on ", "ends with “%”"},
		{"before: ", "has the words “%”"},
		{"before ends with: ", "ends with “%”"},
		{"before asks a choice ", "asks for a choice: %"},
		{"before asks ", "asks something: %"},
		{"before ends asking ", "ends with a question: %"},
		{"before lists options ", "lists options: %"},
		{"before proposes ", "proposes something (%)"},
		{"before offers", "offers something%"},
		{"before has done", "says that something is done%"},
		{"before has code ", "has code: %"},
		{"before echoed ", "is taken up by the turn: %"},
		{"before length ", "its length (%)"},
		{"before nothing", "there is none, or it proposes nothing%"},
		{"reply begins: ", "begins with “%”"},
		{"reply opens with: ", "its first sentence begins with “%”"},
		{"reply goes on: ", "continues with “%”"},
		{"reply first length ", "the length of its first sentence (%)"},
		{"reply first ends in colon ", "its first sentence ends with a colon: %"},
		{"reply first ", "its first sentence: % (what the agent does, then what was asked)"},
		{"reply ends asking ", "ends with a question: %"},
		{"reply has ", "its form: has %"},
		{"reply length ", "its length (%)"},
		{"reply paragraphs ", "the number of its paragraphs (%)"},
		{"reply none", "there is none yet, or it says nothing known (%)"},
		{"reply 0 ", "its first sentence matches the rule %"},
		{"reply 1 ", "its next sentences match the rule %"},
		{"reply ", "what the agent does: %"},
		{"takes up names ", "repeats names of the turn (%)"},
		{"takes up new ", "repeats words that only the turn has (%)"},
		{"takes up first ", "its first sentence repeats words of the turn (%)"},
		{"takes up of all ", "share of the turn's words that it repeats (%)"},
		{"takes up ", "repeats words of the turn (%)"},
		{"says again ", "says again what was said before (%)"},
		{"edited yes", "an edit follows%"},
		{"edited no", "no edit follows%"},
		{"turn words ", "its length in words (%)"},
		{"turn sentences ", "the number of its sentences (%)"},
		{"turn items ", "the number of its list items (%)"},
		{"turn asks ", "the number of its questions (%)"},
		{"turn pasted ", "how much of it was pasted (%)"},
		{"turn forbids", "forbids something%"},
		{"turn ends asks", "ends with a question%"},
		{"turn ends none", "does not end with a question%"},
		{"turn is a command", "is a command of the tool"},
		{"script ", "is written in the script “%”"},
		{"has ", "has % in it"},
		{"rules find options ", "names alternatives (%)"},
		{"rules say it ", "by the rules, it %"},
		{"rules say ", "by the rules, it is of the kind “%”"},
		{"always", "every exchange has this"},
		{"ev does in ", "a sentence %"},
		{"ev len.", "the length of a sentence, and its act: %"},
		{"ev turn.", "the form of the turn: %"},
		{"ev has.", "a sentence has %"},
		{"an does in ", "as an answer, a sentence %"},
		{"ev bias", "every exchange has this"},
		{"ev asks", "a sentence asks%"},
		{"ev is.", "a sentence is %"},
		{"ev ", "matches the rule %"},
		{"an answer.", "as an answer to the agent: %"},
		{"an short", "is short for an answer%"},
		{"an bias", "every answer has this"},
		{"an ", "as an answer, matches the rule %"},
		{"words ", "its length in words (%)"},
		{"of ", "the number of sentences (%)"},
		{"first", "is the first one"},
		{"last", "is the last one"},
		{"forbids", "forbids something"},
		{"asks ", "is a question: %"},
	}
}

// acts returns the wording of the acts of a sentence: what its clause does, as package reading
// classifies it.
func acts() map[string]string {
	return map[string]string{
		"set": "that lays something down", "want": "that says what is wanted", "modal": "that says what should be", "neg": "that forbids or denies",
		"chore": "that gives an errand", "build": "that has something made", "assent": "that agrees", "none": "without an act", "question": "that asks",
	}
}

// inWords returns the wording of a feature. A feature for which there is no phrase is returned
// as it is named, so that a new feature shows up, if clumsily. "s " marks features of the
// sentence that weighs most.
func inWords(feature string) string {
	name, ofSentence := strings.CutPrefix(feature, "s ")
	best := phrase{"", "%"}
	for _, p := range phrases() {
		if strings.HasPrefix(name, p.prefix) && len(p.prefix) > len(best.prefix) {
			best = p
		}
	}
	rest := name[len(best.prefix):]
	if rest != "" && !strings.HasSuffix(best.prefix, " ") && !strings.HasSuffix(best.prefix, ".") {
		rest = " (" + strings.TrimSpace(rest) + ")"
	}
	if act, ok := acts()[rest]; ok && strings.HasSuffix(best.prefix, " does in ") {
		rest = act
	} else if strings.HasSuffix(best.says, "(%)") {
		rest = "step " + rest
	}
	said := strings.Replace(best.says, "%", readable(rest, strings.Contains(best.says, "“%”")), 1)
	if ofSentence {
		return "the strongest sentence: " + said
	}
	return said
}

// readable writes the signs of n-grams as a person reads them: "$ " and "^" are the ends of
// a text, and "*" stands for the rest of a word.
func readable(s string, words bool) string {
	if !words {
		return s
	}
	s = strings.NewReplacer("<code>", "CODE", "<num>", "NUMBER", "<quote>", "QUOTE", "<path>", "PATH", "<link>", "LINK").Replace(s)
	if rest, ok := strings.CutSuffix(s, "*"); ok {
		s = rest + "…"
	}
	fields := strings.Fields(s)
	for i, end := range map[int]string{0: "^", len(fields) - 1: "$"} {
		if i >= 0 && fields[i] == end {
			fields[i] = map[string]string{"^": "(beginning)", "$": "(end)"}[end]
		}
	}
	return strings.Join(fields, " ")
}

// Part is what one part of the exchange weighs.
type Part struct {
	Name   string
	Weight float64
	Pieces []Piece // the heaviest first
}

// Parts groups evidence by the part of the exchange that it comes from, the heaviest part
// first.
func Parts(evidence []Piece) []Part {
	var parts []Part
	for _, p := range evidence {
		i := slices.IndexFunc(parts, func(x Part) bool { return x.Name == p.From })
		if i < 0 {
			i = len(parts)
			parts = append(parts, Part{Name: p.From})
		}
		parts[i].Weight += p.Weight
		parts[i].Pieces = append(parts[i].Pieces, p)
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(max(b.Weight, -b.Weight), max(a.Weight, -a.Weight)) })
	return parts
}
