package config

import (
	"fmt"
	"strings"
)

// Example returns a complete file of settings in which everything is commented out. Each key
// has its description, its choices, its default and its environment variable:
//
//	#[capture]
//	# look for transcripts in this folder only (repeatable)
//	#roots = []  # MEMSCRIBE_CAPTURE_ROOTS
//
// A line that begins with # and no space is a setting; a line with a space is a description. So
// settings are turned on by taking the # off. The name "mine" stands for a name that the user
// chooses.
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

// oneOf lists choices. Of more than a dozen, as of the tools, it lists six and says how many
// there are.
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

// wrap makes a comment of a text, in lines of at most 92 bytes. A longer word has a line alone.
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
