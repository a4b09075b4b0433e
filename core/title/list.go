package title

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
)

// label is how a person names an alternative of a list: by its number or letter, or by its
// place in the list.
type label struct {
	name  string // in upper case; "" if it is named by its place
	place int    // from 1; -1 for the last; 0 if it is named by its name
}

// entry is an alternative in a list of the assistant's message.
type entry struct {
	name string     // its number or letter, in upper case
	head prose.Span // the name of the alternative, without its explanation
	asks prose.Span // the question of its line, after the name; empty if there is none

	called bool // the message calls it an option
}

// maxEntries is the largest number of alternatives that are read.
const maxEntries = 24

// labelled returns the entries of the assistant's list as options, with those chosen that
// the turn picks by a label. It returns nil if the turn picks no entry.
//
// The options are in the order of the list. A label is compared with the names of entries
// ("B", "2"); an ordinal ("the second one") is compared with their places.
func (w *writer) labelled() []core.Option {
	labels := w.words(false).labels(w.Epitome)
	if len(labels) == 0 {
		return nil
	}
	entries := listed(w.Before)
	if called := optionsIn(w.Before); len(called) > 1 && w.words(false).namesOption(w.Epitome) {
		entries = called // "option 1" is not the first step of a list
	}
	var out []core.Option
	found := false
	for i, e := range entries {
		chosen := false
		for _, l := range labels {
			chosen = chosen || l.name == e.name && l.name != "" || l.place == i+1 || l.place < 0 && i == len(entries)-1
		}
		found = found || chosen
		out = append(out, core.Option{Text: e.head.In(w.Before), Chosen: chosen, InAssistant: true, Offset: e.head.Start})
	}
	if !found {
		return nil
	}
	return out
}

// labels returns the labels that a sentence names. Of a sentence of more than 24 tokens it
// returns none, since that says more than a label.
//
// A bare number counts only where the sentence says nothing else or has a word such as
// "option" beside it: "use 2 workers" picks nothing.
func (s *speech) labels(span prose.Span) (all []label) {
	const longest = 24 // tokens
	tokens := s.in(span)
	if len(tokens) > longest {
		return nil
	}
	alone := s.isLabel(span)
	for i, t := range tokens {
		w := s.word(t)
		if s.removes(tokens[:i]) {
			continue // "remove what the first solution added"
		}
		named := i > 0 && optionWord(s.word(tokens[i-1])) || i+1 < len(tokens) && optionWord(s.word(tokens[i+1]))
		switch n := ordinal(w); {
		case n != 0 && (alone || named):
			all = append(all, label{place: n})
		case numbered(w) && (alone || named && i > 0 && optionWord(s.word(tokens[i-1]))):
			all = append(all, label{name: strings.ToUpper(strings.TrimRight(w, ".)"))})
		}
	}
	if n := eastOrdinal(span.In(s.text)); n != 0 && len(all) == 0 {
		all = append(all, label{place: n})
	}
	return all
}

// removes reports whether one of the last words says that what follows goes.
func (s *speech) removes(tokens []prose.Token) bool {
	const near = 4 // words
	for _, t := range tokens[max(0, len(tokens)-near):] {
		switch s.word(t) {
		case "remove", "delete", "drop", "undo", "revert", "skip", "without", "except", "not":
			return true
		}
	}
	return false
}

// numberOf returns the number of an answer such as "2. at most fifty", and the span of the
// rest. The name is "" if the sentence does not begin with a number of one or two digits.
func (s *speech) numberOf(span prose.Span) (name string, rest prose.Span) {
	text := span.In(s.text)
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n == 0 || n > 2 || n+1 >= len(text) || text[n] != '.' && text[n] != ')' || text[n+1] != ' ' {
		return "", span
	}
	return text[:n], prose.Span{Start: span.Start + n + 1, End: span.End}
}

// answersSeveral reports whether at least three sentences pick an option each: "1: option b",
// "2: option a".
func (s *speech) answersSeveral() bool {
	const least = 3
	n := 0
	for _, x := range s.sentences {
		if s.namesOption(x.Span) && len(s.labels(x.Span)) > 0 {
			n++
		}
	}
	return n >= least
}

// namesOption reports whether a sentence has a word such as "option".
func (s *speech) namesOption(span prose.Span) bool {
	for _, t := range s.in(span) {
		if optionWord(s.word(t)) {
			return true
		}
	}
	return false
}

