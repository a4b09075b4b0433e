// Package tokens is the form in which a database holds the rows of its table usage a second
// time, many in one, in the table spent. Reading a million rows of eleven columns takes
// seconds; of these, a tenth of one.
//
// sink/sqlite keeps spent as usage is, in the same transaction, and internal/nodedb/lists
// reads it. The rows of a talk are in one or several parts of it, in any order:
//
//	id        16 bytes
//	flags     1 byte
//	model     its length and its bytes, unless it is that of the row before
//	response  8 bytes of a hash of the provider's id, if there is one
//	ms        if it is known
//	counts    input, output, reasoning, cache read, cache creation, and that for an hour
package tokens

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
)

// IDSize is the size of a row's id in bytes.
const IDSize = 16

// Row is a row of usage without its talk.
type Row struct {
	ID       [IDSize]byte
	Model    []byte // of the part that it was read from
	Response uint64 // 0 is none
	Fast     bool
	Timed    bool // Ms is known
	Ms       int64

	Input, Output, Reasoning, CacheRead, CacheCreation, CacheCreation1h int64
}

// The flags of a row, a bit each.
const (
	fast = 1 << iota
	timed
	answered  // there is a response
	sameModel // as the row before
)

// Response is what a row has of the provider's id of a response.
func Response[T string | []byte](id T) uint64 {
	if len(id) == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	return max(h.Sum64(), 1)
}

// Append adds a row to a part. last is the model of the row before it, if that is known and not
// ""; a row whose model is "" always says so.
func Append(part []byte, r *Row, last string) []byte {
	var flags byte
	for i, set := range [...]bool{r.Fast, r.Timed, r.Response != 0, last != "" && string(r.Model) == last} {
		if set {
			flags |= 1 << i
		}
	}
	part = append(append(part, r.ID[:]...), flags)
	if flags&sameModel == 0 {
		part = append(binary.AppendUvarint(part, uint64(len(r.Model))), r.Model...)
	}
	if flags&answered != 0 {
		part = binary.BigEndian.AppendUint64(part, r.Response)
	}
	if flags&timed != 0 {
		part = binary.AppendVarint(part, r.Ms)
	}
	for _, n := range r.counts() {
		part = binary.AppendVarint(part, *n)
	}
	return part
}

// counts are the counts of a row in their order.
func (r *Row) counts() [6]*int64 {
	return [...]*int64{&r.Input, &r.Output, &r.Reasoning, &r.CacheRead, &r.CacheCreation, &r.CacheCreation1h}
}

// ErrDamaged is the error of a part that cannot be read.
var ErrDamaged = errors.New("a row of the table spent is damaged")

// Read calls do for each row of a part. The row is valid during the call.
func Read(part []byte, do func(*Row)) error {
	var r Row
	for len(part) > 0 {
		var err error
		if part, err = r.read(part); err != nil {
			return err
		}
		do(&r)
	}
	return nil
}

// read reads a row and returns what is behind it.
func (r *Row) read(part []byte) ([]byte, error) {
	if len(part) <= IDSize {
		return nil, ErrDamaged
	}
	copy(r.ID[:], part)
	flags := part[IDSize]
	part = part[IDSize+1:]
	if flags&sameModel == 0 {
		size, n := binary.Uvarint(part)
		if n <= 0 || size > uint64(len(part)-n) {
			return nil, ErrDamaged
		}
		r.Model, part = part[n:n+int(size)], part[n+int(size):]
	}
	r.Response, r.Ms = 0, 0
	if flags&answered != 0 {
		if len(part) < 8 {
			return nil, ErrDamaged
		}
		r.Response, part = binary.BigEndian.Uint64(part), part[8:]
	}
	r.Fast, r.Timed = flags&fast != 0, flags&timed != 0
	if r.Timed {
		n := 0
		if r.Ms, n = binary.Varint(part); n <= 0 {
			return nil, ErrDamaged
		}
		part = part[n:]
	}
	for _, count := range r.counts() {
		var n int
		if *count, n = binary.Varint(part); n <= 0 {
			return nil, ErrDamaged
		}
		part = part[n:]
	}
	return part, nil
}
