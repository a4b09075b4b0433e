package decide

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// reading is a turn with everything that is known of it before it is judged.
type reading struct {
	rules  *gate.Rules
	before func() string // the assistant's message
	asked  bool          // before was called, and gave
	said   string
	turn   prose.Turn
	scan   gate.Scan
	prev   previous
	words  int

	acts    []gate.Hit // scratch of clauses
	cut     []clause
	judged  []judged  // scratch of verdict
	found   []Feature // scratch of evidence
	seen    [(Features + 63) / 64]uint64
	says    []uint8   // by sentence: which of the items from turnAsks on it gives
	turns   [8]int    // how many sentences give each
	proof   []Feature // of the first sentences, as far as evidenceOf was asked for them
	proofs  []int     // by sentence: where its evidence ends
	markers []core.Marker
}

func read(rules *gate.Rules, in Input) *reading {
	r := &reading{rules: rules}
	r.read(in.Text, func() string { return in.PrevAssistant })
	return r
}

// read makes r the reading of another turn.
func (r *reading) read(text string, before func() string) {
	r.before, r.asked, r.said = before, false, ""
	r.turn.Read(text)
	r.rules.ScanTo(&r.scan, &r.turn, nil)
	r.words = 0
	for _, t := range r.turn.Tokens {
		if t.Kind != prose.Mark {
			r.words++
		}
	}
	r.says, r.turns = r.says[:0], [8]int{}
	r.proof, r.proofs = r.proof[:0], r.proofs[:0]
	for i := range r.turn.Sentences {
		says := r.context(i)
		r.says = append(r.says, says)
		for k := range r.turns {
			r.turns[k] += int(says >> k & 1)
		}
	}
	r.prev = readPrevious(r)
}

// previous is the assistant's message before the turn.
func (r *reading) previous() string {
	if !r.asked {
		r.said, r.asked = r.before(), true
	}
	return r.said
}

// context is what sentence i tells about the turn, one bit for each item from
// turnAsks on.
func (r *reading) context(i int) uint8 {
	bit := func(it item) uint8 { return 1 << (it - turnAsks) }
	var says uint8
	if r.asks(i) {
		says |= bit(turnAsks)
	}
	for _, h := range r.scan.Of(i) {
		switch groupOf(h.Family) {
		case set:
			says |= bit(turnSet)
		case chore:
			says |= bit(turnChore)
		case modal:
			says |= bit(turnModal)
		case neg:
			says |= bit(turnNeg)
		default:
			if h.Family == gate.CtxSymptom || h.Family == gate.CtxISaw || h.Family == gate.CtxNotWorking {
				says |= bit(turnReports)
			}
		}
	}
	return says
}

// ends is the first byte of the sentence's last token.
func (r *reading) ends(s prose.Sentence) byte { return r.turn.Text[r.turn.Tokens[s.Last-1].Start] }

// asks reports whether sentence i ends as questions do: with their mark, or
// with the word by which one asks for assent.
func (r *reading) asks(i int) bool {
	s := r.turn.Sentences[i]
	if r.ends(s) == '?' {
		return true
	}
	const least = 6
	if s.Last-s.First < least {
		return false
	}
	switch r.word(s.Last - 1) {
	case "right", "correct":
		return !places(r.word(s.Last - 2))
	case "no", "huh", "eh":
		return r.word(s.Last-2) == ","
	}
	return false
}

// places recognises the words behind which "right" is a side, or a judgement.
func places(w string) bool {
	switch w {
	case "the", "to", "on", "at", "is", "are", "looks", "look", "top", "bottom", "upper", "lower", "far", "left", "and", "or", "not", "it", "that", "this",
		"align", "aligned", "float", "shift", "flush", "from", "get", "be", "a", "your", "my", "its", "quite", "all":
		return true
	}
	return false
}

func (r *reading) add(i item, s slot) {
	f := feature(i, s)
	if bit := uint64(1) << (f % 64); r.seen[f/64]&bit == 0 {
		r.seen[f/64] |= bit
		r.found = append(r.found, f)
	}
}

func (r *reading) reset() {
	for _, f := range r.found {
		r.seen[f/64] = 0
	}
	r.found = append(r.found[:0], feature(bias, anywhere))
}

// evidenceOf lists what speaks for and against the clauses of sentence i, one clause after
// the other.
func (r *reading) evidenceOf(i int) []Feature {
	for k := len(r.proofs); k <= i; k++ {
		cs := r.clauses(k)
		act := cs[0].first
		if cs[0].n == 0 {
			act = r.turn.Sentences[k].Last
		}
		for c := range cs {
			r.proof = append(r.proof, r.evidence(k, &cs[c], act)...)
		}
		r.proofs = append(r.proofs, len(r.proof))
	}
	from := 0
	if i > 0 {
		from = r.proofs[i-1]
	}
	return r.proof[from:r.proofs[i]]
}

// evidence lists what speaks for and against a clause of sentence i, whose
// first act stands at token act. The result is valid until the next call.
func (r *reading) evidence(i int, c *clause, act int) []Feature {
	r.reset()
	for _, a := range c.acts[:c.n] {
		r.add(item(a), anywhere)
	}
	r.add(does, c.group.slot())
	for _, h := range r.scan.Of(i) {
		r.detail(h, c, act)
	}
	if r.dangles(i - 1) {
		r.add(item(gate.ModInsteadOf), anywhere)
	}
	r.tokens(i, c)
	r.place(i)
	return r.found
}

// dangles reports whether sentence i breaks off behind "instead of", because
// what is turned down was pasted.
func (r *reading) dangles(i int) bool {
	if i < 0 {
		return false
	}
	for _, h := range r.scan.Of(i) {
		if h.Family == gate.ModInsteadOf && h.Last == r.turn.Sentences[i].Last {
			return true
		}
	}
	return false
}

