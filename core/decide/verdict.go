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

// turn is the turn that is being judged. Its memory is reused for the next one.
type turn struct {
	reading.Reading
	script  string        // see the function script
	judged  []judged      // by sentence
	markers []core.Marker // of the whole turn, by offset
}

// Read makes r the reading of another turn; before is as in [Judge.Turn].
func (r *turn) Read(text string, before func() string) {
	r.Reading.Read(text, before)
	r.script = script(text)
}

// judged is a sentence, represented by its strongest clause.
type judged struct {
	clause reading.Clause
	answer bool // it may be an answer
}

// judge returns the strongest clause of sentence i, and whether the sentence may be an answer.
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

// verdict returns the verdict of the turn if it decides nothing, and fills r.judged and
// r.markers.
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

// precedes reports whether a turn with decisions of both kinds has the kind a.
func precedes(a, b Kind) bool { return order(a) > order(b) }

// order returns the rank of a kind. A turn with several decisions has the kind of the highest.
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

// other sets the fields of a verdict for a turn that decides nothing.
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

// onlyGoesOn reports whether a clause only asks to continue.
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

// decide appends the decisions of a passage: what it says, what it accepts, or both. "Yes, and
// use Postgres" accepts a proposal and makes a choice.
func (r *turn) decide(out []Decided, p passage) []Decided {
	j := &r.judged[p.best]
	if yes, accepts, end := r.Assents(); !j.answer || !yes && !accepts || r.deniedWithin(end) || r.Picked(p.best) != nil {
		return append(out, r.decided(p))
	}
	d, ok := r.confirmed()
	switch {
	case r.recorded(r.Prev.Span): // it was decided before
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

// deniedWithin reports whether the tokens before end, which look like a yes, are the beginning
// of a no: "please do not touch it".
func (r *turn) deniedWithin(end int) bool {
	return slices.ContainsFunc(r.Scan.Of(0), func(h gate.Hit) bool {
		return words.GroupOf(h.Family) == words.Neg && h.First < end && end < h.Last
	})
}

// addsTo reports whether sentence i accepts a proposal and also says how: at least five words
// follow the yes.
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

// decided returns the decision that a passage states.
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

// options returns the alternatives that a passage names: entries of the assistant's list that
// it picks, else of the assistant's proposal that it repeats, else what the rules find.
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

// confirmed returns the decision of a turn that accepts the assistant's proposal, and whether
// there is a proposal. The epitome is the proposal.
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

// recorded reports whether a proposal only repeats an earlier decision, so that a yes decides
// nothing new. The proposal names the decision by its id, or it is short, points back ("keep to
// it"), and the text before it names one:
//
//	Shall I keep to cursor pagination (decision:468f6ea2)?
//	In force: never use lodash (decision:59793e74). Shall I keep to it?
func (r *turn) recorded(span prose.Span) bool {
	const (
		back  = 600 // bytes before a proposal that are searched for an id
		short = 8   // words of a proposal that only points back
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

// stand sets the texts that the words of a decision are parts of.
func (r *turn) stand(d *Decided) {
	d.Turn = r.Turn.Text
	if d.EpitomeInAssistant || slices.ContainsFunc(d.Options, func(o core.Option) bool { return o.InAssistant }) {
		d.Said = r.Previous()
	}
}

// markersIn returns the markers of the turn in a span.
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

// familySet is a set of families, a bit for each.
type familySet [(gate.Families + 63) / 64]uint64

// familiesOf returns the families of the hits in sentence i.
func (r *turn) familiesOf(i int) familySet {
	var s familySet
	for _, h := range r.Scan.Of(i) {
		s[h.Family/64] |= 1 << (h.Family % 64)
	}
	return s
}

// join adds the families of o.
func (s *familySet) join(o *familySet) {
	for k := range s {
		s[k] |= o[k]
	}
}

// any reports whether the set has at least one of the families.
func (s *familySet) any(families ...gate.Family) bool {
	for _, f := range families {
		if s[f/64]&(1<<(f%64)) != 0 {
			return true
		}
	}
	return false
}

// forbids reports whether the rules find that sentence i forbids something. A sentence that
// says what to do instead is a choice, and one that only postpones the work forbids nothing.
func (r *turn) forbids(i int, f familySet) bool {
	return r.denies(i, f) && !naming.Excused(r.Turn.Sentences[i].In(r.Turn.Text))
}

// denies is forbids without the exceptions of [naming.Excused].
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

// recounts reports whether a hit of "never" describes and does not forbid: "never had it", "it
// never works", or the complaint "that should never happen".
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

// pronoun reports whether a word refers to what was said before.
func pronoun(word string) bool { return word == "that" || word == "this" || word == "it" }

// dropped reports whether a Chinese "do not" asks to remove something: sentence i ends in 了,
// as in "no more logs".
func (r *turn) dropped(i int) bool {
	s := r.Turn.Sentences[i]
	for k := s.Last - 1; k >= s.First; k-- {
		if r.Turn.Tokens[k].Kind != prose.Mark {
			return r.Word(k) == "了"
		}
	}
	return false
}

// needless reports whether 不要 is Japanese, where it means "unnecessary" and forbids nothing:
// the sentence has kana.
func (r *turn) needless(i int, h gate.Hit) bool {
	if !strings.HasPrefix(r.Word(h.First), "不") {
		return false
	}
	return strings.ContainsFunc(r.Turn.Sentences[i].In(r.Turn.Text), func(c rune) bool {
		return unicode.In(c, unicode.Hiragana, unicode.Katakana)
	})
}

// plural reports whether a word of a hit ends like a plural.
func (r *turn) plural(h gate.Hit) bool {
	for k := h.First + 1; k < h.Last; k++ {
		if r.Turn.Tokens[k].Kind == prose.Word && strings.HasSuffix(r.Word(k), "s") {
			return true
		}
	}
	return false
}

// bans reports whether the verb after "don't" can forbid something: not in "don't bother" or
// "don't get me wrong".
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

// contrasted reports whether there is a "but" between two tokens.
func (r *turn) contrasted(from, to int) bool {
	for k := from; k < to; k++ {
		const but = "but"
		if w := r.Turn.Tokens[k]; w.End-w.Start == len(but) && r.Word(k) == but {
			return true
		}
	}
	return false
}

// kind returns the kind of the decision in a sentence, by the rules.
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

// chooses reports whether the turn answers by what it picks, not by a word such as "yes".
func (r *turn) chooses() bool {
	yes, accepts, _ := r.Assents()
	return r.Picks() || !yes && !accepts
}

// alternatives reports whether at least one option is chosen and at least one is not.
func alternatives(options []core.Option) bool {
	taken, left := false, false
	for _, o := range options {
		taken, left = taken || o.Chosen, left || !o.Chosen
	}
	return taken && left
}

// trim removes punctuation from the beginning of a span, but not the dot of a name such as
// ".gitignore".
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
