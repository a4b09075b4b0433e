package naming

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/prose"
)

// clauses appends the clauses of a sentence; low is the sentence in lower case. It is cut at
// commas, brackets and conjunctions, and at blanks between Chinese words. What is in quotes
// or code stays whole. A reason or condition is left out, because it names what something is
// for:
//
//	use npz, not npy, because it is smaller      use npz │ not npy
func clauses(out []prose.Span, text, low string, s prose.Span) []prose.Span {
	from := s.Start
	cut := func(at, next int) {
		if at > from {
			out = conjoined(out, low[from-s.Start:at-s.Start], from)
		}
		from = next
	}
	var quote rune
	size := 0
	for at := s.Start; at < s.End; at += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[at:s.End])
		next := at + size
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '`', r == '"':
			if strings.ContainsRune(text[next:s.End], r) {
				quote = r
			}
		case r == '“' && strings.ContainsRune(text[next:s.End], '”'):
			quote = '”'
		case parts(text, at, next, r, s.End):
			cut(at, next)
		}
	}
	cut(s.End, s.End)
	return out
}

// parts reports whether a character ends a clause. ASCII marks do so only before a blank, since
// names contain them: "config.yaml", "a:b"; a new line does unless the next line begins with a
// small letter.
func parts(text string, at, next int, r rune, end int) bool {
	after := byte(' ')
	if next < end {
		after = text[next]
	}
	switch r {
	case '，', '；', '。', '、', '：', '（', '）', '(', ')', ';', '？', '！', '—', '–':
		return true
	case '\n':
		return !wrapped(text[next:end])
	case ',', ':', '.', '?', '!':
		return after == ' ' || after == '\n' || after >= utf8.RuneSelf
	case '-':
		return after == ' ' && at > 0 && text[at-1] == ' '
	case ' ':
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		behind, _ := utf8.DecodeRuneInString(text[next:])
		return unicode.Is(unicode.Han, before) && unicode.Is(unicode.Han, behind)
	}
	return false
}

// wrapped reports whether a line continues the one before it: it begins with a small letter.
func wrapped(line string) bool {
	line = strings.TrimLeft(line, " \t\r")
	return line != "" && 'a' <= line[0] && line[0] <= 'z'
}

// conjoined appends the parts of a clause, cut at the words that contrast or add ("but", "and
// then"). It stops at a word that leads to a reason: what follows is dropped.
func conjoined(out []prose.Span, low string, start int) []prose.Span {
	from := 0
	for from < len(low) {
		at, size := len(low), 0
		for _, w := range [...]string{
			" but ", " mais ", " pero ", " mas ", " aber ", " sondern ", " ma ", " но ", "但是", "而是", "而且", "并且", "然后", " and then ", " because ", " since ",
			" so that ", " so we ", " parce ", " car ", " porque ", " weil ", " потому ", "因为", " чтобы ", " when ", " if ", " pour ne ", " afin ",
		} {
			if k := strings.Index(low[from:min(len(low), at+len(w)-1)], w); k >= 0 {
				at, size = from+k, len(w)
			}
		}
		if at > from {
			out = append(out, prose.Span{Start: start + from, End: start + at})
		}
		from = at + size
		if size > 0 && reason(low[at:from]) {
			break // why is no part of what is named
		}
	}
	return out
}

// reason reports whether a word leads to a reason or a condition.
func reason(w string) bool {
	switch strings.TrimSpace(w) {
	case "because", "since", "so that", "so we", "parce", "car", "porque", "weil", "потому", "因为", "чтобы", "when", "if", "pour ne", "afin":
		return true
	}
	return false
}

// Wide reports whether a text is written without blanks between words, or in words that end
// in particles.
func Wide(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return wide(r) || r >= firstWide && unicode.Is(unicode.Hangul, r) })
}

// firstWide is the first letter of Hangul; the signs of Chinese and Japanese are beyond it.
const firstWide = 0x1100

