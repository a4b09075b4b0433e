package gate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/prose"
)

// Rules is a set of compiled tables. It is immutable and safe for concurrent use.
//
// Slices "by rule" have the indexes of rules. Slices "by word" are indexed by the number of a
// word in the vocabulary; numbers begin at 1.
type Rules struct {
	rules    []Rule
	langs    []string // by rule: the language of its table
	table    []uint8  // by rule: the number of its table
	signs    []uint64 // by word: a bit for each table that it is a sign of
	signed   uint64   // a bit for each table that has signs
	decisive []bool   // by rule: see [Rules.Decisive]
	words    vocabulary
	patterns []pattern
	triggers []trigger   // sorted by word
	firsts   []int32     // by word: the index of its first trigger; one more at the end
	beside   []wordSet   // for trigger.left and right; index 0 is unused
	leads    [][][]int32 // groups of leads with the same first word; index 0 is unused
	leadsOf  []int32     // by word: index in leads; 0 if no lead begins with it
	joins    []bool      // by word: it begins a new clause
}

// pattern is a compiled pattern: its anchor, which is the required term with the fewest words,
// and the terms on both sides. Of "we should|must .. use @name" it may be "use":
//
//	before   ..  should|must  we     (nearest first)
//	anchor   use
//	after    @name
type pattern struct {
	rule   int32
	before []term // nearest first
	anchor term
	after  []term
}

// trigger is a word with which the anchor of a pattern may begin, with cheap tests of the
// words beside it. The pattern is matched in full only if they hold. A trigger is small,
// since those of every word of a turn are gone through.
type trigger struct {
	pattern int32
	seq     int32 // index of the sequence of the anchor that begins with the word
	next    int32 // second word of the sequence; 0 if it has none
	left    int32 // index in Rules.beside: words of which one must be before; 0 for any
	right   int32 // index in Rules.beside: words of which one must follow the sequence; 0 for any
	table   uint8 // number of the rule's table
	words   uint8 // number of words in the sequence
	opens   bool  // the word must be where the verb of a clause may be
	alone   bool  // the pattern has no other terms
}

// wordSet is a bit set of word numbers. Bit b of bits[i] is the word 64·(from+i) + b.
type wordSet struct {
	from int32
	bits []uint64
}

// has reports whether a word is in the set.
func (s *wordSet) has(id int32) bool {
	at := uint(id>>6 - s.from) //nolint:gosec // a word before the first is beyond the last
	return at < uint(len(s.bits)) && s.bits[at]&(1<<(id&63)) != 0
}

// setOf returns the set of the sequences that have one word.
func setOf(seqs [][]int32) wordSet {
	low, high := int32(math.MaxInt32), int32(-1)
	for _, seq := range seqs {
		if len(seq) == 1 {
			low, high = min(low, seq[0]>>6), max(high, seq[0]>>6)
		}
	}
	if high < 0 {
		return wordSet{}
	}
	s := wordSet{from: low, bits: make([]uint64, high-low+1)}
	for _, seq := range seqs {
		if len(seq) == 1 {
			s.bits[seq[0]>>6-low] |= 1 << (seq[0] & 63)
		}
	}
	return s
}

// nearest returns the index in Rules.beside of the words that the first term allows.
//
// It is 0, which allows any neighbour, unless the term is required and allows single words
// only.
func (c *compiler) nearest(terms []term) int32 {
	if len(terms) == 0 {
		return 0
	}
	if t := &terms[0]; t.kind == token && !t.optional && t.class == 0 && len(t.phrases) == 0 {
		c.r.beside = append(c.r.beside, t.words)
		return int32(len(c.r.beside) - 1)
	}
	return 0
}

// termKind is the kind of a term.
type termKind uint8

const (
	token termKind = iota // one word, phrase or class of tokens
	gap                   // up to n tokens of any kind: ".."
	start                 // the place of a clause's verb: "^"
	stop                  // the end of the sentence or clause: "$"
)

// term is a compiled term of a pattern: "use|take @code" has two.
type term struct {
	kind     termKind
	optional bool
	n        int       // the longest gap, in tokens
	class    classes   // classes of tokens that fit
	seqs     [][]int32 // words and phrases that fit
	phrases  [][]int32 // the sequences of several words
	words    wordSet   // the sequences of one word
}

