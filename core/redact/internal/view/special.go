package view

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
)

// specialBytes may begin what a view does not show as it is: escapes, terminal
// sequences, entities, soft hyphens (c2), spaces without a width and signs of direction
// (e2), letters of full width and variants (ef), tags (f3), what joins two literals, and
// characters in percent encoding.
const specialBytes = "\\\x1b&\xc2\xe2\xef\xf3+%"

// specials finds the next special byte of a text. It searches for each of the nine bytes
// separately, with bytes.IndexByte, which is far faster than a loop over the text. Each search
// covers the text once, whatever the text holds.
type specials struct {
	raw []byte
	at  [len(specialBytes)]int // the next of each, from where the last search began
}

// from returns the first special at an offset or behind it.
func (n *specials) from(i int) int {
	first := len(n.raw)
	for k := range n.at {
		if n.at[k] < i {
			n.at[k] = n.search(i, specialBytes[k])
		}
		first = min(first, n.at[k])
	}
	return first
}

// search finds the next byte c that begins something special.
func (n *specials) search(i int, c byte) int {
	for i < len(n.raw) {
		k := bytes.IndexByte(n.raw[i:], c)
		if k < 0 {
			break
		}
		if i += k; n.is(i) {
			return i
		}
		i++
	}
	return len(n.raw)
}

// is reports whether something at i is shown differently from what is written.
func (n *specials) is(i int) bool {
	switch n.raw[i] {
	case '\\', esc:
		return true
	case '+':
		return isPlus(n.raw, i)
	case '%':
		x := readPercent(n.raw[i:])
		return !x.plain && !endsEncoded(n.raw, i, x.stands)
	}
	return !readSpecial(n.raw[i:]).plain
}

// readSpecial reads at the start of s, which is one of the special bytes.
func readSpecial(s []byte) escape {
	switch s[0] {
	case '\\', esc:
		return readEscape(s)
	case '&':
		return readEntity(s)
	case '+':
		return escape{length: opening(s)}
	case '%':
		return readPercent(s)
	}
	return readRune(s)
}

// readPercent reads a character in percent encoding, however often its percent sign was
// encoded, too. Those that are no ASCII characters stay as they are.
func readPercent(s []byte) escape {
	at := 1
	for bytes.HasPrefix(s[at:], []byte("25")) {
		at += len("25")
	}
	if len(s) >= at+2 {
		high, low := ascii.HexValue(s[at]), ascii.HexValue(s[at+1])
		if c := byte(high<<4 | low); high >= 0 && low >= 0 && (c == '\n' || c >= ' ' && c < 0x7f) {
			return escape{length: at + 2, stands: c}
		}
	}
	return escape{length: at, plain: true}
}

// maxEncoded is how far before what ends a value the encoded sign may stand that begins one.
const maxEncoded = 128

// endsEncoded reports whether a character in percent encoding would end a value whose
// beginning is not encoded: password=a%2Cb is one value, password%3Da%2Cb is not. Quotes and
// braces always show that a whole object is encoded.
func endsEncoded(raw []byte, at int, c byte) bool {
	switch c {
	case '\'', '`', '<', '>', ',', ';', ')', '}', ']', '|', '\\', '&', ' ', '\n', '(', '[':
	default:
		return false
	}
	from := max(0, at-maxEncoded)
	for i := at - 1; i >= from && raw[i] > ' '; i-- {
		if raw[i] == '%' {
			if x := readPercent(raw[i:]); x.stands == '=' || x.stands == '"' || x.stands == ':' && readsAs(raw[i+x.length:], ' ') {
				return false
			}
		}
	}
	return true
}

// readsAs reports whether s begins with a character in percent encoding.
func readsAs(s []byte, c byte) bool { return len(s) > 0 && s[0] == '%' && readPercent(s).stands == c }

// readRune reads a character beyond ASCII that is invisible, or a letter of full width.
func readRune(s []byte) escape {
	r, size := utf8.DecodeRune(s)
	switch {
	case isUnseen(int(r)) || isTag(r):
		return escape{length: size}
	case r > fullWidth+' ' && r <= fullWidth+'~':
		return escape{length: size, stands: byte(r - fullWidth)}
	}
	return escape{length: 1, plain: true}
}

// isTag reports whether a character is a tag or one of the rarer variants, U+E0000 to U+E007F and
// U+E0100 to U+E01FF.
func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f || r >= 0xe0100 && r <= 0xe01ff }

// maxEntity is the longest name of an entity that is seen through.
const maxEntity = 16

