// Package sentence finds secrets in prose. It is asked where a word for one stands:
//
//	the password of staging is Harlow2468x        behind the word, linked by "is"
//	Tq7RkT2vLw9ZpB4n is the new token             before it, said to be it
//	use Qm9xR4t7Lw instead of Zk3vP8n2Ys as …     one, and the other that it replaces
//
// Only what a machine alone can have written is taken for a secret, or a password of ten
// characters that was chosen by rules. Other prose has too many words that would do.
package sentence

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// Span is where a secret stands.
type Span struct{ Start, End int }

// Limits, in bytes.
const (
	maxAside    = 48 // between a secret and the word that says what it is, or another secret
	maxSaying   = 32 // of "as the new" and its like
	maxWord     = 1024
	leastWord   = 14 // of a drawn one
	leastChosen = 8  // of one that a person chose
)

// Around appends the secrets that a sentence has around the word for one, which is at [from,
// to) and promises p. A password may stand before or behind it; a token or a key only where the
// sentence says that it is one ("… is the new token"). It looks at some hundred bytes, and at
// the words that stand in them.
func Around(text []byte, p names.Promise, from, to int, all []Span) []Span {
	p = names.InProse(wordBefore(text, from), text[from:to], p)
	if p < names.Session || from > 0 && joinsWords(text[from-1]) && !isSign(text, from-1) || to < len(text) && joinsWords(text[to]) || looks.IsOneOf(text[from:to], "pass pwd psk") {
		return all
	}
	if p != names.Password {
		return said(text, p, from, to, all)
	}
	all = Behind(text, p, to, all)
	for at := asideFrom(text, from); at < from; {
		s, next := wordAt(text, at)
		if s.End <= from && isSentence(text[s.End:from]) && isDrawn(text, s, p) && (s.End-s.Start >= leastWord || saysSo(text[s.End:from])) {
			all = append(all, s)
		}
		at = next
	}
	return all
}

// Behind adds the secrets that a sentence has behind the word for one, which ends at an offset. What
// is no drawn password must be linked to the word.
func Behind(text []byte, p names.Promise, to int, all []Span) []Span {
	for at := to; at < len(text) && at-to < maxAside && text[at] != '\n'; {
		s, next := wordAt(text, at)
		if gap := text[to:s.Start]; isSentence(gap) && isDrawn(text, s, p) && (p == names.Password && s.End-s.Start >= leastWord || isLinked(gap)) {
			all = append(all, s)
		}
		at = next
	}
	return all
}

// links are the words behind which a sentence names the secret: those for "is", "to" and "as".
const links = "is to as be now was with from lautet ist auf als von mit est en es a para por som är er jest na je op til per con avec"

// isLinked reports whether what stands between the word for a secret and another word links the two:
// nothing but the word's ending, a sign, a verb, or a word that is not written in the letters of ASCII.
func isLinked(gap []byte) bool {
	rest := bytes.TrimRight(gap, "`'\"*([ \t:=")
	rest = bytes.TrimRight(rest, "「『《【“„«‘‹—–：→")
	if bytes.IndexFunc(rest, isNoLetter) < 0 || len(gap)-len(rest) > 1 && bytes.ContainsAny(gap[len(rest):], "=:：—–→") {
		return true
	}
	if rest[len(rest)-1] >= utf8.RuneSelf {
		return true
	}
	last := rest[bytes.LastIndexByte(rest, ' ')+1:]
	return looks.IsOneOf(last, links)
}

// said adds the words around that for a token or a key, at [from, to), that are said to be
// it: "… is the new token", "the token of the relay is now …".
func said(text []byte, p names.Promise, from, to int, all []Span) []Span {
	words := sayings()
	if contains(text[max(0, from-maxSaying):from], words[:]) {
		if s, ok := before(text, p, from); ok && saysSo(text[s.End:from]) {
			all = append(all, s)
		}
	}
	if s, ok := after(text, p, to); ok && (isSaid(text[to:s.Start]) || isNamed(text, from, to, s)) {
		all = append(all, s)
	}
	return all
}

// leastNamed is the least number of drawn letters and digits in what a sign or nothing links to the word for it.
const leastNamed = 20

