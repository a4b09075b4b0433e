// Package ahocorasick finds all words of a set in one pass over a text, ignoring
// case.
//
//	a := ahocorasick.New([]string{"he", "she", "hers"})
//	var s ahocorasick.Scanner
//	s.Start(a, []byte("ushers"))
//	s.Scan(0, 6) // "she" and "he" end at 4, "hers" ends at 6
//
// It serves redaction and the sanitizer of memories, whose rules are tried only where
// one of their words stands.
//
// Sizes and speed. A word has at most 255 bytes. A text of up to 64 KiB is searched with the
// trie as it is; beyond that a table with one step for each byte is built. Long texts are
// searched in four lanes at once, which is why hits come in four lists:
//
//	text   |  lane 0  |  lane 1  |  lane 2  |  lane 3  |
//	Hits   [0]        [1]        [2]        [3]            each in order
//
// Words that cross the border between two lanes are found by the lane in which they end.
package ahocorasick

import (
	"bytes"
	"slices"
	"strings"
)

// Automaton is a trie of words in which each node knows its failure link: the longest
// end of its text that is a node too. It does not change once it is made.
//
// Its states are the nodes of the trie, numbered breadth first: the children of
// one state follow each other, and those of the next state follow them. It can be
// run as it is, which takes little to build; or, where there is much to search,
// as a table.
type Automaton struct {
	class   [256]uint8 // of a byte; 0 is in no word
	width   uint32     // number of classes
	length  []uint8    // by word
	longest int        // word

	label []uint8  // by state: the class that leads to it
	child []uint32 // by state: its first child; one more entry at the end
	fail  []uint32 // by state
	word  []int32  // by state: the word that ends here, or -1
	ends  []uint32 // by state: the first along the failure links in which a word ends; 0 is none
	root  []uint32 // by class: the child of the root, or the root
}