// New compiles tables, followed by further ones. A rule replaces an earlier rule of the same
// id; a rule without a pattern removes it. An error names the rule that is wrong.
//
// There may be at most 64 tables. A list in a later table replaces a list of the same name
// for all rules. The cost is proportional to the number of words in the tables.
func New(tables []Table, further ...Table) (*Rules, error) {
	tables = slices.Concat(tables, further)
	c := compiler{r: &Rules{beside: []wordSet{{}}, leads: [][][]int32{nil}}}
	const most = 64
	if len(tables) > most {
		return nil, fmt.Errorf("%d tables, of %d at most", len(tables), most)
	}
	lists := map[string][]string{}
	for _, t := range tables {
		maps.Copy(lists, t.Lists)
	}
	c.lists, c.compiled = lists, map[string][][]int32{}
	rules, from, err := merge(tables)
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range rules {
		n += len(rules[i].Patterns)
	}
	c.r.patterns = make([]pattern, 0, n)
	for i, rule := range rules {
		for _, p := range rule.Patterns {
			if err := c.pattern(int32(i), p); err != nil {
				return nil, fmt.Errorf("rule %q: pattern %q: %w", rule.ID, p, err)
			}
		}
		if rule.Family == NoFamily {
			rules[i].Family, _ = familyOf(rule.Category)
		}
		c.r.decisive = append(c.r.decisive, rule.Family == NoFamily && rule.Tier == Strong)
	}
	c.r.rules, c.r.table = rules, from
	for _, i := range from {
		c.r.langs = append(c.r.langs, tables[i].Lang)
	}
	for i, t := range tables {
		if err := c.leads(t); err != nil {
			return nil, err
		}
		if err := c.signs(i, t); err != nil {
			return nil, err
		}
	}
	c.finish()
	return c.r, nil
}

// finish makes the slices that are indexed by word, when all words have their numbers.
func (c *compiler) finish() {
	r := c.r
	n := r.words.size()
	r.signs, r.joins, r.leadsOf = upTo(r.signs, n), upTo(r.joins, n), upTo(r.leadsOf, n)
	r.firsts = make([]int32, n+1)
	count := r.firsts[1:]
	for i := range r.patterns {
		for _, seq := range r.patterns[i].anchor.seqs {
			count[seq[0]]++
		}
	}
	sum := int32(0)
	for i, n := range count {
		count[i], sum = sum, sum+n
	}
	r.triggers = make([]trigger, sum)
	for i := range r.patterns {
		for k, t := range c.triggersOf(i) {
			word := r.patterns[i].anchor.seqs[k][0]
			r.triggers[count[word]] = t
			count[word]++
		}
	}
}

// triggersOf returns the triggers of pattern i, one for each sequence of its anchor. They are
// valid until the next call.
func (c *compiler) triggersOf(i int) []trigger {
	p := &c.r.patterns[i]
	left, right := c.nearest(p.before), c.nearest(p.after)
	c.triggers = c.triggers[:0]
	for k, seq := range p.anchor.seqs {
		t := trigger{
			pattern: int32(i), seq: int32(k), table: c.r.table[p.rule], words: uint8(len(seq)), left: left, right: right,
			opens: len(p.before) > 0 && p.before[0].kind == start,
			alone: len(p.before)+len(p.after) == 0 && len(seq) == 1,
		}
		if len(seq) > 1 {
			t.next = seq[1]
		}
		c.triggers = append(c.triggers, t)
	}
	return c.triggers
}

// merge returns the rules of all tables, and the number of the table of each.
//
// A rule that replaces another takes its place, so the order of markers does not depend on
// the user's changes.
func merge(tables []Table) ([]Rule, []uint8, error) {
	n := 0
	for i := range tables {
		n += len(tables[i].Rules)
	}
	rules, from, at := make([]Rule, 0, n), make([]uint8, 0, n), make(map[string]int, n)
	for k, t := range tables {
		for _, rule := range t.Rules {
			if rule.ID == "" {
				return nil, nil, fmt.Errorf("rule %q: no id", rule.Patterns)
			}
			if err := rule.check(); err != nil {
				return nil, nil, fmt.Errorf("rule %q: %w", rule.ID, err)
			}
			if i, ok := at[rule.ID]; ok {
				rules[i], from[i] = rule, uint8(k)
				continue
			}
			if len(rule.Patterns) == 0 {
				return nil, nil, fmt.Errorf("rule %q: no pattern, and no rule of this id to take out", rule.ID)
			}
			at[rule.ID] = len(rules)
			rules, from = append(rules, rule), append(from, uint8(k))
		}
	}
	return rules, from, nil
}

