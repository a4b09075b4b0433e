package words_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/memscribe/memscribe/core/decide/words"
)

// TestLower holds the lower case of every character, and of what is no text, to that of
// package strings.
func TestLower(t *testing.T) {
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if s := "x" + string(c); words.Lower(s) != strings.ToLower(s) {
			t.Errorf("%U becomes %q, want %q", c, words.Lower(s), strings.ToLower(s))
		}
	}
	for _, s := range []string{"", "Use Postgres’s “COPY”", "a\xffB", "\xe4\xb8", "请用 SQLite。", "ÉCRIS"} {
		if words.Lower(s) != strings.ToLower(s) {
			t.Errorf("%q becomes %q, want %q", s, words.Lower(s), strings.ToLower(s))
		}
	}
}
