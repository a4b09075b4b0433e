package decide

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/decide/options"
	"github.com/memscribe/memscribe/core/decide/reading"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// turn is the turn that is judged: what is read of it, and what the judge notes.
type turn struct {
	reading.Reading
	script  string        // in which most of it is written
	judged  []judged      // by sentence
	markers []core.Marker // of the whole turn, by offset
}

// Read makes r the reading of another turn.
func (r *turn) Read(text string, before func() string) {
	r.Reading.Read(text, before)
	r.script = script(text)
}

// judged is a sentence with the clause that speaks for it.
type judged struct {
	clause reading.Clause
	answer bool // it may be an answer
}

// judge finds the clause of sentence i that does most.
func (r *turn) judge(i int) judged {
	cs := r.Clauses(i)
	best := cs[0]
	for k := range cs[1:] {
		if cs[k+1].Group.Outranks(best.Group) {
			best = cs[k+1]
		}
	}
	return judged{clause: best, answer: i == 0 && len(r.Answer()) > 0}
}

// verdict says what a turn is if it decides nothing, and which clause of each
// sentence speaks for it.
func (r *turn) verdict() Verdict {
	r.markers = r.Rules.Markers(r.Turn, r.Scan)
	v := Verdict{Kind: Other, Markers: r.markers}
	r.judged = r.judged[:0]
	for i := range r.Turn.Sentences {
		r.judged = append(r.judged, r.judge(i))
	}
	r.other(&v, r.judged)
	return v
}

// precedes reports whether a turn that does both is of kind a.
func precedes(a, b Kind) bool { return order(a) > order(b) }

// order says which of several kinds a turn as a whole is of: the higher one.
func order(k Kind) int {
	switch k {
	case Ban:
		return 6
	case Revoke:
		return 5
	case Choice:
		return 4
	case Rule:
		return 3
	case Spec:
		return 2
	case Confirm:
		return 1
	case Request, Question, Feedback, Other:
	}
	return 0
}

// other fills in what a turn is if it decides nothing.
func (r *turn) other(v *Verdict, sentences []judged) {
	work, goesOn, asksIt := false, false, false
	for i := range sentences {
		c := &sentences[i].clause
		switch {
		case c.Group == words.Question, c.Group == words.None && r.Ends(r.Turn.Sentences[i]) == '?':
			asksIt = true
		case onlyGoesOn(c):
			goesOn = true
		case c.Group.Directive() && c.Group != words.Assent:
			work = true
		}
	}
	yes := false
	if len(sentences) > 0 {
		yes, _, _ = r.Assents()
	}
	switch {
	case len(sentences) == 0, r.Command():
		v.Kind = Other
	case work, goesOn:
		v.Kind = Request
	case asksIt:
		v.Kind = Question
	default:
		v.Kind = Feedback
	}
	v.Elevated = work
	v.Accepts = yes && (r.Prev.Proposal != reading.Nothing || !goesOn)
	v.Continuation = len(sentences) > 0 && !work && !asksIt && (goesOn || yes) && r.Words <= 12
}

// onlyGoesOn reports whether a clause asks for nothing but to go on.
func onlyGoesOn(c *reading.Clause) bool {
	if c.N == 0 {
		return false
	}
	for _, f := range c.Acts[:c.N] {
		if f != gate.ActGoOn {
			return false
		}
	}
	return c.Last-c.First <= 4
}

// decide appends what a passage decides: what it says, what it accepts, or both.
func (r *turn) decide(out []Decided, p passage) []Decided {
	j := &r.judged[p.best]
	if yes, accepts, end := r.Assents(); !j.answer || !yes && !accepts || r.deniedWithin(end) || r.Picked(p.best) != nil {
		return append(out, r.decided(p))
	}
	d, ok := r.confirmed()
	switch {
	case r.recorded(r.Prev.Span): // agreed to once more
	case !ok:
		return append(out, r.decided(p))
	default:
		out = append(out, d)
	}
	if j.clause.Group.Directive() && j.clause.Group != words.Chore && j.clause.Group != words.Assent || r.addsTo(p.best) {
		out = append(out, r.decided(p))
	}
	return out
}

