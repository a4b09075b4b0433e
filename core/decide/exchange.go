package decide

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/decide/reading"
	"github.com/memscribe/memscribe/core/decide/signs"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

// How much of an exchange is read.
const (
	// MaxReply is how many bytes at the beginning of the reply are read.
	MaxReply = 1000
	// maxBefore is how many bytes at the end of the message before are read for n-grams.
	maxBefore = 1500
	// maxSentences is how many sentences of a turn are read for n-grams.
	maxSentences = 60
)

// Asked is what is kept of a turn until the reply to it is known. It has numbers and hashes
// only. Sums are in thousandths of log odds.
type Asked struct {
	base int64 // sum of the turn's words, of the message before, and of the shapes of both
	best int64 // sum of its best sentence
	// hashes of what it names; the lowest bit is set if the message before names it, too
	terms  []uint64
	exact  int      // terms[:exact] are identifiers, numbers and names, the others words
	class  string   // coarse class of the turn; features of the reply are combined with it
	shapes int      // number of the model that weighs shapes; see shapesOf
	heard  struct { // of the reply so far
		known bool
		size  int   // bytes
		sum   int64 // sum of its features, without edits
	}
}

// maxScript is how many bytes of a text are read to find its script.
const maxScript = 64 << 10

// script returns the script of most letters of a text: "latin", "ja", "zh", "ko" or "ru". Few
// letters of another script do not matter: code with two Chinese words is "latin".
func script(s string) string {
	var n [5]int
	for _, c := range s[:min(len(s), maxScript)] {
		switch {
		case c < utf8.RuneSelf:
			if isLetter(byte(c)) {
				n[0]++
			}
		case c >= 0x3040 && c <= 0x30ff:
			n[1] += 2
		case unicode.Is(unicode.Han, c):
			n[2] += 2
		case unicode.Is(unicode.Hangul, c):
			n[3] += 2
		case unicode.Is(unicode.Cyrillic, c):
			n[4]++
		}
	}
	names := [...]string{"latin", "ja", "zh", "ko", "ru"}
	if n[1]*5 > n[2] && n[1] > 2 { // Japanese has Chinese characters, too
		n[1] += n[2]
		n[2] = 0
	}
	best := 0
	for k := range n {
		if n[k]*2 > n[best]*2+n[0]*0 && n[k] > n[best] || best == 0 && n[k] > 4 && n[k]*2 > n[0] {
			best = k
		}
	}
	return names[best]
}

// group returns the group of languages that the turn is in: its script or, for Latin, "en", or
// "eu" if its words show that it is not English.
func (r *turn) group() string {
	name := r.script
	switch {
	case name != "latin":
		return name
	case r.Scan.Foreign():
		return "eu"
	}
	return "en"
}

// shapesOf returns the number of the model that weighs the shapes of a group's exchanges. Groups
// with few labelled turns have a model of their own: little was learnt about their words, so
// shapes count more.
func shapesOf(group string) int {
	switch group {
	case "en", "zh":
		return score.Exchange
	}
	return score.Sparse
}

// isLetter reports whether c is a letter of ASCII.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// bucket returns how many of the cuts are less than n, as a digit: with the cuts 0, 2 and 6,
// the number 0 gives "0", 1 gives "1", 5 gives "2" and 7 gives "3".
func bucket(n int, cuts ...int) string {
	k := 0
	for _, c := range cuts {
		if n > c {
			k++
		}
	}
	return "0123456789"[k : k+1]
}

// bags are the features of an exchange, one bag for each block. The function that fills a bag
// empties it first. Names of features are kept for explanations only ([score.Bag.Named]).
//
// A Judge has one bags and uses it for all exchanges.
type bags struct {
	own, before, reply, shape, sentence, sentenceShape score.Bag
	words, other                                       score.Words
	// the n-grams of sentence i are the features says[i] to says[i+1] of own
	says []int

	// reading and scan are of the text beside the turn that is being read: first the
	// message before it, later the reply.
	reading                 prose.Turn
	beside                  string // that text
	scan                    gate.Scan
	beforeSigns, replySigns *signs.Finder // made when they are first needed
	sets                    [2]score.Set
	exact, rest             []uint64           // scratch of turn.keep
	hashes                  [inPlaces][]uint64 // hashes of feature names, by place
}

// The places that features are about. A place is the prefix of the features' names.
const (
	inTurn = iota
	inAnswer
	inSentence
	inSentenceAnswer
	inBefore
	inReplyFirst
	inReplyNext
	inPlaces
)

