package gate

import (
	"math/bits"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
)

// Hit is a match of a rule.
//
// In "Please use UUIDs instead of counters.", the rule en.instead-of hits the tokens "instead"
// and "of": First 3, Last 5, with tokens counted from 0.
type Hit struct {
	Rule        int // index of the rule; see [Rules.Rule]
	Family      Family
	First, Last int // it matches the tokens Turn.Tokens[First:Last]
}

// Rule returns rule number i; see [Hit].
func (r *Rules) Rule(i int) Rule { return r.rules[i] }

// Lang returns the language of the table that rule i comes from.
func (r *Rules) Lang(i int) string { return r.langs[i] }

// Len returns the number of rules.
func (r *Rules) Len() int { return len(r.rules) }

// Decisive reports whether a hit of rule i makes a decision by itself: the rule is strong and
// names no family. Rules of the tables name families; a user's rule may not.
func (r *Rules) Decisive(i int) bool { return r.decisive[i] }

// Scan is the result of a pass over a turn.
//
// [Rules.ScanTo] reuses a Scan, and then its hits become invalid. When the Scan has grown to
// its usual size, ScanTo allocates nothing.
type Scan struct {
	hits []Hit
	ends []int   // by sentence: the end of its hits in hits
	ids  []int32 // by token: the number of its word, 0 if no rule knows it
	verb []bool  // by token: the verb of a clause may be there

	// the turn is in another language than that of the first table
	foreign bool
}

// tell is how many signs of another language a turn must have to be in that language. One is
// not enough: "do" is a sign of Portuguese, and "Do not edit it." is English.
const tell = 2

// Foreign reports whether the words of the turn show that it is in the language of another
// table than the first.
func (s *Scan) Foreign() bool { return s.foreign }

// Of returns the hits in a sentence, sorted by the token at which their pattern was tried.
func (s *Scan) Of(sentence int) []Hit {
	from := 0
	if sentence > 0 {
		from = s.ends[sentence-1]
	}
	return s.hits[from:s.ends[sentence]]
}

// Scan runs the rules over a turn.
func (r *Rules) Scan(p prose.Turn) Scan { return r.ScanWhere(p, nil) }

// ScanWhere runs the rules over the sentences of a turn for which wanted returns true. The
// others have no hits.
func (r *Rules) ScanWhere(p prose.Turn, wanted func(sentence int) bool) Scan {
	var s Scan
	r.ScanTo(&s, &p, wanted)
	return s
}

// ScanTo is [Rules.ScanWhere] with the memory of a previous scan, whose hits become invalid. If
// wanted is nil, all sentences are scanned.
//
// A sentence has at most maxHits hits.
func (r *Rules) ScanTo(s *Scan, p *prose.Turn, wanted func(sentence int) bool) {
	s.reset(p)
	r.numberWords(s.ids, p)
	m := matcher{rules: r, turn: p, scan: s}
	var signs int
	m.use, signs = r.tables(s.ids)
	m.guessed, s.foreign = signs == 0, signs >= tell
	for i := range p.Sentences {
		if wanted == nil || wanted(i) {
			m.sentence(i)
		}
		s.ends = append(s.ends, len(s.hits))
	}
}

// reset empties the scan and makes room for a turn.
func (s *Scan) reset(p *prose.Turn) {
	n := len(p.Tokens)
	s.hits = slices.Grow(s.hits[:0], n/2+8)
	s.ends = slices.Grow(s.ends[:0], len(p.Sentences))
	s.ids = slices.Grow(s.ids[:0], n)[:n]
	s.verb = slices.Grow(s.verb[:0], n)[:n]
	clear(s.verb)
}

// numberWords looks up the word of each token; ids gets 0 for words that no rule has.
func (r *Rules) numberWords(ids []int32, p *prose.Turn) {
	var buf [2 * maxWord]byte
	for i := range p.Tokens {
		s := p.Tokens[i].Span
		if head, ok := foldShort(p.Text, s.Start, s.End); ok {
			ids[i] = r.words.findShort(head, s.End-s.Start)
			continue
		}
		ids[i] = 0
		if w := fold(buf[:0], s.In(p.Text)); len(w) > 0 {
			ids[i] = r.words.find(w)
		}
	}
}

// tables returns the tables to use for a turn with these words, a bit for each, and how many
// signs the turn has of the language that was chosen, or -1 if that is the first table's.
//
// Tables without signs and the first table are always used. Of the others, those with the most
// signs are used if the turn has more of them than of the first table's. A turn of three words
// may have no sign of any language: then all tables are used, and [matcher.homonyms] removes
// what is unlikely.
func (r *Rules) tables(ids []int32) (use uint64, signs int) {
	var n [64]int
	for _, id := range ids {
		for set := r.signs[id]; set != 0; set &= set - 1 {
			n[bits.TrailingZeros64(set)]++
		}
	}
	most := 0
	for set := r.signed &^ 1; set != 0; set &= set - 1 {
		most = max(most, n[bits.TrailingZeros64(set)])
	}
	use = ^r.signed | 1
	if most <= n[0] && n[0] > 0 {
		return use, -1
	}
	for set := r.signed &^ 1; set != 0; set &= set - 1 {
		if k := bits.TrailingZeros64(set); n[k] == most {
			use |= 1 << k
		}
	}
	return use, most
}

