package shell

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// PatchLiterals finds the strings that a script passes to apply_patch.
func PatchLiterals(script string) []string {
	var list []string
	for {
		_, after, ok := strings.Cut(script, "apply_patch(")
		if !ok {
			return list
		}
		script = strings.TrimLeft(after, " \t\r\n")
		if script == "" {
			return list
		}
		if text, ok := jsString(script); ok {
			list = append(list, text)
		}
	}
}

// jsString decodes the string literal at the start of a script.
func jsString(s string) (text string, ok bool) {
	quote := s[0]
	if quote != '"' && quote != '\'' && quote != '`' {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			return b.String(), true
		case c == '$' && quote == '`' && strings.HasPrefix(s[i:], "${"):
			return "", false
		case c != '\\' || i+1 == len(s):
			b.WriteByte(c)
		default:
			text, n := jsEscape(s[i+1:])
			b.WriteString(text)
			i += n
		}
	}
	return "", false
}

// jsEscape decodes the escape whose backslash stands before s, and says how much
// of s it is.
func jsEscape(s string) (text string, n int) {
	switch s[0] {
	case 'n':
		return "\n", 1
	case 't':
		return "\t", 1
	case 'r':
		return "\r", 1
	case '\n':
		return "", 1
	case 'x':
		if r, ok := hexRune(s[1:], 2); ok {
			return string(r), 3
		}
	case 'u':
		return jsUnicode(s)
	}
	_, n = utf8.DecodeRuneInString(s)
	return s[:n], n
}

// jsUnicode decodes u1234, a pair of those, and u{12345}.
func jsUnicode(s string) (text string, n int) {
	if rest, ok := strings.CutPrefix(s, "u{"); ok {
		digits, _, found := strings.Cut(rest, "}")
		if r, valid := hexRune(digits, len(digits)); found && valid {
			return string(r), len("u{}") + len(digits)
		}
		return "u", 1
	}
	r, ok := hexRune(s[1:], 4)
	if !ok {
		return "u", 1
	}
	if low, found := strings.CutPrefix(s[5:], `\u`); found && utf16.IsSurrogate(r) {
		if second, valid := hexRune(low, 4); valid {
			if pair := utf16.DecodeRune(r, second); pair != utf8.RuneError {
				return string(pair), 11
			}
		}
	}
	return string(r), 5
}

// hexRune reads hexadecimal digits.
func hexRune(s string, digits int) (rune, bool) {
	if digits == 0 || digits > 6 || len(s) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:digits], 16, 32)
	return rune(n), err == nil
}
