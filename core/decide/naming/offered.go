package naming

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
)

const (
	// maxOffer is how much of the assistant's message is read, from its end.
	maxOffer = 2 << 10
	// maxAlternatives is how many alternatives a message may put up to choose from: a
	// longer list is one of things to do.
	maxAlternatives = 8
)

// Offered returns what the assistant put up to choose from, and which of it the turn takes by
// saying it again. It returns nil if the turn takes none of it or all, or if it is not clear
// which. Only the last maxOffer bytes of the message are read, and only if they ask something.
// If several groups match, the last one counts.
//
//	Should logs stream live, or only after the process exits?
//	  "Let's do it live."           +stream live -only after the process exits
func Offered(before, said string) []core.Option {
	from := max(0, len(before)-maxOffer)
	for from < len(before) && !utf8.RuneStart(before[from]) {
		from++
	}
	if !asks(before[from:]) {
		return nil
	}
	var out []core.Option
	for _, group := range offers(before, from) {
		if opensWithYes(said) && versus(before, group) {
			continue // "should I add a token, so that we can tell X vs Y?" asks for a yes
		}
		if taken := choose(before, group, said); taken != nil {
			out = taken
		}
	}
	return out
}

// opensWithYes reports whether the first word of a turn is a yes.
func opensWithYes(said string) bool {
	first, _, _ := strings.Cut(lower(strings.TrimLeftFunc(said, isMark)), " ")
	switch strings.TrimFunc(first, isMark) {
	case "yes", "yeah", "yep", "yup", "sure", "ja", "oui", "sí", "sim", "да":
		return true
	}
	return false
}

// versus reports whether the first two of a group are joined by "vs".
func versus(text string, group []prose.Span) bool {
	return len(group) > 1 && group[0].End <= group[1].Start && strings.Contains(lower(text[group[0].End:group[1].Start]), " vs")
}

// asks reports whether a text has a question mark.
func asks(text string) bool {
	return strings.IndexByte(text, '?') >= 0 || strings.Contains(text, "？")
}

// offers returns the groups of alternatives in a message from an offset on: what a question
// joins by "or", and the items of a list if the text around it asks to choose one.
func offers(text string, from int) [][]prose.Span {
	var out [][]prose.Span
	var items []prose.Span
	begin := from
	flush := func(end int) {
		if len(items) >= 2 && len(items) <= maxAlternatives && asksToChoose(text, begin, end) {
			out = append(out, items)
		}
		items = nil
	}
	at := from
	for line := range strings.Lines(text[from:]) {
		span := prose.Span{Start: at, End: at + len(strings.TrimRight(line, "\r\n"))}
		if name, ok := item(text, span); ok {
			if items == nil {
				begin = at
			}
			items = append(items, name)
		} else if strings.TrimSpace(line) != "" && line[0] != ' ' && line[0] != '\t' {
			flush(at)
		}
		at += len(line)
		out = append(out, joinedBy(text, span)...)
	}
	flush(at)
	return out
}

// asksToChoose reports whether the text around a list asks for one of its items. A list that
// itself asks something, or is followed by more than 400 bytes, is not put up to choose from.
func asksToChoose(text string, begin, end int) bool {
	const near = 400
	if len(text)-end > near || asks(text[begin:end]) {
		return false
	}
	around := text[max(0, begin-near/2):begin] + text[end:]
	return asks(around) && !proceeds(lower(text[end:]))
}