// wide reports whether a character is one of Chinese or Japanese.
func wide(r rune) bool {
	return r >= firstWide && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// continues reports whether a clause follows a comma or colon and may therefore continue a
// list.
func continues(text string, c prose.Span) bool {
	before := strings.TrimRight(text[:c.Start], " \n")
	for _, comma := range [...]string{",", "，", "、", ":", "："} {
		if strings.HasSuffix(before, comma) {
			return true
		}
	}
	return false
}

// vague reports whether a name names nothing by itself: a pronoun, a word that opens sentences,
// a text without a letter. As a title it would say nothing: "Use it".
func vague(s string) bool {
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return true
	}
	var short [maxName]byte
	low := appendLower(short[:0], s)
	first, _, _ := bytes.Cut(low, []byte(" "))
	switch string(first) {
	case "because", "sure", "yet", "even", "u", "think", "more", "like", "what", "how", "able", "mind", "only", "up", "etc", "going", "really", "necessarily", "there", "if", "when", "so":
		return true
	}
	switch string(low) {
	case "i", "maybe", "yea", "yeah", "yes", "yep", "no", "and", "or", "but", "not", "never", "please", "try", "just", "is", "in",
		"it", "this", "that", "them", "these", "those", "one", "something", "things", "everything", "anything", "you", "me", "us", "we", "do that", "do it", "do this", "check", "work",
		"a", "to", "same", "out", "all", "both", "decided", "agreed", "others", "other", "one of", "done", "ok", "ça", "cela", "tout", "eso", "esto", "todo", "isso", "das", "es", "это", "всё", "их", "его",
		"一个", "吗", "觉得", "后", "时", "这样", "那样", "这些", "那些", "它", "他们", "什么", "的话", "一样", "情况", "问题", "方式", "みて", "こと", "もの", "거", "것", "이거", "그거", "それ", "これ":
		return true
	}
	return false
}

// countWords counts words. In a script without blanks three characters count as one word, in
// addition to the run of characters itself.
func countWords(s string) int {
	n, signs := 0, 0
	for f := range strings.FieldsSeq(s) {
		n++
		for _, r := range f {
			if wide(r) {
				signs++
			}
		}
	}
	return n + signs/3
}

// idle reports whether a clause without a frame names nothing: it asks, explains or only opens
// a sentence. Such a clause is no candidate as a whole.
func idle(low string) bool {
	low = strings.TrimSpace(low)
	for _, w := range [...]string{
		"because", "since", "so ", "if ", "when ", "which", "why", "what", "how", "this is", "it is", "it's", "that ", "there ", "i think", "i see", "remember that", "we decided", "that is decided", "that's decided", "ok", "yes", "no ",
		"因为", "所以", "如果", "感觉", "这是", "因此", "为什么", "怎么", "是不是", "car ", "si ", "parce", "porque", "потому", "если", "weil", "wenn", "perché", "se ",
	} {
		if strings.HasPrefix(low, w) {
			return true
		}
	}
	return low == ""
}

// isMark reports whether a sign is blank or a mark that no name begins or ends with.
func isMark(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '"', '\'', '`', '“', '”', '„', '«', '»', '‘', '’', '「', '」', '『', '』', '《', '》', '*', '_', ',', ';', ':', '!', '?', '。', '，', '、', '：', '；', '！', '？', '.', '…', '~':
		return true
	}
	return false
}

// trim removes marks and words without meaning from both ends, as often as there are some, but
// not the dot of a name (".gitignore", "~/.envrc") nor the star of a pattern. A mark that has
// its partner outside takes that back; see [Balanced].
func trim(text string, s prose.Span) prose.Span {
	for {
		from := s
		in := s.In(text)
		s.Start += len(in) - len(strings.TrimLeftFunc(in, isMark))
		s.Start -= dotted(text[from.Start:s.Start], text[s.Start:max(s.Start, s.End)])
		in = text[s.Start:max(s.Start, s.End)]
		s.End = s.Start + len(strings.TrimRightFunc(in, isMark))
		s.End += globbed(text[s.Start:s.End], text[s.End:from.End])
		s.Start += leading(text[s.Start:s.End])
		s.Start += prose.Attachment(text[s.Start:s.End])
		s.End -= trailing(text[s.Start:s.End])
		if s == from || empty(s) {
			return Balanced(text, s)
		}
	}
}

// Balanced returns a name with both of the marks that stand around code, a quotation or a remark in it, or with
// neither.
//
//	`--json` flag     --json` flag  becomes  `--json` flag
//	one (or two)      one (or two   becomes  one (or two)
func Balanced(text string, s prose.Span) prose.Span {
	for _, mark := range [...]byte{'`', '"'} {
		in := s.In(text)
		at := strings.IndexByte(in, mark)
		switch {
		case at < 0 || strings.Count(in, string(mark))%2 == 0:
		case s.Start > 0 && text[s.Start-1] == mark:
			s.Start--
		case s.End < len(text) && text[s.End] == mark:
			s.End++
		case at > 0:
			s.End = s.Start + len(strings.TrimRightFunc(in[:at], isMark))
		default:
			s.Start++
		}
	}
	in := s.In(text)
	switch open, shut := strings.Count(in, "("), strings.Count(in, ")"); {
	case open > shut && s.End < len(text) && text[s.End] == ')':
		s.End++
	case open > shut:
		if at := strings.LastIndexByte(in, '('); at > 0 {
			s.End = s.Start + len(strings.TrimRightFunc(in[:at], isMark))
		}
	case open < shut && strings.HasSuffix(in, ")"):
		s.End--
	}
	return s
}

