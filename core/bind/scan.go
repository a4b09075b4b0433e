package bind

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// maxScan is how much of an edit's diff is read for words. What an edit serves
// shows in its beginning; a generated file of megabytes adds nothing.
const maxScan = 64 << 10

// maxWord is the longest word that names something.
const maxWord = 64

// folded maps each byte to the one that stands for it in a term: letters to
// small letters, digits, the underscore, the dollar sign and all bytes beyond
// ASCII to themselves, and what separates words to zero.
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

// filter says quickly that a word is no term: most words are none. It is a set of
// bits, as many as keep nearly all of them free: most threads have a few terms,
// and there may be a thread for every file of a folder.
type filter []uint64

const (
	leastFilter = 16   // words of a new filter, which serve 32 terms
	mostFilter  = 1024 // all that the hash can tell apart
	bitsPerTerm = 32
)

func (f filter) add(hash uint32) { f[hash>>6&uint32(len(f)-1)] |= 1 << (hash & 63) }

func (f filter) may(hash uint32) bool { return f[hash>>6&uint32(len(f)-1)]&(1<<(hash&63)) != 0 }

// isFull reports whether that many terms need a longer filter.
func (f filter) isFull(terms int) bool {
	return len(f) < mostFilter && terms*bitsPerTerm > len(f)*64
}

// widen makes the filter longer, and puts all terms in.
func (x *Index) widen() {
	x.filter = make(filter, max(leastFilter, 2*len(x.filter)))
	for term := range x.byTerm { // bits of a set, in any order
		_, hash := fold(term)
		x.filter.add(hash)
	}
}

// step is one step of the hash of a word. Only its low 16 bits are used; the
// multiplication is by an odd number that spreads them.
func step(hash uint32, c byte) uint32 { return (hash ^ uint32(c)) * 0x9e3779b1 >> 3 }

// use says how an edit uses a term.
type use struct {
	term           string
	added, removed int         // how often, in lines of either kind
	beside         topic.Words // what else stands in these lines
}

const (
	// maxBeside is how many of an edit's lines with a term are read for what else they say.
	maxBeside = 64
	// maxLine is how much of such a line is.
	maxLine = 512
)

// usesIn lists the terms that stand in the changed lines of an edit or in the name of its
// file, each once. A file that comes, goes or gets another name changes what its name names.
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
		if lines++; lines <= maxBeside {
			words = topic.Of(line[1:min(len(line), maxLine)])
		}
		for _, u := range found {
			if line[0] == '+' {
				u.added++
			} else {
				u.removed++
			}
			u.beside = u.beside.With(words)
		}
	})
	return all
}

// eachChange calls f with each line that an edit adds or takes away, its sign in front.
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
			before, hash = hash, step(hash, c)
			if i++; i == len(s) {
				break
			}
		}
		word := s[start:i]
		if n := stem(word); n < len(word) {
			word, hash = word[:n], before
		}
		if x.filter.may(hash) && len(word) <= maxWord {
			x.lookUp(word, f)
		}
	}
}

// lookUp calls f with each term of the index that a word stands for, ignoring case.
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

// stem is the length of a word without the one digit of a version that packages
// carry at the end of their name ("mysql2").
func stem(w string) int {
	n := len(w) - 1
	if n >= 3 && isDigit(w[n]) && !isDigit(w[n-1]) && w[n-1] != '_' {
		return n
	}
	return len(w)
}

// fold is the term that a word stands for, and its hash.
func fold(w string) (term string, hash uint32) {
	w = w[:stem(w)]
	low := make([]byte, len(w))
	for i := range low {
		low[i] = folded[w[i]]
		hash = step(hash, low[i])
	}
	return string(low), hash
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
