package ndjson

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/memscribe/memscribe/core"
)

// entry is the place of a line, and the keys by which it is sorted.
type entry struct {
	id   core.NodeKey
	at   int64 // place of the line in spill
	size int64 // bytes of the line with its end; never 0
	seq  uint64
	head uint32
	kind uint32
}

const (
	entrySize = 16 + 3*8 + 2*4
	// perRun is how many entries are sorted in memory: 3 MiB.
	perRun = 1 << 16
	// perWrite is how many of them are written at once.
	perWrite = 1 << 12
)

// sorter sorts entries (external merge sort). If there are more than perRun, sorted runs of them
// are in a temporary file:
//
//	file                                   latest
//	├──────────┼──────────┼──────────┤     ├──────┤
//	  run 0      run 1      run 2
type sorter struct {
	compare func(a, b entry) int // with pointers the entries would escape to the heap
	latest  []entry
	file    *os.File
	name    string // of the file, if it could not be removed while it is open
	runs    int
	buf     []byte
}

// add adds an entry.
func (s *sorter) add(e entry) error {
	if len(s.latest) == perRun {
		if err := s.write(); err != nil {
			return err
		}
	}
	s.latest = append(s.latest, e)
	return nil
}

// write sorts the latest entries and writes them as a run.
func (s *sorter) write() (err error) {
	if s.file == nil {
		if s.file, s.name, err = temporary(); err != nil {
			return err
		}
	}
	s.sort()
	at := int64(s.runs) * perRun * entrySize
	for some := range slices.Chunk(s.latest, perWrite) {
		s.buf = s.buf[:0]
		for i := range some {
			s.buf = some[i].append(s.buf)
		}
		if _, err = s.file.WriteAt(s.buf, at); err != nil {
			return err
		}
		at += int64(len(s.buf))
	}
	s.runs++
	s.latest = s.latest[:0]
	return nil
}

// sort sorts the latest entries.
func (s *sorter) sort() {
	slices.SortFunc(s.latest, s.compare)
}

// all yields the entries in order. Further entries may be added later, and all called again.
func (s *sorter) all() iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		s.sort()
		if s.runs == 0 {
			for _, e := range s.latest {
				if !yield(e, nil) {
					return
				}
			}
			return
		}
		s.merge(yield)
	}
}

// merge yields the entries of all runs in order.
//
// A heap has the least entry of each run. Each run is read through a buffer of 32 KiB.
func (s *sorter) merge(yield func(entry, error) bool) {
	m := merging{compare: s.compare}
	for i := range s.runs + 1 {
		r := &run{rest: s.latest}
		if i < s.runs {
			at := io.NewSectionReader(s.file, int64(i)*perRun*entrySize, perRun*entrySize)
			r = &run{r: bufio.NewReaderSize(at, 32<<10)}
		}
		more, err := r.next()
		if err != nil {
			yield(entry{}, err)
			return
		}
		if more {
			m.runs = append(m.runs, r)
		}
	}
	heap.Init(&m)
	for len(m.runs) > 0 {
		first := m.runs[0]
		if !yield(first.least, nil) {
			return
		}
		more, err := first.next()
		switch {
		case err != nil:
			yield(entry{}, err)
			return
		case more:
			heap.Fix(&m, 0)
		default:
			heap.Pop(&m)
		}
	}
}

// close removes the temporary file.
func (s *sorter) close() error {
	err := discard(s.file, s.name)
	*s = sorter{compare: s.compare}
	return err
}

// run is the rest of a run.
type run struct {
	least entry
	r     *bufio.Reader // nil if the run is in memory
	rest  []entry
}

// next sets least to the next entry of the run, and reports whether there is one.
func (r *run) next() (bool, error) {
	if r.r == nil {
		if len(r.rest) == 0 {
			return false, nil
		}
		r.least, r.rest = r.rest[0], r.rest[1:]
		return true, nil
	}
	b, err := r.r.Peek(entrySize)
	if errors.Is(err, io.EOF) && len(b) == 0 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read order of lines: %w", err)
	}
	r.least.read(b)
	_, err = r.r.Discard(entrySize)
	return true, err
}

// append appends the entry in its form of entrySize bytes.
func (e *entry) append(b []byte) []byte {
	b = append(b, e.id[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.at))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
	b = binary.LittleEndian.AppendUint64(b, e.seq)
	b = binary.LittleEndian.AppendUint32(b, e.head)
	return binary.LittleEndian.AppendUint32(b, e.kind)
}

// read reads an entry in that form.
func (e *entry) read(b []byte) {
	copy(e.id[:], b)
	b = b[len(e.id):]
	e.at, e.size = int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	e.seq = binary.LittleEndian.Uint64(b[16:])
	e.head, e.kind = binary.LittleEndian.Uint32(b[24:]), binary.LittleEndian.Uint32(b[28:])
}

// merging is a heap of runs, ordered by their least entries.
type merging struct {
	compare func(a, b entry) int
	runs    []*run
}

// Len implements [heap.Interface].
func (m *merging) Len() int { return len(m.runs) }

// Less implements [heap.Interface] by the least entry of each run.
func (m *merging) Less(i, j int) bool { return m.compare(m.runs[i].least, m.runs[j].least) < 0 }

// Swap implements [heap.Interface].
func (m *merging) Swap(i, j int) { m.runs[i], m.runs[j] = m.runs[j], m.runs[i] }

// Push implements [heap.Interface].
func (m *merging) Push(x any) { m.runs = append(m.runs, x.(*run)) }

// Pop implements [heap.Interface].
func (m *merging) Pop() any {
	last := m.runs[len(m.runs)-1]
	m.runs = m.runs[:len(m.runs)-1]
	return last
}
