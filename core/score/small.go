package score

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// smallMark begins the small form of a model, which has the hashes of features instead of
// their names:
//
//	mark | length of head | head: the lines that weigh no feature | number of slots |
//	for each slot, by its hash: what is added to the hash before | 2·weight in the
//	exchange, plus 1 if there is one in the sentence | that weight
//
// Numbers are variable in length; weights are zigzag.
const smallMark = "\x00weights\n"

// Small returns the small form of a model's text. [Parse] makes the same model of both.
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
	used := slices.DeleteFunc(slices.Clone(m.slots), func(s slot) bool { return s.hash == 0 })
	slices.SortFunc(used, func(a, b slot) int { return cmp.Compare(a.hash, b.hash) })
	b := binary.AppendUvarint([]byte(smallMark), uint64(len(head)))
	b = binary.AppendUvarint(append(b, head...), uint64(len(used)))
	last := uint64(0)
	for _, s := range used {
		b, last = binary.AppendUvarint(b, s.hash-last), s.hash
		if first := int64(s.weight[0]) * 2; s.weight[1] == 0 {
			b = binary.AppendVarint(b, first)
		} else {
			b = binary.AppendVarint(binary.AppendVarint(b, first+1), int64(s.weight[1]))
		}
	}
	return b, nil
}

// parseSmall reads what follows the mark of a small form.
func parseSmall(form string) (*Model, error) {
	r := strings.NewReader(form)
	length, err := binary.ReadUvarint(r)
	if err != nil || length > uint64(r.Len()) {
		return nil, errors.New("read small weights: no head")
	}
	at := len(form) - r.Len()
	head := form[at : at+int(length)] //nolint:gosec // it is within the form
	r.Reset(form[at+len(head):])
	n, err := binary.ReadUvarint(r)
	if err != nil || n > maxFeatures {
		return nil, errors.New("read small weights: too many features")
	}
	m := newModel(int(n)) //nolint:gosec // it is bounded
	if err = m.text(head); err != nil {
		return nil, err
	}
	hash := uint64(0)
	for k := range n {
		more, err := binary.ReadUvarint(r)
		if err != nil || more == 0 {
			return nil, fmt.Errorf("read small weights: feature %d has no hash", k+1)
		}
		hash += more
		first, err := binary.ReadVarint(r)
		second := int64(0)
		if err == nil && first&1 != 0 {
			second, err = binary.ReadVarint(r)
		}
		if err != nil {
			return nil, fmt.Errorf("read small weights: feature %d has no weight: %w", k+1, err)
		}
		m.slot(hash).weight = [2]int32{int32(first >> 1), int32(second)} //nolint:gosec // as they were written
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("read small weights: %d bytes after the last feature", r.Len())
	}
	return m, nil
}
