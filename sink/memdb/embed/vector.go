// Package embed gives memories vectors, by which they are found by what they mean.
//
// A gateway makes the vectors; nothing is sent to one unless the settings name it. A
// vector is stored beside its memory, in the transaction that writes the memory:
//
//	write → scrub, sanitize → vectors, before the transaction → one transaction
//
// Nothing else depends on vectors. A memory without one is found by its words, and its
// vector is filled in later ([Embedder.KeepFilling]).
//
// A search in the mode "hybrid" combines two lists of at most 200 candidates:
//
//	by words     those that have all words, better matches first   (Worded)
//	by vectors   the nearest ones                                  (Nearest)
//	together     reciprocal rank fusion                            (Fuse)
//
// A vector is of the first 8 KiB of a content, has at most 8,192 numbers, and is stored with
// length one, so that the dot product of two vectors is the cosine of the angle between them.
// Vectors of two models are never compared.
//
//	read this      for
//	vector.go      the vectors themselves, their form in a database
//	embedder.go    when the gateway is asked, and what happens if it does not answer
//	fill.go        memories that were written without a vector
//	rank.go        the order of results
//	recent.go      the cache, which is separate for each namespace
//	kept.go        checks of stored vectors
package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Vector is an embedding, of length one.
type Vector []float32

// The limits of vectors.
const (
	MaxDims = 8192    // numbers of a vector
	maxText = 8 << 10 // bytes of a text that a vector is made of
)

// number is how many bytes a number of a stored vector has.
const number = 4

// New returns the vector of length one that has the direction of the given numbers. All zeros,
// infinite numbers and more than MaxDims numbers are an error.
//
//	New([]float64{3, 4}) → 0.6, 0.8
func New(numbers []float64) (Vector, error) {
	if len(numbers) == 0 || len(numbers) > MaxDims {
		return nil, fmt.Errorf("a vector has %d numbers, and not from 1 to %d", len(numbers), MaxDims)
	}
	sum := 0.0
	for _, n := range numbers {
		sum += n * n
	}
	if length := math.Sqrt(sum); length > 0 && !math.IsInf(length, 0) && !math.IsNaN(length) {
		v := make(Vector, len(numbers))
		for i, n := range numbers {
			v[i] = float32(n / length)
		}
		return v, nil
	}
	return nil, errors.New("a vector has no direction")
}

// Bytes returns the vector as a blob: four bytes for each number, in little-endian order.
func (v Vector) Bytes() []byte {
	b := make([]byte, 0, number*len(v))
	for _, n := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n))
	}
	return b
}

// FromBytes returns the vector of a blob, in the memory of place if it has room. It returns nil
// for a blob of another form.
func FromBytes(b []byte, place Vector) Vector {
	if len(b)%number != 0 {
		return nil
	}
	v := place[:0]
	for ; len(b) > 0; b = b[number:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return v
}

// Dot returns how near two vectors are: 1 for the same direction, -1 for the opposite. They
// must have the same number of numbers.
//
// Each product is rounded before it is added. Processors that multiply and add in one step
// would otherwise give another sum, and so another order of results than other machines.
func (v Vector) Dot(w Vector) float32 {
	// Four sums at once: a sum that waits for the one before it takes four times as long.
	var a, b, c, d float32
	w = w[:len(v)]
	i := 0
	for ; i+4 <= len(v); i += 4 {
		a += float32(v[i] * w[i])
		b += float32(v[i+1] * w[i+1])
		c += float32(v[i+2] * w[i+2])
		d += float32(v[i+3] * w[i+3])
	}
	for ; i < len(v); i++ {
		a += float32(v[i] * w[i])
	}
	return a + b + c + d
}

// Hash identifies a text. Texts with the same hash have the same vector.
type Hash [sha256.Size]byte

// HashOf returns the hash of the part of a content from which its vector is made.
func HashOf(content string) Hash { return sha256.Sum256([]byte(Text(content))) }

// Text returns the part of a content from which its vector is made: the first 8 KiB.
func Text(content string) string {
	if len(content) > maxText {
		content = strings.ToValidUTF8(content[:maxText], "")
	}
	return content
}
