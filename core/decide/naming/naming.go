package naming

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/prose"
)

// Namer finds what passages may take or leave. It reuses its memory, so that a result is valid
// only until the next call, and serves one goroutine.
type Namer struct {
	frames []frame
	words  *ahocorasick.Automaton

	all           []Candidate // of the passage
	named         []int       // those that more than their form names
	said, saidLow string      // the message before, and its end in lower case

	list list // of one clause, as are these
	cut  []prose.Span
	buf  []byte
	hits []hit
}

// New returns a Namer with the frames of all languages. A word that two languages share becomes
// one frame, with the sides of the language that gives it both.
func New() *Namer {
	n := &Namer{}
	at := map[string]int{}
	var words []string
	for _, f := range frames() {
		k, known := at[f.text]
		if !known {
			at[f.text] = len(n.frames)
			n.frames, words = append(n.frames, f), append(words, f.text)
			continue
		}
		o := &n.frames[k] // two languages have the word
		o.pairs, o.opens = o.pairs || f.pairs, o.opens || f.opens
		if o.pairs && o.before == nothing {
			o.before, o.after = f.before, f.after
		}
	}
	n.words = ahocorasick.New(words)
	return n
}

// hit is a frame found in a clause.
type hit struct {
	frame
	start, end int // in the text
}

// clause adds to l what the frames of clause c name; low is the clause in lower case. Between
// two frames, what follows the first and stands before the second may belong to either, so each
// frame takes up to the next:
//
//	use Redis, not Postgres, for the queue
//	use → Redis          not → Postgres
//
// A few words without a frame continue the list of the clause before ("use Redis, NATS"): last
// is the side on which that clause ended, and the result is the side for the clause that
// follows.
func (n *Namer) clause(l *list, c prose.Span, low string, last side) side {
	hits := n.find(l.text, c, low)
	if len(hits) == 0 {
		if last == nothing || countWords(c.In(l.text)) > 4 || !continues(l.text, c) {
			return nothing
		}
		l.frame = "continues"
		l.add(trim(l.text, c), last == takes)
		return last
	}
	from := c.Start
	last = nothing
	for k, h := range hits {
		before := prose.Span{Start: from, End: h.start}
		after := prose.Span{Start: h.end, End: c.End}
		if k+1 < len(hits) {
			after.End = hits[k+1].start
		}
		if object := objectOf(l.text, before); h.before == leaves && !empty(object) {
			before = object
		} else {
			before = tail(l.text, trim(l.text, before))
		}
		after = head(l.text, trim(l.text, after))
		b, a := h.before, h.after
		if b == nothing && empty(after) && k+1 == len(hits) && !h.short() { // the word stands behind what it is about
			b, a = a, nothing
		}
		if a == takes && !empty(after) && (vague(after.In(l.text)) || h.states() && plain(after.In(l.text))) {
			after.Start = h.start // "do it live": the frame says what is meant
		}
		if b == takes || a == takes {
			b, a = doubted(low[:h.start-c.Start], b), doubted(low[:h.start-c.Start], a)
		}
		l.frame = h.text
		if b != nothing {
			l.add(before, b == takes)
		}
		if a != nothing {
			l.add(after, a == takes)
		}
		if from, last = h.end, a; last == leaves && h.short() {
			last = nothing // "no auth, in memory only"
		}
	}
	return last
}

// doubted returns the side that a frame gives, after the beginning of its clause: what somebody
// does not think should be is left ("I don't think we should use Redis").
func doubted(before string, s side) side {
	if s != takes {
		return s
	}
	for _, w := range [...]string{"n't think ", "not think ", "dont think ", "pense pas que ", "no creo que ", "não acho que ", "glaube nicht", "не думаю", "不觉得", "不认为"} {
		if strings.Contains(before, w) {
			return leaves
		}
	}
	return s
}

// objectOf returns what follows a Chinese 把 or 将: in 把我要下单改成下单 it is 我要下单. The span is empty if
// there is none.
func objectOf(text string, s prose.Span) prose.Span {
	for _, w := range [...]string{"把", "将"} {
		if at := strings.LastIndex(s.In(text), w); at >= 0 {
			return marked(text, prose.Span{Start: s.Start + at + len(w), End: s.End})
		}
	}
	return prose.Span{}
}

// empty reports whether a span has no bytes; such a part of a name is left out.
func empty(s prose.Span) bool { return s.End <= s.Start }

