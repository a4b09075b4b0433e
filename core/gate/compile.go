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

// Rules is a compiled table. It never changes and may be used by several goroutines at
// once. Indexes named "by rule" go with rules, those "by word" with the numbers of the
// vocabulary, from 1 on.
type Rules struct {
	rules    []Rule
	langs    []string // of the rules
	table    []uint8  // of the rules
	signs    []uint64 // by word: the tables that it is a sign of
	signed   uint64   // the tables that have signs
	decisive []bool   // of the rules
	words    vocabulary
	patterns []pattern
	triggers []trigger   // those of a word stand together
	firsts   []int32     // by word, and one more: its first trigger
	beside   []wordSet   // of triggers; the first is none
	leads    [][][]int32 // those of one first word; the first is none
	leadsOf  []int32     // by word: its place in leads
	joins    []bool      // by word
}

// pattern is a compiled pattern: what stands before its anchor, the anchor, and
// what stands behind.
type pattern struct {
	rule   int32
	before []term // nearest first
	anchor term
	after  []term
}

// trigger is one word that a pattern's anchor may begin with, and what a glance
// tells of the others. It is small, since a turn's every word goes through its own.
type trigger struct {
	pattern int32
	seq     int32 // which sequence of the anchor the word begins
	next    int32 // the sequence's second word, 0 if it has none
	left    int32 // the set of Rules.beside that the word before it must be in, 0 if any will do
	right   int32 // the same of the word behind the sequence
	table   uint8 // of the pattern's rule
	words   uint8 // how many the sequence has
	opens   bool  // it must stand where a clause's verb may
	alone   bool  // the sequence is all of the pattern
}

// wordSet holds words: those from 64·from on that have their bits set.
type wordSet struct {
	from int32
	bits []uint64
}

// has reports whether a word is in the set. Ids outside of its range are not.
func (s *wordSet) has(id int32) bool {
	at := uint(id>>6 - s.from) //nolint:gosec // a word before the first is beyond the last
	return at < uint(len(s.bits)) && s.bits[at]&(1<<(id&63)) != 0
}

// setOf returns the set of those of the sequences that are one word.
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

// nearest returns the set of the words that the first of some terms asks for.
//
// Only a single required word can serve as such a filter; 0 means that any neighbour
// will do.
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

// termKind is what a word of a pattern stands for.
type termKind uint8

const (
	token termKind = iota
	gap
	start
	stop
)

// term is one word of a compiled pattern: "use|take @code" has two.
type term struct {
	kind     termKind
	optional bool
	n        int       // of a gap
	class    classes   // classes of tokens that fit
	seqs     [][]int32 // words and phrases that fit
	phrases  [][]int32 // those of several words
	words    wordSet   // the others
}

// New compiles tables, and further ones behind them. A later rule replaces an
// earlier one of the same id; one without a pattern takes it out. The error
// names the rule that is wrong.
//
// At most 64 tables are taken, a bit for each. Lists of the same name in a later table
// replace earlier ones for all rules. The cost is proportional to the words of the
// tables.
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

// finish makes the tables that are indexed by word, once all words have their numbers.
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

// triggersOf returns the triggers of a pattern, one for each sequence of its anchor. They are valid
// until the next call.
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

// merge puts the rules of all tables in one row, with the table of each.
//
// A rule that replaces another keeps its place, so the order of markers does not depend
// on what a user changes.
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

// check reports what is wrong with a rule, its patterns apart.
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

// compiler turns tables into Rules. It lives as long as New runs.
type compiler struct {
	r        *Rules
	lists    map[string][]string
	compiled map[string][][]int32 // those of them that a pattern has named
	triggers []trigger            // of one pattern
	numbers  []int32              // room for sequences
	turn     prose.Turn           // a phrase that is cut
}

// upTo lengthens a table that is indexed by word to a length of at least n.
func upTo[T any](table []T, n int) []T { return append(table, make([]T, max(0, n-len(table)))...) }

// word returns the number of a folded word, new if need be.
func (c *compiler) word(s string) int32 {
	if id := c.r.words.find([]byte(s)); id != 0 {
		return id
	}
	return c.r.words.add(s)
}

// room returns an empty sequence with room for so many words.
func (c *compiler) room(words int) []int32 {
	const block = 4096
	if cap(c.numbers)-len(c.numbers) < words {
		c.numbers = make([]int32, 0, max(block, words))
	}
	n := len(c.numbers)
	c.numbers = c.numbers[:n+words]
	return c.numbers[n : n : n+words]
}

// sequence turns a word or phrase into the numbers of its tokens.
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
	if len(seq) == 0 { // a mark by itself
		seq = append(seq, c.word(phrase))
	}
	return seq, nil
}

// isPlain reports whether a phrase is of words that folding leaves as they are, and that are
// one token each: most of a table's are.
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

// pattern compiles one pattern of a rule. It is filed under its rarest fixed word, the
// anchor, so that a sentence is tried against it only if that word is there.
//
// An anchor of fewer words is tried less often; of equals the first is taken.
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

// term compiles one word of a pattern: ^ and $ for the ends of the sentence, ".." for a
// gap of up to 6 tokens, "..3" for one of up to 3, else alternatives with "|" between.
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

// alternative adds to a term what one alternative allows: a class ("@code"), a list of the
// table ("{colours}"), or a word or phrase.
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
		if t.seqs == nil { // mostly it is all
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

// list returns what the words and phrases of a list are, worked out once.
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

// leads adds the words of a table that lead to a clause's verb.
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

// signs notes the words by which a table's language is known.
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
