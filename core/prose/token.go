package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a Token.
type Kind uint8

// The kinds of token.
const (
	Word   Kind = iota // letters, with the apostrophes and hyphens inside them
	Number             // figures, with their sign, unit, ratio or version
	Code               // a code span, identifier, file name, flag or mention
	Path               // a path of folders
	Link               // a URL
	Quote              // a quoted phrase, quotation marks included
	Glyph              // one character of a script written without blanks
	Mark               // punctuation; a run of the same character is one token
)

// Token is the smallest unit of a turn: no span in any result begins or ends inside of one.
type Token struct {
	Span
	Kind  Kind
	Glued bool // there is no blank before it
}

// maxQuote is the length of the longest quoted phrase in bytes. Quotation marks that are
// further apart are punctuation.
const maxQuote = 160

// next reads the token at the beginning of text[i:end], which is not a blank.
//
// The token has at least one byte, so that reading always ends.
func next(text string, i, end int) Token {
	c := text[i]
	switch {
	case c == '`':
		if n := codeSpan(text[i:end]); n > 0 {
			return Token{Span: Span{i, i + n}, Kind: Code}
		}
		return mark(text, i, end)
	case c == '"' || c == '\'' || c >= 0x80:
		if n := quoted(text, i, end); n > 0 {
			return Token{Span: Span{i, i + n}, Kind: Quote}
		}
	}
	if c >= 0x80 {
		r, n := utf8.DecodeRuneInString(text[i:end])
		switch {
		case isGlyph(r):
			return Token{Span: Span{i, i + n}, Kind: Glyph}
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return Token{Span: Span{i, i + n}, Kind: Mark}
		}
	}
	if isAlnum(c) || c >= 0x80 {
		return chunk(text, i, end)
	}
	if opensChunk(text, i, end) {
		return chunk(text, i, end)
	}
	return mark(text, i, end)
}

// codeSpan returns the length of the code span that s begins with, or 0.
func codeSpan(s string) int {
	ticks := 1
	for ticks < len(s) && s[ticks] == '`' {
		ticks++
	}
	if ticks > 2 {
		return 0
	}
	n := strings.Index(s[ticks:min(len(s), 4*maxQuote)], s[:ticks])
	if n <= 0 || strings.IndexByte(s[ticks:ticks+n], '\n') >= 0 {
		return 0
	}
	return n + 2*ticks
}

// quoted returns the length of the quoted phrase at i, or 0.
//
// A phrase has at most maxQuote bytes and does not cross the end of a line. An apostrophe
// inside of a word does not begin one.
func quoted(text string, i, end int) int {
	open, n := utf8.DecodeRuneInString(text[i:end])
	var shut string
	switch open {
	case '"', '\'':
		if i > 0 && isAlnum(text[i-1]) || i+1 < end && isBlank(text[i+1]) {
			return 0
		}
		shut = text[i : i+1]
	case '“', '„', '”':
		shut = "”"
	case '‘':
		shut = "’"
	case '«':
		shut = "»"
	case '「':
		shut = "」"
	case '『':
		shut = "』"
	case '《':
		shut = "》"
	default:
		return 0
	}
	body := text[i+n : min(end, i+n+maxQuote)]
	if nl := strings.IndexByte(body, '\n'); nl >= 0 {
		body = body[:nl]
	}
	for at := 0; at < len(body); {
		k := strings.Index(body[at:], shut)
		if k < 0 {
			return 0
		}
		at += k + len(shut)
		// A mark in front of a letter is an apostrophe, or opens the next phrase.
		if after := i + n + at; len(shut) > 1 || after >= end || !isAlnum(text[after]) {
			if at == len(shut) {
				return 0 // nothing in between
			}
			return n + at
		}
	}
	return 0
}

// opensChunk reports whether the punctuation at i begins a path, flag, mention
// or number.
func opensChunk(text string, i, end int) bool {
	if i > 0 && (isAlnum(text[i-1]) || text[i-1] == text[i]) {
		return false
	}
	if i+1 >= end {
		return false
	}
	after := text[i+1]
	switch text[i] {
	case '/':
		return isAlnum(after)
	case '~':
		return after == '/'
	case '.':
		return after == '/' || isAlnum(after) || after == '.' && i+2 < end && text[i+2] == '/'
	case '@', '#', '$', '%':
		return isAlnum(after)
	case '-':
		return isAlnum(after) || after == '-' && i+2 < end && isAlnum(text[i+2])
	case '+':
		return isDigit(after)
	case '_':
		return isAlnum(after) || after == '_'
	case '<':
		return placeholder(text[i:end]) > 0
	}
	return false
}

// placeholder returns the length of the element or placeholder that s begins with, such as
// <name>, or 0.
func placeholder(s string) int {
	n := strings.IndexByte(s[:min(len(s), 64)], '>')
	if n < 2 || strings.ContainsAny(s[:n], " \t\n") && s[1] != '/' && !strings.ContainsRune(s[:n], '=') {
		return 0
	}
	if c := s[1]; !isAlpha(c) && c != '/' {
		return 0
	}
	return n + 1
}

// mark reads a token of punctuation: a run of the same character, or an arrow.
func mark(text string, i, end int) Token {
	j := i + 1
	for j < end && text[j] == text[i] {
		j++
	}
	if arrow := text[i:min(end, i+4)]; strings.HasPrefix(arrow, "<--") || strings.HasPrefix(arrow, "-->") {
		j = max(j, i+3)
	} else if strings.HasPrefix(arrow, "->") || strings.HasPrefix(arrow, "=>") || strings.HasPrefix(arrow, "<-") {
		j = max(j, i+2)
	}
	return Token{Span: Span{i, j}, Kind: Mark}
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) || c >= 0x80 }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

// isGlyph reports whether r belongs to a script that is written without blanks.
func isGlyph(r rune) bool {
	return 0x3041 <= r && r <= 0x30ff || 0x3400 <= r && r <= 0x4dbf || 0x4e00 <= r && r <= 0x9fff ||
		0xf900 <= r && r <= 0xfaff || 0x20000 <= r && r <= 0x2fa1f || r == '々'
}