// isLabel reports whether a sentence consists of labels and words without a meaning of
// their own: "ok, let's take option 2".
func (s *speech) isLabel(span prose.Span) bool {
	found := false
	for _, t := range s.in(span) {
		w := s.word(t)
		switch {
		case ordinal(w) != 0, numbered(w):
			found = true
		case function(w), assent(w), optionWord(w), demonstrative(w), picking(w):
		case t.Kind == prose.Glyph:
		default:
			return false
		}
	}
	return found
}

// numbered reports whether a word can be the number or letter of an entry: 1 to 24, a to h.
func numbered(w string) bool {
	w = strings.TrimRight(w, ".)")
	if len(w) == 1 && 'a' <= w[0] && w[0] <= 'h' {
		return true
	}
	n, err := strconv.Atoi(w)
	return err == nil && 0 < n && n <= maxEntries
}

// picking reports whether a word is a verb of choosing, such as "take" or "choose".
func picking(w string) bool {
	switch w {
	case "go", "use", "take", "pick", "choose", "do", "try", "nehmen", "nimm", "prends", "prenons", "choisis", "elige", "usa", "usemos", "vamos", "escolho", "prendi", "scelgo", "бери", "выбираю", "возьмем", "возьмём", "로", "으로":
		return true
	}
	return false
}

// optionWord reports whether a word means an entry of a list, such as "option".
func optionWord(w string) bool {
	switch strings.TrimSuffix(w, "s") {
	case "option", "approach", "variant", "alternative", "solution", "suggestion", "proposal", "item", "one", "choice", "path", "plan",
		"variante", "lösung", "vorschlag", "solución", "opción", "opcion", "opção", "opcao", "opzione", "proposition", "propuesta", "вариант", "вариантом", "пункт", "옵션", "번", "번째", "방안":
		return true
	}
	return false
}

// ordinal returns the place that an ordinal names: from 1 on, -1 for the last, and 0 if the
// word is no ordinal.
func ordinal(w string) int {
	switch w {
	case "first", "former", "1st", "erste", "ersten", "erstes", "premier", "première", "primera", "primero", "primeira", "primeiro", "prima", "primo", "первый", "первое", "первую", "첫":
		return 1
	case "second", "2nd", "zweite", "zweiten", "zweites", "deuxième", "seconde", "segunda", "segundo", "seconda", "secondo", "второй", "второе", "вторую", "두":
		return 2
	case "third", "3rd", "dritte", "dritten", "drittes", "troisième", "tercera", "tercero", "terceira", "terceiro", "terza", "terzo", "третий", "третье", "третью", "세":
		return 3
	case "fourth", "4th", "vierte", "vierten", "quatrième", "cuarta", "quarta", "четвертый", "четвёртый", "네":
		return 4
	case "last", "latter", "letzte", "letzten", "dernier", "dernière", "última", "último", "ultima", "ultimo", "последний", "последнее", "마지막":
		return -1
	}
	return 0
}

// eastOrdinal is [ordinal] for a sentence in Chinese or Japanese.
func eastOrdinal(text string) int {
	const short = 20
	if runes(text) > short {
		return 0
	}
	for n, names := range [...][]string{
		{"第一", "方案一", "选项一", "1番", "一つ目", "案1", "方案1", "选1", "選1", "第1"},
		{"第二", "方案二", "选项二", "2番", "二つ目", "案2", "方案2", "选2", "選2", "第2"},
		{"第三", "方案三", "选项三", "3番", "三つ目", "案3", "方案3", "选3", "選3", "第3"},
		{"第四", "方案四", "选项四", "4番", "四つ目", "案4", "方案4", "选4", "選4", "第4"},
	} {
		if contains(text, names) {
			return n + 1
		}
	}
	if contains(text, []string{"最后一个", "最後の", "最後一個"}) {
		return -1
	}
	return 0
}

// listed returns the entries of the last list of a message in which entries have labels:
// lines that begin with a number, a letter or "Option B", and rows of a table.
//
// A label 1 or A begins another list. Fenced code has no lists. At most maxEntries are
// read, in the last 4 KiB.
func listed(text string) []entry { return lastOf(text, func(*entry) bool { return true }) }

// optionsIn is listed for the entries that the message calls options, whatever lists stand between.
func optionsIn(text string) []entry { return lastOf(text, func(e *entry) bool { return e.called }) }

// lastOf returns the last list of the entries that are kept.
func lastOf(text string, keeps func(*entry) bool) (all []entry) {
	from := max(0, len(text)-maxRead)
	at := from
	fences := fencedIn(text)
	for line := range strings.Lines(text[from:]) {
		start := at
		at += len(line)
		name, head, ok := entryIn(line)
		if !ok || fences.hold(start) {
			continue
		}
		e := entry{name: name, head: prose.Span{Start: start + head.Start, End: start + head.End}, asks: asked(line, start, head), called: calls(line[:head.Start])}
		if !keeps(&e) {
			continue
		}
		if name == "1" || name == "A" {
			all = nil // another list begins
		}
		if len(all) < maxEntries {
			all = append(all, e)
		}
	}
	return all
}

