package rules

import "strings"

// Format is a kind of file that agents are given.
type Format string

// The formats.
const (
	AgentsMD Format = "agents-md"
	ClaudeMD Format = "claude-md" // a word that begins with @ would include a file
	JSON     Format = "json"      // what a program reads
)

// The markers. Each stands on a line of its own.
const (
	Begin = "<!-- memscribe rules: begin -->"
	End   = "<!-- memscribe rules: end -->"
)

// title is what the text begins with.
const title = "## Decided in this project\n"

// Text returns what stands between the markers and the markers themselves, with "\n" at each
// line's end. It depends on nothing but the rules: the same rules give the same bytes.
// The rules are in the order of [Of].
func Text(rules []Rule, f Format) string {
	var b strings.Builder
	b.WriteString(Begin + "\n" + title)
	kind := Kind("")
	for i := range rules {
		if r := &rules[i]; r.Kind != kind {
			kind = r.Kind
			b.WriteString(heading(kind))
		}
		b.WriteString(line(&rules[i], f))
	}
	b.WriteString(End + "\n")
	return b.String()
}

// heading introduces the rules of a kind.
func heading(k Kind) string {
	switch k {
	case Ban:
		return "\nForbidden:\n\n"
	case Standing:
		return "\nRules:\n\n"
	case Choice:
		return "\nChosen:\n\n"
	case Accepted:
	}
	return "\nAccepted:\n\n"
}

// line returns a rule as an item of a list.
func line(r *Rule, f Format) string {
	const day = len("2026-11-01")
	text := plain(r.Title)
	if f == ClaudeMD {
		text = withoutIncludes(text)
	}
	var about []string
	if len(r.Timestamp) >= day {
		about = append(about, r.Timestamp[:day])
	}
	if r.SharedBy != "" {
		about = append(about, plain(r.SharedBy))
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, ", ") + ")"
	}
	return "- " + text + "\n"
}

// plain returns a title that hides nothing in Markdown: a comment that it opened would go on
// to the end of the file.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ReplaceAll(text, "<!--", "&lt;!--")
}

// withoutIncludes puts words that begin with @ into code, where they include nothing.
func withoutIncludes(text string) string {
	var b strings.Builder
	code := false
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '`':
			code = !code && strings.IndexByte(text[i+1:], '`') >= 0
		case c == '@' && !code && (i == 0 || strings.IndexByte(" (\"'[", text[i-1]) >= 0):
			end := i + strings.IndexAny(text[i:]+" ", " `)]\"'")
			if end > i+1 {
				b.WriteString("`" + text[i:end] + "`")
				i = end
				continue
			}
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}