// dotted returns how many bytes of the marks before a name belong to it.
func dotted(before, name string) int {
	if name == "" || !isLetter(name[0]) && name[0] != '/' {
		return 0
	}
	for _, mark := range [...]string{"~", "."} {
		if strings.HasSuffix(before, mark) && (mark == "~") == (name[0] == '/') && !strings.HasSuffix(before, "..") {
			return 1
		}
	}
	return 0
}

// globbed returns how many bytes of the marks behind a name belong to it, for they stand for files: "src/*".
func globbed(name, behind string) int {
	if !strings.HasSuffix(name, "/") {
		return 0
	}
	return len(behind) - len(strings.TrimLeft(behind, "*"))
}

// maxFiller is how many bytes a word that means nothing has at most.
const maxFiller = 32

// leading returns how many bytes of a name are a word that only leads to it.
func leading(s string) int {
	var short [maxFiller]byte
	low := appendLower(short[:0], s[:min(len(s), maxFiller)])
	if k := bytes.IndexByte(low, ' '); k >= 0 {
		switch string(low[:k]) {
		case "the", "a", "an", "to", "of", "it", "its", "it's", "this", "that", "those", "these", "our", "your", "my", "any", "all", "some", "just", "only", "also", "then", "so", "and",
			"or", "i", "we", "you", "us", "me", "please", "be", "have", "as", "for", "in", "on", "with", "by", "let's", "lets", "let", "now", "actually", "definitely", "ok", "okay", "yes", "instead",
			"i'd", "should", "can", "could", "would", "will", "is", "are", "same",
			"le", "la", "les", "un", "une", "des", "de", "du", "que", "je", "tu", "ce", "cette", "ces", "avec", "à", "bien", "aussi", "et", "pour", "dans",
			"el", "los", "las", "una", "lo", "y", "con", "o", "os", "um", "uma", "com", "e",
			"der", "die", "das", "den", "dem", "ein", "eine", "einen", "und", "bitte", "wir", "ich", "dass", "il", "gli", "uno",
			"и", "а", "в", "на", "с", "чтобы", "просто", "мне", "ты":
			return k + 1
		}
	}
	for _, w := range [...]string{"from now on ", "more like ", "l'", "l’", "d'", "d’", "qu'"} {
		if bytes.HasPrefix(low, []byte(w)) {
			return len(w)
		}
	}
	if s == "" || s[0] < utf8.RuneSelf {
		return 0
	}
	for _, w := range [...]string{
		"我们", "我", "你", "请", "帮我", "那个", "这个", "那", "把", "将", "就", "也", "都", "再", "先", "直接", "给", "一下", "到", "成", "为", "了", "的", "个", "去", "被", "对", "还", "让", "要", "现在", "还是", "然后", "并", "所有的",
		"じゃあ", "あと", "これ", "それ", "もう", "この", "その", "그럼 ", "그렇다면 ", "이거 ", "지금 ", "지금은 ", "그리고 ", "근데 ", "를", "을",
	} {
		if strings.HasPrefix(s, w) && !strings.HasPrefix(s, "去掉") && !strings.HasPrefix(s, "去除") && !strings.HasPrefix(s, "成功") && !strings.HasPrefix(s, "到期") {
			return len(w)
		}
	}
	return 0
}

