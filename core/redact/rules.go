package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// builtin holds the rules as a table: one rule a line, its columns parted by
// tabs.
//
//	kind      t a token that its beginning gives away; b one that something in
//	          its middle does; n a value that a name before it does; c what takes
//	          code; o one that the table of options applies; a a published value, by the beginning of its SHA-256, that is
//	          left alone
//	id        what findings call it, after the public rule that it comes from
//	type      what the placeholder says
//	words     in lower case, parted by |; one of them is there whenever the rule applies
//	pattern   of the token from its word on, or of the value
//	options   see option
//	sources   g gitleaks, b betterleaks, n Nosey Parker, t titus, k kingfisher, m our own
//
//go:embed rules.tsv
var builtin string

type kind uint8

const (
	tokenRule  kind = iota // the word begins the match
	middleRule             // the word stands within the match
	namedRule              // the word is a name, and the value stands after it
	codeRule               // code applies it, wherever the word stands
	optionRule             // the table of options applies it
	customRule             // a rule from outside, matched by package regexp
	published              // no rule: a value that everyone knows
)

// rule is one line of the table.
type rule struct {
	kind    kind
	id, typ string
	words   string
	pattern string
	custom  *regexp.Regexp // the pattern of a customRule
	entropy float64
	near    int  // a name may be this far from its value; 0: it must be assigned or have "key" or the like between
	keyed   bool // "key" or the like between name and value is enough
	bound   bool // the word begins a word
	close   bool // near is the limit even with "key" in between
	raw     bool // even a value that looks made up is cut
	any     bool // the value need not look drawn
	loose   bool // the form is not exact, so that the value must look drawn all the more
}

// parseTable reads a table of rules.
func parseTable(table string) ([]rule, error) {
	rules := make([]rule, 0, strings.Count(table, "\n"))
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
func parseRule(line string) (rule, error) {
	var col [7]string
	for i := range col {
		var more bool
		col[i], line, more = strings.Cut(line, "\t")
		if more != (i < len(col)-1) {
			return rule{}, fmt.Errorf("want %d columns", len(col))
		}
	}
	r := rule{id: col[1], typ: col[2], words: col[3], pattern: col[4]}
	switch col[0] {
	case "t":
		r.kind = tokenRule
	case "b":
		r.kind = middleRule
	case "n":
		r.kind = namedRule
	case "c":
		r.kind = codeRule
	case "o":
		r.kind = optionRule
	case "a":
		r.kind = published
	default:
		return rule{}, fmt.Errorf("kind %q", col[0])
	}
	for opts := col[5]; opts != "" && opts != "-"; {
		var o string
		o, opts, _ = strings.Cut(opts, " ")
		if err := r.option(o); err != nil {
			return rule{}, err
		}
	}
	return r, nil
}

// option reads one option: near with the greatest distance, keyed or direct (how
// a name must lead to its value), close (near is meant even where "key" stands in
// between), b (the word begins a word), loose (the form is not
// exact, so that values that count up are none), e with the least entropy, any (the value
// need not look drawn), raw (nothing is asked of it).
func (r *rule) option(o string) error {
	var err error
	switch {
	case o == "b":
		r.bound = true
	case o == "keyed":
		r.keyed = true
	case o == "direct":
	case o == "raw":
		r.raw = true
	case o == "close":
		r.close = true
	case o == "loose":
		r.loose = true
	case o == "any":
		r.any = true
	case strings.HasPrefix(o, "near"):
		r.keyed = true
		r.near, err = strconv.Atoi(o[len("near"):])
	case strings.HasPrefix(o, "e"):
		r.entropy, err = strconv.ParseFloat(o[1:], 64)
	default:
		err = fmt.Errorf("option %q", o)
	}
	return err
}
