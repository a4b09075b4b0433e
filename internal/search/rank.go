package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a text that was found, with what its rank depends on besides its words. A Weight of 0
// counts as 1.
type Text struct {
	Words  string
	Weight float64 // of its kind; 1 is usual
	Age    float64 // 0 is new, 1 as old as can be
}

// Score is the rank of a text, and where its hits are. Values mean something only beside each
// other, for one query.
type Score struct {
	Value float64
	Hits  []Span // in order, none over another
}

// Span is a range of bytes.
type Span struct{ From, To int }

// The constants of BM25, and how much the rest counts beside it.
const (
	saturation = 1.2  // k1
	length     = 0.75 // b
	begun      = 0.6  // a hit that only begins with the word, to one that is it
	misspelt   = 0.5  // a hit on a word in its place
	adjacent   = 0.5  // for each two words that stand together as they were typed
	newest     = 0.15 // what a new text has before an old one
)

// Rank scores texts for a query by BM25 over the given texts: a word that few of them contain
// counts for more, and one in a long text for less. Words that stand together as they were
// typed, new texts and kinds with a weight count for more.
//
// Scores are in the order of the texts. The result depends on all texts: with another one in
// the list, every score changes.
func (q *Query) Rank(texts []Text) []Score {
	matchers := make([]matcher, len(q.Terms))
	for i := range q.Terms {
		matchers[i] = newMatcher(&q.Terms[i])
	}
	found := make([]found, len(texts))
	in := make([]int, len(matchers)) // how many texts have the term
	total := 0
	for i := range texts {
		found[i] = look(texts[i].Words, matchers)
		total += found[i].tokens
		for t, w := range found[i].weights {
			if w > 0 {
				in[t]++
			}
		}
	}
	average := max(1, float64(total)/float64(max(1, len(texts))))
	scores := make([]Score, len(texts))
	for i := range texts {
		f := &found[i]
		sum := 0.0
		for t, w := range f.weights {
			rarity := math.Log(1 + (float64(len(texts)-in[t])+0.5)/(float64(in[t])+0.5))
			sum += (rarity + 0.1) * w * (saturation + 1) / (w + saturation*(1-length+length*float64(f.tokens)/average))
		}
		sum *= 1 + adjacent*float64(f.together)
		scores[i] = Score{Value: sum * cmp.Or(texts[i].Weight, 1) * (1 + newest*(1-texts[i].Age)), Hits: f.hits}
	}
	return scores
}

// matcher finds one term in a text: its own words first, then corrections of it.
type matcher struct {
	words  []string // of the term, in small letters
	others [][]string
}

// newMatcher returns a matcher for a term and its corrections.
func newMatcher(t *Term) matcher {
	m := matcher{words: Words(t.Text)}
	for _, near := range t.Near {
		m.others = append(m.others, Words(near))
	}
	return m
}

// found is what a text has of the terms: by term the sum of the weights of its hits, all hits,
// the number of words, and how many terms follow the one before as they were typed.
type found struct {
	weights  []float64 // by term
	hits     []Span
	tokens   int
	together int
}

// look compares the words of a text with all terms, at every word.
func look(text string, matchers []matcher) found {
	tokens := Tokens(text)
	f := found{weights: make([]float64, len(matchers)), tokens: len(tokens)}
	ends := make([]int, len(matchers)) // where the last hit of each ended
	for i := range ends {
		ends[i] = -1
	}
	pairs := map[int]bool{}
	for at := range tokens {
		for t := range matchers {
			weight, n := matchers[t].at(tokens[at:])
			if n == 0 {
				continue
			}
			f.weights[t] += weight
			if t > 0 && ends[t-1] == at {
				pairs[t] = true
			}
			ends[t] = at + n
			f.hits = append(f.hits, Span{tokens[at].From, tokens[at+n-1].To})
		}
	}
	f.together = len(pairs)
	f.hits = merged(f.hits)
	return f
}

// at returns how well a term matches the beginning of tokens, 0 if it does not, and how many
// tokens it takes. A correction counts half.
func (m *matcher) at(tokens []Token) (weight float64, n int) {
	if weight, n = begins(tokens, m.words); n > 0 {
		return weight, n
	}
	for _, words := range m.others {
		if weight, n = begins(tokens, words); n > 0 {
			return weight * misspelt, n
		}
	}
	return 0, 0
}

// begins returns how well words match the beginning of tokens, and how many tokens
// that takes. The last word may be incomplete, and a word may be written as a name of
// several parts:
//
//	postgresql   PostgreSQL   1
//	github act   GitHub actions   begun
func begins(tokens []Token, words []string) (weight float64, n int) {
	weight = 1
	for i, word := range words {
		taken, whole := joined(tokens[n:], word)
		if taken == 0 || !whole && i < len(words)-1 {
			return 0, 0
		}
		if n += taken; !whole {
			weight = begun
		}
	}
	return weight, n
}

// joined returns how many adjacent tokens together begin with a word, and whether they are the
// whole word: a name cut into "get", "User", "Name" matches "getusername". 0 if they do not
// match.
func joined(tokens []Token, word string) (n int, whole bool) {
	for n, t := range tokens {
		if n > 0 && tokens[n-1].To != t.From {
			break
		}
		rest, is := strings.CutPrefix(word, t.Word)
		switch {
		case is && rest == "":
			return n + 1, true
		case !is && strings.HasPrefix(t.Word, word):
			return n + 1, false
		case !is:
			return 0, false
		}
		word = rest
	}
	return 0, false
}

// merged are spans in order, those that meet made one.
func merged(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Token is a word of a text: a run of letters and digits, a part of a name like
// getUserName, or a character of a script without spaces.
type Token struct {
	Word string // in small letters
	Span
}

// Words returns the words of a text without their places.
func Words(text string) []string {
	var words []string
	for _, t := range Tokens(text) {
		words = append(words, t.Word)
	}
	return words
}

// Tokens returns the words of a text. A name like getUserName is three, and so is
// get_user_name.
func Tokens(text string) []Token {
	tokens := make([]Token, 0, len(text)/6)
	from, before := -1, rune(0)
	end := func(to int) {
		if from >= 0 {
			tokens = append(tokens, Token{strings.ToLower(text[from:to]), Span{from, to}})
			from = -1
		}
	}
	for at, r := range text {
		switch {
		case !IsWord(r):
			end(at)
		case isApart(r):
			end(at)
			from = at
			end(at + utf8.RuneLen(r))
		default:
			if from >= 0 && splits(text, at, before, r) {
				end(at)
			}
			if from < 0 {
				from = at
			}
		}
		before = r
	}
	end(len(text))
	return tokens
}

// splits reports whether a part of a name begins at a capital letter: behind a small letter
// ("userName"), or as the last of several capitals before a small letter ("HTTPServer").
func splits(text string, at int, before, r rune) bool {
	if !unicode.IsUpper(r) {
		return false
	}
	if !unicode.IsUpper(before) {
		return unicode.IsLower(before)
	}
	next, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):]) // HTTPServer
	return unicode.IsLower(next)
}

// isApart reports whether a character is written without spaces around the word
// that it belongs to.
func isApart(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
