package score

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Unit is the integer for a weight of 1 in log odds.
const Unit = 1000

// Model is the weights of all models and the table of scores. It is immutable.
type Model struct {
	slots []slot // open addressing
	mask  uint32
	known [knownBits / 64]uint64 // by the low bits of a hash: some feature with a weight has them
	// Factors for mixing the sums of the exchange and of its best sentence, and an offset, in
	// units.
	Turn, Sentence, Offset int64
	// Alone is the least sum of another sentence than the best one to be a decision of its own;
	// Joins is the least sum to join the passage of a neighbour.
	Alone, Joins int64

	// Least is the least score of decisions that are sent; First is the same before there is a
	// reply.
	Least, First int64

	bounds []int64 // bounds[k] is the least sum with the score k+1
}

// knownBits is the size of a bit table that fits into the first-level cache. Nine in ten n-grams of
// a text have no weight; the table rejects most of these without a lookup in slots.
const knownBits = 1 << 18

// slot has the weights of a feature in the two models that every turn needs, so that one memory
// access gives both. It is small, since even a program that reads one line has to fill the table.
//
// Sixteen bits of a hash are the index of its slot; 32 others are compared.
type slot struct {
	tag    uint32   // part of the hash; 0 if the slot is free
	weight [2]int16 // in the exchange, in the sentence
}

// tagOf returns the part of a hash that is compared; it is never 0.
func tagOf(hash uint64) uint32 { return max(1, uint32(hash>>32)) }

// keyBits is how many of the highest bits of a hash a model uses.
const keyBits = 48

// home returns the index of the slot at which the search for a hash begins.
func (m *Model) home(hash uint64) uint32 { return uint32(hash>>(64-keyBits)) & m.mask }

// The models in a file. Every turn needs the first two; the others are used more rarely.
const (
	Exchange = iota
	OfOne
	Sparse // of the shapes of exchanges in languages with few labelled turns
	// Models of a sentence that decides: one for each kind, one for whether it outlives its
	// task, and one for whether it forbids.
	Choice
	Rule
	Spec
	Confirm
	Revoke
	Standing
	Ban  // of the words of a sentence that can forbid
	Name // of candidates for options
	models
)

// codes are the letters of the models in a file, by number.
const codes = "esfcrpyvtbn"

// Code returns the letter of a model in a file.
func Code(of int) string { return codes[of : of+1] }

// Entry is a line of a file: a feature with its weight in a model.
type Entry struct {
	Model  int
	Name   string
	Weight int32
}

// maxFeatures is the largest number of features of a model.
const maxFeatures = 1 << 20

// Parse parses a model in the text form that testkit/labels/weigh writes, or in the form of [Small].
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

// text parses the lines of the text form.
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

// feature parses the first line of a text if that is a weight, and returns the rest. It is the fast
// path for nearly all lines; it leaves wrong lines to [Model.line].
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

// maxWeight is the largest absolute weight of a feature.
const maxWeight = math.MaxInt16

// weigh sets a weight. It is an error if another feature has the slot.
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

// line parses a line: the model, the name of the feature, and its weight in thousandths of log odds,
// separated by tabs.
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

// place returns the column and the hash of the slot for a feature of a model. The first two models
// share a slot; features of the others have slots of their own.
func place(of int, hash uint64) (column int, slot uint64) {
	if of <= OfOne {
		return of, hash
	}
	const odd = 0x9e3779b97f4a7c15
	return 0, hash ^ uint64(of)*odd
}

// slot returns the slot of a hash, and takes a free one if there is none.
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

// Weight returns the weight of a feature in a model, or 0.
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

// Value returns the value of a feature that occurs n times, before the division by the length of the
// bag: 256 · (1 + ln n).
func Value(n int) int64 {
	if n == 1 { // nearly all features
		return 256
	}
	table := [...]int64{0, 256, 433, 537, 611, 668, 715, 754, 788, 819, 845, 870, 892, 913, 932, 949, 966}
	return table[min(n, len(table)-1)]
}

// Length returns the length of a bag: the square root of the sum of the squared values.
func Length(counts []Count) int64 {
	var n int64
	for _, c := range counts {
		v := Value(c.N)
		n += v * v
	}
	return max(1, root(n))
}

// Sum returns the sum of a bag in a model. With oneLength it is divided by the length of the bag, so
// that a long text does not count more than a short one.
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
	if b.length == 0 { // several models may weigh one bag
		b.length = Length(counts)
	}
	return sum / b.length
}

// Mix returns the log odds, in units, that a sentence decides, from the sums of its exchange and of
// the sentence.
func (m *Model) Mix(exchange, sentence int64) int64 {
	return (m.Turn*exchange+m.Sentence*sentence)/Unit + m.Offset
}

// Score returns how many of 100 decisions with these log odds are right.
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

// root returns the integer part of a square root.
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
