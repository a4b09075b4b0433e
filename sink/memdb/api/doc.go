// Package api defines the wire contract of MemDB: requests, responses and their
// validation.
//
// docs/api/memdb-v1.yaml says the same for other languages; a test holds the two
// together. Client and server both call Validate on what they send and on what
// they get, so that neither trusts the other. The files in testdata pin the
// exact bytes.
//
// A request or an answer has exactly one JSON form: [Append] writes the members in the order of
// the document, without insignificant space. [Decode] accepts any order and spacing, and refuses
// unknown members, repeated ones, invalid UTF-8 and trailing bytes; [Peek] also accepts unknown
// members, for answers of a newer server.
//
// An [Invalid] lists all flaws of a value, each with a JSON pointer to its place. A [Problem] is
// an error of the contract, with the HTTP status that belongs to it.
//
// The calls of the HTTP form, with the types of their bodies and answers:
//
//	PUT    /v1/namespaces/{name}            NamespacePut    → Namespace
//	PATCH  /v1/namespaces/{name}            NamespacePatch  → Namespace
//	DELETE /v1/namespaces/{name}
//	POST   /v1/namespaces/{name}/memories   MemoryWrite → WriteResult, Batch → BatchResult
//	GET    /v1/memories/{id}?namespace=                     → MemoryAnswer
//	DELETE /v1/memories/{id}?namespace=
//	POST   /v1/search                       SearchRequest   → SearchResponse
//	GET    /v1/provenance/{id}?namespace=                   → ProvenanceAnswer
//	POST   /v1/provenance/verify                            → VerifyReport
//	GET    /v1/health                                       → Health
//
// Times are texts in RFC 3339, hashes are lower-case hex, and sizes are in bytes. A list that
// is not given and an empty list mean the same.
package api

// The limits of the wire, as they are in the document.
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
