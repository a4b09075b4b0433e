package title

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
)

// Input is a decision and the two texts that its words are in.
//
// All spans and offsets count bytes of Turn or Before. They must lie inside of the text and
// must not cut a character.
type Input struct {
	Turn     string     // the person's words
	Before   string     // the assistant's message before the turn, or what a tool asked
	Epitome  prose.Span // the words that decide
	InBefore bool       // Epitome is a span of Before, not of Turn
	Options  []core.Option
	Markers  []core.Marker // in Turn; they show where in a long sentence the decision is
	// Asked is the question of a tool in Before that the turn or the options answer.
	Asked prose.Span
	// Structured says that the decision answers a tool, so it needs no context.
	Structured bool
}

// Part is a piece of a title: a span of one of the two texts, and the joint that connects it
// with the piece before. The last part may be a joint without a span.
//
//	Which store? → Postgres (not: MySQL)
//
//	Joint ""         Span of Before  "Which store?"
//	Joint " → "      Span of Before  "Postgres"
//	Joint " (not: "  Span of Before  "MySQL"
//	Joint ")"        no span
type Part struct {
	Joint    string
	InBefore bool // Span is a span of Before, not of Turn
	prose.Span
}

// The joints: all that a title has besides words of its source.
const (
	follows  = " "       // the words follow each other in the source, too
	leaves   = " … "     // words are left out between the two
	ends     = " …"      // words are left out at the end
	begins   = "… "      // words are left out at the beginning
	answers  = " → "     // an answer follows
	rejects  = " (not: " // the options that were not chosen follow
	lists    = ", "
	items    = "; "
	closes   = ")"
	means    = " [" // what the words point at follows
	meantEnd = "]"
)

// Limits of the parts, in characters.
const (
	maxStatement = 240 // the epitome, or a chosen option
	maxContext   = 160 // the question, or another sentence beside the epitome
	maxAssent    = 140 // the words that accept a proposal
	maxOption    = 80  // an option that was not chosen
	maxItem      = 120 // an item of a list that was accepted
	maxOptions   = 4   // options that were not chosen; a number, not a length
)

// maxPick is how many words with a meaning of their own a turn may have that picks from a
// list without a label.
const maxPick = 8

// Of returns the parts of the title. A decision without words has none.
//
// The parts are spans of the texts of the input; no text is copied. The result depends on
// the input alone. The package comment says how the form of the title is chosen.
func Of(in *Input) []Part {
	w := writer{Input: in}
	switch {
	case in.Asked.End > in.Asked.Start:
		w.answer()
	case in.Structured:
		w.reason()
	case in.InBefore:
		w.acceptance()
	case w.reply(), w.pick():
	default:
		w.statement()
	}
	return w.parts
}

// writer makes one title.
type writer struct {
	*Input
	parts []Part

	turn, before *speech // nil until they are read
}

// words returns one of the two texts, cut into sentences.
func (w *writer) words(before bool) *speech {
	if before {
		if w.before == nil {
			w.before = read(w.Before, max(0, len(w.Before)-maxRead), len(w.Before))
		}
		return w.before
	}
	if w.turn == nil {
		around := w.Epitome
		if w.InBefore {
			around = prose.Span{}
		}
		w.turn = read(w.Turn, max(0, around.Start-maxRead), min(len(w.Turn), around.End+maxRead))
	}
	return w.turn
}

// text returns what a span is in: the message before the turn, or the turn.
func (w *writer) text(before bool) string {
	if before {
		return w.Before
	}
	return w.Turn
}

// put adds a span, shortened to about most characters. The joint "…" shows what was left out.
//
// If the beginning is left out, its first clause stays if it is short, followed by "…".
func (w *writer) put(joint string, before bool, s prose.Span, most int) {
	text := w.text(before)
	s = trimmed(text, s)
	if s.End <= s.Start {
		return
	}
	kept := shorten(text, s, most, w.focus(before, s))
	if kept.Start > s.Start {
		joint = w.opening(joint, before, prose.Span{Start: s.Start, End: kept.Start}, most)
	}
	w.add(joint, before, kept)
	if kept.End < s.End {
		w.joint(ends)
	}
}