// New builds the automaton of the words, which are in lower case and 1 to 255 bytes
// long. No word may occur twice. Words are known by their index from then on.
func New(words []string) *Automaton {
	a := &Automaton{width: 1, length: make([]uint8, len(words))}
	order := make([]int32, len(words))
	letters := 0
	for i, w := range words {
		order[i], a.length[i] = int32(i), uint8(len(w))
		a.longest = max(a.longest, len(w))
		letters += len(w)
		for j := range len(w) {
			if a.class[w[j]] == 0 {
				a.class[w[j]] = uint8(a.width)
				a.width++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c|0x20]
	}
	slices.SortFunc(order, func(x, y int32) int { return strings.Compare(words[x], words[y]) })
	a.grow(words, order, letters)
	a.link()
	return a
}

// grow makes the states. Those words that go through a state follow each other in
// the order of the alphabet.
func (a *Automaton) grow(words []string, order []int32, letters int) {
	type share struct{ from, to, depth int32 }
	shares := make([]share, 1, letters+1)
	shares[0] = share{0, int32(len(order)), 0}
	a.label = make([]uint8, 1, letters+1)
	a.child = make([]uint32, 0, letters+2)
	a.word = make([]int32, 0, letters+1)
	for n := 0; n < len(shares); n++ {
		s := shares[n]
		word := int32(-1)
		if s.from < s.to && len(words[order[s.from]]) == int(s.depth) {
			word = order[s.from]
			s.from++
		}
		a.word = append(a.word, word)
		a.child = append(a.child, uint32(len(shares)))
		for s.from < s.to {
			c, to := words[order[s.from]][s.depth], s.from+1
			for to < s.to && words[order[to]][s.depth] == c {
				to++
			}
			shares = append(shares, share{s.from, to, s.depth + 1})
			a.label = append(a.label, a.class[c])
			s.from = to
		}
	}
	a.child = append(a.child, uint32(len(shares)))
}

// link finds the failure links, and the words that end along them.
func (a *Automaton) link() {
	n := uint32(len(a.word))
	a.root, a.fail, a.ends = make([]uint32, a.width), make([]uint32, n), make([]uint32, n)
	for kid := a.child[0]; kid < a.child[1]; kid++ {
		a.root[a.label[kid]] = kid
	}
	for s := range n {
		for kid := a.child[s]; kid < a.child[s+1]; kid++ {
			if s != 0 {
				a.fail[kid] = a.step(a.fail[s], a.label[kid])
			}
			a.ends[kid] = a.ends[a.fail[kid]]
			if a.word[kid] >= 0 {
				a.ends[kid] = kid
			}
		}
	}
}

// step returns the state behind a byte of a class.
func (a *Automaton) step(s uint32, class uint8) uint32 {
	for s != 0 && class != 0 {
		kid, end := a.child[s], a.child[s+1]
		if s = a.fail[s]; end-kid > fewKids {
			if i := bytes.IndexByte(a.label[kid:end], class); i >= 0 {
				return kid + uint32(i)
			}
			continue
		}
		for ; kid < end; kid++ {
			if a.label[kid] == class {
				return kid
			}
		}
	}
	return a.root[class]
}

// fewKids is how many children are quicker looked at one by one: most states have one.
const fewKids = 4

// Len is the length of a word.
func (a *Automaton) Len(word int32) int { return int(a.length[word]) }

// Ending appends the words that end in the state of a [Hit], the longest first.
func (a *Automaton) Ending(state uint32, to []int32) []int32 {
	for s := a.ends[state]; s != 0; s = a.ends[a.fail[s]] {
		to = append(to, a.word[s])
	}
	return to
}

// Find calls found for every word of a text with the place where it ends, in order, the
// longest first where several end. It is for short texts: a [Scanner] searches long ones
// several times as quickly.
func (a *Automaton) Find(text []byte, found func(word int32, end int)) {
	state := uint32(0)
	for i, c := range text {
		state = a.step(state, a.class[c])
		for s := a.ends[state]; s != 0; s = a.ends[a.fail[s]] {
			found(a.word[s], i+1)
		}
	}
}

// First returns where the word of a text stands that ends first, the longest if several do;
// end is 0 if there is none.
func (a *Automaton) First(text string) (start, end int) {
	state := uint32(0)
	for i := range len(text) {
		state = a.step(state, a.class[text[i]])
		if s := a.ends[state]; s != 0 {
			return i + 1 - a.Len(a.word[s]), i + 1
		}
	}
	return 0, 0
}

// table is an automaton with its failure links resolved: a byte costs one step. It
// takes as long to make as it takes an automaton to search many thousand bytes.
//
// It has a column for each class. A text mostly leads through few states, those of the first letters
// of words, and these stand side by side in a column.
type table struct {
	*Automaton

	next   []uint16    // by class and state: the next state; hasWords is set where words end in it
	column [256]uint32 // by byte: where its column begins
}

// hasWords marks a state in which words end.
const hasWords = 1 << 15

// newTable expands the automaton to one transition per state and byte class, which
// needs no failure links at run time. It returns nil for an automaton of too many states.
func newTable(a *Automaton) *table {
	n := len(a.word)
	if n >= hasWords {
		return nil
	}
	t := &table{Automaton: a, next: make([]uint16, n*int(a.width))}
	for i, c := range a.class {
		t.column[i] = uint32(c) * uint32(n)
	}
	var from [257]int // by class: where the states to which it leads begin in steps
	for _, c := range a.label[1:] {
		from[int(c)+1]++
	}
	for c := range a.width {
		from[c+1] += from[c]
	}
	type step struct{ state, to uint16 }
	steps, ends := make([]step, n), from
	for s := range n {
		for kid := a.child[s]; kid < a.child[s+1]; kid++ {
			to := uint16(kid)
			if a.ends[kid] != 0 {
				to |= hasWords
			}
			steps[ends[a.label[kid]]] = step{uint16(s), to}
			ends[a.label[kid]]++
		}
	}
	for c := range int(a.width) {
		column, kids := t.next[c*n:(c+1)*n], steps[from[c]:ends[c]]
		for s := range column {
			switch {
			case len(kids) > 0 && int(kids[0].state) == s:
				column[s], kids = kids[0].to, kids[1:]
			case s > 0:
				column[s] = column[a.fail[s]]
			}
		}
	}
	return t
}
