// Package looks judges a value by its form: random, written by a person, or a
// placeholder.
//
// [Inspect] takes a value apart once, and everything else asks what it found. A run of
// letters and digits counts as drawn if its changes of case, its digits and the pairs of
// its letters are not those of words:
//
//	value                Random   judged
//	development             0     words
//	hunter2                 0     a word with a number; a dummy, too
//	Harlow2468              0     chosen by rules: a password only where one is promised
//	xqzvkjwq                8     letters that no language joins
//	sk_live_4eC39HqL…      24     of 32: the runs "sk" and "live" are words
//	9f86d081884c7d65…      32     drawn, and Hex: a digest, unless its name says more
//
// Package names judges the name beside a value, package assign both together.
package looks

import (
	"math"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
)

// Makeup says what a value consists of. Letters, Digits and Others count its bytes; bytes
// beyond ASCII are Others.
type Makeup struct {
	Letters, Digits, Others int
	Upper, Lower            bool
	Random                  int // bytes in parts that no one writes by hand
	distinct                int // different bytes
	Hex                     bool
	UUID                    bool
	Space                   bool
	Thorns                  int // signs that names and paths do not have
}

// Inspect takes a value apart. It takes a few nanoseconds a byte and allocates nothing.
func Inspect(v []byte) Makeup {
	var m Makeup
	var seen byteSet
	m.Hex = true
	for i := 0; i < len(v); {
		if !ascii.IsAlnum(v[i]) {
			m.Others++
			m.Space = m.Space || v[i] == ' ' || v[i] == '\t'
			m.Hex = false
			if isThorn(v[i]) {
				m.Thorns++
			}
			seen.mark(v[i], &m.distinct)
			i++
			continue
		}
		from := i
		for i < len(v) && ascii.IsAlnum(v[i]) {
			if ascii.IsDigit(v[i]) {
				m.Digits++
			} else {
				m.Letters++
				m.Upper, m.Lower = m.Upper || ascii.IsUpper(v[i]), m.Lower || ascii.IsLower(v[i])
				m.Hex = m.Hex && ascii.HexValue(v[i]) >= 0
			}
			seen.mark(v[i], &m.distinct)
			i++
		}
		if randomPart(v[from:i]) {
			m.Random += i - from
		}
	}
	m.Hex = m.Hex && m.Digits > 0 && m.Letters > 0
	m.UUID = isUUID(v)
	return m
}

// isThorn reports whether b is punctuation that people do not write inside words.
func isThorn(b byte) bool {
	switch b {
	case '!', '@', '#', '$', '%', '^', '&', '*', '+', '=', '~', '?', '<', '>', '|', ';', '`', '\'':
		return true
	}
	return false
}

// IsThorny reports whether a value is full of signs, as the keys that web
// frameworks generate are, or of every kind of character, as those of password
// generators are.
func (m Makeup) IsThorny() bool {
	if m.Space {
		return false
	}
	return m.Thorns >= 5 && m.Letters+m.Digits >= 10 && m.distinct >= 16 ||
		m.Thorns > 1 && m.Upper && m.Lower && m.Digits > 0 && m.Letters+m.Digits >= 8 && m.distinct >= 9
}

// byteSet is a set of bytes.
type byteSet [4]uint64

// mark adds a byte, and counts it in n if it is new.
func (s *byteSet) mark(b byte, n *int) {
	if bit := uint64(1) << (b & 63); s[b>>6]&bit == 0 {
		s[b>>6] |= bit
		*n++
	}
}

// IsRandom reports whether a value looks as if a machine had drawn it: at least so many of its
// letters and digits are in drawn runs, and at least half of them.
func (m Makeup) IsRandom(atLeast int) bool {
	return m.Random >= atLeast && 2*m.Random >= m.Letters+m.Digits
}

// DrawnHead is the length of what a value begins with up to a bracket, if that cannot be the name
// of a function, a variable or a folder; else 0. What follows was glued to it: the head of
// Xq7RkT2vLw9ZpB4nMc(staging) is 18 bytes, that of getPasswordFromVault(x) none.
func DrawnHead(v []byte) int {
	n, name := 0, -1 // up to the first bracket; up to the first sign that parts names
	for ; n < len(v) && v[n] != '(' && v[n] != '[' && v[n] != '{'; n++ {
		if name < 0 && !ascii.IsWord(v[n]) && v[n] != '-' {
			name = n
		}
	}
	if name < 0 {
		name = n
	}
	if name < stretch {
		return 0
	}
	if m := Inspect(v[:name]); m.Random < stretch || m.Hex || m.UUID || !hasNoWords(v[:name]) {
		return 0
	}
	return n
}

const (
	stretch   = 16 // bytes of a name that hardly ever are without a word
	byChance  = 4  // letters of them that look like a word in drawn ones
	shortWord = 3
)

// hasNoWords reports whether some stretch of a value has no words, as capitals and digits divide them.
func hasNoWords(v []byte) bool {
	var inWord [stretch]bool // of the last bytes
	words := 0
	for i := 0; i < len(v); {
		from := i
		for i++; i < len(v) && !beginsPart(v, i); i++ {
		}
		is := false
		if i-from >= shortWord && ascii.IsLetter(v[from]) {
			cost, pairs := pairCosts(v[from:i])
			is = 10*cost <= 38*pairs
		}
		for at := from; at < i; at++ {
			if inWord[at%stretch] {
				words--
			}
			if inWord[at%stretch] = is; is {
				words++
			}
			if at >= stretch-1 && words <= byChance {
				return true
			}
		}
	}
	return false
}

