package score

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// smallMark begins the small form of a model, which has hashes of features instead of names:
//
//	mark | length of head | head: the lines that weigh no feature | number of slots |
//	for each slot, by its key: what is added to the key before | 2·weight in the
//	exchange, plus 1 if there is one in the sentence | that weight
//
// A key is the highest 48 bits of a hash. Numbers are variable in length; weights are zigzag.
const smallMark = "\x00weights\n"

// Small returns the small form of a model in text form. [Parse] returns the same model for both.
func Small(text string) ([]byte, error) {
	m, err := Parse(text)
	if err != nil {
		return nil, err
	}
	var head []byte
	for row := range strings.Lines(text) {
		if what, _, _ := strings.Cut(row, "\t"); len(what) > 1 {
			head = append(head, row...)
		}
	}
	var keys []uint64
	weights := map[uint64][2]int16{}
	for row := range strings.Lines(text) {
		what, rest, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if len(what) > 1 {
			continue
		}
		_, hash := place(strings.Index(codes, what), Hash(rest[:strings.LastIndexByte(rest, '\t')]))
		key := hash >> (64 - keyBits)
		if _, ok := weights[key]; !ok {
			keys = append(keys, key)
		}
		weights[key] = m.slot(hash).weight
	}
	slices.Sort(keys)
	b := binary.AppendUvarint([]byte(smallMark), uint64(len(head)))
	b = binary.AppendUvarint(append(b, head...), uint64(len(keys)))
	last := uint64(0)
	for _, key := range keys {
		b, last = binary.AppendUvarint(b, key-last), key
		w := weights[key]
		if first := int64(w[0]) * 2; w[1] == 0 {
			b = binary.AppendVarint(b, first)
		} else {
			b = binary.AppendVarint(binary.AppendVarint(b, first+1), int64(w[1]))
		}
	}
	return b, nil
}

// parseSmall parses a small form without its mark.
func parseSmall(form string) (*Model, error) {
	r := numbers{rest: form}
	length := r.next()
	if r.failed || length > uint64(len(r.rest)) {
		return nil, errors.New("read small weights: no head")
	}
	head := r.rest[:length]
	r.rest = r.rest[length:]
	n := r.next()
	if r.failed || n > maxFeatures {
		return nil, errors.New("read small weights: too many features")
	}
	m := newModel(int(n)) //nolint:gosec // it is bounded
	if err := m.text(head); err != nil {
		return nil, err
	}
	key := uint64(0)
	for k := range n {
		more := r.next()
		if r.failed || more == 0 {
			return nil, fmt.Errorf("read small weights: feature %d has no hash", k+1)
		}
		key += more
		first, second := r.signed(), int64(0)
		if first&1 != 0 {
			second = r.signed()
		}
		if r.failed {
			return nil, fmt.Errorf("read small weights: feature %d has no weight", k+1)
		}
		m.slot(key << (64 - keyBits)).weight = [2]int16{int16(first >> 1), int16(second)} //nolint:gosec // as they were written
	}
	if r.rest != "" {
		return nil, fmt.Errorf("read small weights: %d bytes after the last feature", len(r.rest))
	}
	return m, nil
}

// numbers reads varints of package binary, one after the other.
type numbers struct {
	rest   string
	failed bool // the bytes ended within a number
}

// next reads a varint. If the bytes end within it, it sets failed.
func (r *numbers) next() uint64 {
	n, shift := uint64(0), 0
	for i := 0; i < len(r.rest) && i < binary.MaxVarintLen64; i++ {
		c := r.rest[i]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
		shift += 7
	}
	r.failed = true
	return 0
}

// signed is next for a number that may be negative.
func (r *numbers) signed() int64 {
	n := r.next()
	return int64(n>>1) ^ -int64(n&1) //nolint:gosec // zigzag
}