// add adds a whole span, without the signs that make words bold.
func (w *writer) add(joint string, before bool, s prose.Span) {
	if n := len(w.parts); n > 0 && w.parts[n-1].Joint == ends && joint == leaves {
		joint = follows
	}
	for _, plain := range unmarked(w.text(before), s) {
		w.parts = append(w.parts, Part{Joint: joint, InBefore: before, Span: plain})
		joint = ""
	}
}

// opening adds the first clause of a beginning that is left out, if the clause is short, and
// returns the joint for the rest.
func (w *writer) opening(joint string, before bool, s prose.Span, most int) string {
	text := w.text(before)
	for _, e := range edgesIn(text, s) {
		if e.end <= s.Start {
			continue
		}
		if n := runes(text[s.Start:e.end]); n > most/10 && n <= most/2 {
			w.add(joint, before, prose.Span{Start: s.Start, End: e.end})
			return leaves
		}
	}
	return opened(joint)
}

// opened returns a joint extended by "…", for words whose beginning is left out.
func opened(joint string) string {
	if joint == follows {
		return leaves
	}
	return joint + begins
}

// joint adds a joint without words.
func (w *writer) joint(joint string) { w.parts = append(w.parts, Part{Joint: joint}) }

// focus returns the offset of the words that decide in a long sentence: of the first option
// that it names, or else of the first marker of a decision, or else of its beginning. The
// sentence is cut so that this offset stays.
func (w *writer) focus(before bool, s prose.Span) int {
	if before != w.InBefore || s.Start > w.Epitome.Start || s.End < w.Epitome.End {
		return s.Start
	}
	best := s.End
	for _, o := range w.Options {
		if o.InAssistant == before && s.Start <= o.Offset && o.Offset < best {
			best = o.Offset
		}
	}
	if best == s.End && !before {
		for _, m := range w.Markers {
			if deciding(m.Category) && s.Start <= m.Offset && m.Offset < best {
				best = m.Offset
			}
		}
	}
	if best == s.End {
		return s.Start
	}
	return best
}

// deciding reports whether markers of a category show a decision.
func deciding(c core.Category) bool {
	return c == core.DecisionVerb || c == core.Ban || c == core.Rejection
}

// answer makes the title of an answered question: question → chosen (not: others).
func (w *writer) answer() {
	w.put("", true, w.Asked, maxContext)
	joint := answers
	if len(w.parts) == 0 {
		joint = ""
	}
	for _, o := range w.Options {
		if o.Chosen {
			w.put(joint, o.InAssistant, span(o), maxStatement)
			joint = lists
		}
	}
	w.rejected()
}

// reason makes the title of an approved plan, or of the words with which a person refused
// something: words, or plan → words. Most words amend the plan and do not replace it.
func (w *writer) reason() {
	joint := ""
	if i := slices.IndexFunc(w.Options, func(o core.Option) bool { return o.InAssistant }); i >= 0 {
		w.put("", true, span(w.Options[i]), maxContext)
		joint = answers
	}
	w.put(joint, w.InBefore, w.Epitome, maxStatement)
}

// rejected adds the options that were not chosen: at most maxOptions, then "…".
func (w *writer) rejected() {
	joint, n := rejects, 0
	for _, o := range w.Options {
		if o.Chosen || len(w.parts) == 0 {
			continue
		}
		if n++; n > maxOptions {
			w.joint(ends)
			break
		}
		w.put(joint, o.InAssistant, span(o), maxOption)
		joint = lists
	}
	if joint != rejects {
		w.joint(closes)
	}
}

// span returns the span of an option in its text.
func span(o core.Option) prose.Span {
	return prose.Span{Start: o.Offset, End: o.Offset + len(o.Text)}
}

// acceptance makes the title of an accepted proposal: proposal → the person's first words.
func (w *writer) acceptance() {
	if items := w.offered(); len(items) > 0 {
		w.putItems(items)
	} else {
		w.question(w.Epitome)
	}
	if first := w.words(false).first(); first.End > first.Start {
		w.put(answers, false, first, maxAssent)
	}
}

// offered returns the items of a list if the turn accepts them all. The epitome is then the
// sentence that introduces the list, or one of the items.
func (w *writer) offered() []prose.Span {
	said := w.words(true)
	if more := said.announced(w.Epitome); len(more) > 0 && said.leads(w.Epitome) {
		return more
	}
	lead, items := said.listOf(w.Epitome)
	if len(items) > 1 && lead.End > lead.Start && said.leads(lead) {
		return items
	}
	return nil
}