// Mark returns the markers of a turn, by offset. A rule marks a sentence at most once.
func (r *Rules) Mark(p prose.Turn) []core.Marker {
	s := r.Scan(p)
	return r.Markers(p, s)
}

// Markers returns the markers of a scan of the turn, as [Rules.Mark] does.
func (r *Rules) Markers(p prose.Turn, s Scan) []core.Marker {
	var out []core.Marker
	for i := range p.Sentences {
		out = r.SentenceMarkers(out, p, s.Of(i))
	}
	return out
}

// SentenceMarkers appends the markers of the hits of one sentence, by offset.
//
// Rules of the tier Cue give no markers; they are evidence only.
func (r *Rules) SentenceMarkers(out []core.Marker, p prose.Turn, hits []Hit) []core.Marker {
	base := len(out)
	for k, h := range hits {
		rule := &r.rules[h.Rule]
		if rule.Category == "" || rule.Tier == Cue || firedBefore(hits[:k], h.Rule) || r.covered(hits, h) {
			continue
		}
		from, to := p.Tokens[h.First].Start, p.Tokens[h.Last-1].End
		at := len(out)
		for at > base && (out[at-1].Offset > from || out[at-1].Offset == from && out[at-1].Rule > rule.ID) {
			at--
		}
		out = append(out, core.Marker{})
		copy(out[at+1:], out[at:])
		out[at] = core.Marker{Rule: rule.ID, Category: rule.Category, Text: p.Text[from:to], Offset: from}
	}
	return out
}

// covered reports whether a longer hit of the same category begins at the same token: a hit of
// "instead" is covered by one of "instead of".
func (r *Rules) covered(hits []Hit, h Hit) bool {
	for _, o := range hits {
		if o.First == h.First && o.Last > h.Last && r.rules[o.Rule].Category == r.rules[h.Rule].Category && r.rules[o.Rule].Tier > Cue {
			return true
		}
	}
	return false
}

// firedBefore reports whether a rule has one of the hits.
func firedBefore(hits []Hit, rule int) bool {
	for _, h := range hits {
		if h.Rule == rule {
			return true
		}
	}
	return false
}

// matcher matches patterns against one sentence.
type matcher struct {
	rules       *Rules
	turn        *prose.Turn
	scan        *Scan
	first, last int    // the sentence is turn.Tokens[first:last]
	use         uint64 // a bit for each table that is used
	guessed     bool   // the turn has no sign of any language
	vetoes      []Hit  // scratch of veto
}

// maxHits is the largest number of hits in one sentence. It bounds the work for generated text;
// sentences that people write have far fewer.
const maxHits = 1024

// sentence appends the hits of sentence i to the scan.
//
// For each token, the triggers of its word are tested against the neighbours, and the patterns
// of those that pass are matched. Then homonyms and veto remove hits.
func (m *matcher) sentence(i int) {
	s := m.turn.Sentences[i]
	m.first, m.last = s.First, s.Last
	m.verbs()
	from := len(m.scan.hits)
	for at := m.first; at < m.last && len(m.scan.hits)-from < maxHits; at++ {
		triggers := m.rules.triggersOf(m.scan.ids[at])
		for k := range triggers {
			t := &triggers[k]
			if m.use>>t.table&1 == 0 || !m.beside(t, at) {
				continue
			}
			p := &m.rules.patterns[t.pattern]
			first, last, ok := at, at+1, true
			if !t.alone {
				first, last, ok = m.match(p, t.seq, at)
			}
			if ok && !m.has(from, p.rule, first) {
				m.scan.hits = append(m.scan.hits, Hit{Rule: int(p.rule), Family: m.rules.rules[p.rule].Family, First: first, Last: last})
			}
		}
	}
	if m.guessed {
		m.homonyms(from)
	}
	m.veto(from)
}

// triggersOf returns the triggers of a word.
func (r *Rules) triggersOf(word int32) []trigger {
	return r.triggers[r.firsts[word]:r.firsts[word+1]]
}

// homonyms removes hits of other languages at words at which the first table has a hit, if the
// language of the turn is not known. "cache" is a French verb, too, but in a turn without
// signs of French it is English.
func (m *matcher) homonyms(from int) {
	hits := m.scan.hits[from:]
	m.scan.hits = m.scan.hits[:from+len(slices.DeleteFunc(hits, func(h Hit) bool {
		table := m.rules.table[h.Rule]
		return table > 0 && m.rules.signed>>table&1 == 1 && m.isOfFirst(hits, h.First)
	}))]
}

