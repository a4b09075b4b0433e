package bind

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// maxScan is how many bytes of a diff are read. The beginning shows what an edit is for.
const maxScan = 64 << 10

// maxWord is the length of the longest term.
const maxWord = 64

// folded maps each byte to its form in a term: letters to lower case; digits, underscore,
// dollar sign and bytes beyond ASCII to themselves; separators of words to zero.
const folded = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x24\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x00\x00\x00\x00\x00\x00\x00\x61\x62\x63\x64\x65\x66\x67" +
	"\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7a\x00\x00\x00\x00\x5f" +
	"\x00\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f\x70\x71\x72\x73\x74\x75\x76\x77" +
	"\x78\x79\x7a\x00\x00\x00\x00\x00\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f" +
	"\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7" +
	"\xa8\xa9\xaa\xab\xac\xad\xae\xaf\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf" +
	"\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xd5\xd6\xd7" +
	"\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf\xe0\xe1\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xee\xef" +
	"\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff"

// filter quickly rejects words that are not terms, which are most. It is a set of bits, one for
// the hash of each term, with 32 bits per term, so that about 3 % of other words pass. It
// starts small, because a capture may have thousands of threads with a few terms each.
type filter []uint64

const (
	leastFilter = 16   // 64-bit words of a new filter, enough for 32 terms
	mostFilter  = 1024 // all that the 16-bit hash can address
	bitsPerTerm = 32
)

// add notes a hash. len(f) is a power of two: the upper bits choose a word of it, the lowest
// six a bit of the word.
func (f filter) add(hash uint32) { f[hash>>6&uint32(len(f)-1)] |= 1 << (hash & 63) }

// mayContain reports whether a hash may have been added. It is never wrong about one that was.
func (f filter) mayContain(hash uint32) bool { return f[hash>>6&uint32(len(f)-1)]&(1<<(hash&63)) != 0 }

// isFull reports whether a number of terms needs a longer filter.
func (f filter) isFull(terms int) bool {
	return len(f) < mostFilter && terms*bitsPerTerm > len(f)*64
}

// growFilter doubles the filter and adds all terms.
func (x *Index) growFilter() {
	x.filter = make(filter, max(leastFilter, 2*len(x.filter)))
	for term := range x.byTerm { // bits of a set, in any order
		_, hash := fold(term)
		x.filter.add(hash)
	}
}

// hashStep adds a byte to the hash of a word, of which only the low 16 bits are used.
func hashStep(hash uint32, c byte) uint32 { return (hash ^ uint32(c)) * 0x9e3779b1 >> 3 }

// use counts the uses of a term in an edit.
type use struct {
	term           string
	added, removed int         // occurrences in added and removed lines
	context        topic.Words // other words in these lines
}

const (
	// maxContextLines is how many lines with a term are read for use.context.
	maxContextLines = 64
	// maxLine is how many bytes of such a line are read.
	maxLine = 512
)

// usesIn returns the uses of terms in the changed lines of an edit and in the name of its
// file. A file that is created, deleted or renamed counts as a change of its name.
func (x *Index) usesIn(e *segment.Edit) (all []*use) {
	of := map[string]*use{}
	in := func(text string) (found []*use) {
		x.termsIn(text, func(term string) {
			u := of[term]
			if u == nil {
				u = &use{term: term}
				of[term], all = u, append(all, u)
			}
			found = append(found, u)
		})
		return found
	}
	for _, u := range in(base(e.Diff.Path)) {
		if e.Diff.Change != core.Modify {
			u.added++
		}
	}
	lines := 0
	eachChange(e, func(line string) {
		found := in(line[1:])
		if len(found) == 0 {
			return
		}
		var words topic.Words
		if lines++; lines <= maxContextLines {
			words = topic.Of(line[1:min(len(line), maxLine)])
		}
		for _, u := range found {
			if line[0] == '+' {
				u.added++
			} else {
				u.removed++
			}
			u.context = u.context.With(words)
		}
	})
	return all
}

// eachChange calls f with each added or removed line of an edit, with its sign.
func eachChange(e *segment.Edit, f func(line string)) {
	text := e.Diff.Unified[:min(len(e.Diff.Unified), maxScan)]
	for len(text) > 0 {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		if line := text[:end]; isChange(line) {
			f(line)
		}
		text = text[end:]
	}
}

// isChange reports whether a line of a diff adds or removes something.
func isChange(line string) bool {
	switch line[0] {
	case '+':
		return !strings.HasPrefix(line, "+++ ")
	case '-':
		return !strings.HasPrefix(line, "--- ")
	}
	return false
}

// termsIn calls f with each word of s that is a term.
func (x *Index) termsIn(s string, f func(term string)) {
	for i := 0; i < len(s); i++ {
		c := folded[s[i]]
		if c == 0 {
			continue
		}
		start, hash, before := i, uint32(0), uint32(0)
		for ; c != 0; c = folded[s[i]] {
			before, hash = hash, hashStep(hash, c)
			if i++; i == len(s) {
				break
			}
		}
		word := s[start:i]
		if n := stem(word); n < len(word) {
			word, hash = word[:n], before
		}
		if x.filter.mayContain(hash) && len(word) <= maxWord {
			x.lookUp(word, f)
		}
	}
}

// lookUp calls f with the term of the index that equals a word, ignoring case.
func (x *Index) lookUp(word string, f func(term string)) {
	var space [maxWord]byte
	low := space[:len(word)]
	for i := range word {
		low[i] = folded[word[i]]
	}
	if _, ok := x.byTerm[string(low)]; ok {
		f(string(low))
	}
}

// stem returns the length of a word without a final version digit, as in "mysql2".
func stem(w string) int {
	n := len(w) - 1
	if n >= 3 && isDigit(w[n]) && !isDigit(w[n-1]) && w[n-1] != '_' {
		return n
	}
	return len(w)
}

// fold returns the term of a word, and its hash.
func fold(w string) (term string, hash uint32) {
	w = w[:stem(w)]
	low := make([]byte, len(w))
	for i := range low {
		low[i] = folded[w[i]]
		hash = hashStep(hash, low[i])
	}
	return string(low), hash
}

// isDigit reports whether b is a decimal digit.
func isDigit(b byte) bool { return '0' <= b && b <= '9' }