// detail adds what a hit that is no act of its own says of a clause.
func (r *reading) detail(h gate.Hit, c *clause, act int) {
	inside := h.First >= c.first && h.First < c.last || h.Family == gate.ModInsteadOf
	f := item(h.Family)
	switch {
	case h.Family == gate.AskWh || h.Family == gate.AskAux:
		r.add(f, anywhere)
	case h.Family.IsMod():
		switch {
		case inside && c.group.directive():
			r.add(f, anywhere)
			r.add(f, c.group.slot())
			if h.First >= c.head && h.First <= c.head+2 {
				r.add(f, object)
			}
		case inside && c.group == none && decides(h.Family):
			r.add(f, inNone)
		case !inside && c.from <= h.First && h.First < act && c.group.directive():
			r.add(f, before)
		}
	case h.Family.IsCtx():
		if inside && h.Last <= c.head {
			return // "i want" is its own "i", "like that again" its own "again"
		}
		if inside {
			r.add(f, anywhere)
		} else if c.from <= h.First && h.First < act {
			r.add(f, before)
		}
	}
}

// decisive reports whether a rule of the user's own decides the turn.
func (r *reading) decisive() bool {
	for i := range r.turn.Sentences {
		for _, h := range r.scan.Of(i) {
			if !r.rules.Decisive(h.Rule) {
				continue
			}
			for _, c := range r.clauses(i) {
				if c.group != question && h.First >= c.first && h.First < c.last {
					return true
				}
			}
		}
	}
	return false
}

// decides reports whether a detail can make a decision without an act.
func decides(f gate.Family) bool {
	switch f {
	case gate.ModInsteadOf, gate.ModNotBut, gate.ModOnly, gate.ModAlways, gate.ModFromNowOn, gate.ModDefault, gate.ModFromTo, gate.ModRemember:
		return true
	default:
		return false
	}
}

// tokens adds what the clause consists of.
func (r *reading) tokens(i int, c *clause) {
	words := 0
	for _, t := range r.turn.Tokens[c.first:c.last] {
		if t.Kind == prose.Mark {
			continue
		}
		words++
		w := t.In(r.turn.Text)
		switch t.Kind {
		case prose.Number:
			r.both(hasNumber, c)
			if len(w) >= 6 && isHex(w) {
				r.hex(c)
			}
		case prose.Code:
			r.both(hasCode, c)
			if len(w) >= 4 && w[0] == '#' && isHex(w[1:]) {
				r.hex(c)
			}
		case prose.Path, prose.Link:
			r.both(hasPath, c)
		case prose.Quote:
			r.both(hasQuote, c)
		case prose.Word, prose.Glyph, prose.Mark:
		}
	}
	if r.asks(i) {
		kind := asks
		if c.group.directive() && r.polite(i) {
			kind = asksFor
		}
		r.add(kind, anywhere)
		r.add(kind, c.group.slot())
	}
	r.add(lengthOf(words), c.group.slot())
}

// polite reports whether a sentence asks for something to be done: "can you".
func (r *reading) polite(i int) bool {
	for _, h := range r.scan.Of(i) {
		if h.Family == gate.CtxCanYou || h.Family == gate.CtxCanWe {
			return true
		}
	}
	return false
}

func (r *reading) both(i item, c *clause) {
	if c.group.directive() {
		r.add(i, anywhere)
		r.add(i, c.group.slot())
	}
}

func (r *reading) hex(c *clause) {
	r.both(hasHex, c)
	if c.group == none {
		r.add(hasHex, inNone)
	}
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF#") == "" }

func lengthOf(words int) item {
	for k, most := range [...]int{1, 2, 4, 6, 9, 13, 20} {
		if words <= most {
			return len1 + item(k)
		}
	}
	return lenMany
}

// place adds where in the turn the sentence stands, and what stands beside it.
func (r *reading) place(i int) {
	s := r.turn.Sentences[i]
	switch n := len(r.turn.Sentences); {
	case n == 1:
		r.add(turnSingle, anywhere)
	case n <= 3:
		r.add(turnFew, anywhere)
	default:
		r.add(turnMany, anywhere)
	}
	if s.Item {
		r.add(isItem, anywhere)
	}
	if r.turn.Pasted > 40 {
		r.add(turnPasted, anywhere)
	}
	if r.command() {
		r.add(isCommand, anywhere)
	}
	for k := turnAsks; k <= turnNeg; k++ {
		if n := k - turnAsks; r.turns[n] > int(r.says[i]>>n&1) {
			r.add(k, anywhere)
		}
	}
}

// command reports whether the turn is a command of the tool or of the shell.
func (r *reading) command() bool {
	if len(r.turn.Sentences) == 0 {
		return false
	}
	if r.turn.Text[0] == '/' && r.turn.Sentences[0].Start == 0 {
		return true
	}
	if len(r.turn.Sentences) > 1 || r.words > 8 || r.words < 2 {
		return false
	}
	switch r.word(0) {
	case "git", "npm", "npx", "pnpm", "yarn", "node", "python", "python3", "pip", "pip3", "conda", "docker", "kubectl", "cargo", "cd", "ls", "cat", "grep",
		"sudo", "brew", "apt", "ssh", "curl", "bun", "uv", "pytest", "mvn", "gradle", "terraform", "gh", "export", "chmod", "mkdir", "source":
	default:
		return false
	}
	for _, h := range r.scan.Of(0) {
		if g := groupOf(h.Family); h.First > 0 && (g == modal || g == want || g == set) {
			return false
		}
	}
	return true
}
