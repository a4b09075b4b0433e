package redact

// automaton finds all words of a set in one pass over a text, whatever their
// case. It is an Aho-Corasick automaton with its failure links resolved, so
// that a byte costs one step; states are numbered breadth first, which keeps
// the few that ordinary text visits close together.
type automaton struct {
	class   [256]uint8
	next    []uint32 // row offset of the next state; hasWords is set where words end in it
	width   uint32   // classes, that is the length of a row
	first   []uint32 // by state: where its words begin in words; one more entry at the end
	words   []uint16 // word numbers, the longest word of a state first
	length  []uint8  // by word
	longest int      // word
}

// hasWords marks a state in which words end.
const hasWords = 1 << 31

// hit says that the words of a state end before an offset.
type hit struct {
	end   int
	state uint32
}

type trieNode struct {
	child []trieEdge
	fail  int32
	word  int32 // that ends here, or -1
}

type trieEdge struct {
	class uint8
	to    int32
}

func (n *trieNode) to(c uint8) int32 {
	for _, e := range n.child {
		if e.class == c {
			return e.to
		}
	}
	return -1
}

// newAutomaton builds the automaton of the words, which are in lower case and at
// most 255 bytes long. No word occurs twice.
func newAutomaton(words []string) *automaton {
	a := &automaton{width: 1}
	for _, w := range words {
		a.length = append(a.length, uint8(len(w)))
		a.longest = max(a.longest, len(w))
		for i := range len(w) {
			if a.class[w[i]] == 0 {
				a.class[w[i]] = uint8(a.width)
				a.width++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c|0x20]
	}
	trie := a.trie(words)
	order := a.fill(trie)
	a.collect(trie, order)
	return a
}

func (a *automaton) trie(words []string) []trieNode {
	trie := make([]trieNode, 1, 8*len(words)+1)
	trie[0].word = -1
	for i, w := range words {
		at := int32(0)
		for j := range len(w) {
			c := a.class[w[j]]
			to := trie[at].to(c)
			if to < 0 {
				to = int32(len(trie))
				trie = append(trie, trieNode{word: -1})
				trie[at].child = append(trie[at].child, trieEdge{class: c, to: to})
			}
			at = to
		}
		trie[at].word = int32(i)
	}
	return trie
}

// fill makes the table of transitions and returns the trie's nodes in the order
// of their states.
func (a *automaton) fill(trie []trieNode) []int32 {
	order := make([]int32, 1, len(trie))
	rank := make([]uint32, len(trie))
	for i := 0; i < len(order); i++ {
		for _, e := range trie[order[i]].child {
			rank[e.to] = uint32(len(order))
			order = append(order, e.to)
		}
	}
	a.next = make([]uint32, len(trie)*int(a.width))
	for _, n := range order {
		node := &trie[n]
		row := a.row(rank[n])
		if n != 0 {
			copy(row, a.row(rank[node.fail]))
		}
		for _, e := range node.child {
			if n != 0 {
				trie[e.to].fail = order[row[e.class]]
			}
			row[e.class] = rank[e.to]
		}
	}
	return order
}

func (a *automaton) row(rank uint32) []uint32 {
	return a.next[rank*a.width : (rank+1)*a.width]
}

// collect lists the words of each state and turns ranks into row offsets.
func (a *automaton) collect(trie []trieNode, order []int32) {
	a.first = make([]uint32, len(order)+1)
	for i, n := range order {
		a.first[i] = uint32(len(a.words))
		for m := n; m != 0; m = trie[m].fail {
			if w := trie[m].word; w >= 0 {
				a.words = append(a.words, uint16(w))
			}
		}
	}
	a.first[len(order)] = uint32(len(a.words))
	for i, rank := range a.next {
		off := rank * a.width
		if a.first[rank] < a.first[rank+1] {
			off |= hasWords
		}
		a.next[i] = off
	}
}

// ending lists the words that end in a state.
func (a *automaton) ending(state uint32) []uint16 {
	i := (state &^ hasWords) / a.width
	return a.words[a.first[i]:a.first[i+1]]
}