// prefixOf returns the prefix of the names of a place's features.
func prefixOf(place int) string {
	return [inPlaces]string{
		inTurn: "ev ", inAnswer: "an ", inSentence: "s ev ", inSentenceAnswer: "s an ",
		inBefore: "before ", inReplyFirst: "reply 0 ", inReplyNext: "reply 1 ",
	}[place]
}

// add adds features of a place to a bag.
func (b *bags) add(to *score.Bag, place int, features []reading.Feature) {
	for _, f := range features {
		b.addOne(to, place, reading.Features, int(f), f.String)
	}
}

// addHits adds the families of hits in a place to a bag.
func (b *bags) addHits(to *score.Bag, place int, hits []gate.Hit) {
	for _, h := range hits {
		b.addOne(to, place, gate.Families, int(h.Family), h.Family.String)
	}
}

// addOne adds feature n of the features that a place can have. The hash of each name is
// computed once in the life of a Judge.
func (b *bags) addOne(to *score.Bag, place, features, n int, name func() string) {
	if b.hashes[place] == nil {
		b.hashes[place] = make([]uint64, features)
	}
	h := &b.hashes[place][n]
	if *h == 0 {
		*h = score.Hash(prefixOf(place), name())
	}
	to.AddHash(*h, func() string { return prefixOf(place) + name() })
}

// read cuts a text beside the turn into sentences. If it is the text that was read last, it is
// not read again: a short reply is often the message before the next turn.
func (b *bags) read(text string) *prose.Turn {
	if b.beside != text {
		b.reading.ReadPlain(text)
		b.other.Read(&b.reading)
		b.beside = text
	}
	return &b.reading
}

// cleared returns set k of two, emptied.
func (b *bags) cleared(k int) *score.Set {
	b.sets[k].Reset()
	return &b.sets[k]
}

// turnFeatures fills the bags own, before and shape.
func (r *turn) turnFeatures(b *bags) {
	b.before.Reset()
	b.shape.Reset()
	r.says(b)
	if n := len(r.Turn.Sentences); n > 0 {
		first, last := r.Turn.Sentences[0], r.Turn.Sentences[n-1]
		b.words.Grams(&b.own, "opens with ", first.First, min(first.First+4, first.Last), 2)
		b.words.Grams(&b.own, "ends on ", last.First, last.Last, 1)
	}
	r.turnShape(b)
	r.beforeFeatures(b)
}

// says fills the bag own with the n-grams of each sentence.
func (r *turn) says(b *bags) {
	b.own.Reset()
	b.words.Read(&r.Turn)
	b.says = append(b.says[:0], 0)
	for _, s := range r.Turn.Sentences[:min(len(r.Turn.Sentences), maxSentences)] {
		b.words.Grams(&b.own, "says ", s.First, s.Last, 3)
		b.words.Stems(&b.own, "says ", s.First, s.Last)
		b.says = append(b.says, b.own.Len())
	}
}

// turnShape adds the shape of the turn: which rules match, how long it is, whether it asks,
// lists and pasted text.
func (r *turn) turnShape(b *bags) {
	sh := &b.shape
	n := len(r.Turn.Sentences)
	asks := 0
	items := 0
	var kinds [8]int
	for i := range r.Turn.Sentences {
		if i < maxSentences {
			b.add(sh, inTurn, r.EvidenceOf(i))
		}
		if r.Ends(r.Turn.Sentences[i]) == '?' || strings.HasSuffix(r.Turn.Sentences[i].In(r.Turn.Text), "？") {
			asks++
		}
		if r.Turn.Sentences[i].Item {
			items++
		}
		if i < maxSentences && r.forbids(i, r.familiesOf(i)) {
			sh.Add("turn forbids")
			sh.Add("turn forbids words ", r.wordsBucket())
			if n == 1 && asks == 0 {
				sh.Add("turn forbids alone")
			}
		}
	}
	if n > 0 {
		b.add(sh, inAnswer, r.Answer())
	}
	for _, t := range r.Turn.Tokens {
		kinds[t.Kind]++
	}
	for k, name := range []string{prose.Number: "num", prose.Code: "code", prose.Path: "path", prose.Link: "link", prose.Quote: "quote"} {
		if name != "" {
			sh.Add("has ", name, " ", bucket(kinds[k], 0, 1, 4))
		}
	}
	sh.Add("turn words ", r.wordsBucket())
	sh.Add("turn sentences ", bucket(n, 0, 1, 2, 5, 12))
	sh.Add("turn asks ", bucket(asks, 0, 1, 3))
	sh.Add("turn items ", bucket(items, 0, 2, 6))
	sh.Add("turn pasted ", bucket(100*r.Turn.Pasted/max(1, len(r.Turn.Text)), 2, 20, 50, 80, 99))
	lang := r.script
	sh.Add("script ", lang)
	sh.Add("script ", lang, " words ", r.wordsBucket())
	if n > 0 {
		last := r.Turn.Sentences[n-1]
		end := "none"
		if r.Ends(last) == '?' || strings.HasSuffix(last.In(r.Turn.Text), "？") {
			end = "asks"
		}
		sh.Add("turn ends ", end)
		sh.Add("turn ends ", end, " words ", r.wordsBucket())
		if r.Command() {
			sh.Add("turn is a command")
		}
	}
}