// deniedWithin reports whether words that would assent, up to a token, are the beginning of a "no": "please do
// not touch it".
func (r *turn) deniedWithin(end int) bool {
	return slices.ContainsFunc(r.Scan.Of(0), func(h gate.Hit) bool {
		return words.GroupOf(h.Family) == words.Neg && h.First < end && end < h.Last
	})
}

// addsTo reports whether a sentence that accepts also says how.
func (r *turn) addsTo(i int) bool {
	const least = 5 // words
	s := r.Turn.Sentences[i]
	_, _, end := r.Assents()
	n := 0
	for _, t := range r.Turn.Tokens[max(s.First, end):s.Last] {
		if t.Kind != prose.Mark {
			n++
		}
	}
	return n >= least && r.Ends(s) != '?'
}

// decided builds the decision of what a passage says.
func (r *turn) decided(p passage) Decided {
	span := r.trim(r.span(p))
	d := Decided{Epitome: span.In(r.Turn.Text), Offset: span.Start}
	d.Markers = r.markersIn(span)
	var f familySet
	for i := p.first; i <= p.last; i++ {
		one := r.familiesOf(i)
		f.join(&one)
		d.IsBan = d.IsBan || r.forbids(i, one)
	}
	d.Standing = f.any(gate.ModAlways, gate.ModFromNowOn, gate.ModRemember, gate.ModEverywhere, gate.ActNever, gate.ActMustNot, gate.ActAlways)
	d.Revokes = f.any(gate.ActRevert) || f.any(gate.ModActually) && !f.any(gate.ActShould)
	d.Options = r.options(p)
	r.stand(&d)
	j := &r.judged[p.best]
	d.Kind = r.kind(&d, f, j)
	d.Confirmation = j.answer && !r.chooses()
	return d
}

// options finds the alternatives that a passage names.
func (r *turn) options(p passage) []core.Option {
	for i := p.first; i <= p.last; i++ {
		if picked := r.Picked(i); picked != nil {
			return picked
		}
	}
	if p.first == 0 && r.Prev.Overlap && r.chooses() {
		if restated := r.Restated(); restated != nil {
			return restated
		}
	}
	var out []core.Option
	for i := p.first; i <= p.last; i++ {
		out = options.Named(out, &r.Turn, r.Turn.Sentences[i], r.Scan.Of(i))
	}
	return out
}

// confirmed returns the decision of a turn that accepts the assistant's proposal.
func (r *turn) confirmed() (Decided, bool) {
	p := r.Prev
	if p.Proposal == reading.Nothing || p.Span.End <= p.Span.Start {
		return Decided{}, false
	}
	d := Decided{
		Kind: Confirm, Epitome: p.Span.In(r.Previous()), EpitomeInAssistant: true, Offset: p.Span.Start,
		Confirmation: true,
	}
	d.Markers = r.markersIn(r.Turn.Sentences[0].Span)
	d.Options = options.Proposed(r.Rules, p.Span.In(r.Previous()), p.Span.Start)
	r.stand(&d)
	return d, true
}

// recorded reports whether a proposal only repeats what was decided before: it names the
// decision by its id, or it says no more than that what stands before it shall hold, and
// that names one. Whoever agrees decides nothing new.
//
//	Shall I keep to cursor pagination (decision:468f6ea2)?
//	In force: never use lodash (decision:59793e74). Shall I keep to it?
func (r *turn) recorded(span prose.Span) bool {
	const (
		back  = 600 // bytes before a proposal that it may mean
		short = 8   // words of one that only points back
	)
	if r.Prev.Proposal == reading.Nothing || span.End <= span.Start {
		return false
	}
	own := span.In(r.Previous())
	if prose.Cites(own) {
		return true
	}
	words := strings.Fields(words.Lower(own))
	pointing := slices.ContainsFunc(words, func(w string) bool {
		switch strings.Trim(w, "?.,!*_`") {
		case "it", "that", "this", "these", "those", "them", "so", "all", "rules":
			return true
		}
		return false
	})
	return pointing && len(words) <= short && prose.Cites(r.Previous()[max(0, span.Start-back):span.Start])
}

