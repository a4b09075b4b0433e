package redact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// carriers put a form into what transcripts carry it in.
func carriers() map[string]func(string) string {
	quoted := func(s string) string {
		q, err := json.Marshal(s)
		if err != nil {
			return err.Error()
		}
		return string(q)
	}
	lines := func(before string) func(string) string {
		return func(s string) string { return before + strings.ReplaceAll(s, "\n", "\n"+before) }
	}
	return map[string]func(string) string{
		"alone":  func(s string) string { return s },
		"prose":  func(s string) string { return "First I ran this, and it worked:\n\n" + s + "\n\nShall we keep it?" },
		"ticks":  func(s string) string { return "Please run `" + s + "` and tell me." },
		"script": func(s string) string { return "set -eu\ncd /srv\n" + s + "\necho done\n" },
		"prompt": func(s string) string { return "bob@host:~$ " + s + "\nok" },
		"json":   func(s string) string { return `{"type":"tool_use","input":{"command":` + quoted(s) + `,"timeout":5}}` },
		"twice":  func(s string) string { return `{"line":` + quoted(`{"command":`+quoted(s)+`}`) + `}` },
		"diff":   func(s string) string { return "@@ -1,2 +1,3 @@\n a\n" + lines("+")(s) + "\n b\n" },
		"gone":   func(s string) string { return "@@ -1,3 +1,2 @@\n a\n" + lines("-")(s) + "\n b\n" },
		"indent": lines("    "),
		"number": lines("    12→"),
	}
}

// TestPlanted wants the secret of each planted form to be gone, whatever carries the form.
func TestPlanted(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, f := range readForms(t, "planted.txt") {
		var left []string
		for name, carry := range carriers() {
			clean, _, err := e.Scrub(core.TextField, []byte(carry(f.text)))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range f.spans {
				if keepsPiece(string(clean), f.text[s[0]:s[1]]) {
					left = append(left, name)
					break
				}
			}
		}
		if len(left) > 0 {
			t.Errorf("line %d: %q leaves in %d: %v", f.line, f.text, len(left), left)
		}
	}
}

// keepsPiece reports whether a text holds some letters and digits of a secret in a row.
func keepsPiece(text, secret string) bool {
	const least = 5
	for _, piece := range strings.FieldsFunc(secret, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(piece) >= least && strings.Contains(text, piece) {
			return true
		}
	}
	return false
}

// TestLookAlikes wants nothing to be cut from what looks like a planted form, whatever carries it.
func TestLookAlikes(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, f := range readForms(t, "lookalikes.txt") {
		for name, carry := range carriers() {
			text := carry(f.text)
			if clean, cuts, err := e.Scrub(core.TextField, []byte(text)); err != nil || len(cuts) > 0 {
				t.Errorf("line %d, %s: %q becomes %q (%v)", f.line, name, text, clean, err)
				break
			}
		}
	}
}
