package redact_test

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// TestRuleTable holds every line of the table to what the columns promise.
func TestRuleTable(t *testing.T) {
	rules, err := redact.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if r.Kind == "a" || r.Kind == "o" {
			continue
		}
		if seen[r.ID] {
			t.Errorf("rule %s: id stands twice", r.ID)
		}
		seen[r.ID] = true
		if r.Type == "" || strings.Trim(r.Type, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Errorf("rule %s: type %q cannot stand in a placeholder", r.ID, r.Type)
		}
		for w := range strings.SplitSeq(r.Words, "|") {
			if len(w) < 2 || len(w) > 64 || w != strings.ToLower(w) {
				t.Errorf("rule %s: word %q", r.ID, w)
			}
		}
	}
}

// TestEveryRuleFires makes a secret for each rule from its pattern and expects
// it to be cut: a rule that cannot fire is a mistake in its words, in its
// pattern, or in the conditions on it.
func TestEveryRuleFires(t *testing.T) {
	rules, err := redact.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, r := range rules {
		if r.Kind == "c" || r.Kind == "a" || r.Kind == "o" {
			continue
		}
		e, err := redact.Only(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !fires(t, e, r, rnd) {
			t.Errorf("rule %s (%s): no secret made from it is cut", r.ID, r.Pattern)
		}
	}
}

func fires(t *testing.T, e *redact.Engine, r redact.BuiltinRule, rnd *rand.Rand) bool {
	re, err := syntax.Parse(r.Pattern, syntax.Perl)
	if err != nil {
		t.Fatalf("rule %s: %v", r.ID, err)
	}
	name, _, _ := strings.Cut(r.Words, "|")
	for range 20 {
		secret := sample(re, rnd)
		text := "see " + secret + " there"
		if r.Kind == "n" {
			text = name + ` token: "` + secret + `"`
		}
		_, cuts, err := e.Scrub(core.TextField, []byte(text))
		if err != nil {
			t.Fatalf("rule %s: %v", r.ID, err)
		}
		if len(cuts) > 0 {
			return true
		}
		text = name + `="` + secret + `"`
		if _, cuts, err = e.Scrub(core.TextField, []byte(text)); err == nil && len(cuts) > 0 {
			return true
		}
	}
	return false
}

// sample draws a string that a pattern matches.
func sample(re *syntax.Regexp, rnd *rand.Rand) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		return sampleClass(re.Rune, rnd)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(rune('a' + rnd.IntN(26)))
	case syntax.OpCapture:
		return sample(re.Sub[0], rnd)
	case syntax.OpAlternate:
		return sample(re.Sub[rnd.IntN(len(re.Sub))], rnd)
	case syntax.OpConcat:
		var b strings.Builder
		for _, s := range re.Sub {
			b.WriteString(sample(s, rnd))
		}
		return b.String()
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		lo, hi := re.Min, re.Max
		switch re.Op {
		case syntax.OpStar:
			lo, hi = 0, 3
		case syntax.OpPlus:
			lo, hi = 1, 20
		case syntax.OpQuest:
			lo, hi = 0, 1
		}
		if hi < 0 {
			hi = lo + 20
		}
		var b strings.Builder
		for range lo + rnd.IntN(min(hi, lo+40)-lo+1) {
			b.WriteString(sample(re.Sub[0], rnd))
		}
		return b.String()
	}
	return ""
}

func sampleClass(ranges []rune, rnd *rand.Rand) string {
	var all []rune
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1] && r <= unicode.MaxASCII; r++ {
			if r >= ' ' {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return " "
	}
	return string(all[rnd.IntN(len(all))])
}
