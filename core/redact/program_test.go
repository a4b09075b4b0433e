package redact_test

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/core/redact"
)

// checkProgram compares a program with package regexp.
func checkProgram(t *testing.T, pattern, text string) {
	t.Helper()
	ok, start, stop, compiled := redact.MatchPattern(pattern, text)
	if !compiled {
		return
	}
	m := regexp.MustCompile("^(?:" + pattern + ")").FindStringSubmatchIndex(text)
	if ok != (m != nil) {
		t.Fatalf("%s on %q: program says %v, regexp %v", pattern, text, ok, m != nil)
	}
	if !ok {
		return
	}
	k := 0
	if len(m) > 2 && m[2] >= 0 {
		k = 2
	}
	if start != m[k] || stop != m[k+1] {
		t.Fatalf("%s on %q: program finds %d-%d, regexp %d-%d", pattern, text, start, stop, m[k], m[k+1])
	}
}

// TestProgramsAgree runs the patterns of the table on texts that they match, and
// on such texts with a byte changed.
func TestProgramsAgree(t *testing.T) {
	rules, err := redact.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 5))
	for _, r := range rules {
		if r.Kind == "c" || r.Kind == "a" {
			continue
		}
		re, err := syntax.Parse(r.Pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			s := sample(re, rnd)
			checkProgram(t, r.Pattern, s)
			checkProgram(t, r.Pattern, s+" and more")
			b := []byte(s)
			if len(b) > 0 {
				b[rnd.IntN(len(b))] = "aZ0-_. \n"[rnd.IntN(8)]
			}
			checkProgram(t, r.Pattern, string(b))
		}
	}
}

func FuzzProgram(f *testing.F) {
	for _, p := range []string{
		`a(b|c)+d`, `(?i)key-[\da-f]{4,8}`, `x{2,5}?y`, `(?:ab?){2,3}c`, `\bfoo\b`, `[^a]*z$`, `a|ab|abc`, `(a?)(b*)c??d`, `.{2}\d`, `(?:a|b)*?c`,
	} {
		f.Add(p, "abcd key-12aF foo xxxy z")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		// A program takes bytes for characters, and a line for a text.
		for _, s := range []string{pattern, text} {
			for i := range len(s) {
				if s[i] >= 0x80 || s[i] == '\n' {
					return
				}
			}
		}
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil || len(pattern) > 40 || len(text) > 60 || has(re, syntax.OpBeginLine, syntax.OpBeginText) {
			return
		}
		if _, err := regexp.Compile("^(?:" + pattern + ")"); err != nil {
			return
		}
		checkProgram(t, pattern, text)
	})
}

func has(re *syntax.Regexp, ops ...syntax.Op) bool {
	if slices.Contains(ops, re.Op) {
		return true
	}
	for _, s := range re.Sub {
		if has(s, ops...) {
			return true
		}
	}
	return false
}
