package score

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Unit is what a weight of 1 in log odds is as an integer.
const Unit = 1000

// Model weighs the features of an exchange. It never changes once it is read.
type Model struct {
	slots []slot // open addressing
	mask  uint32
	known [knownBits / 64]uint64 // a bit for the end of each hash that has a weight
	// Mixing of what the exchange and what its best sentence weigh, and the bounds
	// of the scores, all in units.
	Turn, Sentence, Offset int64
	// Alone is what a sentence weighs at least, beside the best one, to be a decision of
	// its own; Joins, to be part of its neighbour's.
	Alone, Joins int64

	// Least is the score from which on a decision is sent; First, before there is a reply.
	Least, First int64

	bounds []int64 // bounds[k] is the least sum with the score k+1
}

// knownBits is the size of a table that fits into the fastest memory. Of the n-grams of
// a text nine in ten weigh nothing, and it turns most of these away.
const knownBits = 1 << 18

// slot holds the weights of a feature that both of the models have that every turn needs:
// one look into memory gives them. It is small, since a program that reads one line has to fill
// the table too.
//
// A hash has its place by 16 of its bits and is told from others by 32 more.
type slot struct {
	tag    uint32   // of the hash; 0 is free
	weight [2]int16 // in the exchange, in the sentence
}

// tagOf returns what tells a hash from others, never 0.
func tagOf(hash uint64) uint32 { return max(1, uint32(hash>>32)) }

// keyBits is how many of the highest bits of a hash a model knows.
const keyBits = 48

// home returns the slot of the table at which the search for a hash begins.
func (m *Model) home(hash uint64) uint32 { return uint32(hash>>(64-keyBits)) & m.mask }

// The models of a file: one of the exchange and one of a sentence in it, which every turn
// needs, and those that are asked more rarely.
const (
	Exchange = iota
	OfOne
	Sparse // of the exchange's shapes where words say little, since few were learnt
	// What a sentence decides: one model for each kind, one that tells whether it
	// outlives its task, and one that tells whether it forbids.
	Choice
	Rule
	Spec
	Confirm
	Revoke
	Standing
	Ban  // of the words of a sentence that forbid
	Name // of what a decision may take or leave
	models
)

// codes are how the models are called in a file, by their numbers.
const codes = "esfcrpyvtbn"

// Code returns how a model is called in a file.
func Code(of int) string { return codes[of : of+1] }

// Entry is a line of a model: a feature with its weight.
type Entry struct {
	Model  int
	Name   string
	Weight int32
}

// maxFeatures bounds the features of a model.
const maxFeatures = 1 << 20

// Parse reads a model as testkit/labels/weigh writes it, or as [Small] does.
func Parse(text string) (*Model, error) {
	if form, ok := strings.CutPrefix(text, smallMark); ok {
		return parseSmall(form)
	}
	lines := strings.Count(text, "\n")
	if lines > maxFeatures {
		return nil, errors.New("read weights: too many lines")
	}
	m := newModel(lines)
	if err := m.text(text); err != nil {
		return nil, err
	}
	return m, nil
}

// newModel returns a model with room for so many features.
func newModel(features int) *Model {
	const full = 5 // eighths of the table, at most
	size := 1 << bits.Len(uint(8*features/full+1))
	return &Model{slots: make([]slot, size), mask: uint32(size - 1)}
}

// text reads the lines of a model.
func (m *Model) text(text string) error {
	line := 0
	for text != "" {
		line++
		if rest, ok := m.feature(text); ok {
			text = rest
			continue
		}
		var row string
		row, text, _ = strings.Cut(text, "\n")
		if err := m.line(row); err != nil {
			return fmt.Errorf("read weights: line %d: %w", line, err)
		}
	}
	if m.Turn == 0 || len(m.bounds) == 0 {
		return errors.New("read weights: no mixing or no bounds")
	}
	return nil
}

// feature reads the first line of a text if it weighs a feature, and returns what follows.
// Nearly all lines are read by it, in one pass. It leaves a line that is wrong to [Model.line].
func (m *Model) feature(text string) (rest string, ok bool) {
	if len(text) < 2 || text[1] != '\t' {
		return text, false
	}
	of := strings.IndexByte(codes, text[0])
	hash, i := uint64(fnvOffset), 2
	for ; i < len(text) && text[i] != '\t' && text[i] != '\n'; i++ {
		hash = (hash ^ uint64(text[i])) * fnvPrime
	}
	if of < 0 || i == len(text) || text[i] == '\n' {
		return text, false
	}
	i++
	minus := i < len(text) && text[i] == '-'
	if minus {
		i++
	}
	n, from := 0, i
	for ; i < len(text) && '0' <= text[i] && text[i] <= '9' && n <= maxWeight; i++ {
		n = n*10 + int(text[i]-'0')
	}
	if i == from || i == len(text) || text[i] != '\n' {
		return text, false
	}
	if minus {
		n = -n
	}
	column, hash := place(of, hash)
	if m.weigh(hash, column, n) != nil {
		return text, false
	}
	return text[i+1:], true
}

