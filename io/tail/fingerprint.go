package tail

import (
	"bytes"
	"hash/maphash"
	"io"
)

const (
	blockSize = 16 << 10
	// tailSize is how many of the last bytes are compared when a file has grown.
	tailSize = 48
	// smallSize is the size up to which everything is compared when a file has grown.
	smallSize = 4 * blockSize
	// checkShare limits reading blocks again to one byte for this many new ones.
	checkShare = 64
)

// fingerprint tells whether a file still begins with the bytes that were read. It grows with
// the file:
//
//	block  block  block  rest
//	├──────┼──────┼──────┼───┤ offset
//	hash   hash   hash   hash
//	                      ╰─ tail, the last bytes
//
// In a file that has grown, the tail is compared, which is cheap and finds a file that was
// truncated and has grown again. One block after the other is compared too, so that earlier
// changes are found in the end. A file that was written and has not grown is compared
// completely.
type fingerprint struct {
	seed   maphash.Seed
	blocks []uint64
	rest   maphash.Hash // of the bytes since the last whole block
	offset int64
	tail   []byte

	credit int64 // bytes that may be read again
	next   int   // next block to be compared
}

// newFingerprint returns the fingerprint of an empty file.
func newFingerprint(seed maphash.Seed) *fingerprint {
	p := &fingerprint{seed: seed}
	p.rest.SetSeed(seed)
	return p
}

// add adds the next bytes.
func (p *fingerprint) add(b []byte) {
	p.credit = min(p.credit+int64(len(b))/checkShare, blockSize)
	p.tail = append(p.tail[:0], tailOf(p.tail, b)...)
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

// tailOf returns the last bytes of old and b together.
func tailOf(old, b []byte) []byte {
	if len(b) >= tailSize {
		return b[len(b)-tailSize:]
	}
	both := append(append(make([]byte, 0, len(old)+len(b)), old...), b...)
	return both[max(0, len(both)-tailSize):]
}

// seemsSame reports whether a file that has grown seems to have the same beginning. It reads
// some tens of bytes, and one block for every MiB that was read since: a change far in
// the beginning is found late, but it is found.
func (p *fingerprint) seemsSame(r io.ReaderAt) (bool, error) {
	if p.offset <= smallSize {
		return p.matches(r)
	}
	var seen [tailSize]byte
	edge := seen[:len(p.tail)]
	if same, err := readSame(r, p.offset-int64(len(edge)), edge); !same {
		return false, err
	}
	if !bytes.Equal(edge, p.tail) {
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

// matches reports whether all bytes are the same. It reads all of them.
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

// matchesBlock reports whether the ith block still has the recorded hash.
func (p *fingerprint) matchesBlock(r io.ReaderAt, i int) (bool, error) {
	var b [blockSize]byte
	if same, err := readSame(r, int64(i)*blockSize, b[:]); !same {
		return false, err
	}
	return maphash.Bytes(p.seed, b[:]) == p.blocks[i], nil
}

// readSame fills b from a file. It reports false if the file is too short.
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
