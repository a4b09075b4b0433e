package config

import (
	"fmt"
	"strings"
)

// Example writes a file that has every key of the schema, with what it is for and
// its default, all of it commented out: a line that is a setting begins with #
// and no space.
func (s *Schema) Example() string {
	var b strings.Builder
	b.WriteString("# Settings of Memscribe. A line that begins with # and no space is a setting: take\n" +
		"# the # away and change it. Flags and the environment beat this file.\n")
	table := ""
	for _, k := range s.keys {
		section, name := k.Name[:strings.LastIndexByte(k.Name, '.')], k.Name[strings.LastIndexByte(k.Name, '.')+1:]
		list, isList := strings.CutSuffix(section, "[]")
		switch {
		case section == table:
		case isList:
			fmt.Fprintf(&b, "\n#[[%s]]\n", list)
		default:
			fmt.Fprintf(&b, "\n#[%s]\n", strings.ReplaceAll(section, "*", "mine"))
		}
		table = section
		if name == "*" {
			name = "mine"
		}
		b.WriteString(wrap(k.About))
		if len(k.Choices) > 0 && !strings.Contains(k.About, k.Choices[len(k.Choices)-1]) {
			b.WriteString(wrap(oneOf(k.Choices)))
		}
		value := k.Example
		if value == "" {
			value = k.Default
		}
		if value == "" {
			value = map[Kind]string{Text: `""`, Bool: "false", Int: "0", Number: "0.0", Span: `"0s"`, Texts: "[]"}[k.Kind]
		}
		fmt.Fprintf(&b, "#%s = %s", name, value)
		if k.Variable != "" {
			fmt.Fprintf(&b, "  # %s", k.Variable)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// oneOf lists choices, or, of very many, the first.
func oneOf(choices []string) string {
	const most = 12
	quoted := quoteAll(choices)
	if len(quoted) > most {
		return fmt.Sprintf("one of %s, … (%d in all)", strings.Join(quoted[:most/2], ", "), len(quoted))
	}
	return "one of " + strings.Join(quoted, ", ")
}

// quoteAll returns the words that are not empty as TOML strings.
func quoteAll(words []string) []string {
	var quoted []string
	for _, w := range words {
		if w != "" {
			quoted = append(quoted, TOML(w))
		}
	}
	return quoted
}

// wrap makes a comment of a text.
func wrap(text string) string {
	const width = 92
	var b strings.Builder
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
