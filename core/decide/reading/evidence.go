package reading

import (
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// Reading is a turn with everything that is known of it before it is judged. Its memory
// is used again by the next [Reading.Read]; it serves one goroutine. Hits, clauses and
// features that its methods return are its own, valid until that method is called
// again.
type Reading struct {
	Rules *gate.Rules // the same for all turns
	Turn  prose.Turn  // the turn's own words, sentences and tokens
	Scan  gate.Scan   // where the rules fire in it
	Prev  Message     // what the assistant said before it
	Words int         // of the turn, marks apart

	before func() string // the assistant's message
	asked  bool          // before was called, and gave
	said   string

	message     prose.Turn // scratch of listen
	messageScan gate.Scan

	acts   []gate.Hit // scratch of clauses
	cut    []Clause
	found  []Feature // scratch of evidence
	seen   [(Features + 63) / 64]uint64
	says   []uint8   // by sentence: which of the items from turnAsks on it gives
	turns  [8]int    // how many sentences give each
	proof  []Feature // of the first sentences, as far as evidenceOf was asked for them
	proofs []int     // by sentence: where its evidence ends
}

// New returns a Reading of no turn yet, with the rules by which turns are read.
func New(rules *gate.Rules) Reading { return Reading{Rules: rules} }

// Read makes r the reading of another turn. Before returns the assistant's message; it is
// called at most once, and only if the turn may answer something, because finding that message
// may be costly.
func (r *Reading) Read(text string, before func() string) {
	r.before, r.asked, r.said = before, false, ""
	r.Turn.Read(text)
	r.Rules.ScanTo(&r.Scan, &r.Turn, nil)
	r.Words = 0
	for _, t := range r.Turn.Tokens {
		if t.Kind != prose.Mark {
			r.Words++
		}
	}
	r.says, r.turns = r.says[:0], [8]int{}
	r.proof, r.proofs = r.proof[:0], r.proofs[:0]
	for i := range r.Turn.Sentences {
		says := r.context(i)
		r.says = append(r.says, says)
		for k := range r.turns {
			r.turns[k] += int(says >> k & 1)
		}
	}
	r.Prev = readPrevious(r)
}

// Holds reports whether r is the reading of this turn after this message.
func (r *Reading) Holds(text, before string) bool {
	return r.asked && r.Turn.Text == text && r.said == before
}

// Previous returns the assistant's message before the turn.
func (r *Reading) Previous() string {
	if !r.asked {
		r.said, r.asked = r.before(), true
	}
	return r.said
}

// context returns what sentence i says about the turn as a whole, one bit for each item from
// turnAsks on: that it asks, reports, sets work, forbids. A clause is judged with these bits of
// the other sentences.
func (r *Reading) context(i int) uint8 {
	bit := func(it item) uint8 { return 1 << (it - turnAsks) }
	var says uint8
	if r.Asks(i) {
		says |= bit(turnAsks)
	}
	for _, h := range r.Scan.Of(i) {
		switch words.GroupOf(h.Family) {
		case words.Set:
			says |= bit(turnSet)
		case words.Chore:
			says |= bit(turnChore)
		case words.Modal:
			says |= bit(turnModal)
		case words.Neg:
			says |= bit(turnNeg)
		default:
			if h.Family == gate.CtxSymptom || h.Family == gate.CtxISaw || h.Family == gate.CtxNotWorking {
				says |= bit(turnReports)
			}
		}
	}
	return says
}

// Word returns token k in lower case; "" outside of the turn.
func (r *Reading) Word(k int) string {
	if k < 0 || k >= len(r.Turn.Tokens) {
		return ""
	}
	return words.Lower(r.Turn.Tokens[k].In(r.Turn.Text))
}

// Ends returns the first byte of the sentence's last token.
func (r *Reading) Ends(s prose.Sentence) byte { return r.Turn.Text[r.Turn.Tokens[s.Last-1].Start] }

// Asks reports whether sentence i ends as a question does: with a question mark, or with a tag
// such as "right" or ", no" behind at least five words.
func (r *Reading) Asks(i int) bool {
	s := r.Turn.Sentences[i]
	if r.Ends(s) == '?' {
		return true
	}
	const least = 6
	if s.Last-s.First < least {
		return false
	}
	switch r.Word(s.Last - 1) {
	case "right", "correct":
		return !places(r.Word(s.Last - 2))
	case "no", "huh", "eh":
		return r.Word(s.Last-2) == ","
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

// add adds a feature, if it is not among those found already.
func (r *Reading) add(i item, s slot) {
	f := feature(i, s)
	if bit := uint64(1) << (f % 64); r.seen[f/64]&bit == 0 {
		r.seen[f/64] |= bit
		r.found = append(r.found, f)
	}
}

// reset begins a list of features. All have the bias, which weighs what nothing else does.
func (r *Reading) reset() {
	for _, f := range r.found {
		r.seen[f/64] = 0
	}
	r.found = append(r.found[:0], feature(bias, anywhere))
}

// EvidenceOf returns the features of the clauses of sentence i, one clause after the other.
// They are found once and remembered until the next Read; sentences before i are read on the
// way.
func (r *Reading) EvidenceOf(i int) []Feature {
	for k := len(r.proofs); k <= i; k++ {
		cs := r.Clauses(k)
		act := cs[0].First
		if cs[0].N == 0 {
			act = r.Turn.Sentences[k].Last
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

// evidence returns the features of a clause of sentence i, whose first act stands at token act:
//
//	the acts, and what the clause does with them (its slot)
//	details around them: "instead of", "only", "always", "I saw"
//	what it consists of: numbers, code, paths, quotes, its length
//	where the sentence is in the turn, and what the others say
//
// The result is valid until the next call.
func (r *Reading) evidence(i int, c *Clause, act int) []Feature {
	r.reset()
	for _, a := range c.Acts[:c.N] {
		r.add(item(a), anywhere)
	}
	r.add(does, slotOf(c.Group))
	for _, h := range r.Scan.Of(i) {
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
func (r *Reading) dangles(i int) bool {
	if i < 0 {
		return false
	}
	for _, h := range r.Scan.Of(i) {
		if h.Family == gate.ModInsteadOf && h.Last == r.Turn.Sentences[i].Last {
			return true
		}
	}
	return false
}

// detail adds what a hit that is no act says of a clause. What stands before the first act of a
// sentence counts as its beginning: "in the old parser, use …".
func (r *Reading) detail(h gate.Hit, c *Clause, act int) {
	inside := h.First >= c.First && h.First < c.Last || h.Family == gate.ModInsteadOf
	f := item(h.Family)
	switch {
	case h.Family == gate.AskWh || h.Family == gate.AskAux:
		r.add(f, anywhere)
	case h.Family.IsMod():
		switch {
		case inside && c.Group.Directive():
			r.add(f, anywhere)
			r.add(f, slotOf(c.Group))
			if h.First >= c.head && h.First <= c.head+2 {
				r.add(f, object)
			}
		case inside && c.Group == words.None && decides(h.Family):
			r.add(f, inNone)
		case !inside && c.from <= h.First && h.First < act && c.Group.Directive():
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

// Decisive reports whether a rule of the user's own decides the turn. A question never decides,
// even where such a rule fires in it.
func (r *Reading) Decisive() bool {
	for i := range r.Turn.Sentences {
		for _, h := range r.Scan.Of(i) {
			if !r.Rules.Decisive(h.Rule) {
				continue
			}
			for _, c := range r.Clauses(i) {
				if c.Group != words.Question && h.First >= c.First && h.First < c.Last {
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

// tokens adds what a clause consists of. Names and numbers count only in a clause that asks for
// something; in others they say nothing.
func (r *Reading) tokens(i int, c *Clause) {
	n := 0
	for _, t := range r.Turn.Tokens[c.First:c.Last] {
		if t.Kind == prose.Mark {
			continue
		}
		n++
		w := t.In(r.Turn.Text)
		switch t.Kind {
		case prose.Number:
			r.both(hasNumber, c)
			if len(w) >= 6 && words.IsHex(w) {
				r.hex(c)
			}
		case prose.Code:
			r.both(hasCode, c)
			if len(w) >= 4 && w[0] == '#' && words.IsHex(w[1:]) {
				r.hex(c)
			}
		case prose.Path, prose.Link:
			r.both(hasPath, c)
		case prose.Quote:
			r.both(hasQuote, c)
		case prose.Word, prose.Glyph, prose.Mark:
		}
	}
	if r.Asks(i) {
		kind := asks
		if c.Group.Directive() && r.polite(i) {
			kind = asksFor
		}
		r.add(kind, anywhere)
		r.add(kind, slotOf(c.Group))
	}
	r.add(lengthOf(n), slotOf(c.Group))
}

// polite reports whether a sentence asks for something to be done: "can you".
func (r *Reading) polite(i int) bool {
	for _, h := range r.Scan.Of(i) {
		if h.Family == gate.CtxCanYou || h.Family == gate.CtxCanWe {
			return true
		}
	}
	return false
}

// both adds an item twice: alone, and together with what the clause does, so that the weights
// can tell "use 3" from "it shows 3".
func (r *Reading) both(i item, c *Clause) {
	if c.Group.Directive() {
		r.add(i, anywhere)
		r.add(i, slotOf(c.Group))
	}
}

// hex adds that a clause has a colour or another hexadecimal value, even if it has no verb.
func (r *Reading) hex(c *Clause) {
	r.both(hasHex, c)
	if c.Group == words.None {
		r.add(hasHex, inNone)
	}
}

// lengthOf returns the item for so many words.
func lengthOf(words int) item {
	for k, most := range [...]int{1, 2, 4, 6, 9, 13, 20} {
		if words <= most {
			return len1 + item(k)
		}
	}
	return lenMany
}

// place adds where in the turn the sentence stands, and what stands beside it.
func (r *Reading) place(i int) {
	s := r.Turn.Sentences[i]
	switch n := len(r.Turn.Sentences); {
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
	if r.Turn.Pasted > 40 {
		r.add(turnPasted, anywhere)
	}
	if r.Command() {
		r.add(isCommand, anywhere)
	}
	for k := turnAsks; k <= turnNeg; k++ {
		if n := k - turnAsks; r.turns[n] > int(r.says[i]>>n&1) {
			r.add(k, anywhere)
		}
	}
}

// Command reports whether the turn is a command of the tool ("/compact") or of the shell ("git
// push"): one sentence of two to eight words that begins with the name of a program and wants
// nothing.
func (r *Reading) Command() bool {
	if len(r.Turn.Sentences) == 0 {
		return false
	}
	if r.Turn.Text[0] == '/' && r.Turn.Sentences[0].Start == 0 {
		return true
	}
	if len(r.Turn.Sentences) > 1 || r.Words > 8 || r.Words < 2 {
		return false
	}
	switch r.Word(0) {
	case "git", "npm", "npx", "pnpm", "yarn", "node", "python", "python3", "pip", "pip3", "conda", "docker", "kubectl", "cargo", "cd", "ls", "cat", "grep",
		"sudo", "brew", "apt", "ssh", "curl", "bun", "uv", "pytest", "mvn", "gradle", "terraform", "gh", "export", "chmod", "mkdir", "source":
	default:
		return false
	}
	for _, h := range r.Scan.Of(0) {
		if g := words.GroupOf(h.Family); h.First > 0 && (g == words.Modal || g == words.Want || g == words.Set) {
			return false
		}
	}
	return true
}
