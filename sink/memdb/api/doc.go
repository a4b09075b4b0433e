// Package api defines the wire contract of MemDB: requests, responses and their
// validation.
//
// docs/api/memdb-v1.yaml says the same for other languages; a test holds the two
// together. Client and server both call Validate on what they send and on what
// they get, so that neither trusts the other. The files in testdata pin the
// exact bytes.
package api

// The limits of the wire, as they stand in the document.
const (
	MaxBody    = 16 << 20 // bytes of a request
	MaxBatch   = 1000     // memories of a request
	MaxContent = 1 << 20  // bytes of a memory's content
	MaxNode    = 12 << 20 // bytes of the node that a memory carries
	MaxPage    = 200      // memories of an answer
	Page       = 20       // of these by default
	maxID      = 512
	maxName    = 128
	maxText    = 4096
	maxList    = 256
)
