package gate

import (
	"errors"
	"fmt"
	"maps"
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
	triggers [][]trigger // by word
	beside   []wordSet   // of triggers; the first is none
	leads    [][][]int32 // by first word
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

// wordSet holds words.
type wordSet []uint64

func (s wordSet) has(id int32) bool {
	return int(id/64) < len(s) && s[id/64]&(1<<(id%64)) != 0
}

// nearest is the set of the words that the first of some terms asks for.
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
	c := compiler{r: &Rules{triggers: [][]trigger{nil}, beside: []wordSet{nil}, joins: []bool{false}, signs: []uint64{0}}}
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
	for i, rule := range rules {
		for _, p := range rule.Patterns {
			if err := c.pattern(int32(i), from[i], p); err != nil {
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
	return c.r, nil
}

// merge puts the rules of all tables in one row, with the table of each.
//
// A rule that replaces another keeps its place, so the order of markers does not depend
// on what a user changes.
func merge(tables []Table) ([]Rule, []uint8, error) {
	var rules []Rule
	var from []uint8
	at := map[string]int{}
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
}

// word is the number of a folded word, new if need be.
//
// The tables that are indexed by word grow with the vocabulary.
func (c *compiler) word(s string) int32 {
	id := c.r.words.find([]byte(s))
	if id == 0 {
		id = c.r.words.add(s)
		c.r.triggers = append(c.r.triggers, nil)
		c.r.joins = append(c.r.joins, false)
		c.r.signs = append(c.r.signs, 0)
	}
	return id
}

// sequence turns a word or phrase into the numbers of its tokens.
func (c *compiler) sequence(phrase string) ([]int32, error) {
	var seq []int32
	if isPlain(phrase) {
		for w := range strings.SplitSeq(phrase, "_") {
			seq = append(seq, c.word(w))
		}
		return seq, nil
	}
	phrase = strings.ReplaceAll(phrase, "_", " ")
	for _, t := range prose.Plain(phrase).Tokens {
		w := fold(nil, t.In(phrase))
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
func (c *compiler) pattern(rule int32, table uint8, source string) error {
	var terms []term
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
	for i := range terms {
		terms[i].index()
	}
	p := pattern{rule: rule, anchor: terms[anchor], after: terms[anchor+1:]}
	for i := anchor - 1; i >= 0; i-- {
		p.before = append(p.before, terms[i])
	}
	c.r.patterns = append(c.r.patterns, p)
	left, right := c.nearest(p.before), c.nearest(p.after)
	for i, seq := range p.anchor.seqs {
		t := trigger{
			pattern: int32(len(c.r.patterns) - 1), seq: int32(i), table: table, words: uint8(len(seq)), left: left, right: right,
			opens: len(p.before) > 0 && p.before[0].kind == start,
			alone: len(p.before)+len(p.after) == 0 && len(seq) == 1,
		}
		if len(seq) > 1 {
			t.next = seq[1]
		}
		c.r.triggers[seq[0]] = append(c.r.triggers[seq[0]], t)
	}
	return nil
}

// index makes the sets by which a term is matched.
func (t *term) index() {
	for _, seq := range t.seqs {
		if len(seq) > 1 {
			t.phrases = append(t.phrases, seq)
			continue
		}
		for int(seq[0]/64) >= len(t.words) {
			t.words = append(t.words, 0)
		}
		t.words[seq[0]/64] |= 1 << (seq[0] % 64)
	}
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
	for alt := range strings.SplitSeq(f, "|") {
		if err := c.alternative(&t, alt); err != nil {
			return term{}, err
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
		t.seqs = append(t.seqs, seqs...)
		return err
	}
	seq, err := c.sequence(alt)
	t.seqs = append(t.seqs, seq)
	return err
}

// list is what the words and phrases of a list are, worked out once.
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
		c.r.joins[seq[0]] = true
	}
	for _, phrase := range t.Leads {
		seq, err := c.sequence(phrase)
		if err != nil {
			return fmt.Errorf("table %q: lead %q: %w", t.Lang, phrase, err)
		}
		for int(seq[0]) >= len(c.r.leads) {
			c.r.leads = append(c.r.leads, nil)
		}
		c.r.leads[seq[0]] = append(c.r.leads[seq[0]], seq)
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
		c.r.signs[seq[0]] |= 1 << i
		c.r.signed |= 1 << i
	}
	return nil
}