// wordsBucket returns the bucket of the number of words. In scripts without blanks two
// characters count as a word.
func (r *turn) wordsBucket() string {
	n := 0
	for _, t := range r.Turn.Tokens {
		switch t.Kind {
		case prose.Mark:
		case prose.Glyph:
			n++
		default:
			n += 2
		}
	}
	return bucket(n/2, 1, 3, 6, 12, 20, 40, 90)
}

// ending returns the last bytes of a text, at most so many, beginning with a whole character.
func ending(text string, most int) string {
	if over := len(text) - most; over > 0 {
		for over < len(text) && text[over]&0xc0 == 0x80 {
			over++
		}
		return text[over:]
	}
	return text
}

// beforeFeatures fills the bag before with the n-grams of the message before the turn, and
// adds its shape. For the last two sentences the rules that match count, too. The last one,
// which is mostly a question, counts with bigrams, the others with single words.
func (r *turn) beforeFeatures(b *bags) {
	sh := &b.shape
	size := r.wordsBucket()
	text := strings.TrimSpace(ending(r.Previous(), maxBefore))
	turn := b.read(text)
	if text == "" {
		sh.Add("before nothing")
		sh.Add("before nothing words ", size)
		return
	}
	n := len(turn.Sentences)
	for i, s := range turn.Sentences {
		if i == n-1 {
			b.other.Grams(&b.before, "before ends with: ", s.First, s.Last, 2)
		} else {
			b.other.Grams(&b.before, "before: ", s.First, s.Last, 1)
		}
	}
	r.Rules.ScanTo(&b.scan, turn, func(i int) bool { return i >= n-2 })
	for i := max(0, n-2); i < n; i++ {
		b.addHits(sh, inBefore, b.scan.Of(i))
	}
	cross := func(name, value string) {
		sh.Add(name, value)
		sh.Add(name, value, " words ", size)
	}
	end := ending(text, 400)
	cross("before ends asking ", yes(strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")))
	cross("before asks ", yes(words.Asks(end)))
	cross("before asks a choice ", yes(r.Prev.Choice))
	cross("before proposes ", "0123456789"[r.Prev.Proposal:r.Prev.Proposal+1])
	cross("before lists options ", yes(r.Prev.Numbered))
	sh.Add("before echoed ", yes(r.Prev.Echo))
	sh.Add("before length ", bucket(len(text), 80, 300, 900, 1400))
	sh.Add("before has code ", yes(strings.Contains(text, "```")))
	if b.beforeSigns == nil {
		b.beforeSigns = signs.New(signs.Before())
	}
	given := b.beforeSigns.In(words.Lower(end))
	for i, name := range b.beforeSigns.Names {
		if given>>i&1 != 0 {
			cross("before ", name)
		}
	}
}

// yes returns "yes" or "no", as names of features have it.
func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// sentenceFeatures fills the bags sentence and sentenceShape for sentence i. The n-grams are
// taken from the bag own, so says must have been called.
func (r *turn) sentenceFeatures(b *bags, i int) {
	b.sentence.Reset()
	b.sentenceShape.Reset()
	b.sentence.AddFrom(&b.own, b.says[i], b.says[i+1])
	r.sentenceShape(b, i)
}

// sentenceShape adds the shape of sentence i: which rules match, how long it is, and its
// position in the turn.
func (r *turn) sentenceShape(b *bags, i int) {
	s, sh := r.Turn.Sentences[i], &b.sentenceShape
	b.add(sh, inSentence, r.EvidenceOf(i))
	if i == 0 {
		sh.Add("s first")
		b.add(sh, inSentenceAnswer, r.Answer())
	}
	if i == len(r.Turn.Sentences)-1 {
		sh.Add("s last")
	}
	sh.Add("s words ", bucket(s.Last-s.First, 1, 2, 4, 7, 12, 20, 40))
	sh.Add("s asks ", yes(r.Ends(s) == '?' || strings.HasSuffix(s.In(r.Turn.Text), "？")))
	if r.forbids(i, r.familiesOf(i)) {
		sh.Add("s forbids")
	}
	sh.Add("s of ", bucket(len(r.Turn.Sentences), 1, 2, 5, 12))
}