// calls reports whether the words before the name of an entry call it an option: "### Option 1: ".
func calls(before string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(before)) {
		if optionWord(strings.Trim(w, "*#_>|-:")) {
			return true
		}
	}
	return false
}

// asked returns the question of a line of a list, which begins at an offset: all up to its last
// question mark, without a name that is set apart. It is empty if the line asks nothing.
//
//	**Migration**: Are you willing to rename it?      Are you willing to rename it?
func asked(line string, at int, head prose.Span) prose.Span {
	end := strings.LastIndexAny(line, "?？")
	if end < head.Start {
		return prose.Span{}
	}
	begin := head.Start
	if end >= head.End {
		if rest := strings.TrimLeft(line[head.End:end], " *_:—–-："); strings.Contains(rest, " ") {
			begin = end - len(rest)
		}
	}
	if line[end] == '?' {
		end++
	} else {
		end += len("？")
	}
	return prose.Span{Start: at + begin, End: at + end}
}

// entryIn returns the label of a line of a list and the span of the entry's name.
//
// Lines with their labels and names:
//
//  1. Cursor pagination — stable under inserts      1  Cursor pagination
//     **Option B: Offsets**                            B  Offsets
//     | C | Keyset | fast |                            C  Keyset
//     方案二：游标分页                                     2  游标分页
func entryIn(line string) (name string, head prose.Span, ok bool) {
	const marks = " \t|*#>-_"
	rest := strings.TrimLeft(line, marks)
	if word, after, found := strings.Cut(rest, " "); found && optionWord(strings.ToLower(word)) {
		rest = after
	}
	for _, east := range [...]string{"方案", "选项", "選項", "オプション", "案"} {
		rest = strings.TrimPrefix(rest, east)
	}
	rest = strings.TrimLeft(rest, " (（*")
	n := 0
	for n < len(rest) && n < 2 && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	if c := byte(0); n == 0 && rest != "" {
		if c = rest[0] &^ 0x20; 'A' <= c && c <= 'H' {
			n = 1
		}
	}
	east := eastDigit(rest)
	if n == 0 && east == "" {
		return "", prose.Span{}, false
	}
	if n > 0 {
		name = strings.ToUpper(rest[:n])
	} else {
		name, n = east, len("一")
	}
	behind := strings.TrimLeft(rest[n:], "*")
	if !separated(behind) {
		return "", prose.Span{}, false
	}
	body := strings.TrimLeft(behind, ".):|：）、， —–-*_")
	end := headEnd(body)
	if strings.TrimSpace(body[:end]) == "" {
		return "", prose.Span{}, false
	}
	start := len(line) - len(body)
	return name, prose.Span{Start: start, End: start + end}, true
}

// eastDigit returns the number in Chinese characters that a text begins with, as digits.
func eastDigit(text string) string {
	for n, sign := range [...]string{"一", "二", "三", "四", "五"} {
		if strings.HasPrefix(text, sign) {
			return strconv.Itoa(n + 1)
		}
	}
	return ""
}

// separated reports whether a text begins with a sign that ends a label, such as "." or ")".
func separated(s string) bool {
	for _, sign := range [...]string{". ", ")", ":", "|", " |", " —", " –", " - ", "：", "）", "、", ".\t", ".*"} {
		if strings.HasPrefix(s, sign) {
			return true
		}
	}
	return false
}

// headEnd returns the end of the name at the beginning of an entry: of its bold words, or of
// the words before the explanation.
//
// If the bold words are only a place in the code, such as `api.go`, the proposal follows
// them, and the whole line is the name.
func headEnd(s string) int {
	end := len(strings.TrimRight(s, " \t\r\n|*"))
	for _, stop := range [...]string{"**", " — ", " – ", " - ", ": ", " | ", " (", ". ", "：", "——", "（", "。"} {
		if at := strings.Index(s[:end], stop); at > 0 {
			end = at
		}
	}
	end = len(strings.TrimRight(s[:end], " *.:"))
	if head := strings.Trim(s[:end], " *"); end < len(s) && (strings.HasPrefix(head, "`") || strings.HasPrefix(head, "[")) && !strings.Contains(head, " ") {
		return len(strings.TrimRight(s, " \t\r\n|")) // the proposal follows the place in the code
	}
	return end
}
