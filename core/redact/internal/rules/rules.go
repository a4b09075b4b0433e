// Package rules reads the table of redaction rules: one rule a line, its columns parted by
// tabs.
//
//	kind      t a token that its beginning gives away; b one that something in
//	          its middle does; n a value that a name before it does; c what takes
//	          code; o one that the table of commands applies; a a published value,
//	          by the beginning of its SHA-256, that is left alone
//	id        what findings call it, after the public rule that it comes from
//	type      what the placeholder says
//	words     in lower case, parted by |; one of them is there whenever the rule applies
//	pattern   of the token from its word on, or of the value
//	options   see option
//	sources   g gitleaks, b betterleaks, n Nosey Parker, t titus, k kingfisher, m our own
package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kind says how a rule is applied.
type Kind uint8

// The kinds of rules.
const (
	Token     Kind = iota // the word begins the match
	Middle                // the word stands within the match
	Named                 // the word is a name, and the value stands after it
	Code                  // code applies it, wherever the word stands
	Command               // the table of commands applies it
	Custom                // a rule from outside, matched by package regexp
	Published             // no rule: a value that everyone knows
)

// letters are those of the kinds in the table; Custom has none.
func letters() []string {
	return []string{Token: "t", Middle: "b", Named: "n", Code: "c", Command: "o", Published: "a"}
}

// Rule is one line of the table. Its options say how sure the form is: the surer, the less is
// asked of a value.
type Rule struct {
	Kind     Kind
	ID, Type string
	Words    string
	Pattern  string
	Custom   *regexp.Regexp // the pattern of a rule of the kind Custom
	Entropy  float64        // the least, in bits per byte
	Near     int            // a name may be this far from its value; 0: it must be assigned or have "key" or the like between
	Keyed    bool           // "key" or the like between name and value is enough
	Bound    bool           // the word begins a word
	Close    bool           // Near is the limit even with "key" in between
	Raw      bool           // even a value that looks made up is cut
	Any      bool           // the value need not look drawn
	Loose    bool           // the form is not exact, so that the value must look drawn all the more
}

// Parse reads a table of rules. The error names the line.
func Parse(table string) ([]Rule, error) {
	rules := make([]Rule, 0, strings.Count(table, "\n"))
	for n := 1; table != ""; n++ {
		var line string
		line, table, _ = strings.Cut(table, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := parseRule(line)
		if err != nil {
			return nil, fmt.Errorf("read rule in line %d: %w", n, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// parseRule reads a line of the rule table: seven columns separated by tabs.
func parseRule(line string) (Rule, error) {
	var col [7]string
	for i := range col {
		var more bool
		col[i], line, more = strings.Cut(line, "\t")
		if more != (i < len(col)-1) {
			return Rule{}, fmt.Errorf("want %d columns", len(col))
		}
	}
	r := Rule{ID: col[1], Type: col[2], Words: col[3], Pattern: col[4]}
	kind := slices.Index(letters(), col[0])
	if kind < 0 || col[0] == "" {
		return Rule{}, fmt.Errorf("kind %q", col[0])
	}
	r.Kind = Kind(kind)
	for opts := col[5]; opts != "" && opts != "-"; {
		var o string
		o, opts, _ = strings.Cut(opts, " ")
		if err := r.option(o); err != nil {
			return Rule{}, err
		}
	}
	return r, nil
}

// option reads one option: near with the greatest distance, keyed or direct (how
// a name must lead to its value), close (near is meant even where "key" is in
// between), b (the word begins a word), loose (the form is not
// exact, so that values that count up are none), e with the least entropy, any (the value
// need not look drawn), raw (nothing is asked of it).
func (r *Rule) option(o string) error {
	var err error
	switch {
	case o == "b":
		r.Bound = true
	case o == "keyed":
		r.Keyed = true
	case o == "direct":
	case o == "raw":
		r.Raw = true
	case o == "close":
		r.Close = true
	case o == "loose":
		r.Loose = true
	case o == "any":
		r.Any = true
	case strings.HasPrefix(o, "near"):
		r.Keyed = true
		r.Near, err = strconv.Atoi(o[len("near"):])
	case strings.HasPrefix(o, "e"):
		r.Entropy, err = strconv.ParseFloat(o[1:], 64)
	default:
		err = fmt.Errorf("option %q", o)
	}
	return err
}
