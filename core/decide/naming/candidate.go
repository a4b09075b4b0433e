package naming

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
)

// Candidate is something that a decision may take or leave. Its signs speak for and against
// that: a model weighs them.
type Candidate struct {
	core.Option
	Signs  []string
	Clause prose.Span // in which it stands; empty if it stands in the message before
	Whole  bool       // is all of its clause
	Rule   bool       // the rules of English name it
	source string     // what names it
}

// Passage is what a decision is named by.
type Passage struct {
	Text, Before string
	Sentences    []prose.Span
	Best         int           // of the sentences: the one that decides
	Rules        []core.Option // what the rules of English name
	Offered      []core.Option // what was put up to choose from
	Group        string        // of languages
}

// How much of a passage is looked at.
const (
	maxCandidates = 200
	maxBefore     = 8 << 10 // bytes of the message before, from its end
)

// Candidates returns what a passage may take or leave: what the rules name and the frames, what
// was put up to choose from, names and values, and whole clauses.
func (n *Namer) Candidates(p *Passage) []Candidate {
	var out []Candidate
	for i, s := range p.Sentences {
		from := len(out)
		for _, o := range p.Rules {
			if !o.InAssistant && s.Start <= o.Offset && o.Offset < s.End {
				out = append(out, Candidate{Option: o, Rule: true, source: "rule"})
			}
		}
		last, opens := nothing, true
		for _, c := range clauses(p.Text, s) {
			if len(out) >= maxCandidates {
				break
			}
			first := len(out)
			last = n.inClause(&out, p, c, last)
			tokens(&out, p.Text, c)
			for k := range out[from:] {
				if x := &out[from+k]; c.Start <= x.Offset && x.Offset < c.End {
					x.Clause = c
					signs(x, p, i, opens)
				}
			}
			opens = opens && len(out) == first
		}
	}
	for _, o := range p.Offered {
		out = append(out, Candidate{Option: o, source: "offered"})
	}
	low := make([]string, len(out))
	for i := range out {
		low[i] = lower(out[i].Text)
	}
	before := lower(p.Before[max(0, len(p.Before)-maxBefore):])
	for i := range out {
		complete(out, low, i, p, before)
	}
	return out
}

// inClause adds what frames name in a clause, and the clause itself.
func (n *Namer) inClause(out *[]Candidate, p *Passage, c prose.Span, last side) side {
	l := list{text: p.Text}
	last = n.clause(&l, c, last)
	for k, o := range l.options {
		if len(*out) >= maxCandidates {
			break
		}
		*out = append(*out, Candidate{Option: o, source: "frame", Signs: []string{"frame " + l.by[k]}})
		const object = "を" // "AをBに変更"
		if at := strings.Index(o.Text, object); at > 0 && o.Chosen {
			rest := at + len(object)
			a := trim(p.Text, prose.Span{Start: o.Offset, End: o.Offset + at})
			b := trim(p.Text, prose.Span{Start: o.Offset + rest, End: o.Offset + len(o.Text)})
			if !empty(a) && !empty(b) {
				*out = append(*out,
					Candidate{Option: core.Option{Text: a.In(p.Text), Offset: a.Start}, source: "pair"},
					Candidate{Option: core.Option{Text: b.In(p.Text), Chosen: true, Offset: b.Start}, source: "pair"})
			}
		}
	}
	if d := deed(p.Text, c); !empty(d) && d.End-d.Start <= maxName && !vague(d.In(p.Text)) && !idle(c.In(p.Text)) {
		for _, chosen := range [...]bool{true, false} {
			*out = append(*out, Candidate{Option: core.Option{Text: d.In(p.Text), Chosen: chosen, Offset: d.Start}, source: "clause", Whole: true})
		}
	}
	return last
}

// maxTokens is how many names and values of a clause may be options.
const maxTokens = 6

// tokens adds the names and values of a clause: code, quotes, paths, numbers, and words with
// a capital letter within a sentence.
func tokens(out *[]Candidate, text string, c prose.Span) {
	found := 0
	add := func(s prose.Span, kind string) {
		if s = trim(text, s); empty(s) || s.End-s.Start > maxName || found == maxTokens {
			return
		}
		found++
		for _, chosen := range [...]bool{true, false} {
			*out = append(*out, Candidate{Option: core.Option{Text: s.In(text), Chosen: chosen, Offset: s.Start}, source: "token", Signs: []string{"token " + kind}})
		}
	}
	in := c.In(text)
	for at := 0; at < len(in); {
		r, size := utf8.DecodeRuneInString(in[at:])
		if shut := closing(r); shut != "" {
			if k := strings.Index(in[at+size:], shut); k > 0 {
				add(prose.Span{Start: c.Start + at + size, End: c.Start + at + size + k}, "quoted")
				at += size + k + len(shut)
				continue
			}
		}
		end := at
		for end < len(in) {
			next, n := utf8.DecodeRuneInString(in[end:])
			if !within(next) {
				break
			}
			end += n
		}
		if end == at {
			at += size
			continue
		}
		if kind := kindOf(in[at:end], at == 0); kind != "" {
			add(prose.Span{Start: c.Start + at, End: c.Start + end}, kind)
		}
		at = end
	}
}

