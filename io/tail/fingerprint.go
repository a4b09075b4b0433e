package tail

import (
	"bytes"
	"hash/maphash"
	"io"
)

const (
	blockSize = 16 << 10
	// edgeSize is how many of the last bytes are compared whenever a file has
	// grown.
	edgeSize = 48
	// smallSize is up to where everything is compared whenever a file has grown.
	smallSize = 4 * blockSize
	// checkShare is the part of what is read that may go into reading blocks
	// again: one byte of so many.
	checkShare = 64
)

// fingerprint tells whether the bytes that were taken of a file still stand in
// it. It grows with the file:
//
//	block  block  block  rest
//	├──────┼──────┼──────┼───┤ offset
//	hash   hash   hash   hash
//	                      ╰─ the edge, kept as it is
//
// A file that has grown is looked at where it was left, which costs next to
// nothing and finds a file that was cut and has grown again; one after the other
// its blocks are looked at too, so that a change further up is found in the end.
// A file that was written to and has not grown is compared as a whole.
type fingerprint struct {
	seed   maphash.Seed
	blocks []uint64
	rest   maphash.Hash // of the bytes since the last whole block
	offset int64
	edge   []byte

	credit int64 // bytes that may be read again
	next   int   // block to be looked at
}

// newFingerprint returns the fingerprint of nothing.
func newFingerprint(seed maphash.Seed) *fingerprint {
	p := &fingerprint{seed: seed}
	p.rest.SetSeed(seed)
	return p
}

// add takes in the bytes that follow.
func (p *fingerprint) add(b []byte) {
	p.credit = min(p.credit+int64(len(b))/checkShare, blockSize)
	p.edge = append(p.edge[:0], edgeOf(p.edge, b)...)
	for len(b) > 0 {
		n := min(int64(len(b)), blockSize-p.offset%blockSize)
		p.rest.Write(b[:n])
		p.offset += n
		b = b[n:]
		if p.offset%blockSize == 0 {
			p.blocks = append(p.blocks, p.rest.Sum64())
			p.rest.Reset()
		}
	}
}

// edgeOf is the end of old and b together.
func edgeOf(old, b []byte) []byte {
	if len(b) >= edgeSize {
		return b[len(b)-edgeSize:]
	}
	both := append(append(make([]byte, 0, len(old)+len(b)), old...), b...)
	return both[max(0, len(both)-edgeSize):]
}

// glance reports whether a file that has grown seems to be what it was.
func (p *fingerprint) glance(r io.ReaderAt) (bool, error) {
	if p.offset <= smallSize {
		return p.matches(r)
	}
	var seen [edgeSize]byte
	edge := seen[:len(p.edge)]
	if same, err := readSame(r, p.offset-int64(len(edge)), edge); !same {
		return false, err
	}
	if !bytes.Equal(edge, p.edge) {
		return false, nil
	}
	if p.credit < blockSize {
		return true, nil
	}
	p.credit = 0
	at := p.next
	p.next = (p.next + 1) % len(p.blocks)
	return p.matchesBlock(r, at)
}

// matches reports whether all the bytes are what they were.
func (p *fingerprint) matches(r io.ReaderAt) (bool, error) {
	for i := range p.blocks {
		if same, err := p.matchesBlock(r, i); !same {
			return false, err
		}
	}
	rest := make([]byte, p.offset%blockSize)
	if same, err := readSame(r, p.offset-int64(len(rest)), rest); !same {
		return false, err
	}
	return maphash.Bytes(p.seed, rest) == p.rest.Sum64(), nil
}

// matchesBlock reports whether the ith block of the file still has the recorded
// hash.
func (p *fingerprint) matchesBlock(r io.ReaderAt, i int) (bool, error) {
	var b [blockSize]byte
	if same, err := readSame(r, int64(i)*blockSize, b[:]); !same {
		return false, err
	}
	return maphash.Bytes(p.seed, b[:]) == p.blocks[i], nil
}

// readSame fills b. It reports false where the file has become shorter.
func readSame(r io.ReaderAt, at int64, b []byte) (bool, error) {
	n, err := r.ReadAt(b, at)
	switch {
	case n == len(b):
		return true, nil
	case err == io.EOF:
		return false, nil
	default:
		return false, err
	}
}