// readEntity reads an entity of HTML, however often its ampersand was written as
// one, too. Those that are no ASCII characters stay as they are, but for those of
// which a reader sees nothing.
func readEntity(s []byte) escape {
	plain := escape{length: 1, plain: true}
	at := 1
	for bytes.HasPrefix(s[at:], []byte("amp;")) {
		at += len("amp;")
	}
	end := bytes.IndexByte(s[at:min(len(s), at+maxEntity)], ';')
	if end > 0 {
		if c, ok := entity(s[at : at+end]); ok {
			return escape{length: at + end + 1, stands: c}
		}
	}
	if at > 1 {
		return escape{length: at, stands: '&'}
	}
	return plain
}

// entity is what the name of an entity stands for; 0 is nothing at all.
func entity(name []byte) (c byte, ok bool) {
	if name[0] == '#' && len(name) > 1 {
		digits, base := name[1:], 10
		if ascii.Lower(digits[0]) == 'x' {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseUint(string(digits), base, 32)
		switch {
		case err != nil:
			return 0, false
		case isUnseen(int(n)):
			return 0, true
		}
		return byte(n), n == '\n' || n >= ' ' && n < 0x7f
	}
	switch string(name) {
	case "shy", "zwj", "zwnj", "lrm", "rlm", "ZeroWidthSpace", "NoBreak":
		return 0, true
	}
	k := 0
	for _, known := range [...]string{
		"quot", "apos", "lt", "gt", "lowbar", "equals", "colon", "sol", "period", "plus", "commat", "dollar", "num", "excl", "percnt", "ast",
		"nbsp", "Tab", "NewLine", "semi", "comma", "grave", "lpar", "rpar", "bsol", "UnderBar",
	} {
		if string(name) == known {
			return "\"'<>_=:/.+@$#!%*  \n;,`()\\_"[k], true
		}
		k++
	}
	return 0, false
}

// Literals that a plus joins: "a" + "b". They are seen through where a token may go
// on: between letters, digits and what joins them.

// maxJoint is how much space may stand on either side of the plus.
const maxJoint = 64

// isPlus reports whether the plus at an offset joins two literals within a word, as in "ghp_" +
// "16C7". Both literals have the same quote, and letters or digits on either side.
func isPlus(raw []byte, at int) bool {
	if at < 2 || raw[at-1] == '\n' { // of a diff
		return false
	}
	n, m := closing(raw[:at]), opening(raw[at:])
	if n == 0 || m == 1 {
		return false
	}
	i := at - n
	for raw[i] == '\\' {
		i++
	}
	return raw[i] == raw[at+m-1] // the same quote
}

// closing is the length of what ends a literal at the end of s: its quote, and the
// space behind it; 0 if no word stands before that.
func closing(s []byte) int {
	i := len(s)
	for i > 0 && len(s)-i < maxJoint && isBlank(s[i-1]) {
		i--
	}
	if i == 0 || !ascii.IsQuote(s[i-1]) {
		return 0
	}
	for i--; i > 0 && s[i-1] == '\\'; i-- { // of a literal in a literal
	}
	if i == 0 || !ascii.IsJoined(s[i-1]) {
		return 0
	}
	return len(s) - i
}

// opening is the length of the plus at the start of s, the space behind it and the
// quote of the literal that follows; 1 if no word begins there.
func opening(s []byte) int {
	i := 1
	for i < len(s) && i < maxJoint && (isBlank(s[i]) || s[i] == '+' && s[i-1] == '\n') { // of a diff
		i++
	}
	for i < len(s) && s[i] == '\\' {
		i++
	}
	if i+1 >= len(s) || !ascii.IsQuote(s[i]) || !ascii.IsJoined(s[i+1]) {
		return 1
	}
	return i + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skipSign is the length of what a listing puts before the line that continues one: the sign of a
// diff, or a number, if both lines have one; otherwise 0.
func skipSign(before, rest []byte) int {
	n := gutter(rest)
	if n == 0 {
		return 0
	}
	line := before[max(0, len(before)-maxContinued):]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if k := gutter(line); k == 0 || (k == 1 || n == 1) && line[0] != rest[0] {
		return 0
	}
	return n
}

// gutter is the length of the sign of a diff, or of a number and an arrow, at the start of a line.
func gutter(line []byte) int {
	const arrow = "→"
	if len(line) > 0 && (line[0] == '+' || line[0] == '-') {
		return 1
	}
	i := 0
	for i < len(line) && i < maxGutter && (line[i] == ' ' || ascii.IsDigit(line[i])) {
		i++
	}
	if i > 0 && ascii.IsDigit(line[i-1]) && bytes.HasPrefix(line[i:], []byte(arrow)) {
		return i + len(arrow)
	}
	return 0
}

// maxGutter bounds the number of a line with the blanks before it.
const maxGutter = 12

// maxContinued bounds how far behind the sign of its line a backslash continues it.
const maxContinued = 1024

// isJoin reports whether a word ends with s and continues with rest.
func isJoin(s, rest []byte) bool {
	return len(s) > 0 && len(rest) > 0 && ascii.IsJoined(s[len(s)-1]) && ascii.IsJoined(rest[0])
}
