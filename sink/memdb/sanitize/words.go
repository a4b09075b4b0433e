package sanitize

import "strings"

// dictionary numbers the words of rules.
type dictionary struct {
	texts   [][]byte
	numbers map[string]int
}

// word is one of them.
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
			d.numbers[w], d.texts = n, append(d.texts, []byte(w))
		}
		all = append(all, word{n, len(w)})
	}
	return all
}

// finder finds words in a text, all of them at once: a tree of their letters
// whose every branch knows where to go on when the text leaves it.
type finder struct {
	lengths []int
	classes int
	class   [256]uint8 // of each byte; 0 is that of bytes in no word
	next    []uint16   // by state and class
	ends    [][]uint16 // by state: the words that end there
}

// newFinder makes a finder of words. No word may be empty or there twice.
func newFinder(words [][]byte) *finder {
	f := &finder{classes: 1}
	for _, w := range words {
		f.lengths = append(f.lengths, len(w))
		for _, b := range w {
			if f.class[b] == 0 {
				f.class[b] = uint8(f.classes)
				f.classes++
			}
		}
	}
	f.grow()
	for i, w := range words {
		state := uint16(0)
		for _, b := range w {
			to := int(state)*f.classes + int(f.class[b])
			if f.next[to] == 0 {
				f.next[to] = f.grow()
			}
			state = f.next[to]
		}
		f.ends[state] = append(f.ends[state], uint16(i))
	}
	f.link()
	return f
}

// grow adds a state.
func (f *finder) grow() uint16 {
	f.next = append(f.next, make([]uint16, f.classes)...)
	f.ends = append(f.ends, nil)
	return uint16(len(f.ends) - 1)
}

// link gives each state a way for every class: where it has no branch, that of
// the longest end of what was read which begins a word, too.
func (f *finder) link() {
	shorter := make([]uint16, len(f.ends)) // by state: that end
	queue := []uint16{0}
	for len(queue) > 0 {
		state := int(queue[0])
		queue = queue[1:]
		other := int(shorter[state])
		if state != 0 {
			f.ends[state] = append(f.ends[state], f.ends[other]...)
		}
		for c := range f.classes {
			to := &f.next[state*f.classes+c]
			switch instead := f.next[other*f.classes+c]; {
			case *to == 0:
				*to = instead
			case state == 0:
				queue = append(queue, *to)
			default:
				shorter[*to] = instead
				queue = append(queue, *to)
			}
		}
	}
}

// find returns, by word, where it begins in a text, in order; nil if none is there.
func (f *finder) find(text []byte) [][]int32 {
	var places [][]int32
	state := 0
	for i, b := range text {
		state = int(f.next[state*f.classes+int(f.class[b])])
		if places == nil && len(f.ends[state]) > 0 {
			places = make([][]int32, len(f.lengths))
		}
		for _, w := range f.ends[state] {
			places[w] = append(places[w], int32(i+1-f.lengths[w]))
		}
	}
	return places
}
