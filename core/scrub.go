package core

import "github.com/memscribe/memscribe/core/cut"

// Field says what a string that leaves the process stands for.
type Field uint8

// The fields.
const (
	IDField   Field = iota // an id that a tool or Memscribe made
	NameField              // a name out of a small set: a tool, a model, a version
	PathField              // a path of the user's machine, or a branch name
	TextField              // anything a person, a model or a program wrote
)

// Scrubber removes what must not leave from a string.
type Scrubber interface {
	// Scrub returns s without its secrets, and what was cut, in order. With
	// nothing to cut it returns s itself. An error means that it could not do
	// its work: then nothing of s may leave.
	//
	// The result depends on f and s alone. It aliases s or the scrubber, and is valid until
	// the next call.
	Scrub(f Field, s []byte) (clean []byte, cuts []Cut, err error)
}

// MemberScrubber is a Scrubber that can also judge a text by the name under which
// it stands in its object: {"password": "…"}.
type MemberScrubber interface {
	Scrubber
	// ScrubMember returns the value without its secrets, as Scrub does.
	ScrubMember(name, value []byte) (clean []byte, err error)
}

// Cut is a replacement in a scrubbed string.
type Cut = cut.Cut