// isOfFirst reports whether a hit of the first table that is more than a cue begins at a token.
func (m *matcher) isOfFirst(hits []Hit, token int) bool {
	return slices.ContainsFunc(hits, func(h Hit) bool {
		return h.First == token && m.rules.table[h.Rule] == 0 && m.rules.rules[h.Rule].Tier > Cue
	})
}

// beside reports whether the neighbours of the token allow a match of the trigger's pattern.
// This cheap test rejects most patterns.
func (m *matcher) beside(t *trigger, at int) bool {
	ids := m.scan.ids
	if t.next != 0 && (at+1 >= m.last || ids[at+1] != t.next) || t.opens && !m.scan.verb[at] {
		return false
	}
	if t.left != 0 && (at == m.first || !m.rules.beside[t.left].has(ids[at-1])) {
		return false
	}
	end := at + int(t.words)
	return t.right == 0 || end < m.last && m.rules.beside[t.right].has(ids[end])
}

// has reports whether the rule, or another rule of its family, already has a hit at a token.
func (m *matcher) has(from int, rule int32, first int) bool {
	family := m.rules.rules[rule].Family
	const near = 48 // the latest hits: those of the same word and of the few words before it
	for k := len(m.scan.hits) - 1; k >= max(from, len(m.scan.hits)-near); k-- {
		if h := &m.scan.hits[k]; h.First == first && (h.Rule == int(rule) || h.Family == family && m.rules.table[h.Rule] != m.rules.table[rule]) {
			return true
		}
	}
	return false
}

// veto removes acts that are part of a set phrase, such as "always" in "not always", and modal
// verbs of clauses that depend on a question word.
func (m *matcher) veto(from int) {
	hits := m.scan.hits[from:]
	vetoes := m.vetoes[:0]
	for _, h := range hits {
		if h.Family == VetoPhrase || h.Family == VetoClause {
			vetoes = append(vetoes, h)
		}
	}
	m.vetoes = vetoes
	kept := hits[:0]
	for _, h := range hits {
		if h.Family == ActNever && m.describes(h) {
			continue
		}
		if !h.Family.IsAct() && h.Family != ModAlways && h.Family != CtxSymptom || !vetoed(vetoes, h) {
			kept = append(kept, h)
		}
	}
	m.scan.hits = m.scan.hits[:from+len(kept)]
}

// vetoed reports whether a set phrase removes the meaning of an act: "check if we should use
// X" does not ask to use anything.
func vetoed(vetoes []Hit, act Hit) bool {
	for _, h := range vetoes {
		if h.Family == VetoPhrase && h.First < act.Last && act.First < h.Last && !saysMore(act, h) {
			return true
		}
		if h.Family == VetoClause && h.First <= act.First && act.Last <= h.Last && isModal(act.Family) {
			return true
		}
	}
	return false
}

// saysMore reports whether an act that forbids contains the veto and more words: "is never to
// be" contains the veto "is never".
func saysMore(act, veto Hit) bool {
	return act.Family == ActMustNot && act.First <= veto.First && act.Last > veto.Last
}

// isModal reports whether a family has modal verbs: "can", "should", "we should", "X is Y".
func isModal(f Family) bool {
	return f == ActCan || f == ActShould || f == ActWeShould || f == ActIsValue
}

// verbs sets scan.verb: the tokens of the sentence at which the verb of a clause may be.
//
// In "Please, can you use tabs and then drop it." these are please, can, use, then and drop:
// leads ("please", "can you") may be skipped, and "and" begins a clause.
func (m *matcher) verbs() {
	verb, ids := m.scan.verb, m.scan.ids
	open := true
	for i := m.first; i < m.last; i++ {
		t := m.turn.Tokens[i]
		if t.Kind == prose.Mark {
			open = open || opensClause(t.In(m.turn.Text))
			continue
		}
		if i == m.first && t.Kind == prose.Number && i+1 < m.last { // of an item
			verb[i] = true
			continue
		}
		verb[i] = verb[i] || open
		if m.rules.joins[ids[i]] {
			open = true
			continue
		}
		if n := m.lead(i, verb[i]); n > 0 {
			open = true
			i += n - 1
			continue
		}
		open = false
	}
}

// lead returns the number of tokens of the longest lead at token i, or 0. Leads are only found
// where a clause begins, which opening says.
func (m *matcher) lead(i int, opening bool) int {
	id := m.scan.ids[i]
	if !opening || id == 0 {
		return 0
	}
	best := 0
	for _, seq := range m.rules.leads[m.rules.leadsOf[id]] {
		if len(seq) > best && m.forward(seq, i) > 0 {
			best = len(seq)
		}
	}
	return best
}

// opensClause reports whether a mark of punctuation can begin a new clause.
func opensClause(mark string) bool {
	switch mark {
	case ",", ":", ";", "(", "-", "--", "–", "—", "..", "...", "…", ".", "!", "?", "，", "：", "；", "、", "。", "->", "=>", "*", "**", "/", "<--", "<-":
		return true
	}
	return false
}
