package reading

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/options"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// Picked resolves a turn that picks from the assistant's list: all items of the list, the
// picked ones chosen. If no item has the label, the person's own words are the only option. Nil
// if sentence i picks nothing.
//
//	listed                      said
//	"1. SQLite", "2. Postgres"  "the second one"    -SQLite +Postgres
//	nothing                     "option 2"          +option 2
func (r *Reading) Picked(i int) []core.Option {
	labels, said, called := r.pickedLabels(i)
	if len(labels) == 0 {
		return nil
	}
	items := options.Listed(r.Previous())
	if called {
		items = calledOnly(items)
	}
	items = lastList(items, labels)
	var out []core.Option
	matched := false
	for k, item := range items {
		chosen := false
		for _, l := range labels {
			chosen = chosen || l == item.Label || l == ordinal(k) || l == "-1" && k == len(items)-1
		}
		matched = matched || chosen
		out = append(out, core.Option{Text: item.Name, Chosen: chosen, InAssistant: true, Offset: item.At})
	}
	if matched {
		return out
	}
	return []core.Option{{Text: said.In(r.Turn.Text), Chosen: true, Offset: said.Start}}
}

// calledOnly returns the items that the message calls options; all of them if it calls none so.
// Who says "option 1" does not mean the first step of the plan below it.
func calledOnly(items []options.Item) []options.Item {
	var called []options.Item
	for _, item := range items {
		if item.Called {
			called = append(called, item)
		}
	}
	if called != nil {
		return called
	}
	return items
}

// callsOption returns how many bytes before a byte of a text are a word for options and the
// blanks behind it; 0 if there is none.
func callsOption(text string, at int) int {
	const most = 32
	before := text[max(0, at-most):at]
	bare := strings.TrimRight(before, " ")
	low := words.Lower(bare)
	for _, w := range [...]string{
		"option", "options", "approach", "variant", "alternative", "方案", "选项", "選項", "方法", "オプション", "옵션", "방법", "opción", "opcion", "opção", "opcao", "вариант",
	} {
		if strings.HasSuffix(low, w) && len(low) == len(bare) {
			return len(w) + len(before) - len(bare)
		}
	}
	return 0
}

// lastList returns the last list with an item that some label names. A message may hold several
// lists; each begins with the label 1 or A. All items if no list has one.
func lastList(items []options.Item, labels []string) []options.Item {
	end := len(items)
	for start := end - 1; start >= 0; start-- {
		if l := items[start].Label; l != "1" && l != "A" && start > 0 {
			continue
		}
		list := items[start:end]
		for k := range list {
			if slices.Contains(labels, list[k].Label) || slices.Contains(labels, ordinal(k)) || slices.Contains(labels, "-1") {
				return list
			}
		}
		end = start
	}
	return items
}

// Restated resolves a turn that chooses by repeating one of the two things that a question put
// up: "Want me to add a matrix, or keep it pinned?". Nil if the question puts up more or fewer
// than two, or if the turn shares as many words with both.
func (r *Reading) Restated() []core.Option {
	q := r.Prev.question.In(r.Previous())
	left, right, found := strings.Cut(q, ", or ")
	if !found {
		left, right, found = strings.Cut(q, " or ")
	}
	if !found || strings.Contains(right, " or ") {
		return nil
	}
	start := r.Prev.question.Start
	first := unasked(left, start)
	second := unasked(right, start+len(q)-len(right))
	left, right = first.Text, second.Text
	const most = 100
	a, b := r.sharedWith(left), r.sharedWith(right)
	if a == b || left == "" || right == "" || len(left) > most || len(right) > most {
		return nil
	}
	first.Chosen, second.Chosen = a > b, b > a
	return []core.Option{first, second}
}

// unasked returns what a question asks for, without the words that only ask. The
// question stands at an offset of the assistant's words.
func unasked(question string, at int) core.Option {
	const marks = " *_-?\n"
	s := strings.TrimRight(question, marks)
	end := at + len(s)
	s = strings.TrimLeft(s, marks)
	for _, lead := range [...]string{
		"want me to ", "would you like me to ", "do you want me to ", "should i ", "shall i ", "should we ", "shall we ", "would you like ",
		"would you prefer ", "do you prefer ", "do you want ", "would you rather ", "want to ", "to ",
	} {
		if n := len(lead); len(s) > n && strings.EqualFold(s[:n], lead) {
			s = s[n:]
			break
		}
	}
	s = strings.TrimLeft(s, marks+":")
	return core.Option{Text: strings.TrimRight(s, marks+":"), InAssistant: true, Offset: end - len(s)}
}

