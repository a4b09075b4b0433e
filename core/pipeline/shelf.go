package pipeline

import (
	"fmt"

	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/segment"
)

// Shelf keeps texts elsewhere than in memory. What is put there can be had again
// as long as the set is used.
type Shelf interface {
	// Put takes in a text and says where it is from then on. After an error the
	// text stays in memory.
	Put(text string) (at int64, err error)
	// Get returns the size bytes of a text that was put at a place.
	Get(at int64, size int) (string, error)
}

// shelved is how long a text must be to be worth its place on the shelf.
const shelved = 128

// shelve puts away the texts in which decisions stand.
func (s *Set) shelve(made []*segment.Decision) {
	if s.shelf == nil {
		return
	}
	turn, said, at := "", "", int64(-1) // decisions of one turn share its place
	for _, d := range made {
		if len(d.Turn)+len(d.Said) < shelved {
			continue
		}
		if at < 0 || d.Turn != turn || d.Said != said {
			var err error
			if at, err = s.shelf.Put(d.Turn + d.Said); err != nil {
				return
			}
			turn, said = d.Turn, d.Said
		}
		d.LetGo(at)
	}
}

// again offers the node of a decision that has changed.
func (s *Set) again(st *Stream, d *segment.Decision) {
	if d.Away.Size > 0 {
		texts, err := s.shelf.Get(d.Away.At, d.Away.Size)
		if err != nil {
			s.failed = fmt.Errorf("fetch words of a decision: %w", err)
			return
		}
		d = d.Whole(texts)
	}
	s.put(st, nodeprep.Decision(d), d.Copied)
}

// Err says why nodes are missing from what Take returns, if some are: a text
// could not be had from the shelf again.
func (s *Set) Err() error { return s.failed }