// proceeds reports whether the text behind a list asks whether to do all of it ("shall I go
// ahead?"), and not which.
func proceeds(low string) bool {
	for _, w := range [...]string{" or ", "which", "any of", "one of", "prefer", "choose", "pick "} {
		if strings.Contains(low, w) {
			return false
		}
	}
	for _, w := range [...]string{"shall i ", "should i ", "proceed", "go ahead", "sound good", "look good", "start now", "make these", "make this", "apply these", "implement th"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// item returns the name of a list item: what is emphasised at its beginning, or what stands
// before its explanation. False if the line is no item.
//
//	line                                    name
//	"2. **SQLite** — nothing to install"    SQLite
//	"- A) Postgres: one more server"        Postgres
func item(text string, line prose.Span) (prose.Span, bool) {
	s := strings.TrimLeft(line.In(text), " \t>")
	start := line.End - len(s)
	rest := strings.TrimLeft(s, "#*-•0123456789.)( \t|")
	if len(rest) == len(s) || rest == "" || s[0] == '#' && !numbered(s) {
		return prose.Span{}, false // no item, or the heading of a list
	}
	if r, size := utf8.DecodeRuneInString(rest); len(rest) > size+1 && ('A' <= r && r <= 'H' || 'a' <= r && r <= 'h') && (rest[size] == ')' || rest[size] == '.') && rest[size+1] == ' ' {
		rest = strings.TrimLeft(rest[size+1:], " *") // "- A) **Redis**"
	}
	start += len(s) - len(rest)
	end := line.End
	if emphasised := s[:len(s)-len(rest)]; strings.HasSuffix(emphasised, "**") {
		if k := strings.Index(rest, "**"); k > 0 {
			return trim(text, prose.Span{Start: start, End: start + k}), true
		}
	}
	for _, stop := range [...]string{" — ", " – ", " - ", ": ", "：", " (", "（", ". ", "? ", "。", "，", " | ", "**"} {
		if k := strings.Index(text[start:end], stop); k > 0 {
			end = start + k
		}
	}
	return marked(text, prose.Span{Start: start, End: end}), true
}

// numbered reports whether a heading is that of an alternative: its first or second word is a
// number of one or two digits, as in "### Option 2".
func numbered(heading string) bool {
	const words = 2
	n := 0
	for w := range strings.FieldsSeq(strings.TrimLeft(heading, "#* ")) {
		digits := strings.Trim(w, ":.)：*")
		if n == 0 {
			// 方案1
			digits = strings.TrimLeftFunc(digits, func(r rune) bool { return !unicode.IsDigit(r) })
		}
		if digits != "" && len(digits) <= 2 && strings.Trim(digits, "0123456789") == "" {
			return true
		}
		if n++; n == words {
			break
		}
	}
	return false
}

// marked removes quotes, punctuation and blanks from both ends of a name.
func marked(text string, s prose.Span) prose.Span {
	in := s.In(text)
	s.Start += len(in) - len(strings.TrimLeftFunc(in, isMark))
	s.End = s.Start + len(strings.TrimRightFunc(text[s.Start:max(s.Start, s.End)], isMark))
	return s
}

// joinedBy returns the alternatives of each question in a line that joins some by "or".
func joinedBy(text string, line prose.Span) [][]prose.Span {
	var out [][]prose.Span
	from := line.Start
	for i, r := range line.In(text) {
		if r != '?' && r != '？' {
			if r == '.' && line.Start+i+1 < line.End && text[line.Start+i+1] == ' ' || r == '。' {
				from = line.Start + i + utf8.RuneLen(r)
			}
			continue
		}
		end := line.Start + i
		if alternatives := split(text, prose.Span{Start: from, End: end}); len(alternatives) > 1 {
			out = append(out, alternatives)
		}
		from = end + utf8.RuneLen(r)
	}
	return out
}

// split cuts a question at its first "or", in ten languages; the part before it at its commas
// if it is a list, the part behind it at further ", or ". What stands before a colon is left
// out. Nil if there is no "or".
//
//	Which format: JSON, TOML or YAML?     JSON │ TOML │ YAML
func split(text string, q prose.Span) []prose.Span {
	low := masked(lower(q.In(text)))
	at, size := -1, 0
	listed := false
	for _, or := range [...]string{", or ", " or ", "还是", "或者", " ou ", " oder ", " o ", " или ", "それとも", "または", "아니면", " vs. ", " vs "} {
		if k := strings.Index(low, or); k > 0 && (at < 0 || k < at) {
			at, size, listed = k, len(or), or == ", or "
		}
	}
	if at < 0 {
		return nil
	}
	left, right := prose.Span{Start: q.Start, End: q.Start + at}, prose.Span{Start: q.Start + at + size, End: q.End}
	if k := strings.LastIndex(left.In(text), ": "); k >= 0 {
		left.Start += k + 2
	} else if k := strings.LastIndex(left.In(text), "："); k >= 0 {
		left.Start += k + len("：")
	}
	var out []prose.Span
	if k := strings.LastIndex(left.In(text), ", "); k >= 0 && !listed { // "for this revision, should a or b"
		left.Start += k + 2
	}
	for {
		k := strings.Index(masked(left.In(text)), ", ")
		if k < 0 {
			break
		}
		out = append(out, asked(text, prose.Span{Start: left.Start, End: left.Start + k}))
		left.Start += k + 2
	}
	last := asked(text, left)
	if len(out) > 0 && last.Start > marked(text, left).Start { // what stands before it asks nothing: "for several inputs, should we merge them"
		out = out[:0]
	}
	out = append(out, last)
	for {
		k := strings.Index(lower(right.In(text)), ", or ")
		if k < 0 {
			break
		}
		out = append(out, asked(text, prose.Span{Start: right.Start, End: right.Start + k}))
		right.Start += k + len(", or ")
	}
	return append(out, asked(text, right))
}

// masked returns a text with dots in place of what is in round brackets, of the same
// length: commas in a remark separate nothing.
func masked(s string) string {
	depth := 0
	out := []byte(s)
	for i := range out {
		switch out[i] {
		case '(':
			depth++
		case ')':
			depth--
		default:
			if depth > 0 {
				out[i] = '.'
			}
		}
	}
	return string(out)
}

// asked returns what a question asks for, without the words that only ask and what stands
// before them: in "for several inputs, should we merge them" it is "merge them".
func asked(text string, s prose.Span) prose.Span {
	s = marked(text, s)
	s.Start += len(s.In(text)) - len(strings.TrimLeft(s.In(text), "-• "))
	low := lower(s.In(text))
	const before = 120 // bytes of what may stand there
	begin := 0
	for _, lead := range [...]string{
		"want me to ", "would you like me to ", "do you want me to ", "do you want to ", "should i ", "shall i ", "should we ", "shall we ", "would you like ", "would you prefer ", "do you prefer ",
		"do you want ", "would you rather ", "want to ", "should it be ", "should it ", "should the ", "should ", "is it enough that ", "is it ", "veux-tu ", "tu veux ", "tu préfères ", "souhaites-tu ", "préfères-tu ", "est-ce que tu ", "quieres que ", "quieres ", "prefieres ",
		"quer que eu ", "quer que ", "prefere ", "soll ich ", "möchtest du ", "soll es ", "хотите ", "vuoi che ", "你想", "你倾向于", "是要", "要",
	} {
		k := strings.Index(low, lead)
		if k < 0 || k > before || k+len(lead) <= begin || k > 0 && !apart(low[:k], lead) {
			continue
		}
		begin = k + len(lead)
	}
	s.Start += begin
	return marked(text, s)
}

// apart reports whether the words of a lead begin a part of the question: one word must follow
// a comma, several words any blank.
func apart(before, lead string) bool {
	if strings.Count(lead, " ") > 1 {
		return strings.HasSuffix(before, " ")
	}
	return strings.HasSuffix(before, ", ") || strings.HasSuffix(before, "，")
}

// choose marks which alternatives of a group a turn repeats. Each gets a score between 0 and 1:
// the share of its own features, those that not all alternatives have, which the turn has too;
// an alternative with which the turn begins scores 1. Nil if no score reaches 0.5, if too few
// words are shared in a long turn, if another scores nearly as well, or if all are taken.
func choose(text string, group []prose.Span, said string) []core.Option {
	const most = 110 // bytes of a name
	own := features(said)
	count := map[string]int{}
	for _, s := range group {
		if empty(s) || s.End-s.Start > most {
			return nil
		}
		for f := range features(s.In(text)) { // counted, in any order
			count[f]++
		}
	}
	scores := make([]float64, len(group))
	best := 0.0
	words := 0
	for i, s := range group {
		n, shared := 0, 0
		for f := range features(s.In(text)) { // counted, in any order
			if count[f] == len(group) {
				continue
			}
			n++
			if own[f] {
				shared++
			}
		}
		if n > 0 && shared > 0 {
			scores[i] = float64(shared) / float64(min(n, max(len(own), 1)))
		}
		if opensWith(said, headOf(s.In(text))) {
			scores[i], shared = 1, n
		}
		if scores[i] > best {
			best, words = scores[i], shared
			if shared == n {
				words++ // the whole name
			}
		}
	}
	if best < 0.5 || words < 2 && len(own) > 4 {
		return nil
	}
	var out []core.Option
	left := false
	for i, s := range group {
		chosen := scores[i] >= 0.5 && scores[i] > 0.6*best
		if !chosen && scores[i] > 0.4 {
			return nil // it is not clear which one
		}
		left = left || !chosen
		if open(s.In(text)) {
			continue
		}
		out = append(out, core.Option{Text: s.In(text), Chosen: chosen, InAssistant: true, Offset: s.Start})
	}
	if !left {
		return nil
	}
	return out
}

// headOf returns an alternative up to where it is explained.
func headOf(name string) string {
	for _, stop := range [...]string{" (", "（", " with ", " and ", ", "} {
		if k := strings.Index(name, stop); k > 0 {
			name = name[:k]
		}
	}
	return strings.TrimFunc(name, isMark)
}

// opensWith reports whether a turn begins with a name of at least four bytes, as a whole word.
func opensWith(said, name string) bool {
	const least = 4 // bytes
	said = strings.TrimLeftFunc(said, isMark)
	if len(name) < least || len(said) < len(name) || lower(said[:len(name)]) != lower(name) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(said[len(name):])
	return len(said) == len(name) || !inWord(next)
}

// open reports whether an alternative only says that there may be others.
func open(name string) bool {
	low := lower(name)
	for _, w := range [...]string{"something else", "elsewhere", "other", "anything else", "autre", "otro", "其他", "другое"} {
		if strings.HasPrefix(low, w) {
			return true
		}
	}
	return false
}

// features returns what a text is recognised by: its words of three letters or more, cut to six
// letters so that "stream" and "streaming" agree, without common ones; in scripts without
// blanks, pairs of characters.
func features(s string) map[string]bool {
	out := map[string]bool{}
	word := strings.Builder{}
	var before rune
	flush := func() {
		if w := word.String(); len(w) >= 3 && !common(w) || len(w) > 0 && strings.ContainsAny(w, "0123456789") {
			if r := []rune(w); len(r) > 6 {
				w = string(r[:6]) // "stream" and "streaming" are one
			}
			out[w] = true
		}
		word.Reset()
	}
	for _, r := range lower(s) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			flush()
			if before != 0 && !unicode.Is(unicode.Hiragana, r) && !unicode.Is(unicode.Hiragana, before) {
				out[string([]rune{before, r})] = true
			}
			before = r
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
			word.WriteRune(r)
		case (r == '.' || r == '_') && word.Len() > 0:
		default:
			flush()
		}
		before = 0
	}
	flush()
	return out
}

