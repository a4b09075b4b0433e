package core

import "github.com/memscribe/memscribe/core/cut"

// Field says what kind of string it is that leaves the process.
type Field uint8

// The fields.
const (
	IDField   Field = iota // an id made by a tool or Memscribe
	NameField              // a name from a small set: a tool, a model, a version
	PathField              // a path of the user's machine, or a branch name
	TextField              // anything that a person, a model or a program wrote
)

// Scrubber removes secrets from strings.
//
// The error is part of the contract: a caller that cannot scrub a string must not write it, nor
// a part of it, nor a shorter version. Package encode therefore fails the whole node.
type Scrubber interface {
	// Scrub returns s without its secrets, and the cuts in order. Without a secret it
	// returns s itself. After an error, nothing of s may leave the process.
	//
	// The result depends on f and s alone. It aliases s or the scrubber, and is valid
	// until the next call.
	Scrub(f Field, s []byte) (clean []byte, cuts []Cut, err error)
}

// MemberScrubber is a Scrubber that can also judge the value of an object's member by its
// name: {"password": "…"}.
type MemberScrubber interface {
	Scrubber
	// ScrubMember returns the value of a member without its secrets.
	ScrubMember(name, value []byte) (clean []byte, err error)
}

// Cut is a replacement in a scrubbed string.
type Cut = cut.Cut