// isNamed reports whether the word for a secret, at [from, to), names a long drawn word that a sign links to it, or
// nothing: the token for the relay: X; api key (test) = X; the bot token, X; my key X. Between the two only plain words
// stand, and neither they nor the word before make it something else.
func isNamed(text []byte, from, to int, s Span) bool {
	gap := bytes.TrimRight(text[to:s.Start], "`'\"*( ")
	n := len(gap)
	gap = bytes.TrimRight(gap, ":=-–—→,")
	v := text[s.Start:s.End]
	m := looks.Inspect(v)
	if n > 0 && n == len(gap) || len(gap) > 0 && m.Hex || bytes.Count(v, []byte("-")) > maxHyphens || !m.IsRandom(leastNamed) || names.IsOther(wordBefore(text, from)) {
		return false
	}
	for w := range bytes.FieldsFuncSeq(gap, isNoLetter) {
		if names.IsAbout(w) {
			return false
		}
	}
	return bytes.IndexFunc(bytes.Trim(gap, " ()*"), isNoWord) < 0
}

// maxHyphens is how many hyphens there may be in a drawn word: with more, it is made of words.
const maxHyphens = 2

// wordBefore returns the word that a blank parts from the one that begins at an offset.
func wordBefore(text []byte, at int) []byte {
	if at == 0 || text[at-1] != ' ' {
		return nil
	}
	end := at - 1
	start := end
	for start > 0 && end-start < maxSaying && ascii.IsLetter(text[start-1]) {
		start--
	}
	return text[start:end]
}

// isSaid reports whether what stands between the name of a secret and a word says that
// the one is the other: " of the relay is now ".
func isSaid(gap []byte) bool {
	gap = bytes.TrimRight(gap, "`'\" ")
	gap = bytes.TrimSuffix(gap, []byte(" now"))
	return (bytes.HasSuffix(gap, []byte(" is")) || bytes.HasSuffix(gap, []byte(" becomes"))) && bytes.IndexFunc(gap, isNoWord) < 0
}

// isNoLetter reports whether a character of ASCII is no letter.
func isNoLetter(r rune) bool { return r < utf8.RuneSelf && !ascii.IsLetter(byte(r)) }

// isNoWord reports whether a character is in no plain words.
func isNoWord(r rune) bool {
	return r > 'z' || !ascii.IsLetter(byte(r)) && r != ' ' && r != '`' && r != ','
}

// Others adds the secrets that a sentence offers in place of one: "… instead of …", "…,
// not …", "… → …". It looks at four words at most to each side.
func Others(text []byte, one Span, all []Span) []Span {
	const most = 4 // to each side
	for at, n := one.End, 0; n < most; n++ {
		s, ok := after(text, names.Password, at)
		if !ok || !offersOther(text[at:s.Start]) {
			break
		}
		all = append(all, s)
		at = s.End
	}
	for at, n := one.Start, 0; n < most; n++ {
		s, ok := before(text, names.Password, at)
		if !ok || !offersOther(text[s.End:at]) {
			break
		}
		all = append(all, s)
		at = s.Start
	}
	return all
}

// joinsWords reports whether a byte beside a word makes it a part of something else.
func joinsWords(c byte) bool {
	return strings.IndexByte(`/+=&\@%#<>{}[]`, c) >= 0
}

// isSign reports whether a plus is the sign of a line that a diff adds.
func isSign(text []byte, at int) bool { return text[at] == '+' && (at == 0 || text[at-1] == '\n') }

// isSentence reports whether what stands between two words is a part of a sentence, and
// not of code or data.
func isSentence(gap []byte) bool {
	return !bytes.ContainsAny(gap, "{}[]<>|=&\\\n") && !bytes.Contains(gap, []byte(`":`)) && !bytes.Contains(gap, []byte(`","`))
}

// sayings are what stands between a secret and the word for it.
func sayings() [3]string { return [...]string{" as ", " is ", " becomes "} }

