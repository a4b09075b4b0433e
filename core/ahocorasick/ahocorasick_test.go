package ahocorasick_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/ahocorasick"
)

// TestTable: an automaton finds what its table finds, and both what a search for
// each word finds.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	some := func(n int, letters string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[rng.IntN(len(letters))]
		}
		return string(b)
	}
	for range 200 {
		var words []string
		for range 1 + rng.IntN(30) {
			words = append(words, some(1+rng.IntN(6), "abcdefg_"))
		}
		slices.Sort(words)
		words = slices.Compact(words)
		text := some(rng.IntN(2000), "abcdefgABC_-.")
		plain, quick := ahocorasick.Hits(words, text, false), ahocorasick.Hits(words, text, true)
		if !slices.Equal(plain, quick) {
			t.Fatalf("words %q in %q: %v without the table, %v with it", words, text, plain, quick)
		}
		if want := positions(words, text); !slices.Equal(plain, want) {
			t.Fatalf("words %q in %q: found %v, want %v", words, text, plain, want)
		}
	}
}

// positions are where words end, the longest first where several do.
func positions(words []string, text string) []ahocorasick.Word {
	text = string(bytes.ToLower([]byte(text)))
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	var all []ahocorasick.Word
	for end := range len(text) + 1 {
		for _, w := range words {
			if strings.HasSuffix(text[:end], w) {
				all = append(all, ahocorasick.Word{Word: w, End: end})
			}
		}
	}
	return all
}
