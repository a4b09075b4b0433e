package topic

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Words are the hashes of the different words of a text, in ascending order, each once.
type Words []uint32

// Most is the largest number of words that are kept of a text: the first ones.
const Most = 96

// Of returns the words of several texts together, at most [Most].
func Of(texts ...string) Words {
	var space [Most]uint32
	all := Words(space[:0])
	for _, text := range texts {
		Each(text, func(hash uint32) bool {
			if at, found := slices.BinarySearch(all, hash); !found && len(all) < Most {
				all = slices.Insert(all, at, hash)
			}
			return len(all) < Most
		})
	}
	if len(all) == 0 {
		return nil
	}
	return slices.Clone(all)
}

// Find returns the position of a word, or where it would be inserted, and whether it is in w.
func (w Words) Find(hash uint32) (at int, found bool) { return slices.BinarySearch(w, hash) }

// Has reports whether a word is in w.
func (w Words) Has(hash uint32) bool {
	_, found := w.Find(hash)
	return found
}

// With returns the words that are in w or in o.
func (w Words) With(o Words) Words {
	if len(o) == 0 {
		return w
	}
	all := slices.Concat(w, o)
	slices.Sort(all)
	return slices.Compact(all)
}

// Without returns the words of w that are not in o.
func (w Words) Without(o Words) Words {
	var left Words
	for _, hash := range w {
		if !o.Has(hash) {
			left = append(left, hash)
		}
	}
	return left
}

// Shared returns the number of words that are in both.
func (w Words) Shared(o Words) int {
	n := 0
	for _, hash := range w {
		if o.Has(hash) {
			n++
		}
	}
	return n
}

// Near reports whether two texts have the same topic: they share at least one word, and at
// least a fifth of the words of the shorter text.
func (w Words) Near(o Words) bool {
	const part = 5
	shorter := min(len(w), len(o))
	return w.Shared(o) >= max(1, (shorter+part-1)/part)
}

// maxWord is the length of the longest word in bytes. Longer runs of letters, such as hashes
// and base64, are skipped: a person does not say them.
const maxWord = 48

// Each calls f with the hash of each word of a text, in the order of the text and with
// repetitions, until f returns false. It allocates nothing.
func Each(text string, f func(hash uint32) bool) {
	c := cutter{text: text}
	for more := true; more; {
		more = c.step()
		for _, hash := range c.given[:c.gives] {
			if !f(hash) {
				return
			}
		}
	}
}

// cutter cuts a text into words. It lives on the stack, since a text is cut for every turn,
// every decision and every edit.
type cutter struct {
	text  string
	at    int           // offset of the next character
	word  [maxWord]byte // the open word, in lower case
	size  int           // bytes of the open word
	long  bool          // the open word has more than maxWord bytes
	last  kind          // kind of the previous character
	glyph rune          // the previous character, if its script has no blanks
	given [2]uint32     // hashes of the words that the last step found
	gives int           // how many words the last step found
}

// step reads until one or two words are found, and reports whether the text may have more.
// One character can end a word and complete a pair of characters, hence two.
func (c *cutter) step() (more bool) {
	c.gives = 0
	for c.at < len(c.text) {
		r, size := rune(c.text[c.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(c.text[c.at:])
		}
		c.add(r)
		c.at += size
		if c.gives > 0 {
			return true
		}
	}
	c.end()
	return false
}

// kind is the role of a character in a word.
type kind uint8

const (
	other kind = iota
	small      // a lower case letter, or one of a script without case
	large
	digit
	sign // a character of a script without blanks
)

// kindOf returns the kind of a character. Characters of scripts without blanks have a kind of
// their own, since each pair of them is a word.
func kindOf(r rune) kind {
	const jamo = 0x1100 // the first character of a script without blanks
	switch {
	case 'a' <= r && r <= 'z':
		return small
	case 'A' <= r && r <= 'Z':
		return large
	case '0' <= r && r <= '9':
		return digit
	case r < utf8.RuneSelf:
		return other
	case r >= jamo && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return sign
	case unicode.IsUpper(r):
		return large
	case unicode.IsLetter(r):
		return small
	}
	return other
}

// add handles one character: it continues the open word, ends it, or begins a new one.
func (c *cutter) add(r rune) {
	k := kindOf(r)
	switch {
	case k == sign:
		c.end()
		if c.last == sign {
			c.give(hash2(c.glyph, r))
		}
		c.glyph = r
	case k == other:
		if c.size > 0 {
			c.end()
		}
	case k == large && c.last == large && c.startsWord():
		c.end() // "HTTPServer" is "http" and "server"
		c.letter(r)
	case k == large && c.last == small, (k == digit) != (c.last == digit):
		c.end()
		c.letter(r)
	default:
		c.letter(r)
	}
	c.last = k
}

// startsWord reports whether a lower case letter follows the capital letter at c.at: in
// "HTTPServer" the S starts a word, the P does not.
func (c *cutter) startsWord() bool {
	return c.at+1 < len(c.text) && kindOf(rune(c.text[c.at+1])) == small
}

// letter adds a character to the open word, in lower case. A word of more than maxWord bytes
// is skipped.
func (c *cutter) letter(r rune) {
	if c.long = c.long || c.size+utf8.UTFMax > maxWord; c.long {
		return
	}
	switch {
	case 'A' <= r && r <= 'Z':
		r |= 0x20
	case r >= utf8.RuneSelf:
		c.size += utf8.EncodeRune(c.word[c.size:], unicode.ToLower(r))
		return
	}
	c.word[c.size] = byte(r)
	c.size++
}

// end ends the open word and gives its hash, unless it is too long, too short or a stop word.
func (c *cutter) end() {
	w := c.word[:c.size]
	c.size = 0
	switch {
	case c.long:
		c.long = false
	case len(w) < 2, len(w) == 2 && kindOf(rune(w[0])) != digit, stop(string(w)):
	default:
		c.give(hash(stem(w)))
	}
}

// give adds a hash to the results of this step.
func (c *cutter) give(h uint32) {
	c.given[c.gives] = h
	c.gives++
}

// stem removes English endings from a word: "keys" becomes "key", "wiring" and "wire" both
// become "wir". The result need not be a word; it only has to be the same for all forms.
func stem(w []byte) []byte {
	const least = 3 // letters of what is left
	switch w[len(w)-1] {
	case 'g', 's', 'd', 'e', 'y':
	default:
		return w
	}
	for _, ending := range [...]string{"ing", "ies", "ed", "es", "s", "e", "y"} {
		n := len(w) - len(ending)
		if n < least || string(w[n:]) != ending || ending == "s" && w[n-1] == 's' {
			continue
		}
		w = w[:n]
		if n > least && w[n-1] == w[n-2] && ending != "s" && ending != "e" && ending != "y" {
			w = w[:n-1] // "stopping" is "stop"
		}
		break
	}
	return w
}

// hash returns the 32-bit FNV-1a hash of a word.
func hash(w []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range w {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}

// hash2 returns the hash of a word of two characters.
func hash2(a, b rune) uint32 {
	var space [2 * utf8.UTFMax]byte
	return hash(utf8.AppendRune(utf8.AppendRune(space[:0], a), b))
}