// contains reports whether a text contains one of some words.
func contains(text []byte, words []string) bool {
	for _, w := range words {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return false
}

// saysSo reports whether what stands between a word and the name of a secret says that
// the one is the other: "as the new", "is our API".
func saysSo(gap []byte) bool {
	gap = bytes.TrimLeft(gap, "`'\",.)")
	for _, w := range sayings() {
		rest, ok := bytes.CutPrefix(gap, []byte(w))
		if ok && bytes.IndexFunc(rest, isNoWord) < 0 {
			return true
		}
	}
	return false
}

// offersOther reports whether what stands between two words says that each could stand for
// the other.
func offersOther(gap []byte) bool {
	arrow := bytes.Contains(gap, []byte("=>")) || bytes.Contains(gap, []byte("->"))
	if !arrow && (!isSentence(gap) || bytes.IndexByte(gap, ':') >= 0) {
		return false
	}
	signs := [...]string{
		"→", "->", "=>", "⇒", " or ", " and ", " not ", " no longer ", " instead", " rather ", " over ", "was ", " with ", " by ",
		" to ", " from ", " before", " statt ", " nicht ", " lieu ", " vez ", " lugar ", " invece ", "而不是", "ではなく",
	}
	return contains(gap, signs[:])
}

// wordAt reads the first word from an offset on, without the signs around it, and says where the
// next may begin. At the end of a line the word is empty, and next is the offset itself.
func wordAt(text []byte, at int) (s Span, next int) {
	for at < len(text) && !ascii.IsAlnum(text[at]) && text[at] != '\n' {
		at++
	}
	end := at
	for end < len(text) && !assign.EndsValue(text[end]) && text[end] < wide && end-at < maxWord {
		end++
	}
	next = end
	if at < len(text) && text[at] != '\n' {
		next = max(end, at+1)
	}
	if k := bytes.IndexByte(text[at:end], '('); k >= leastWord && looks.DrawnHead(text[at:end]) > 0 {
		end = at + k
	}
	for end > at && !ascii.IsAlnum(text[end-1]) {
		end--
	}
	return Span{at, end}, next
}

// wide is the least byte with which a character begins that takes three bytes: those of Chinese,
// Japanese and Korean, whose words no blanks part, and typographic quotes.
const wide = 0xe0

// isDrawn reports whether a word is one that only a machine writes, or a password that was chosen by
// rules, and no digest or call.
func isDrawn(text []byte, s Span, p names.Promise) bool {
	v := text[s.Start:s.End]
	if len(v) < leastChosen || bytes.IndexByte(v, '(') >= 0 {
		return false
	}
	if k := bytes.LastIndexByte(v, ':'); k > 0 && looks.Inspect(v[k+1:]).Hex {
		return false // sha256:…
	}
	return (assign.IsSecret(p, assign.Value{Link: assign.Spoken}, v) || (p == names.Token || p == names.Secret) && isHexKey(v)) && !looks.StandsIn(v)
}

// isHexKey reports whether a word is hexadecimal digits of the length of a key.
func isHexKey(v []byte) bool { return len(v) >= 32 && len(v)%2 == 0 && looks.Inspect(v).Hex }

// asideFrom is where the words begin that stand aside before an offset, on its line.
func asideFrom(text []byte, at int) int {
	start := at
	for start > 0 && at-start < maxAside && text[start-1] != '\n' {
		start--
	}
	for start > 0 && at-start < 2*maxAside && text[start-1] > ' ' && text[start] > ' ' { // within a word
		start--
	}
	return start
}

// after is the first drawn word aside behind an offset, on its line.
func after(text []byte, p names.Promise, at int) (s Span, found bool) {
	for i := at; i < len(text) && i-at < maxAside && text[i] != '\n'; {
		s, i = wordAt(text, i)
		if s.Start-at < maxAside && isDrawn(text, s, p) {
			return s, true
		}
	}
	return s, false
}

// before is the last drawn word aside before an offset, on its line.
func before(text []byte, p names.Promise, at int) (last Span, found bool) {
	for i := asideFrom(text, at); i < at; {
		var s Span
		if s, i = wordAt(text, i); s.End <= at && isDrawn(text, s, p) {
			last, found = s, true
		}
	}
	return last, found
}