// stand says in which texts the words of a decision stand.
func (r *turn) stand(d *Decided) {
	d.Turn = r.Turn.Text
	if d.EpitomeInAssistant || slices.ContainsFunc(d.Options, func(o core.Option) bool { return o.InAssistant }) {
		d.Said = r.Previous()
	}
}

// markersIn returns the markers of the turn that stand in a span.
func (r *turn) markersIn(span prose.Span) []core.Marker {
	first := 0
	for first < len(r.markers) && r.markers[first].Offset < span.Start {
		first++
	}
	end := first
	for end < len(r.markers) && r.markers[end].Offset < span.End {
		end++
	}
	return r.markers[first:end:end]
}

// familySet is the set of families that fired in a sentence.
type familySet [(gate.Families + 63) / 64]uint64

// familiesOf returns the set of families that fired in sentence i.
func (r *turn) familiesOf(i int) familySet {
	var s familySet
	for _, h := range r.Scan.Of(i) {
		s[h.Family/64] |= 1 << (h.Family % 64)
	}
	return s
}

// join adds the families of another set.
func (s *familySet) join(o *familySet) {
	for k := range s {
		s[k] |= o[k]
	}
}

// any reports whether one of these families is in the set.
func (s *familySet) any(families ...gate.Family) bool {
	for _, f := range families {
		if s[f/64]&(1<<(f%64)) != 0 {
			return true
		}
	}
	return false
}

// forbids reports whether sentence i forbids something. Who says what to do
// instead chooses, and who only puts the work off forbids nothing.
func (r *turn) forbids(i int, f familySet) bool {
	return r.denies(i, f) && !naming.Excused(r.Turn.Sentences[i].In(r.Turn.Text))
}

// denies is forbids for sentences that console, too.
func (r *turn) denies(i int, f familySet) bool {
	for _, h := range r.Scan.Of(i) {
		if (h.Family == gate.ActNever || h.Family == gate.ActMustNot) && !r.recounts(h) {
			return true
		}
	}
	if f.any(gate.ModInsteadOf, gate.ModInstead) || f.any(gate.CtxNoChange) && r.postpones(i) {
		return false
	}
	s := r.Turn.Sentences[i]
	for _, h := range r.Scan.Of(i) {
		if r.contrasted(h.Last, s.Last) || h.First > s.First && r.Word(h.First-1) == "(" {
			continue
		}
		switch h.Family {
		case gate.ActDont:
			if r.bans(h) && !r.dropped(i) && !r.needless(i, h) {
				return true
			}
		case gate.ActShouldNot:
			if w := r.Word(h.First - 1); h.First > s.First && (w == "we" || w == "you") && !f.any(gate.CtxHedge) {
				return true
			}
		case gate.ActNoX:
			if r.Word(h.First) == "no" && !f.any(gate.ActWant) && r.plural(h) {
				return true
			}
		default:
		}
	}
	return false
}

// recounts reports whether "never" tells what was or is, and forbids nothing: "never had
// it", "it never works". "That should never happen" complains.
func (r *turn) recounts(h gate.Hit) bool {
	never := h.First
	if r.Word(never) == "should" {
		never++
	}
	if r.Word(never) != "never" {
		return false
	}
	before, next := r.Word(never-1), r.Word(never+1)
	switch before {
	case "it", "that", "this", "which", "have", "has", "had", "i've", "we've", "was", "were":
		return true
	case "should":
		return next == "happen" && pronoun(r.Word(never-2))
	}
	switch next {
	case "have", "had", "has", "seen", "been", "was", "were", "got", "worked", "works", "happened", "happens", "did", "knew", "heard", "used":
		return before != "must"
	}
	return false
}

