package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
	"github.com/memscribe/memscribe/core/redact/internal/rules"
)

// Rule describes a kind of secret of the user's own.
type Rule struct {
	ID   string // names the rule in findings and errors
	Type string // is in the placeholder, in lower case; made from the ID where empty
	// Keywords are words; every match has at least one, in any case. They may be
	// left out where the pattern begins with a literal of at least three bytes.
	Keywords []string
	// Pattern is a regular expression. Its first group is the secret, or all of
	// it. A match lies within the 256 bytes before and the 512 after a keyword.
	Pattern string
	Entropy float64 // the least, in bits per byte
}

// OptionError says what is wrong with a rule or an allowance.
type OptionError struct {
	What  string // "rule" or "allowance"
	ID    string
	Field string // in lower case: id, pattern, keywords, entropy
	Err   error
}

// Error names the rule or the allowance, and what is wrong with it.
func (e *OptionError) Error() string {
	return fmt.Sprintf("check redaction %s %q: %v", e.What, e.ID, e.Err)
}

// Unwrap returns the cause.
func (e *OptionError) Unwrap() error { return e.Err }

// RuleIDs returns the ids of the built-in rules, in the order of their table.
func RuleIDs() ([]string, error) {
	table, err := rules.Parse(builtin)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range table {
		if r.Kind != rules.Published {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// check compiles a rule for the first time, to find what is wrong with it.
func (r Rule) check() (rules.Rule, error) {
	fail := func(field string, err error) (rules.Rule, error) {
		return rules.Rule{}, &OptionError{"rule", r.ID, field, err}
	}
	if r.ID == "" {
		return fail("id", errors.New("it has no id"))
	}
	if r.Entropy < 0 || r.Entropy > 8 {
		return fail("entropy", errors.New("a byte has 0 to 8 bits"))
	}
	re, err := syntax.Parse(r.Pattern, syntax.Perl)
	if err != nil {
		return fail("pattern", err)
	}
	compiled, err := regexp.Compile(r.Pattern)
	if err != nil {
		return fail("pattern", err)
	}
	if compiled.MatchString("") {
		return fail("pattern", errors.New("its pattern matches nothing at all, and so everywhere"))
	}
	words := slices.Clone(r.Keywords)
	if len(words) == 0 {
		if p := literalPrefix(re); len(p) >= 3 {
			words = []string{p}
		}
	}
	if len(words) == 0 {
		return fail("keywords", errors.New("it has no keywords, and its pattern begins with no literal"))
	}
	for i, w := range words {
		words[i] = strings.ToLower(w)
		if len(w) < 3 || len(w) > 255 || strings.Contains(w, "|") {
			return fail("keywords", fmt.Errorf("keyword %q: want 3 to 255 bytes without |", w))
		}
	}
	typ := r.Type
	if typ == "" {
		typ = r.ID
	}
	return rules.Rule{
		Kind: rules.Custom, ID: r.ID, Type: typeName(typ), Words: strings.Join(words, "|"), Pattern: r.Pattern,
		Custom: compiled, Entropy: r.Entropy,
	}, nil
}

// typeName makes a type that a placeholder can hold.
func typeName(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c = ascii.Lower(c); !ascii.IsAlnum(c) {
			c = '_'
		}
		b[i] = c
	}
	return string(b[:min(len(b), maxPlaceholder/2)])
}

// literalPrefix returns the literal text that every match of a pattern begins with;
// "" if there is none.
func literalPrefix(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCapture:
		return literalPrefix(re.Sub[0])
	case syntax.OpConcat:
		for _, s := range re.Sub {
			if s.Op != syntax.OpWordBoundary && s.Op != syntax.OpBeginLine && s.Op != syntax.OpEmptyMatch {
				return literalPrefix(s)
			}
		}
	}
	return ""
}

// maxCustomBefore is how far before its keyword a match of a custom rule may
// begin.
const maxCustomBefore = 256

// custom tries a rule of the user's own around its keyword at [start, end).
func (e *Engine) custom(i int32, start, end int) {
	text := e.view.Text
	r := &e.set.rules[i]
	from, to := max(0, start-maxCustomBefore), min(len(text), end+pattern.Window)
	e.work += 16 * (to - from)
	for from < to {
		m := r.Custom.FindSubmatchIndex(text[from:to])
		if m == nil || m[1] == 0 {
			return
		}
		k := 0
		if len(m) > 2 && m[2] >= 0 {
			k = 2
		}
		if s := text[from+m[k] : from+m[k+1]]; r.Entropy == 0 || looks.Entropy(s) >= r.Entropy {
			e.report(i, from+m[k], from+m[k+1])
		}
		from += m[1]
	}
}

// Allow leaves something alone that rules would cut. The fields that are set
// must all fit.
type Allow struct {
	ID      string // names the entry in errors
	Rule    string // the rule's id
	Pattern string // regular expression that the whole secret matches
}

// allowed is an Allow, compiled.
type allowed struct {
	rule string
	re   *regexp.Regexp
}

// check compiles an allowance. One that names neither a rule nor a pattern would
// allow everything and is an error.
func (a Allow) check() (allowed, error) {
	if a.Rule == "" && a.Pattern == "" {
		return allowed{}, &OptionError{"allowance", a.ID, "id", errors.New("it names neither a rule nor a pattern")}
	}
	c := allowed{rule: a.Rule}
	if a.Pattern != "" {
		re, err := regexp.Compile("^(?:" + a.Pattern + ")$")
		if err != nil {
			return allowed{}, &OptionError{"allowance", a.ID, "pattern", err}
		}
		c.re = re
	}
	return c, nil
}

// isAllowed reports whether a finding, given in the view, is to be left alone.
func (e *Engine) isAllowed(f found) bool {
	if e.isPublished(e.view.Text[f.start:f.end]) {
		return true
	}
	for _, a := range e.allow {
		if (a.rule == "" || a.rule == e.set.rules[f.rule].ID) && (a.re == nil || a.re.Match(e.view.Text[f.start:f.end])) {
			return true
		}
	}
	return false
}

// isPublished reports whether everyone knows a value: it is in documentation,
// or in every copy of a program. The table holds the beginnings of hashes, so
// that it contains no keys.
func (e *Engine) isPublished(v []byte) bool {
	sum := sha256.Sum256(v)
	return slices.Contains(e.set.published, hex.EncodeToString(sum[:16]))
}
