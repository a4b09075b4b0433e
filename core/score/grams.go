package score

import (
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/prose"
)

// Words are the tokens of a text in the form for n-grams: words in lower case, and one placeholder
// for all numbers, one for all paths, and so on for links, quotes and identifiers. The zero Words is
// ready.
//
//	Use Redis 7 in cache.go   →   use redis <num> in <code>
type Words struct {
	buf  []byte // the words, one after the other
	ends []int  // the ends of the words in buf
}

// Read sets the words to those of a text.
func (w *Words) Read(t *prose.Turn) {
	w.buf, w.ends = w.buf[:0], w.ends[:0]
	for _, tok := range t.Tokens {
		switch tok.Kind {
		case prose.Number:
			w.buf = append(w.buf, "<num>"...)
		case prose.Code:
			w.buf = append(w.buf, "<code>"...)
		case prose.Path:
			w.buf = append(w.buf, "<path>"...)
		case prose.Link:
			w.buf = append(w.buf, "<link>"...)
		case prose.Quote:
			w.buf = append(w.buf, "<quote>"...)
		case prose.Word, prose.Glyph, prose.Mark:
			w.lower(tok.In(t.Text))
		}
		w.ends = append(w.ends, len(w.buf))
	}
}

// maxWord is how many bytes of a word are used.
const maxWord = 48

// lower appends a word in lower case, at most maxWord bytes of it.
func (w *Words) lower(s string) {
	if len(s) > maxWord {
		s = s[:maxWord]
	}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			w.buf = append(w.buf, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '’' {
			w.buf = append(w.buf, '\'')
		} else {
			w.buf = utf8.AppendRune(w.buf, unicode.ToLower(r))
		}
		i += n
	}
}

// at returns word k. Before the first and after the last word of the sentence it returns marks.
func (w *Words) at(k int) []byte {
	from := 0
	if k > 0 {
		from = w.ends[k-1]
	}
	return w.buf[from:w.ends[k]]
}

// Grams adds the n-grams of words[first:last] with up to most words to a bag. The beginning and the
// end of the sentence count as words.
func (w *Words) Grams(b *Bag, prefix string, first, last, most int) {
	hash := Hash(prefix)
	for i := first - 1; i <= last; i++ {
		b.begin(prefix, hash)
		for k := i; k < i+most && k <= last; k++ {
			if k > i {
				b.sign(' ')
			}
			switch {
			case k < first:
				b.sign('^')
			case k == last:
				b.sign('$')
			default:
				b.extend(w.at(k))
			}
			b.put()
		}
	}
}

// Stems adds the beginnings of words, which the forms of a word have in common, and pieces of words
// in scripts in which words are joined.
func (w *Words) Stems(b *Bag, prefix string, first, last int) {
	const stem = 5
	hash := Hash(prefix)
	for k := first; k < last; k++ {
		word := w.at(k)
		if len(word) < stem || word[0] == '<' {
			continue
		}
		r, _ := utf8.DecodeRune(word)
		if unicode.Is(unicode.Hangul, r) {
			w.pieces(b, prefix, word)
			continue
		}
		end, n := 0, 0
		for end < len(word) && n < stem {
			_, size := utf8.DecodeRune(word[end:])
			end += size
			n++
		}
		if end < len(word) {
			b.begin(prefix, hash)
			b.extend(word[:end])
			b.sign('*')
			b.put()
		}
	}
}

// pieces adds the runs of two and three characters of a word, with its ends marked.
func (w *Words) pieces(b *Bag, prefix string, word []byte) {
	var at [maxWord + 3]int
	n := 0
	for i := 0; i < len(word); n++ {
		at[n] = i
		_, size := utf8.DecodeRune(word[i:])
		i += size
	}
	at[n] = len(word)
	hash := Hash(prefix)
	for i := 0; i < n; i++ {
		for l := 1; l <= 3 && i+l <= n; l++ {
			b.begin(prefix, hash)
			b.extend(word[at[i]:at[i+l]])
			b.sign('~')
			if i+l == n {
				b.sign('$')
			}
			b.put()
		}
	}
}