// putItems adds the items of an accepted list.
func (w *writer) putItems(all []prose.Span) {
	const most = 4 // items; each may be long
	joint := ""
	for i, s := range all {
		if i == most && len(all) > most+1 {
			w.joint(ends)
			break
		}
		w.put(joint, true, s, maxItem)
		if joint = items; strings.ContainsAny(s.In(w.Before)[s.End-s.Start-1:], ".:!?") {
			joint = follows
		}
	}
}

// question adds the question of the assistant that the turn answers. If the question does not
// name what it is about ("Shall I proceed?"), the proposal is added too.
func (w *writer) question(q prose.Span) {
	said := w.words(true)
	more := said.announced(q)
	joint, most := "", maxStatement
	if len(more) == 0 && said.bare(q) {
		most = maxContext
		if more = said.continued(q); len(more) == 0 {
			joint = w.proposal(q)
		}
	}
	w.put(joint, true, q, most)
	w.putAll(follows, true, more)
}

// proposal adds what a bare question is about, and returns the joint for the question.
func (w *writer) proposal(q prose.Span) string {
	said := w.words(true)
	about := said.proposal(q.Start)
	w.putAll("", true, about)
	switch n := len(about); {
	case n == 0:
		return ""
	case said.between(about[n-1].End, q.Start):
		return leaves
	}
	return follows
}

// putAll adds consecutive spans until together they have maxContext characters; the first two
// are always added.
func (w *writer) putAll(joint string, before bool, all []prose.Span) {
	room := maxContext
	for i, s := range all {
		size := runes(w.text(before)[s.Start:s.End])
		if i > 1 && size > room {
			w.joint(ends)
			break
		}
		w.put(joint, before, s, max(room, maxOption))
		room -= size
		if joint = items; strings.ContainsAny(s.In(w.text(before))[s.End-s.Start-1:], ".:!?") {
			joint = follows
		}
	}
}

// reply makes the title of a turn that begins with the number of a question or of a list
// entry, such as "2. at most fifty commits" or "2. no". It reports whether the turn is one;
// if not, it adds nothing.
func (w *writer) reply() bool {
	name, rest := w.words(false).numberOf(w.Epitome)
	if name == "" {
		return false
	}
	const few = 2 // words with a meaning of their own
	short := w.words(false).meaning(rest) <= few
	for _, e := range listed(w.Before) {
		asks := e.asks.End > e.asks.Start
		if e.name == name && (short || asks) {
			about := e.head
			if asks {
				about = e.asks
			}
			w.put("", true, about, maxContext)
			w.put(answers, false, w.Epitome, maxStatement)
			return true
		}
	}
	return false
}

// pick makes the title of a turn that picks from a list of the assistant. It reports whether
// the turn does; if not, it adds nothing.
//
// A turn without a label and with more than maxPick words of their own meaning names its
// choice itself and is a statement.
func (w *writer) pick() bool {
	if w.words(false).answersSeveral() {
		return false // which list each label is of is not known
	}
	options := w.labelled()
	if options == nil {
		if w.words(false).meaning(w.Epitome) > maxPick && !w.words(false).points(w.Epitome) {
			return false // it names its choice itself
		}
		options = w.Options
	}
	if !slices.ContainsFunc(options, func(o core.Option) bool { return o.InAssistant && o.Chosen }) || repeated(options) {
		return false
	}
	said, turn := w.words(true), w.words(false)
	if turn.meaning(w.Epitome) <= 1 || turn.isLabel(w.Epitome) {
		joint := ""
		if q, ok := said.question(); ok && !said.bare(q) {
			w.put("", true, q, maxContext)
			joint = answers
		}
		for _, o := range options {
			if o.Chosen {
				w.put(joint, o.InAssistant, span(o), maxOption)
				joint = lists
			}
		}
	} else {
		w.put("", false, w.Epitome, maxStatement)
		joint := means
		for _, o := range options {
			if o.Chosen && !strings.Contains(w.Epitome.In(w.Turn), o.Text) {
				w.put(joint, o.InAssistant, span(o), maxOption)
				joint = lists
			}
		}
		if joint == lists {
			w.joint(meantEnd)
		}
	}
	if several(options) || w.repeatsOthers(options) {
		return true // who takes some of a list of proposals rejects none of the others
	}
	own := w.Epitome.In(w.Turn)
	options = slices.DeleteFunc(slices.Clone(options), func(o core.Option) bool { return !o.Chosen && strings.Contains(own, o.Text) })
	w.Input = &Input{Turn: w.Turn, Before: w.Before, Options: options}
	w.rejected()
	return true
}