// pronoun reports whether a word stands for what was told just before.
func pronoun(word string) bool { return word == "that" || word == "this" || word == "it" }

// dropped reports whether a Chinese "do not" asks for something that is there to go: it
// ends on 了, as in "no more logs".
func (r *turn) dropped(i int) bool {
	s := r.Turn.Sentences[i]
	for k := s.Last - 1; k >= s.First; k-- {
		if r.Turn.Tokens[k].Kind != prose.Mark {
			return r.Word(k) == "了"
		}
	}
	return false
}

// needless reports whether 不要 is Japanese, where it finds something needless and forbids
// nothing: the sentence has kana.
func (r *turn) needless(i int, h gate.Hit) bool {
	if !strings.HasPrefix(r.Word(h.First), "不") {
		return false
	}
	return strings.ContainsFunc(r.Turn.Sentences[i].In(r.Turn.Text), func(c rune) bool {
		return unicode.In(c, unicode.Hiragana, unicode.Katakana)
	})
}

// plural reports whether a word of a hit ends as plurals do.
func (r *turn) plural(h gate.Hit) bool {
	for k := h.First + 1; k < h.Last; k++ {
		if r.Turn.Tokens[k].Kind == prose.Word && strings.HasSuffix(r.Word(k), "s") {
			return true
		}
	}
	return false
}

// bans reports whether the verb behind "don't" is one of something that can be
// forbidden, and not of a piece of advice.
func (r *turn) bans(h gate.Hit) bool {
	verb := r.Word(h.Last - 1)
	if verb == "not" { // let's not
		verb = r.Word(h.Last)
	}
	switch verb {
	case "leave", "spend", "be", "do", "doing", "let", "get", "go", "need", "waste", "like", "merge", "bother":
		return false
	}
	return r.Word(h.First) != "stop" || strings.HasSuffix(verb, "ing")
}

// contrasted reports whether a "but" stands between two tokens.
func (r *turn) contrasted(from, to int) bool {
	for k := from; k < to; k++ {
		const but = "but"
		if w := r.Turn.Tokens[k]; w.End-w.Start == len(but) && r.Word(k) == but {
			return true
		}
	}
	return false
}

// kind names what a sentence decides.
func (r *turn) kind(d *Decided, f familySet, j *judged) Kind {
	switch {
	case d.IsBan:
		return Ban
	case d.Revokes:
		return Revoke
	case j.answer && r.chooses(), alternatives(d.Options),
		f.any(gate.ModInsteadOf, gate.ActDecided, gate.ActOption, gate.ActPrefer, gate.ActReplace, gate.ModNamed):
		return Choice
	case d.Standing:
		return Rule
	case f.any(gate.ActUse, gate.ActName, gate.ActDrop, gate.ActDontNeed, gate.ActDontLike, gate.ActReject):
		return Choice
	case f.any(gate.ModMust) && !f.any(gate.ModBound, gate.ModUnit, gate.ModNumber, gate.ModPlace, gate.ModColour, gate.ModWhen, gate.ModDefault):
		return Rule
	}
	return Spec
}

// chooses reports whether the turn answers by what it picks, and not by a word
// of assent.
func (r *turn) chooses() bool {
	yes, accepts, _ := r.Assents()
	return r.Picks() || !yes && !accepts
}

// alternatives reports whether one option was taken and another was not.
func alternatives(options []core.Option) bool {
	taken, left := false, false
	for _, o := range options {
		taken, left = taken || o.Chosen, left || !o.Chosen
	}
	return taken && left
}

// trim takes off the marks that a sentence begins with, but not the dot of a name: ".gitignore".
func (r *turn) trim(s prose.Span) prose.Span {
	for s.Start < s.End {
		switch c := r.Turn.Text[s.Start]; c {
		case '.':
			if s.Start+1 < s.End && isLetter(r.Turn.Text[s.Start+1]) {
				return s
			}
			fallthrough
		case '-', ',', ':', ';', ' ', '*', '>':
			s.Start++
			continue
		}
		break
	}
	return s
}