// find returns the frames of a clause by place, none inside another. Of those that begin at one
// place the longest counts; frames with nothing between them but small words become one ("don't
// use"). A frame that needs a first word to mean anything counts only behind that ("from …
// to"). The result is valid until the next call.
func (n *Namer) find(text string, c prose.Span, low string) []hit {
	n.buf, n.hits = append(n.buf[:0], low...), n.hits[:0]
	n.words.Find(n.buf, func(w int32, end int) {
		f := n.frames[w]
		start := end - len(f.text)
		if bounded(low, start, end) && !inside(low, f.text, start, end) && !inName(c.In(text), start) {
			n.hits = append(n.hits, hit{f, start, end})
		}
	})
	slices.SortStableFunc(n.hits, func(a, b hit) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	out := n.hits[:0]
	opened := false
	end, start := 0, -1
	for _, h := range n.hits {
		if h.start < end || h.start == start {
			continue
		}
		start = h.start // the longest that begins there
		if h.pairs && h.before != nothing && !h.opens && !opened && h.pairsOnly() {
			continue
		}
		end = h.end
		h.start, h.end = c.Start+h.start, c.Start+h.end
		if k := len(out); k > 0 && filler(text[out[k-1].end:h.start]) && out[k-1].after != nothing && !h.pairs {
			out[k-1] = joined(out[k-1], h)
		} else {
			out = append(out, h)
		}
		opened = opened && !h.pairs || h.opens
	}
	return out
}

// inName reports whether a word is part of a capitalised name: "Plus Jakarta Sans". The word
// and the one before it begin with a capital, that one does not open the clause, and the clause
// has words in small letters, so that titles in capitals are not taken for one name.
func inName(clause string, start int) bool {
	if start >= len(clause) || !isUpper(clause[start]) {
		return false
	}
	before := strings.Fields(clause[:start])
	if len(before) < 2 || !isUpper(before[len(before)-1][0]) {
		return false
	}
	return slices.ContainsFunc(before, func(w string) bool { return 'a' <= w[0] && w[0] <= 'z' })
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// pairsOnly reports whether a frame means nothing without a first word.
func (f *frame) pairsOnly() bool { return f.before == leaves && f.after == takes }

// short reports whether a frame is no more than "no" or "not".
func (f *frame) short() bool { return utf8.RuneCountInString(f.text) <= 3 && !Wide(f.text) }

// states reports whether a frame says how something is ("make it X"), not what is used.
func (f *frame) states() bool {
	for _, be := range [...]string{" be", " be used", "make it", "être", "rester", " ser", "essere", "быть", "sein", "soll", "muss", "deve", "debe"} {
		if strings.HasSuffix(f.text, be) {
			return true
		}
	}
	return false
}

// plain reports whether a name is one word in small letters, which names nothing by itself:
// behind a frame that states, the frame belongs to the name ("make it fast").
func plain(s string) bool {
	return s != "" && !Wide(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLower(r) })
}

// joined merges two frames that follow each other. What either leaves is left: "don't" and
// "use" leave.
func joined(a, b hit) hit {
	out := a
	out.end, out.opens = b.end, b.opens
	if b.before != nothing && b.after == nothing { // "use X instead"
		out.before = b.before
	}
	if a.after != leaves && b.after != nothing {
		out.after = b.after
	}
	return out
}

// bounded reports whether a frame stands at word ends, in scripts with blanks between words. In
// others every place is one.
func bounded(low string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(low[start:])
	last, _ := utf8.DecodeLastRuneInString(low[:end])
	before, _ := utf8.DecodeLastRuneInString(low[:start])
	after, _ := utf8.DecodeRuneInString(low[end:])
	if start > 0 && letter(first) && inWord(before) {
		return false
	}
	return end == len(low) || !letter(last) || !inWord(after)
}

// inside reports whether a match is part of another word, where blanks do not tell: 用 in 使用 or
// 用户, 로 in 바로.
func inside(low, word string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(low[:start])
	after, _ := utf8.DecodeRuneInString(low[end:])
	switch word {
	case "用":
		return strings.ContainsRune("使应利引作费信调适专通公有没试商复启常套滥占采", before) || strings.ContainsRune("户于途来例法量时到起完的户", after)
	case "按":
		return after == '钮' || after == '键' || after == '时'
	case "选":
		return strings.ContainsRune("挑筛勾待首", before) || strings.ContainsRune("项中了", after)
	case "别":
		return strings.ContainsRune("特分区级类识性个", before) || strings.ContainsRune("的人", after)
	}
	return strings.HasPrefix(word, "로") && adverb(low[:start])
}

// adverb reports whether a Korean text ends in what 로 makes an adverb, and not a noun with a particle: "바로" is
// "at once".
func adverb(low string) bool {
	switch low[strings.LastIndexByte(low, ' ')+1:] {
	case "바", "곧바", "그대", "이대", "새", "따", "서", "별", "제대", "실제", "주", "절대", "스스", "함부", "수시":
		return true
	}
	return false
}

// letter reports whether words of this letter's script stand between blanks.
func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(byte(r)) //nolint:gosec // it is ASCII
	}
	return unicode.In(r, unicode.Latin, unicode.Cyrillic)
}

// inWord reports whether a character continues a name, as in user_id, sign-in, src/db.
func inWord(r rune) bool { return letter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '/' }

// lower returns a text in lower case with the same length in bytes, so that offsets in one are
// offsets in the other. A letter whose lower case is longer or shorter stays as it is.
func lower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			var short [256]byte
			return string(appendLower(short[:0], s))
		}
	}
	return s // as most texts are
}

// appendLower appends a text in lower case, of the same length.
func appendLower(b []byte, s string) []byte {
	from := len(b)
	b = append(b, s...)
	for i, out := 0, b[from:]; i < len(out); {
		if c := out[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				out[i] = c | 0x20
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if l := lowerRune(r, size); l != r {
			utf8.EncodeRune(out[i:], l)
		}
		i += size
	}
	return b
}

// lowerRune returns a letter beyond ASCII in lower case, if that is written in as many bytes.
func lowerRune(r rune, size int) rune {
	if l := unicode.ToLower(r); utf8.RuneLen(l) == size {
		return l
	}
	return r
}

// list collects the options of one clause and, for each, the frame that named it.
type list struct {
	text    string
	options []core.Option
	by      []string // the frame that names each
	frame   string   // that names now
}

// maxName is how many bytes a name has at most.
const maxName = 96

// add adds an option, unless it is empty, longer than maxName or names nothing by itself.
func (l *list) add(s prose.Span, chosen bool) {
	if empty(s) || s.End-s.Start > maxName || vague(s.In(l.text)) {
		return
	}
	l.options, l.by = append(l.options, core.Option{Text: s.In(l.text), Chosen: chosen, Offset: s.Start}), append(l.by, l.frame)
}
