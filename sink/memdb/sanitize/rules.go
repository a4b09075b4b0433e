package sanitize

import (
	_ "embed"
	"fmt"
	"strings"
)

// ruleTable holds the constructions that are removed; its head explains the lines.
//
//go:embed rules.txt
var ruleTable string

// rule is one construction of the table. It is tried only where a text has one of its first
// words and, if it has second words, one of those in the same window.
type rule struct {
	name          string
	first, second string // words between spaces
	pattern       string // of package regexp; it sees the view
	only          bool   // the match is cut, not the sentence around it
}

// parseRules reads a table. It returns the rules in order, and the pattern of sentences that
// continue an order. A line is a key and a value:
//
//	let verbs (?:ignore|disregard)         ${verbs} stands for this in patterns
//	rule override_instructions             begins a rule
//	first ignore disregard                 words, with _ for a space
//	second instructions rules
//	match ${verbs} (?:all )?previous …     lines of it are joined; "only" in place of match
//
// The error names the line.
func parseRules(table string) (rules []rule, continues string, err error) {
	var lets []string // "${name}", text, …
	for n, line := range strings.Split(table, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch r := len(rules) - 1; {
		case key == "" || key[0] == '#':
		case key == "let":
			name, text, _ := strings.Cut(value, " ")
			if lets = append(lets, "${"+name+"}", text); name == "continues" {
				continues = text
			}
		case key == "rule":
			rules = append(rules, rule{name: value})
		case r < 0:
			return nil, "", fmt.Errorf("line %d: %q before the first rule", n+1, key)
		case key == "first":
			rules[r].first = value
		case key == "second":
			rules[r].second = value
		case key == "match" || key == "only":
			rules[r].pattern += value
			rules[r].only = key == "only"
		default:
			return nil, "", fmt.Errorf("line %d: %q is no key", n+1, key)
		}
	}
	parts := strings.NewReplacer(lets...)
	for i := range rules {
		rules[i].pattern = parts.Replace(rules[i].pattern)
	}
	return rules, continues, nil
}
