package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// token is a word, a span of code, a run of Chinese, Japanese or Korean, or a mark.
type token struct {
	text string
	low  string
	kind tokenKind
}

// tokenKind says what a token is: a word, code, a run of a script without blanks, a mark.
type tokenKind byte

const (
	word tokenKind = iota
	code           // in backquotes or quotes
	han            // a run without spaces between words
	mark
)

// tokenForm returns the form of a token.
func tokenForm() *regexp.Regexp {
	return regexp.MustCompile("`[^`\n]+`|\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|「[^」\n]{1,80}」" +
		`|https?://[^\s,;，。)]+` +
		`|[ ](?:(?:try|as)!|!!|[!=]==?)(?:[ ]|$)|\bSELECT \*|[ ]:latest\b|[ ]!important\b` + // code, though it looks like marks of sentences
		`|\b(?:DROP|ALTER|CREATE|TRUNCATE|RENAME) (?:TABLE|COLUMN|INDEX|VIEW|DATABASE|SCHEMA|TYPE|CONSTRAINT)\b|\bDELETE FROM\b|\bON DELETE CASCADE\b|\b(?:CROSS|NATURAL) JOIN\b` +
		`|\b[A-Za-z_][\w.-]*: (?:true|false|null|[0-9]+)\b` + // a setting with its value
		`|\b[A-Za-z_][\w.-]* ?= ?(?:"[^"\n]{1,60}"|(?:true|false|null|[0-9]+)\b)` +
		`|\b[A-Za-z_]\w*(?:(?:::?[A-Za-z_]\w*)+(?:\(\))?|\([A-Z]{2,}\b)` + // a name in a module, and the beginning of a call
		`|[\p{Latin}\p{Cyrillic}\p{N}_@$~*/\\#.+'’(){}\[\]<>=-]+` +
		`|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー]+` +
		`|[,;:!?。，、；：！？…—–\n]`)
}

// sentences splits a text into the tokens of its sentences.
//
// A sentence ends at . ! ; 。 and at the end of a line. A sentence that ends with a
// question mark is dropped. A full stop inside a word (main.go, v1.2) ends nothing.
func (r *Reader) sentences(text string) [][]token {
	var all [][]token
	var now []token
	end := func() {
		if len(now) > 0 {
			all, now = append(all, now), nil
		}
	}
	for _, s := range r.token.FindAllString(" "+text, -1) {
		switch {
		case s[0] == ' ' || s == "SELECT *":
			if s = strings.TrimSpace(s); !strings.HasSuffix(s, "!") || len(now) == 0 && s != "!!" || len(now) > 0 && isNamed(now[len(now)-1]) {
				now = append(now, newToken(s, code))
				continue
			}
			if s != "!!" {
				now = append(now, newToken(strings.TrimSuffix(s, "!"), word))
			}
			end()
		case strings.ContainsAny(s[:1], "`\""):
			now = append(now, newToken(s[1:len(s)-1], code))
		case strings.HasPrefix(s, "“"), strings.HasPrefix(s, "「"):
			inner := []rune(s)
			now = append(now, newToken(string(inner[1:len(inner)-1]), code))
		case strings.ContainsAny(s, " \"") || strings.Contains(s, "=") && !isOperator(s) && !strings.HasPrefix(s, "http") && strings.IndexByte("0123456789el", s[len(s)-1]) >= 0 && r.token.FindString(s) == s, unicode.IsUpper(rune(s[len(s)-1])) && strings.Contains(s, "("):
			now = append(now, newToken(s, code))
		case len(s) > 1 && strings.Contains(s, ":") && !strings.Contains(s, "://"):
			now = r.qualified(now, s)
		case strings.ContainsAny(s, ";!。；！\n") && len([]rune(s)) == 1:
			end()
		case s == "?" || s == "？":
			now = nil // a question forbids nothing
		case unicode.In([]rune(s)[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			now = append(now, newToken(s, han))
		case isMark(s):
			now = append(now, newToken(s, mark))
		default:
			w, stops := trimmed(s)
			if w != "" {
				now = append(now, newToken(w, word))
			}
			if stops {
				end()
			}
		}
	}
	end()
	return all
}

// qualified adds a name in a module, as std::thread or ets:new. A single colon may also stand
// between a heading and what it is the heading of, "rule:never use lodash".
func (r *Reader) qualified(now []token, s string) []token {
	head, tail, _ := strings.Cut(s, ":")
	end := newToken(tail, word)
	_, isVerb := r.verb(end)
	if tail[0] == ':' || !isVerb && !opens(end.low) && !slices.ContainsFunc(r.cues, func(c []string) bool { return c[0] == end.low }) {
		return append(now, newToken(s, code))
	}
	return append(now, newToken(head, word), newToken(":", mark), end)
}

// isNamed reports whether what follows a word is a name and no more of a sentence: "never
// use !!", and not "never use lodash !!".
func isNamed(t token) bool {
	return t.kind == word && has("use|uses|using|write|writing|no|avoid|the|a|any|of|operator|add|with", t.low)
}

// isMark reports whether a text is one sign that parts clauses.
func isMark(s string) bool {
	return len([]rune(s)) == 1 && strings.ContainsAny(s, ",:，、：…—–-")
}

// trimmed takes from a word what belongs to the sentence, and reports whether the
// sentence ends there.
//
// "(eval)." becomes eval and stops; "render()." keeps its brackets.
func trimmed(s string) (w string, stops bool) {
	w = strings.TrimLeft(s, "([{<'’=+")
	for w != "" {
		switch last := w[len(w)-1]; {
		case strings.HasSuffix(w, "()") || strings.HasSuffix(w, "[]") || strings.HasSuffix(w, "{}") || strings.HasSuffix(w, "/*"):
			return w, stops
		case strings.HasSuffix(w, "’"):
			w = strings.TrimSuffix(w, "’")
		case strings.IndexByte(".'])}>=-", last) < 0:
			return w, stops
		default:
			stops = stops || last == '.'
			w = w[:len(w)-1]
		}
	}
	return w, stops
}

// newToken makes a token, with its text in lower case and with plain apostrophes beside it.
func newToken(s string, k tokenKind) token {
	return token{text: s, low: strings.ToLower(strings.ReplaceAll(s, "’", "'")), kind: k}
}

// clauses splits a sentence at its commas and the like.
func clauses(sentence []token) [][]token {
	var all [][]token
	start := 0
	for i, t := range sentence {
		if t.kind == mark || i > start && splits(t) {
			if i > start {
				all = append(all, sentence[start:i])
			}
			start = i
			if t.kind == mark {
				start++
			}
		}
	}
	if start < len(sentence) {
		all = append(all, sentence[start:])
	}
	return all
}

// splits reports whether a word begins another thought.
func splits(t token) bool {
	switch t.low {
	case "but", "because", "since", "instead", "prefer", "sondern", "stattdessen", "weil", "mais", "parce", "pero", "sino", "porque", "mas", "ma", "perché", "но", "потому":
		return t.kind == word
	}
	return false
}
