package ndjson

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

const (
	// memory is how many bytes of lines a Sorted keeps before it writes them to disk.
	memory = 24 << 20
	// onceOnDisk is how many bytes it keeps from then on, for large writes.
	onceOnDisk = 4 << 20
	// leastAhead is how many bytes are read from disk at a time. While lines are read in the
	// order in which they were added, it doubles up to mostAhead.
	leastAhead = 8 << 10
	mostAhead  = 256 << 10
)

// spill is an append-only store of bytes. The latest are in memory, the others in a temporary file
// without a name that only its owner can read.
//
//	file                        held
//	├───────────────────────────┼──────────────┤
//	0                        onDisk           end
//
// A place is the number of bytes that were added before. Bytes below onDisk are read from the file
// through a window, which grows while lines are read in order.
type spill struct {
	file   *os.File
	name   string // of the file, if it could not be removed while it is open
	onDisk int64
	end    int64
	held   []byte // in the memory of reserve
	room   int    // size of that memory

	window   []byte // of the file
	windowAt int64
	ahead    int64 // bytes of the last read
}

// add appends a line with its end and returns its place.
func (s *spill) add(line []byte) (at int64, err error) {
	if s.held == nil {
		if err = s.reserve(memory); err != nil {
			return 0, err
		}
	}
	size := len(line) + 1
	if len(s.held)+size > s.room {
		if err = s.empty(); err != nil {
			return 0, err
		}
	}
	at = s.end
	s.end += int64(size)
	if size > s.room {
		return at, errors.Join(s.write(line), s.write([]byte{'\n'}))
	}
	s.held = append(append(s.held, line...), '\n')
	return at, nil
}

// reserve allocates the memory for held.
func (s *spill) reserve(size int) error {
	b, err := reserve(size)
	if err != nil {
		return fmt.Errorf("reserve memory: %w", err)
	}
	s.held, s.room = b[:0], size
	return nil
}

// empty writes held to disk.
func (s *spill) empty() error {
	if err := s.write(s.held); err != nil {
		return err
	}
	s.held = s.held[:0]
	if s.room == onceOnDisk {
		return nil
	}
	if err := release(s.held[:s.room]); err != nil {
		return fmt.Errorf("release memory: %w", err)
	}
	s.held = nil
	return s.reserve(onceOnDisk)
}

// write appends bytes to the file.
func (s *spill) write(b []byte) error {
	if s.file == nil {
		var err error
		if s.file, s.name, err = temporary(); err != nil {
			return err
		}
	}
	n, err := s.file.WriteAt(b, s.onDisk)
	s.onDisk += int64(n)
	return err
}

// copyTo writes the size bytes at a place to w.
func (s *spill) copyTo(w io.Writer, at, size int64) error {
	for size > 0 {
		part, err := s.read(at, size)
		if err != nil {
			return fmt.Errorf("read kept lines: %w", err)
		}
		if _, err = w.Write(part); err != nil {
			return fmt.Errorf("write lines: %w", err)
		}
		at, size = at+int64(len(part)), size-int64(len(part))
	}
	return nil
}

// read returns at least one of the size bytes at a place. They are valid until the next call.
func (s *spill) read(at, size int64) ([]byte, error) {
	if from := at - s.onDisk; from >= 0 {
		return s.held[from : from+size], nil
	}
	if from := at - s.windowAt; from < 0 || from >= int64(len(s.window)) {
		if at == s.windowAt+int64(len(s.window)) {
			s.ahead = min(2*s.ahead, mostAhead)
		} else {
			s.ahead = leastAhead
		}
		n := min(max(s.ahead, min(size, mostAhead)), s.onDisk-at)
		s.window = slices.Grow(s.window[:0], int(n))[:n]
		s.windowAt = at
		if _, err := s.file.ReadAt(s.window, at); err != nil {
			s.window = s.window[:0]
			return nil, err
		}
	}
	ahead := s.window[at-s.windowAt:]
	return ahead[:min(size, int64(len(ahead)))], nil
}

// close removes the temporary file and releases the memory.
func (s *spill) close() error {
	var err error
	if s.held != nil {
		err = release(s.held[:s.room])
	}
	err = errors.Join(err, discard(s.file, s.name))
	*s = spill{}
	return err
}

// temporary creates a file that only the user can read. name is "" if the file has none, or the
// name by which it must be removed.
func temporary() (f *os.File, name string, err error) {
	if f, err = os.CreateTemp("", "memscribe-*.ndjson"); err != nil {
		return nil, "", err
	}
	if os.Remove(f.Name()) != nil {
		name = f.Name()
	}
	return f, name, nil
}

// discard removes a temporary file, if there is one.
func discard(f *os.File, name string) error {
	if f == nil {
		return nil
	}
	err := f.Close()
	if name != "" {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