// maxWeight is what a feature weighs at most, for or against.
const maxWeight = math.MaxInt16

// weigh notes a weight. No other feature may have its place.
func (m *Model) weigh(hash uint64, column, n int) error {
	s := m.slot(hash)
	if s.weight[column] != 0 {
		return errors.New("a feature of the same hash has a weight")
	}
	if n < -maxWeight || n > maxWeight {
		return fmt.Errorf("a weight of %d, beyond %d", n, maxWeight)
	}
	s.weight[column] = int16(n)
	return nil
}

// line reads a line of weights: the model, the name of the feature, and its weight in
// thousandths of log odds, with tabs between.
func (m *Model) line(row string) error {
	what, rest, ok := strings.Cut(row, "\t")
	at := strings.LastIndexByte(rest, '\t')
	if !ok {
		return errors.New("no tab")
	}
	name := ""
	if at >= 0 {
		name, rest = rest[:at], rest[at+1:]
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	if err != nil {
		return fmt.Errorf("read number: %w", err)
	}
	if of := strings.Index(codes, what); of >= 0 && len(what) == 1 {
		column, hash := place(of, Hash(name))
		return m.weigh(hash, column, int(n))
	}
	switch what {
	case "least":
		m.Least = n
	case "first":
		m.First = n
	case "bound":
		m.bounds = append(m.bounds, n)
	case "turn":
		m.Turn = n
	case "sentence":
		m.Sentence = n
	case "offset":
		m.Offset = n
	case "alone":
		m.Alone = n
	case "joins":
		m.Joins = n
	default:
		return fmt.Errorf("unknown kind %q", what)
	}
	return nil
}

// place returns where a model keeps the weight of a hash. The two models that every turn needs
// share the slot of the name; the others have slots of their own.
func place(of int, hash uint64) (column int, slot uint64) {
	if of <= OfOne {
		return of, hash
	}
	const odd = 0x9e3779b97f4a7c15
	return 0, hash ^ uint64(of)*odd
}

// slot returns the place of a hash, which is taken if it was free.
func (m *Model) slot(hash uint64) *slot {
	tag := tagOf(hash)
	m.known[tag%knownBits/64] |= 1 << (tag % 64)
	for k := m.home(hash); ; k = (k + 1) & m.mask {
		if s := &m.slots[k]; s.tag == tag || s.tag == 0 {
			s.tag = tag
			return s
		}
	}
}

// Weight returns what a feature weighs in one of the two models.
func (m *Model) Weight(of int, hash uint64) int64 {
	column, hash := place(of, hash)
	tag := tagOf(hash)
	if m.known[tag%knownBits/64]>>(tag%64)&1 == 0 {
		return 0
	}
	for k := m.home(hash); ; k = (k + 1) & m.mask {
		switch s := &m.slots[k]; s.tag {
		case tag:
			return int64(s.weight[column])
		case 0:
			return 0
		}
	}
}

// Value returns how much a feature counts that stands n times in its bag, before the
// bag is brought to its length: 256 · (1 + ln n).
func Value(n int) int64 {
	if n == 1 { // nearly always
		return 256
	}
	table := [...]int64{0, 256, 433, 537, 611, 668, 715, 754, 788, 819, 845, 870, 892, 913, 932, 949, 966}
	return table[min(n, len(table)-1)]
}

// Length returns the length of a bag: the root of the sum of its squared values.
func Length(counts []Count) int64 {
	var n int64
	for _, c := range counts {
		v := Value(c.N)
		n += v * v
	}
	return max(1, root(n))
}

// Sum returns what a bag weighs. The features of a bag with one length share it, so
// that a long text counts for no more than a short one.
func (m *Model) Sum(of int, b *Bag, oneLength bool) int64 {
	var sum int64
	counts := b.count()
	if !oneLength {
		for _, c := range counts {
			sum += m.Weight(of, c.Hash)
		}
		return sum
	}
	for _, c := range counts {
		sum += m.Weight(of, c.Hash) * Value(c.N)
	}
	if b.length == 0 { // several models weigh one bag
		b.length = Length(counts)
	}
	return sum / b.length
}

// Mix returns the log odds of a decision, in units, of an exchange and a sentence of it.
func (m *Model) Mix(exchange, sentence int64) int64 {
	return (m.Turn*exchange+m.Sentence*sentence)/Unit + m.Offset
}

// Score returns how many of 100 decisions with such a sum are right.
func (m *Model) Score(sum int64) int {
	low, high := 0, len(m.bounds)
	for low < high {
		if mid := (low + high) / 2; m.bounds[mid] <= sum {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// root returns the whole part of a square root.
func root(n int64) int64 {
	if n <= 0 {
		return 0
	}
	x := int64(1) << ((bits.Len64(uint64(n)) + 1) / 2)
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}
