// Package script reads simple scripts of a shell: which commands they run, and whether those
// are known to change no file.
package script

import (
	"slices"
	"strconv"
	"strings"
)

// maxLen is the length up to which a script is looked into.
const maxLen = 4 << 10

// Words splits a script into commands and these into words. It reports
// false for everything that it does not understand completely.
func Words(text string) (segments [][]string, ok bool) {
	if len(text) > maxLen {
		return nil, false
	}
	var words []string
	var word []byte
	inWord := false
	endWord := func() {
		if inWord {
			words = append(words, string(word))
		}
		word, inWord = word[:0], false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t':
			endWord()
		case '|', ';', '\n', '&':
			endWord()
			segments = append(segments, words)
			words = nil
		case '\'', '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 || c == '"' && strings.ContainsAny(text[i+1:i+1+end], "\\$`") {
				return nil, false
			}
			word, inWord = append(word, text[i+1:i+1+end]...), true
			i += end + 1
		case '>':
			n := harmlessRedirect(text[i:])
			if n == 0 {
				return nil, false
			}
			if inWord && len(word) == 1 && (word[0] == '1' || word[0] == '2') {
				word, inWord = word[:0], false
			}
			i += n - 1
		case '<', '$', '`', '(', ')', '\\', '{', '}', '#':
			return nil, false
		default:
			word, inWord = append(word, c), true
		}
	}
	endWord()
	return append(segments, words), true
}

// harmlessRedirect is the length of a redirection that writes no file, or 0.
func harmlessRedirect(s string) int {
	for _, r := range [...]string{">/dev/null", "> /dev/null", ">&1", ">&2"} {
		if strings.HasPrefix(s, r) {
			return len(r)
		}
	}
	return 0
}

// OnlyReads reports whether a command, given by its words, is known to change no file.
func OnlyReads(words []string) bool {
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "cat", "nl", "head", "tail", "ls", "rg", "grep", "egrep", "fgrep", "wc", "pwd", "echo", "printf", "cut",
		"tr", "stat", "file", "which", "date", "true", "false", "test", "jq", "diff", "cmp", "du", "df",
		"cd", "sleep", "basename", "dirname", "realpath":
		return true
	case "sed":
		_, ok := SedLines(words)
		return ok
	case "find":
		for _, w := range words {
			if strings.HasPrefix(w, "-exec") || strings.HasPrefix(w, "-ok") || strings.HasPrefix(w, "-fprint") || w == "-fls" || w == "-delete" {
				return false
			}
		}
		return true
	case "git":
		if len(words) < 2 {
			return true
		}
		switch words[1] {
		case "status", "diff", "log", "show", "blame", "rev-parse", "ls-files", "grep", "describe", "remote":
			return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--output") })
		}
	}
	return false
}

// SedLines reads sed -n '1,200p'. The count is -1 when it does not begin with the first line.
func SedLines(words []string) (n int, ok bool) {
	if len(words) < 3 || words[0] != "sed" || words[1] != "-n" {
		return 0, false
	}
	span, ok := strings.CutSuffix(words[2], "p")
	from, to, found := strings.Cut(span, ",")
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if !ok || !found || err1 != nil || err2 != nil || b < a {
		return 0, false
	}
	if a != 1 {
		return -1, true
	}
	return b, true
}