// several reports whether more than one option is chosen.
func several(options []core.Option) bool {
	n := 0
	for _, o := range options {
		if o.Chosen {
			n++
		}
	}
	return n > 1
}

// repeatsOthers reports whether the turn has an option that is not chosen word for word: it takes
// over a list, of which the decision is one item.
func (w *writer) repeatsOthers(options []core.Option) bool {
	return slices.ContainsFunc(options, func(o core.Option) bool {
		return !o.Chosen && o.InAssistant && strings.Contains(w.Turn, o.Text) && !strings.Contains(w.Epitome.In(w.Turn), o.Text)
	})
}

// repeated reports whether two options have the same name. Then it is the name of a part that
// every entry of a list has ("Recommendation"), and the list puts up nothing to choose from.
func repeated(options []core.Option) bool {
	return slices.ContainsFunc(options, func(o core.Option) bool {
		return slices.ContainsFunc(options, func(p core.Option) bool {
			return o.Offset < p.Offset && o.Text == p.Text && o.InAssistant && p.InAssistant
		})
	})
}

// statement makes the title of the person's own words, with what they answer or point at if
// they cannot be understood alone.
func (w *writer) statement() {
	turn := w.words(false)
	if next, ok := turn.led(w.Epitome); ok {
		w.put("", false, next, maxStatement)
		w.putAll(follows, false, turn.announced(next))
		return
	}
	switch about, joint := w.lead(turn); {
	case len(about) == 0:
		w.put("", false, w.Epitome, maxStatement)
	case joint == means:
		w.put("", false, w.Epitome, maxStatement)
		w.putAll(means, true, about)
		w.joint(meantEnd)
	case joint == answers:
		w.question(about[0])
		w.put(answers, false, w.Epitome, maxStatement)
	default:
		w.put("", false, about[0], maxContext)
		w.put(joint, false, w.Epitome, maxStatement)
	}
	w.putAll(follows, false, turn.announced(w.Epitome))
}

// lead returns the context that the epitome needs, and the joint between the two.
//
// The joint says what about is:
//
//	answers    the question of the assistant that the turn answers
//	leaves     the sentence before, with words between
//	follows    the sentence just before
//	means      what the assistant did or would do
//	""         nothing is needed
func (w *writer) lead(turn *speech) (about []prose.Span, joint string) {
	first := turn.first().Start >= w.Epitome.Start
	weak := turn.meaning(w.Epitome) <= 1 || turn.isLabel(w.Epitome)
	if first && (weak || turn.replies(w.Epitome)) {
		if q, ok := w.words(true).question(); ok && (!w.words(true).item(q) || turn.replies(w.Epitome) || !turn.bare(w.Epitome)) {
			// a bare word such as "Start" answers no question in a list of questions
			return []prose.Span{q}, answers
		}
	}
	if s, ok := turn.heads(w.Epitome); ok {
		if turn.between(s.End, w.Epitome.Start) && !turn.announces(s) {
			return []prose.Span{s}, leaves
		}
		return []prose.Span{s}, follows
	}
	if first && turn.refuses(w.Epitome) {
		return w.words(true).topicOf(turn, w.Epitome), means // what was refused, though nothing was asked
	}
	if !weak && !turn.points(w.Epitome) {
		return nil, ""
	}
	if s, ok := turn.sentenceBefore(w.Epitome.Start); ok {
		if turn.between(s.End, w.Epitome.Start) {
			return []prose.Span{s}, leaves
		}
		return []prose.Span{s}, follows
	}
	if list := w.words(true).proposal(len(w.Before)); len(list) > 1 && turn.bare(w.Epitome) {
		return list, means
	}
	return w.words(true).topic(), means
}