// sharedWith returns how many of the turn's words are in a text. Words of fewer than four
// letters do not count.
func (r *Reading) sharedWith(text string) int {
	low, n := words.Lower(text), 0
	for _, t := range r.Turn.Tokens {
		if w := words.Lower(t.In(r.Turn.Text)); t.Kind != prose.Mark && (t.Kind != prose.Word || len(w) >= 4) && strings.Contains(low, w) {
			n++
		}
	}
	return n
}

// ordinal returns how the k-th item is called without its label.
func ordinal(k int) string { return "+" + string(rune('0'+k)) }

// pickedLabels returns the labels that sentence i picks, as Listed writes them or as a place
// ("+0" is the first, "-1" the last), and the words by which it does. Called says that it calls
// them options. Labels count in a row: "2 and 3, then …" picks two.
func (r *Reading) pickedLabels(i int) (labels []string, said prose.Span, called bool) {
	s := r.Turn.Sentences[i]
	whole := i == 0 && r.Picks()
	from := s.First
	if !whole {
		hit := false
		for _, h := range r.Scan.Of(i) {
			if h.Family == gate.ActOption {
				from, hit = h.First, true
				break
			}
		}
		for k := s.First; k < s.Last && !hit; k++ {
			t := r.Turn.Tokens[k]
			// 2번으로: the number and its particle are one word
			if w := t.In(r.Turn.Text); t.Kind == prose.Number && (strings.Contains(w, "번") ||
				len(numbers(w)) > 0 && callsOption(r.Turn.Text, t.Start) > 0) {
				from, hit = k, true
			}
		}
		if !hit {
			return nil, prose.Span{}, false
		}
	}
	first, last := -1, -1
	for k := from; k < min(s.Last, from+12); k++ {
		more, ends := r.labelsAt(k, whole)
		if ends {
			break
		}
		if len(more) == 0 {
			continue
		}
		if labels = append(labels, more...); first < 0 {
			first = k
		}
		last = k
	}
	if first < 0 {
		return nil, prose.Span{}, false
	}
	before := callsOption(r.Turn.Text, r.Turn.Tokens[first].Start)
	if before == 0 && first > s.First && isOption(r.Word(first-1)) {
		first--
	}
	if last+1 < s.Last && isOption(r.Word(last+1)) { // the second one
		last++
	}
	return labels, prose.Span{Start: r.Turn.Tokens[first].Start - before, End: r.Turn.Tokens[last].End}, before > 0
}

// isOption recognises the words for what is picked from a list.
func isOption(w string) bool {
	switch strings.TrimSuffix(w, "s") {
	case "option", "approach", "variant", "alternative", "solution", "suggestion", "proposal", "item", "point", "step", "one", "phase":
		return true
	}
	return false
}

// labelsAt returns the labels that token k gives, and whether the row of labels ends there.
// Whole says that the sentence is nothing but labels: then "a" is one, else it is an article.
func (r *Reading) labelsAt(k int, whole bool) (labels []string, ends bool) {
	t := r.Turn.Tokens[k]
	verbatim := t.In(r.Turn.Text)
	switch w := strings.ToUpper(verbatim); {
	case t.Kind == prose.Number:
		return numbers(w), false
	case len(w) == 1 && 'A' <= w[0] && w[0] <= 'H' && (whole || w != "A" || verbatim == "A"):
		return []string{w}, false
	case w == "FIRST" || w == "FORMER":
		return []string{"+0"}, false
	case w == "SECOND":
		return []string{"+1"}, false
	case w == "THIRD":
		return []string{"+2"}, false
	case w == "LAST" || w == "LATTER":
		return []string{"-1"}, false
	case t.Kind == prose.Mark && verbatim != "," && verbatim != "&":
		return nil, true
	}
	return nil, false
}

// numbers reads the labels of a token: "2", "1,2", "1-4", "2번".
func numbers(w string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(w, func(c rune) bool { return c == ',' || c == '/' || c == '+' || c == '.' || c == ')' || c == '#' }) {
		part, _, _ = strings.Cut(part, "번")
		part = strings.TrimSuffix(strings.TrimSuffix(part, "로"), "으") // 1로, 3으로
		a, b, found := strings.Cut(part, "-")
		if found && len(a) == 1 && len(b) == 1 && a < b {
			for c := a[0]; c <= b[0]; c++ {
				out = append(out, string(rune(c)))
			}
			continue
		}
		if len(part) <= 2 && strings.Trim(part, "0123456789") == "" && part != "" {
			out = append(out, part)
		}
	}
	return out
}
