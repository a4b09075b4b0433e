package google

import (
	"regexp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

// replacement is a string that takes the place of another.
type replacement struct {
	before, after string // with the line ends of Unix
	all           bool
	client        editor
}

// editor is the client whose tool does the replacement. They agree only where
// the string stands in the text.
type editor uint8

const (
	oldGemini   editor = iota // until 0.10: the string, if need be without the space around it
	smartGemini               // since 0.10: lines and words will do; its calls have an "instruction"
	qwen
)

// in does the replacement as the client does it. What is done here for Gemini
// CLI is what the versions until 0.24 do (source): later ones do more, but record
// what they did.
func (r replacement) in(text string) (string, bool) {
	plain := edit.LF(text)
	after, ok := r.exactly(plain)
	if r.client == smartGemini {
		if !ok {
			after, ok = r.byLines(plain)
		}
		if !ok {
			after, ok = r.byWords(plain)
		}
		if ok {
			after = sameEnd(plain, after)
		}
	}
	if ok && plain != text {
		after = strings.ReplaceAll(after, "\n", "\r\n")
	}
	return after, ok
}

// exactly replaces the string itself. Qwen Code takes the line end along with
// lines that are deleted; the first tool of Gemini CLI trims both strings if that
// leaves the place clear (source).
func (r replacement) exactly(text string) (string, bool) {
	before, after := r.before, r.after
	switch trimmed := strings.TrimSpace(before); {
	case r.client == qwen && after == "" && !strings.HasSuffix(before, "\n") && strings.Contains(text, before+"\n"):
		before += "\n"
	case r.client == oldGemini && !r.all && trimmed != "" && trimmed != before && strings.Count(text, trimmed) == 1:
		before, after = trimmed, strings.TrimSpace(after)
	}
	return edit.Replace(text, before, after, r.all)
}

// sameEnd gives a text the line end that another has at its end, or none.
func sameEnd(like, text string) string {
	had, has := strings.HasSuffix(like, "\n"), strings.HasSuffix(text, "\n")
	switch {
	case had && !has:
		return text + "\n"
	case !had && has:
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

// maxCompared bounds how many lines are compared with each other.
const maxCompared = 1 << 22

// byLines replaces lines that agree but for the white space around them. What
// comes in is indented like the first of them, and loses the last line end.
func (r replacement) byLines(text string) (string, bool) {
	have := strings.SplitAfter(text, "\n")
	if have[len(have)-1] == "" {
		have = have[:len(have)-1]
	}
	want := strings.Split(r.before, "\n")
	if len(have)*len(want) > maxCompared {
		return "", false
	}
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	at := -1
	for i := 0; i+len(want) <= len(have); i++ {
		if !agree(have[i:i+len(want)], want) {
			continue
		}
		if at >= 0 {
			return "", false // no version does that
		}
		at = i
	}
	if at < 0 {
		return "", false
	}
	after := r.indented(have[at][:len(have[at])-len(strings.TrimLeft(have[at], " \t\r\n"))])
	return strings.Join(have[:at], "") + after + strings.Join(have[at+len(want):], ""), true
}

func agree(have, want []string) bool {
	for i, w := range want {
		if strings.TrimSpace(have[i]) != w {
			return false
		}
	}
	return true
}

// indented puts an indentation before each line of the new string.
func (r replacement) indented(by string) string {
	return by + strings.ReplaceAll(r.after, "\n", "\n"+by)
}

// maxWords bounds the string that is looked for word by word.
const maxWords = 16 << 10

// byWords replaces the first text from a line's beginning on that has the same
// words and brackets, with any white space between them.
func (r replacement) byWords(text string) (string, bool) {
	if len(r.before) > maxWords {
		return "", false
	}
	spaced := r.before
	for _, c := range "():[]{}><=" {
		spaced = strings.ReplaceAll(spaced, string(c), " "+string(c)+" ")
	}
	words := strings.Fields(spaced)
	if len(words) == 0 {
		return "", false
	}
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	pattern, err := regexp.Compile(`(?m)^(\s*)` + strings.Join(words, `\s*`))
	if err != nil {
		return "", false
	}
	m := pattern.FindStringSubmatchIndex(text)
	if m == nil {
		return "", false
	}
	return text[:m[0]] + r.indented(text[m[2]:m[3]]) + text[m[1]:], true
}