// check returns an error if a rule has a fault outside of its patterns.
func (r *Rule) check() error {
	_, known := familyOf(r.Category)
	switch {
	case r.Category != "" && !known:
		return fmt.Errorf("no category %q for rules", r.Category)
	case r.Category == "" && r.Family == NoFamily && len(r.Patterns) > 0:
		return errors.New("neither a category nor a family")
	case int(r.Family) >= Families:
		return fmt.Errorf("no family %d", r.Family)
	case r.Tier > Strong:
		return fmt.Errorf("no tier %d", r.Tier)
	}
	return nil
}

// compiler turns tables into Rules. It lives for one call of New.
type compiler struct {
	r        *Rules
	lists    map[string][]string
	compiled map[string][][]int32 // the lists that a pattern has named so far
	triggers []trigger            // scratch: the triggers of one pattern
	numbers  []int32              // memory for sequences
	turn     prose.Turn           // scratch: a phrase cut into tokens
}

// upTo returns a slice that is extended to a length of at least n.
func upTo[T any](table []T, n int) []T { return append(table, make([]T, max(0, n-len(table)))...) }

// word returns the number of a folded word. A new word gets the next number.
func (c *compiler) word(s string) int32 {
	if id := c.r.words.find([]byte(s)); id != 0 {
		return id
	}
	return c.r.words.add(s)
}

// room returns an empty sequence with a capacity of so many words.
func (c *compiler) room(words int) []int32 {
	const block = 4096
	if cap(c.numbers)-len(c.numbers) < words {
		c.numbers = make([]int32, 0, max(block, words))
	}
	n := len(c.numbers)
	c.numbers = c.numbers[:n+words]
	return c.numbers[n : n : n+words]
}

// sequence returns the numbers of the tokens of a word or phrase.
func (c *compiler) sequence(phrase string) ([]int32, error) {
	if isPlain(phrase) {
		seq := c.room(1 + strings.Count(phrase, "_"))
		for more := true; more; {
			var w string
			w, phrase, more = strings.Cut(phrase, "_")
			seq = append(seq, c.word(w))
		}
		return seq, nil
	}
	var seq []int32
	phrase = strings.ReplaceAll(phrase, "_", " ")
	c.turn.ReadPlain(phrase)
	for _, t := range c.turn.Tokens {
		var buf [2 * maxWord]byte
		w := fold(buf[:0], t.In(phrase))
		if len(w) == 0 {
			return nil, fmt.Errorf("word %q is too long", t.In(phrase))
		}
		seq = append(seq, c.word(string(w)))
	}
	if phrase == "" {
		return nil, errors.New("empty word")
	}
	if len(seq) == 0 { // punctuation alone
		seq = append(seq, c.word(phrase))
	}
	return seq, nil
}

// isPlain reports whether a phrase consists of lower case letters that [fold] leaves unchanged,
// with one token for each word. Most phrases of the tables do, and skip folding and cutting.
func isPlain(phrase string) bool {
	size := 0 // of the word, in bytes
	for _, c := range phrase {
		switch {
		case c == '_' && size > 0:
			size = 0
		case 'a' <= c && c <= 'z', 'а' <= c && c <= 'я', '가' <= c && c <= '힣':
			if size += utf8.RuneLen(c); size > maxWord {
				return false
			}
		default:
			return false
		}
	}
	return size > 0
}

// pattern compiles one pattern of a rule. Its anchor is the required term with the fewest
// sequences, so that the pattern is tried only where one of those few words is.
//
// Of equals the first term is the anchor.
func (c *compiler) pattern(rule int32, source string) error {
	terms := make([]term, 0, 1+strings.Count(source, " "))
	for f := range strings.FieldsSeq(source) {
		t, err := c.term(f)
		if err != nil {
			return err
		}
		terms = append(terms, t)
	}
	anchor := -1
	for i, t := range terms {
		if t.kind == token && t.class == 0 && !t.optional && (anchor < 0 || len(t.seqs) < len(terms[anchor].seqs)) {
			anchor = i
		}
	}
	if anchor < 0 {
		return errors.New("no word that must be there")
	}
	slices.Reverse(terms[:anchor])
	c.r.patterns = append(c.r.patterns, pattern{rule: rule, before: terms[:anchor:anchor], anchor: terms[anchor], after: terms[anchor+1:]})
	return nil
}

