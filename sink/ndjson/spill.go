package ndjson

import (
	"errors"
	"os"
	"slices"
	"sort"
)

const (
	// memory is how many bytes of lines a Sorted keeps before it puts them on
	// disk.
	memory = 16 << 20
	// blockSize is how they are kept: in pieces that never move.
	blockSize = 1 << 20
	// readAhead is how much is read from disk at once. Lines mostly leave in the
	// order in which they came.
	readAhead = 256 << 10
)

// spill is an append-only store of bytes: the last of them in memory, the others
// in a temporary file that only its owner can read and that has no name.
//
//	file                        blocks
//	├───────────────────────────┼────┬────┬────┤
//	0                        onDisk           end
type spill struct {
	file   *os.File
	name   string // where the file could not be removed while open
	onDisk int64
	end    int64
	blocks []block

	window   []byte // of the file
	windowAt int64
}

// block is a piece of what is in memory.
type block struct {
	at    int64
	bytes []byte
}

// add appends b and returns where it stands: never across two blocks.
func (s *spill) add(b []byte) (at int64, err error) {
	last := len(s.blocks) - 1
	if last < 0 || len(s.blocks[last].bytes)+len(b) > cap(s.blocks[last].bytes) {
		if s.end-s.onDisk+int64(len(b)) > memory {
			if err := s.write(); err != nil {
				return 0, err
			}
		}
		s.blocks = append(s.blocks, block{at: s.end, bytes: make([]byte, 0, max(blockSize, len(b)))})
		last = len(s.blocks) - 1
	}
	at = s.end
	s.blocks[last].bytes = append(s.blocks[last].bytes, b...)
	s.end += int64(len(b))
	return at, nil
}

func (s *spill) write() error {
	if s.file == nil {
		f, err := os.CreateTemp("", "memscribe-*.ndjson")
		if err != nil {
			return err
		}
		s.file = f
		if os.Remove(f.Name()) != nil {
			s.name = f.Name()
		}
	}
	for _, b := range s.blocks {
		if _, err := s.file.WriteAt(b.bytes, b.at); err != nil {
			return err
		}
	}
	s.blocks = s.blocks[:0]
	s.onDisk = s.end
	return nil
}

// read appends the size bytes at the offset at to dst.
func (s *spill) read(dst []byte, at, size int64) ([]byte, error) {
	if at >= s.onDisk {
		i := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].at > at }) - 1
		from := at - s.blocks[i].at
		return append(dst, s.blocks[i].bytes[from:from+size]...), nil
	}
	if from := at - s.windowAt; from >= 0 && from+size <= int64(len(s.window)) {
		return append(dst, s.window[from:from+size]...), nil
	}
	if size >= readAhead {
		dst = slices.Grow(dst, int(size))[:size]
		_, err := s.file.ReadAt(dst, at)
		return dst, err
	}
	s.window = slices.Grow(s.window[:0], readAhead)[:min(readAhead, s.onDisk-at)]
	s.windowAt = at
	if _, err := s.file.ReadAt(s.window, at); err != nil {
		s.window = s.window[:0]
		return dst, err
	}
	return append(dst, s.window[:size]...), nil
}

func (s *spill) close() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
		if s.name != "" {
			err = errors.Join(err, os.Remove(s.name))
		}
	}
	*s = spill{}
	return err
}
