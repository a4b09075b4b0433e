package ahocorasick_test

import (
	"bytes"
	"fmt"
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

// TestTooManyStates searches for more words than a table may have states for.
func TestTooManyStates(t *testing.T) {
	var words []string
	for i := range 9000 {
		words = append(words, fmt.Sprintf("%07d", i*7919))
	}
	text := strings.Repeat(words[17]+" "+words[8999]+", ", 2)
	for _, withTable := range []bool{false, true} {
		got := ahocorasick.Hits(words, text, withTable)
		if len(got) != 4 || got[0] != (ahocorasick.Word{Word: words[17], End: 7}) || got[3].Word != words[8999] {
			t.Errorf("with a table %v: %v", withTable, got)
		}
	}
}
