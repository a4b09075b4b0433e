package prose

import (
	"strings"
	"unicode/utf8"
)

// chunk reads the token at text[i]: a word, a number, or code that is written without blanks.
//
// Examples of one chunk each: don't, src/api.go, v1.2.3, --force, @scope/pkg, foo(),
// 10%, and of two: "fast.Then" (a stop without its blank), "and/or".
func chunk(text string, i, end int) Token {
	j := letters(text, i, end)
	if j > i && (j == end || endsWord(text, j, end)) {
		return Token{Span: Span{i, j}, Kind: Word}
	}
	j = i
	for j < end && !isBlank(text[j]) && !breaks(text, i, j, end) {
		if text[j] < 0x80 {
			j++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[j:end])
		if r == '’' {
			j += n
			continue
		}
		if isGlyph(r) || isWideMark(r) {
			break
		}
		j += n
	}
	j = trimEnd(text, i, j)
	kind, n := classify(text[i:j])
	return Token{Span: Span{i, i + n}, Kind: kind}
}

// letters returns the end of the run of letters at i, in which only the first may be a
// capital. Such a run is a word, or the beginning of a longer chunk.
func letters(text string, i, end int) int {
	if i >= end || !isAlpha(text[i]) {
		return i
	}
	for i++; i < end && isLower(text[i]); i++ {
	}
	return i
}

// endsWord reports whether a run of letters that ends at j is the whole chunk: a blank or
// closing punctuation follows.
func endsWord(text string, j, end int) bool {
	switch text[j] {
	case ' ', '\t', '\n', '\r', ',', '!', '?', ';', '"', ')', ']', '`', '{', '}', '|':
		return true
	case '.', ':':
		return j+1 == end || isBlank(text[j+1])
	}
	return false
}

// isWideMark reports whether r is punctuation outside ASCII that ends a chunk.
func isWideMark(r rune) bool {
	return 0x2010 <= r && r <= 0x206f && r != '’' && r != 0x200d || 0x3000 <= r && r <= 0x303f ||
		0xff00 <= r && r <= 0xff0f || 0xff1a <= r && r <= 0xff20 || r == '«' || r == '»' || r == 0xfffd ||
		0x1f000 <= r && r <= 0x1faff || 0x2190 <= r && r <= 0x2bff
}

// breaks reports whether the chunk that began at i ends before j.
func breaks(text string, i, j, end int) bool {
	if j == i {
		return false
	}
	switch text[j] {
	case '"', '`', '{', '}', '|', '!', '?', ';':
		return text[j] != '?' || !strings.Contains(text[i:j], "://")
	case ',':
		return !isDigit(text[j-1]) || j+1 >= end || !isDigit(text[j+1])
	case '.':
		return j+1 < end && text[j+1] == '.' && (j+2 >= end || text[j+2] != '/')
	case '-':
		return j+1 < end && text[j+1] == '-' && text[j-1] != '-' || j+1 < end && text[j+1] == '>' && !isAlnum(text[j-1])
	case ')', ']':
		return strings.IndexByte(text[i:j], opening(text[j])) < 0
	}
	return false
}

// trimEnd returns the end of the chunk text[i:j] without closing punctuation.
//
// "(see api.go)." ends before the bracket, "render()" keeps its own.
func trimEnd(text string, i, j int) int {
	for j > i+1 {
		switch c := text[j-1]; c {
		case '.', ':', '\'', '*', '(', '[', '<', '/':
			if c == '/' && (strings.Contains(text[i:j-1], "/") || text[i] == '.' || text[i] == '~') {
				return j
			}
			j--
			continue
		case ')', ']', '>':
			if strings.IndexByte(text[i:j-1], opening(c)) < 0 {
				j--
				continue
			}
		}
		break
	}
	return j
}

// opening returns the opening bracket for the closing bracket c, or 0.
func opening(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '<'
}

// shape counts the characters of a chunk by kind.
type shape struct {
	// upper counts capitals, which are letters too
	letters, digits, upper, dots, slashes, hyphens int
	other                                          bool // it has a byte that no plain word has
	camel                                          bool
	// offset at which a plain word ends inside the chunk
	cut int
}

// shapeOf returns the shape of a chunk, by which [classify] tells code from words.
//
// It makes one pass over the chunk.
func shapeOf(s string) shape {
	var h shape
	h.cut = -1
	for k := 0; k < len(s); k++ {
		c := s[k]
		switch {
		case isAlpha(c) || c >= 0x80:
			h.letters++
			if isUpper(c) {
				h.upper++
				h.camel = h.camel || k > 0 && isLower(s[k-1])
			}
		case isDigit(c):
			h.digits++
		case c == '.':
			h.dots++
		case c == '/':
			h.slashes++
		case c == '-':
			h.hyphens++
		case c == '\'':
		case (c == '(' || c == '[' || c == '<' || c == ':' || c == '=' || c == '+' || c == '*' || c == '~') && h.cut < 0:
			h.cut = k
			h.other = true
		default:
			h.other = true
		}
	}
	return h
}