// common reports whether a word says nothing of what an alternative is.
func common(w string) bool {
	switch w {
	case "the", "and", "for", "with", "that", "this", "you", "your", "want", "should", "would", "like", "use", "make", "just", "into", "from", "have", "are", "can", "not",
		"let", "lets", "also", "then", "now", "all", "its", "les", "des", "une", "pour", "dans", "que", "avec", "los", "las", "para", "con", "por", "und", "die", "der", "das", "mit",
		"something", "else", "them", "will", "but", "only", "yes", "please", "what", "which", "there", "here", "add", "fix", "one", "option":
		return true
	}
	return false
}

// Emphasised returns at most six names that a proposal of the assistant sets apart by code,
// emphasis or quotes. All are marked as chosen.
func Emphasised(text string, s prose.Span) []core.Option {
	const most = 6
	var out []core.Option
	in := s.In(text)
	for at := 0; at < len(in) && len(out) < most; {
		open, mark := -1, ""
		for _, m := range [...]string{"**", "`", "“", "\""} {
			if k := strings.Index(in[at:], m); k >= 0 && (open < 0 || k < open) {
				open, mark = k, m
			}
		}
		if open < 0 {
			break
		}
		shut := mark
		if mark == "“" {
			shut = "”"
		}
		start := at + open + len(mark)
		n := strings.Index(in[start:], shut)
		if n < 0 {
			break
		}
		if name := marked(in, prose.Span{Start: start, End: start + n}); name.End > name.Start && name.End-name.Start <= 80 {
			out = append(out, core.Option{Text: name.In(in), Chosen: true, InAssistant: true, Offset: s.Start + name.Start})
		}
		at = start + n + len(shut)
	}
	return out
}
