package title

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
)

// Input is a decision, and the two texts in which its words stand.
//
// All spans and offsets are in bytes of Turn or Before. They must lie inside of it and
// on the edges of characters.
type Input struct {
	Turn     string     // the person's words
	Before   string     // the assistant's message before them, or what a tool put up
	Epitome  prose.Span // the words that decide
	InBefore bool       // Epitome stands in Before
	Options  []core.Option
	Markers  []core.Marker // their places in Turn say where in a long sentence the decision is
	// Asked is the question of a tool in Before that the turn or the options answer.
	Asked prose.Span
	// Structured says that the decision answers a tool: nothing was said before it.
	Structured bool
}

// Part is a piece of a title: a span of one of the two texts, and what joins it to
// the piece before. The last one may be a joint alone.
type Part struct {
	Joint    string
	InBefore bool // Span is one of Before, not of Turn
	prose.Span
}

// The joints.
const (
	follows  = " "       // the words follow each other in the source, too
	leaves   = " … "     // words are left out between the two
	ends     = " …"      // words are left out behind
	begins   = "… "      // words are left out before
	answers  = " → "     // the words are the answer
	rejects  = " (not: " // what was not chosen
	lists    = ", "
	items    = "; "
	closes   = ")"
	means    = " [" // what the words point at
	meantEnd = "]"
)

// Limits of the parts, in characters.
const (
	maxStatement = 240
	maxContext   = 160
	maxAssent    = 140
	maxOption    = 80
	maxItem      = 120
	maxOptions   = 4 // that were not chosen
)

// maxPick is how many words with a meaning of their own may pick from what was listed without
// saying its number.
const maxPick = 8

// Of returns the parts of the title. Without words there are none.
//
// The parts point into the texts of the input; nothing is copied. The result depends on
// the input alone.
func Of(in *Input) []Part {
	w := writer{Input: in}
	switch {
	case in.Asked.End > in.Asked.Start:
		w.answer()
	case in.Structured:
		w.put("", in.InBefore, in.Epitome, maxStatement)
		w.rejected()
	case in.InBefore:
		w.acceptance()
	case w.reply(), w.pick():
	default:
		w.statement()
	}
	return w.parts
}

// writer puts a title together.
type writer struct {
	*Input
	parts []Part

	turn, before *speech // once they were read
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

// text returns what a span stands in: the message before the turn, or the turn.
func (w *writer) text(before bool) string {
	if before {
		return w.Before
	}
	return w.Turn
}

// put adds a span, no longer than most characters if it can be cut, and reports
// whether anything of it was left out.
//
// Where the beginning is left out, its first clause stays if it is short, with "…"
// after it.
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

// add adds a span as it is, without the signs that only make words bold.
func (w *writer) add(joint string, before bool, s prose.Span) {
	if n := len(w.parts); n > 0 && w.parts[n-1].Joint == ends && joint == leaves {
		joint = follows
	}
	for _, plain := range unmarked(w.text(before), s) {
		w.parts = append(w.parts, Part{Joint: joint, InBefore: before, Span: plain})
		joint = ""
	}
}

// opening adds the first clause of what is left out in front, if it is short, and
// returns the joint for what follows it.
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

// opened returns a joint in front of words that lack their beginning.
func opened(joint string) string {
	if joint == follows {
		return leaves
	}
	return joint + begins
}

// joint adds a joint without words behind it.
func (w *writer) joint(joint string) { w.parts = append(w.parts, Part{Joint: joint}) }

// focus returns where in a long sentence the decision is: at the first option that it
// names, or at the first rule that fired.
//
// Without an option or a marker it is the beginning.
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

// deciding reports whether a marker says that something is decided.
func deciding(c core.Category) bool {
	return c == core.DecisionVerb || c == core.Ban || c == core.Rejection
}

// answer is the title of an answered question of a tool.
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

// rejected adds the options that were not chosen.
//
// At most four are named; more are shown as "…".
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

// span returns where an option stands in its text.
func span(o core.Option) prose.Span {
	return prose.Span{Start: o.Offset, End: o.Offset + len(o.Text)}
}

// acceptance is the title of a proposal that the turn accepts.
//
// The reply is cut at 140 characters.
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

// offered returns the items of the list that the turn accepts: the epitome only leads to them,
// or is one of them, and all were offered.
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

// putItems adds what was offered, item by item.
func (w *writer) putItems(all []prose.Span) {
	const most = 4 // items, of which each may be long
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

// question adds a sentence of the assistant's that the turn answers. One that does
// not say what it asks about has that beside it.
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

// proposal adds what a bare question asks about, and returns the joint between them.
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

// putAll adds spans that follow each other, as many as there is room for.
//
// At least two are put, whatever their length; of the room for all, 160 characters,
// each takes its own.
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

// reply returns the title of the answer to one of several numbered questions, "2. at most fifty
// commits", or of few words behind the number of something listed: "2. no". It reports whether the turn is one.
func (w *writer) reply() bool {
	name, rest := w.words(false).numberOf(w.Epitome)
	if name == "" {
		return false
	}
	const few = 2 // words with a meaning of their own
	short := w.words(false).meaning(rest) <= few
	for _, e := range listed(w.Before) {
		if e.name == name && (short || e.asks) {
			w.put("", true, e.head, maxContext)
			w.put(answers, false, w.Epitome, maxStatement)
			return true
		}
	}
	return false
}

// pick returns the title of a turn that picks from what the assistant listed. It reports
// whether the turn does.
//
// A turn of more than eight meaningful words without a label says itself what it takes,
// and is a statement.
func (w *writer) pick() bool {
	options := w.labelled()
	if options == nil {
		if w.words(false).meaning(w.Epitome) > maxPick && !w.words(false).points(w.Epitome) {
			return false // it says itself what it takes
		}
		options = w.Options
	}
	if !slices.ContainsFunc(options, func(o core.Option) bool { return o.InAssistant && o.Chosen }) {
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
			if o.Chosen {
				w.put(joint, o.InAssistant, span(o), maxOption)
				joint = lists
			}
		}
		w.joint(meantEnd)
	}
	w.Input = &Input{Turn: w.Turn, Before: w.Before, Options: options}
	w.rejected()
	return true
}

// statement is the title of what the person says, with what it answers or points at
// if it cannot be understood alone.
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

// lead finds what the words that decide need beside them, and how it is joined.
//
// The results by joint:
//
//	answers    the question of the assistant that the turn answers
//	leaves     the sentence before, with words between
//	follows    the sentence just before
//	means      what the assistant did or would do
//	""         nothing is needed
func (w *writer) lead(turn *speech) (about []prose.Span, joint string) {
	first := turn.first().Start >= w.Epitome.Start
	weak := turn.meaning(w.Epitome) <= 1
	if first && (weak || turn.replies(w.Epitome)) {
		if q, ok := w.words(true).question(); ok && (!w.words(true).item(q) || turn.replies(w.Epitome) || !turn.bare(w.Epitome)) {
			return []prose.Span{q}, answers // "Start" answers no question out of a list of them
		}
	}
	if s, ok := turn.heads(w.Epitome); ok {
		if turn.between(s.End, w.Epitome.Start) && !turn.announces(s) {
			return []prose.Span{s}, leaves
		}
		return []prose.Span{s}, follows
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