// beginsPart reports whether another part begins at an offset, which is not the first.
func beginsPart(v []byte, i int) bool {
	a, b := v[i-1], v[i]
	switch {
	case ascii.IsUpper(b):
		return !ascii.IsUpper(a) || i+1 < len(v) && ascii.IsLower(v[i+1])
	case ascii.IsLower(b):
		return !ascii.IsLetter(a)
	}
	return ascii.IsDigit(b) != ascii.IsDigit(a) || ascii.IsLetter(a)
}

// randomPart reports whether a run of letters and digits was more likely drawn than written. It
// weighs how often letters and digits change, and how many of the letters form words:
//
//	handler2            a word with a number: no
//	x9Qk2vLp7           digits between letters, no words: yes
//	TestUserLogin42x7   three changes, but mostly words: no
func randomPart(p []byte) bool {
	digits, changes, words := 0, 0, 0 // changes between letters and digits; letters in words
	for i := 0; i < len(p); {
		from := i
		for i < len(p) && ascii.IsDigit(p[i]) == ascii.IsDigit(p[from]) {
			i++
		}
		if from > 0 {
			changes++
		}
		if ascii.IsDigit(p[from]) {
			digits += i - from
		} else if isWordLike(p[from:i]) {
			words += i - from
		}
	}
	switch letters := len(p) - digits; {
	case letters == 0 || len(p) < 5:
		return false
	case digits == 0:
		return Unspeakable(p)
	case words > 0 && 5*words >= 3*letters && changes <= 4 && letters > digits:
		return changes >= 3 && len(p) >= stretch && hasNoWords(p[:stretch]) // a word is glued to it
	case changes == 1 && letters <= 12 && digits <= 4:
		// A word with a number behind it, or an abbreviation.
		return !ascii.IsDigit(p[0]) && Unspeakable(p[:letters])
	}
	return changes >= 3 || changes == 2 && len(p) >= 8 || len(p) >= 16
}

// Unspeakable reports whether six letters or more do not form words: neither in the case in
// which they stand nor in the sequences in which letters follow each other.
func Unspeakable(p []byte) bool {
	if len(p) < 6 {
		return false
	}
	if isChopped(p) {
		return true
	}
	cost, pairs := pairCosts(p)
	limit := 46 // tenths
	if len(p) >= 12 {
		limit = 42
	}
	return pairs > 0 && 10*cost > limit*pairs
}

// isWordLike reports whether letters look like a word, or a few.
func isWordLike(p []byte) bool {
	if len(p) < 4 || isChopped(p) {
		return false
	}
	cost, pairs := pairCosts(p)
	return 10*cost <= 38*pairs
}

// shortWords are words of two letters that names are made of.
const shortWords = "of or to in is by on at no if up id do go as an be it my we us me so os ok ui io ip vm db js ts"

// isChopped reports whether letters change their case more often than in any identifier: half of
// the words that capitals begin have one or two letters, and are none.
func isChopped(p []byte) bool {
	words, short := 0, 0
	for i := 0; i < len(p); {
		from := i
		for i++; i < len(p) && (!ascii.IsUpper(p[i]) || ascii.IsUpper(p[i-1]) && (i+1 == len(p) || ascii.IsUpper(p[i+1]))); i++ {
		}
		if words++; i-from <= 2 && !IsOneOf(p[from:i], shortWords) {
			short++
		}
	}
	return words >= 3 && 2*short >= words
}

// pairCosts adds up the costs of the pairs of letters that camel case does not
// part, and counts the pairs. The mean cost of drawn letters is near 6, of words below 3.
func pairCosts(p []byte) (cost, pairs int) {
	for i := 1; i < len(p); i++ {
		if a, b := p[i-1], p[i]; a < 'a' || b > 'Z' {
			cost += int(pairCost[int(a|0x20-'a')*26+int(b|0x20-'a')] - '0')
			pairs++
		}
	}
	return cost, pairs
}

// pairCost tells for each pair of letters, from "aa" to "zz", how rarely the
// second follows the first in the words that transcripts consist of: 0 is the
// rule, 9 next to never. Drawn letters average 5.9, words 2.6.
const pairCost = "" +
	"643476594962429492315679592444259937817938934728997926472792493489189462499969" +
	"365406691995883994484899694632556989944285712485647925552289199379289464499859" +
	"377917432894533782473989791797099929976728946449995956344549999441259533949796" +
	"257519964699772696172967974694065818966565992559695728851799197289279945469939" +
	"147618992997483299575899793933351949669648982165998956449659686331449244354899" +
	"299628843992882392434999693769779539946997677706697628551769295656279534567959" +
	"494918932965774488313979693958189319967938933549894944454659499332739222999899" +
	"277909791999994798788998991976269327856328933689769947362684368666618561878579" +
	"4556366937633331962399466427750949275575399949765774"

// isUUID reports whether v has the form of a UUID.
func isUUID(v []byte) bool {
	if len(v) != 36 {
		return false
	}
	for i, c := range v {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if ascii.HexValue(c) < 0 {
			return false
		}
	}
	return true
}

// Entropy is Shannon's, in bits per byte.
func Entropy(v []byte) float64 {
	var n [256]int
	for _, c := range v {
		n[c]++
	}
	e := 0.0
	for _, k := range n {
		if k > 0 {
			p := float64(k) / float64(len(v))
			e -= p * math.Log2(p)
		}
	}
	return e
}