// trailing returns how many bytes of a name are a word that only ends the clause.
func trailing(s string) int {
	var short [maxFiller]byte
	low := appendLower(short[:0], s[max(0, len(s)-maxFiller):])
	for _, w := range [...]string{" from now on", " for now", " any more", " as well", " by default"} {
		if bytes.HasSuffix(low, []byte(w)) {
			return len(w)
		}
	}
	if k := bytes.LastIndexByte(low, ' '); k >= 0 {
		switch string(low[k+1:]) {
		case "please", "from", "instead", "now", "too", "again", "here", "there", "then", "anymore", "lol", "it", "and", "or", "is", "are", "to", "should", "must", "i", "we", "you", "the", "a",
			"svp", "stp", "aussi", "et", "je", "on", "tu", "que", "y", "e", "und", "bitte", "и", "тоже", "я", "у", "был", "чтобы":
			return len(low) - k
		}
	}
	if s == "" || s[len(s)-1] < utf8.RuneSelf {
		return 0
	}
	for _, w := range [...]string{
		"就可以", "可以", "彻底", "徹底", "统一", "全部", "就", "也", "都", "了", "吧", "的", "呢", "啊", "来", "还", "要", "一下", "这里", "里面", "我", "我们", "再", "直接", "请", "把", "给", "应该", "那种", "会", "是",
		"を", "は", "が", "に", "も", "と", "って", "から", "ので", "して", "を", "을", "를", "은", "는",
	} {
		if strings.HasSuffix(s, w) && !strings.HasSuffix(s, "不要") && !strings.HasSuffix(s, "需要") {
			return len(w)
		}
	}
	return 0
}

// filler reports whether nothing that names stands between two frames.
func filler(s string) bool {
	switch strings.TrimSpace(lower(s)) {
	case "", "to", "it", "just", "be", "have", "really", "ever", "also", "please", "de", "que", "me", "to be", "that", "we", "to have", "you to", "to only", "pas", "que tu", "再", "去", "直接", "就":
		return true
	}
	return false
}

// head returns the beginning of a long name, up to where something else is said.
func head(text string, s prose.Span) prose.Span {
	const words = 14
	return trim(text, upTo(text, s, words))
}

// deed returns a clause as a name.
func deed(text string, s prose.Span) prose.Span {
	const words = 12
	s = trim(text, s)
	if countWords(s.In(text)) > words {
		return prose.Span{}
	}
	return s
}

// upTo returns the beginning of a span with so many words.
func upTo(text string, s prose.Span, words int) prose.Span {
	n, blank := 0, true
	for i, r := range s.In(text) {
		if unicode.IsSpace(r) {
			if !blank {
				if n++; n == words {
					return prose.Span{Start: s.Start, End: s.Start + i}
				}
			}
			blank = true
			continue
		}
		blank = false
	}
	return s
}

// tail returns the end of a long name: what stands right before a frame.
// A name in front of a frame is at most eight words or 60 bytes; in Korean, whose words
// hold more, five.
func tail(text string, s prose.Span) prose.Span {
	words, most := 8, 60
	if strings.ContainsFunc(s.In(text), func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
		words = 5
	}
	from := s.End
	n := 0
	for from > s.Start && n < words && s.End-from < most {
		r, size := utf8.DecodeLastRuneInString(text[s.Start:from])
		if unicode.IsSpace(r) {
			n++
		}
		if n == words {
			break
		}
		from -= size
	}
	from = wholeWord(text, s, from)
	return trim(text, prose.Span{Start: topic(text, prose.Span{Start: from, End: s.End}), End: s.End})
}

// wholeWord returns the beginning of the word that offset from of a span is in the middle of, or of
// the next word if that one is long; else from.
func wholeWord(text string, s prose.Span, from int) int {
	const most = 24 // bytes
	within := func(at int) bool {
		before, _ := utf8.DecodeLastRuneInString(text[s.Start:at])
		after, _ := utf8.DecodeRuneInString(text[at:s.End])
		return inWord(before) && inWord(after) || unicode.Is(unicode.Hangul, before) && unicode.Is(unicode.Hangul, after)
	}
	start := from
	for start > s.Start && within(start) {
		_, size := utf8.DecodeLastRuneInString(text[s.Start:start])
		start -= size
	}
	if from-start <= most {
		return start
	}
	for from < s.End && within(from) {
		_, size := utf8.DecodeRuneInString(text[from:s.End])
		from += size
	}
	return from
}

// topic returns where begins what is said of the topic of a Japanese clause: behind a は that stands
// between words.
func topic(text string, s prose.Span) int {
	const particle = "は"
	in := s.In(text)
	for at := strings.LastIndex(in, particle); at > 0; at = strings.LastIndex(in[:at], particle) {
		end := at + len(particle)
		before, _ := utf8.DecodeLastRuneInString(in[:at])
		after, _ := utf8.DecodeRuneInString(in[end:])
		if end < len(in) && !unicode.Is(unicode.Hiragana, before) && !unicode.Is(unicode.Hiragana, after) {
			return s.Start + end
		}
	}
	return s.Start
}
