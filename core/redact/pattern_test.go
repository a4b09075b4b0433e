package redact_test

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"testing"

	"github.com/memscribe/memscribe/core/redact"
)

// checkPrefilter holds what is known of a pattern's matches to a match.
func checkPrefilter(t *testing.T, pattern, text string) {
	t.Helper()
	minLen, mayBegin, err := redact.Prefilter(pattern)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("^(?:" + pattern + ")").FindStringIndex(text)
	if m == nil {
		return
	}
	if m[1] < minLen {
		t.Fatalf("%s matches %q, which is shorter than %d", pattern, text[:m[1]], minLen)
	}
	if text != "" && !mayBegin(text[0]) {
		t.Fatalf("%s matches %q, which begins with another byte than it may", pattern, text)
	}
}

// TestPrefilter runs the patterns of the table on texts that they match, and on such
// texts with a byte changed.
func TestPrefilter(t *testing.T) {
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
		for range 3 {
			s := sample(re, rnd)
			checkPrefilter(t, r.Pattern, s)
			b := []byte(s)
			if len(b) > 0 {
				b[rnd.IntN(len(b))] = "aZ0-_. \n"[rnd.IntN(8)]
			}
			checkPrefilter(t, r.Pattern, string(b))
		}
	}
}

func FuzzPrefilter(f *testing.F) {
	for _, p := range []string{
		`a(b|c)+d`, `(?i)key-[\da-f]{4,8}`, `x{2,5}?y`, `(?:ab?){2,3}c`, `\bfoo\b`, `[^a]*z$`, `a|ab|abc`, `(a?)(b*)c??d`, `.{2}\d`, `(?:a|b)*?c`, `(?i)\x{17f}k`,
	} {
		f.Add(p, "abcd key-12aF foo xxxy z")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 40 || len(text) > 60 {
			return
		}
		if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
			return
		}
		if _, err := regexp.Compile("^(?:" + pattern + ")"); err != nil {
			return // too large
		}
		checkPrefilter(t, pattern, text)
	})
}