// term compiles one term of a pattern: "^", "$", a gap such as ".." or "..3", or alternatives
// separated by "|".
func (c *compiler) term(f string) (term, error) {
	switch {
	case f == "^":
		return term{kind: start}, nil
	case f == "$":
		return term{kind: stop}, nil
	case strings.HasPrefix(f, ".."):
		n := 6
		if f != ".." {
			var err error
			if n, err = strconv.Atoi(f[2:]); err != nil || n < 1 || n > 20 {
				return term{}, fmt.Errorf("gap %q is not .. or ..1 to ..20", f)
			}
		}
		return term{kind: gap, n: n}, nil
	}
	t := term{}
	if len(f) > 1 && f[len(f)-1] == '?' {
		t.optional, f = true, f[:len(f)-1]
	}
	if n := strings.Count(f, "|"); n > 0 {
		t.seqs = make([][]int32, 0, n+1)
	}
	for more := true; more; {
		var alt string
		alt, f, more = strings.Cut(f, "|")
		if err := c.alternative(&t, alt); err != nil {
			return term{}, err
		}
	}
	t.words = setOf(t.seqs)
	for _, seq := range t.seqs {
		if len(seq) > 1 {
			t.phrases = append(t.phrases, seq)
		}
	}
	return t, nil
}

// alternative adds one alternative to a term: a class ("@code"), a list of the table
// ("{colours}"), or a word or phrase.
func (c *compiler) alternative(t *term, alt string) error {
	if len(alt) > 1 && alt[0] == '@' {
		cl, ok := classNamed(alt[1:])
		if !ok {
			return fmt.Errorf("no class %s", alt)
		}
		t.class |= cl
		return nil
	}
	if strings.HasPrefix(alt, "{") && strings.HasSuffix(alt, "}") {
		seqs, err := c.list(alt[1 : len(alt)-1])
		if t.seqs == nil { // mostly the list is the only alternative
			t.seqs = slices.Clip(seqs)
		} else {
			t.seqs = append(t.seqs, seqs...)
		}
		return err
	}
	seq, err := c.sequence(alt)
	t.seqs = append(t.seqs, seq)
	return err
}

// list returns the sequences of a list. They are made when a pattern first names it.
func (c *compiler) list(name string) ([][]int32, error) {
	if seqs, ok := c.compiled[name]; ok {
		return seqs, nil
	}
	list, ok := c.lists[name]
	if !ok {
		return nil, fmt.Errorf("no list {%s}", name)
	}
	seqs := make([][]int32, 0, len(list))
	for _, w := range list {
		seq, err := c.sequence(w)
		if err != nil {
			return nil, err
		}
		seqs = append(seqs, seq)
	}
	c.compiled[name] = seqs
	return seqs, nil
}

// leads adds the words of a table that may precede the verb of a clause.
func (c *compiler) leads(t Table) error {
	for _, w := range t.Joins {
		seq, err := c.sequence(w)
		if err != nil || len(seq) != 1 {
			return fmt.Errorf("table %q: join %q is not one word", t.Lang, w)
		}
		c.r.joins = upTo(c.r.joins, int(seq[0])+1)
		c.r.joins[seq[0]] = true
	}
	for _, phrase := range t.Leads {
		seq, err := c.sequence(phrase)
		if err != nil {
			return fmt.Errorf("table %q: lead %q: %w", t.Lang, phrase, err)
		}
		c.r.leadsOf = upTo(c.r.leadsOf, int(seq[0])+1)
		of := &c.r.leadsOf[seq[0]]
		if *of == 0 {
			*of = int32(len(c.r.leads))
			c.r.leads = append(c.r.leads, nil)
		}
		c.r.leads[*of] = append(c.r.leads[*of], seq)
	}
	return nil
}

// signs records the words by which the language of table i is recognised.
func (c *compiler) signs(i int, t Table) error {
	for _, w := range t.Signs {
		seq, err := c.sequence(w)
		if err != nil || len(seq) != 1 {
			return fmt.Errorf("table %q: sign %q is not one word", t.Lang, w)
		}
		c.r.signs = upTo(c.r.signs, int(seq[0])+1)
		c.r.signs[seq[0]] |= 1 << i
		c.r.signed |= 1 << i
	}
	return nil
}
