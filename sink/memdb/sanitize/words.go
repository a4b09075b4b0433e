package sanitize

import (
	"strings"

	"github.com/memscribe/memscribe/core/ahocorasick"
)

// dictionary numbers the words of rules.
type dictionary struct {
	texts   []string
	numbers map[string]int
}

// word is a word by its number in the dictionary, with its length in bytes.
type word struct{ number, length int }

// words splits a list; an underscore in it is a space.
func (d *dictionary) words(list string) []word {
	if d.numbers == nil {
		d.numbers = map[string]int{}
	}
	var all []word
	for w := range strings.FieldsSeq(list) {
		w = strings.ReplaceAll(w, "_", " ")
		n, known := d.numbers[w]
		if !known {
			n = len(d.texts)
			d.numbers[w], d.texts = n, append(d.texts, w)
		}
		all = append(all, word{n, len(w)})
	}
	return all
}

// finder finds the words of all rules in a text at once. Several goroutines may use it.
type finder struct {
	words *ahocorasick.Automaton
	count int
	ready ahocorasick.Scanner // has what its forks share
}

// newFinder makes a finder of words. No word may be empty or there twice.
func newFinder(words []string) *finder {
	f := &finder{words: ahocorasick.New(words), count: len(words)}
	f.ready = f.ready.Fork(f.words)
	return f
}

// find returns, by number of the word, the offsets at which it begins in a text, in order. It
// is nil if the text has none of them, which is the usual case.
func (f *finder) find(text []byte) [][]int32 {
	scanner := f.ready.Fork(f.words)
	scanner.Start(f.words, text)
	scanner.Scan(0, len(text))
	var (
		places [][]int32
		ending []int32
	)
	for _, lane := range scanner.Hits {
		for _, h := range lane {
			if places == nil {
				places = make([][]int32, f.count)
			}
			ending = f.words.Ending(h.State, ending[:0])
			for _, w := range ending {
				places[w] = append(places[w], int32(h.End-f.words.Len(w)))
			}
		}
	}
	return places
}
