package lineage

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Sides tells apart the sidechains that old versions wrote into the main file.
// They have no id of their own and are named after their first record. The zero
// Sides is empty and ready.
type Sides struct {
	at      map[uint64]uint32 // by a record's uuid: index of its thread
	threads []string
	last    uint32
}

// nameless is the thread of a sidechain whose first record has no id.
const nameless = "sidechain"

// Of returns the thread of a sidechain's record, and whether it begins with this
// record: one that hangs on nothing, or on a record of the main line. One whose
// parent is in no line continues the last one.
func (s *Sides) Of(uuid, parent jsondoc.Value, main *Tree) (thread string, begins bool) {
	i, found := s.last, false
	if parent.Kind() == jsondoc.String {
		i, found = s.at[stream.Hash(parent.Body())]
	}
	if !found {
		i = s.last
		_, onMain := main.Seq(parent)
		if begins = onMain || parent.Kind() != jsondoc.String || len(s.threads) == 0; begins {
			i = s.open(uuid)
		}
	}
	if uuid.Kind() == jsondoc.String {
		if s.at == nil {
			s.at = map[uint64]uint32{}
		}
		s.at[stream.Hash(uuid.Body())] = i
	}
	s.last = i
	return s.threads[i], begins
}

func (s *Sides) open(uuid jsondoc.Value) uint32 {
	name := uuid.Str()
	if name == "" {
		name = nameless
	}
	s.threads = append(s.threads, name)
	return uint32(len(s.threads) - 1)
}