// classify returns the kind of the first token of a chunk, and the length of that token.
//
// The length is less than that of the chunk if a word is joined to something else: of
// "cache(which" the first token is cache, and the rest becomes the next tokens.
func classify(s string) (Kind, int) {
	h := shapeOf(s)
	switch {
	case strings.Contains(s, "://") || strings.HasPrefix(s, "www."):
		return Link, len(s)
	case isDigit(s[0]) || len(s) > 1 && (s[0] == '-' || s[0] == '+' || s[0] == '$' || s[0] == '#') && isDigit(s[1]):
		return numberOr(s, h)
	case h.slashes > 0:
		return slashed(s, h)
	case h.dots > 0 && !h.other:
		return dotted(s, h)
	case !h.other && !h.camel && h.digits == 0:
		return plain(s)
	case h.other && h.cut > 0 && !h.camel && h.dots == 0 && isPlain(s[:h.cut]) && !isCall(s, h.cut):
		return Word, h.cut
	case h.camel && !h.other && (isCapsPlural(s) || isBrand(s)):
		return Word, len(s)
	}
	return Code, len(s)
}

// plain is classify for a chunk of letters, apostrophes and hyphens.
func plain(s string) (Kind, int) {
	if s[0] == '-' || s[0] == '_' {
		return Code, len(s)
	}
	return Word, len(s)
}

// isPlain reports whether a chunk consists of letters, apostrophes and hyphens.
func isPlain(s string) bool {
	for k := 0; k < len(s); k++ {
		if !isAlpha(s[k]) && s[k] < 0x80 && s[k] != '\'' && s[k] != '-' {
			return false
		}
	}
	return s[0] != '-'
}

// isCall reports whether the bracket at s[cut] belongs to a call, an index or a
// scoped name, and not to a remark in brackets.
func isCall(s string, cut int) bool {
	rest := s[cut:]
	switch rest[0] {
	case '(':
		return strings.HasPrefix(rest, "()") || strings.ContainsAny(rest, "'=.") && strings.HasSuffix(rest, ")")
	case '[', '<':
		return len(rest) > 2
	case '=':
		return len(rest) > 1
	case ':':
		return strings.HasPrefix(rest, "::") || len(rest) > 1 && isAlnum(rest[1])
	case '+':
		return strings.HasPrefix(rest, "++") || len(rest) == 1
	}
	return false
}

// isCapsPlural reports whether a chunk is a plural of capitals, such as URLs or PRs.
func isCapsPlural(s string) bool {
	n := len(s) - 1
	if n < 2 || s[n] != 's' {
		return false
	}
	return strings.ToUpper(s[:n]) == s[:n]
}

// isBrand reports whether a chunk is a name that is written like an identifier, such as
// GitHub.
func isBrand(s string) bool {
	switch s {
	case "GitHub", "GitLab", "JavaScript", "TypeScript", "OpenAI", "YouTube", "LinkedIn", "macOS", "iOS", "iPhone", "iPad", "DevOps", "PhD", "WiFi",
		"PowerShell", "DeepSeek", "LaTeX", "McDonald", "eBay", "WordPress", "VSCode", "PayPal":
		return true
	}
	return false
}

// numberOr is classify for a chunk that begins with a digit: a number with its unit or ratio,
// or an identifier.
func numberOr(s string, h shape) (Kind, int) {
	if h.letters > 4 && !strings.Contains(s, "%") {
		if h.slashes > 0 {
			return Path, len(s)
		}
		if h.hyphens > 0 || h.dots == 0 {
			return Number, len(s)
		}
		return Code, len(s)
	}
	return Number, len(s)
}

// slashed is classify for a chunk with a slash: a path, or alternatives such as "and/or".
func slashed(s string, h shape) (Kind, int) {
	if s[0] == '/' && h.slashes == 1 {
		return Code, len(s) // a route or a command
	}
	if s[0] == '/' || s[0] == '~' || s[0] == '.' || s[0] == '@' || s[0] == '<' || h.dots > 0 || h.slashes > 2 || h.other || s[len(s)-1] == '/' {
		return Path, len(s)
	}
	return Word, strings.IndexByte(s, '/')
}

// dotted is classify for a chunk with a dot and letters: a file name or member, an
// abbreviation, or two sentences without a blank between them.
//
// e.g. and a.k.a. are words; "done.Then" is two sentences; everything else with a dot
// is code.
func dotted(s string, h shape) (Kind, int) {
	if h.letters == h.dots+1 || h.letters == h.dots { // e.g
		return Word, len(s)
	}
	at := strings.IndexByte(s, '.')
	if at >= 2 && at+1 < len(s) && h.dots == 1 && h.digits == 0 && isLower(s[at-1]) && startsSentence(s[at+1:]) {
		return Word, at
	}
	return Code, len(s)
}

// startsSentence reports whether a chunk begins with a word that often follows a stop without
// a blank: "done.Then".
func startsSentence(s string) bool {
	switch s {
	case "I", "The", "It", "Then", "But", "And", "This", "That", "We", "Please", "Also", "Can", "You", "So", "If",
		"Now", "Maybe", "Use", "Make", "Let", "Lets", "Let's", "Don't", "Do", "There", "In", "For", "When", "What",
		"How", "Why", "Is", "Are", "No", "Not", "Understand":
		return true
	}
	return false
}
