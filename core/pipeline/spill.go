package pipeline

import (
	"fmt"

	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/segment"
)

// Spill stores texts outside of memory, for as long as the set is used.
type Spill interface {
	// Put stores a text and returns its place. After an error the set keeps the text
	// in memory.
	Put(text string) (at int64, err error)
	// Get returns the size bytes that were put at at.
	Get(at int64, size int) (string, error)
}

// minSpill is the shortest text in bytes that is worth spilling.
const minSpill = 128

// spillTexts moves the texts of new decisions out of memory.
func (s *Set) spillTexts(made []*segment.Decision) {
	if s.spill == nil {
		return
	}
	turn, said, at := "", "", int64(-1) // decisions of one turn share it
	for _, d := range made {
		if len(d.Turn)+len(d.Said) < minSpill {
			continue
		}
		if at < 0 || d.Turn != turn || d.Said != said {
			var err error
			if at, err = s.spill.Put(d.Turn + d.Said); err != nil {
				return
			}
			turn, said = d.Turn, d.Said
		}
		d.Spill(at)
	}
}

// resend sends the node of a changed decision again, with its texts read back.
func (s *Set) resend(st *Stream, d *segment.Decision) {
	if d.Spilled.Size > 0 {
		texts, err := s.spill.Get(d.Spilled.At, d.Spilled.Size)
		if err != nil {
			s.failed = fmt.Errorf("fetch words of a decision: %w", err)
			return
		}
		d = d.Restore(texts)
	}
	s.put(st, nodeprep.Decision(d), d.Copied)
}

// Err returns an error if a spilled text could not be read back, so that nodes are missing
// from what Take returned.
func (s *Set) Err() error { return s.failed }