// closing is the mark that closes a quotation.
func closing(r rune) string {
	switch r {
	case '`', '"':
		return string(r)
	case '“':
		return "”"
	case '「':
		return "」"
	case '『':
		return "』"
	case '«':
		return "»"
	}
	return ""
}

// within reports whether a sign stands within names and values.
func within(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Cyrillic) || unicode.IsDigit(r) || strings.ContainsRune("_-./~@#:%+*=$", r)
}

// kindOf says what kind of a name a word is; "" if it is none.
func kindOf(w string, opens bool) string {
	name := strings.TrimRight(w, "-.:*+=")
	w = strings.TrimLeft(name, "-.:*+=")
	switch {
	case len(w) == 0:
		return ""
	case strings.IndexFunc(w, unicode.IsDigit) == 0 && !strings.Contains(w, "/"):
		return "number"
	case strings.ContainsAny(w, "/_.~@#$=:") || strings.HasSuffix(name, "."+w):
		return "code"
	case strings.ContainsFunc(w[1:], unicode.IsUpper) || strings.ContainsFunc(w, unicode.IsDigit):
		return "mixed"
	case unicode.IsUpper(rune(w[0])) && !opens:
		return "capital"
	case strings.Contains(w, "-"):
		return "dashed"
	}
	return ""
}

// signs adds what the place of a candidate says of it.
func signs(x *Candidate, p *Passage, sentence int, opens bool) {
	before := p.Text[x.Clause.Start:x.Offset]
	low := lower(before)
	for _, m := range negations() {
		if strings.Contains(low, m) {
			x.Signs = append(x.Signs, "behind a negation")
			break
		}
	}
	if sentence != p.Best {
		x.Signs = append(x.Signs, "beside")
	}
	if opens {
		x.Signs = append(x.Signs, "in the first clause that names")
	}
	if strings.TrimSpace(before) == "" {
		x.Signs = append(x.Signs, "opens its clause")
	}
	if rest := p.Text[x.Offset+len(x.Text) : max(x.Clause.End, x.Offset+len(x.Text))]; strings.TrimSpace(rest) == "" {
		x.Signs = append(x.Signs, "ends its clause")
	}
	if strings.HasSuffix(strings.TrimRight(p.Text[x.Clause.End:min(len(p.Text), x.Clause.End+2)], " "), "?") {
		x.Signs = append(x.Signs, "asked")
	}
}

// negations are words behind which something is left, in the languages together.
func negations() []string {
	return []string{"not ", "n't ", "dont ", "no ", "never ", "without ", "remove", "delete", "drop", "avoid", "instead of", "rather than", "stop ", "sans ", "pas ", "sin ", "não ", "kein", "nicht ", "ohne ", "не ", "без ", "убери", "удали", "不", "别", "別", "去掉", "删", "刪", "移除", "取消", "禁止"}
}

// complete adds to candidate i what the others say of it, and completes its signs: each with the
// mark of the candidate. The names in lower case are given, and the message before.
func complete(all []Candidate, low []string, i int, p *Passage, before string) {
	x := &all[i]
	mark := " -"
	if x.Chosen {
		mark = " +"
	}
	own := low[i]
	same := 0
	for k := range all {
		o := &all[k]
		if k == i {
			continue
		}
		if o.source == x.source && o.Chosen == x.Chosen {
			same++
		}
		if o.source == "token" && x.source != "token" || o.Whole || o.source == x.source && x.source != "frame" ||
			!strings.Contains(low[k], own) && !strings.Contains(own, low[k]) {
			continue
		}
		sign := "also by " + o.source
		if o.Chosen != x.Chosen {
			sign = "against it " + o.source
		}
		if !slices.Contains(x.Signs, sign) {
			x.Signs = append(x.Signs, sign)
		}
	}
	x.Signs = append(x.Signs, "of "+steps(same, 0, 1, 3, 6), "words "+steps(countWords(x.Text), 1, 2, 4, 7))
	if kind := kindOf(x.Text, true); kind != "" && !strings.Contains(x.Text, " ") {
		x.Signs = append(x.Signs, "is "+kind)
	}
	if len(own) >= 4 && strings.Contains(before, own) {
		x.Signs = append(x.Signs, "was said")
	}
	switch taken, left := sides(p.Rules); {
	case taken && left:
		x.Signs = append(x.Signs, "rules name both")
	case taken || left:
		x.Signs = append(x.Signs, "rules name one")
	}
	group := p.Group
	if Wide(x.Text) {
		group = "wide"
	}
	for k, s := range x.Signs {
		if strings.HasPrefix(s, x.source+" ") {
			x.Signs[k] = s + mark
		} else {
			x.Signs[k] = x.source + mark + ": " + s
		}
	}
	x.Signs = append(x.Signs, x.source+mark, x.source+mark+" in "+group)
	slices.Sort(x.Signs)
	x.Signs = slices.Compact(x.Signs)
}

// sides reports whether any of some options is taken, and any left.
func sides(options []core.Option) (taken, left bool) {
	for _, o := range options {
		taken, left = taken || o.Chosen, left || !o.Chosen
	}
	return taken, left
}

// steps names how large a number is, by how many of the cuts it is above.
func steps(n int, cuts ...int) string {
	k := 0
	for _, c := range cuts {
		if n > c {
			k++
		}
	}
	return "0123456789"[k : k+1]
}
