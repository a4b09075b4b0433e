// Package jsondoc indexes one JSON value in a single validating pass and gives
// access to its parts without decoding or copying them.
//
// Transcripts are mostly long strings that are not looked at, so a record is
// scanned once into a flat tape of spans and only the few strings that matter
// are ever decoded. A [Doc] is reused from record to record and then costs no
// allocation. Everything it hands out aliases the scanned bytes and is valid
// until they or the Doc are reused.
//
// The grammar is RFC 8259 with two tolerances that real transcripts need:
// duplicate names are kept (the last one wins, as in the tools' own
// JavaScript), and invalid UTF-8 inside a string is accepted and decoded to
// U+FFFD, one for each byte that belongs to no character. The same goes for an
// escaped surrogate without its partner. Nesting beyond [MaxDepth] is refused.
//
// Where to find what:
//
//	jsondoc.go             Doc, its tape of entries, and the errors
//	index.go               the pass that fills the tape
//	scan.go, swar.go       strings, eight and sixty-four bytes at a time
//	number.go, value.go    what a Value answers
//	text.go                Unquote: escapes, surrogates, invalid UTF-8
//	quote.go, compact.go   AppendQuote and AppendCompact: the one form that is written
//	close.go               Close: a document of a beginning that was cut off
package jsondoc

import "fmt"

// MaxDepth is how many arrays and objects may stand inside each other. Real
// transcripts reach 9; what lies deeper could not be read back by common JSON
// readers if we wrote it out again.
const MaxDepth = 512

// MaxValues is how many values and names an input may hold: each costs a reader
// many times the two bytes that it can be written in. A whole session in one input
// may hold one for each BytesPerValue bytes, where that is more; see Doc.Whole. The
// most that was found is 3,532 in a line, and one for each 26 bytes in a session.
const (
	MaxValues     = 1 << 19
	BytesPerValue = 20
)

// maxInput is the longest input whose spans and tape indices fit the fields of
// an entry.
const maxInput = 1<<32 - 2

// Kind says what a [Value] is.
type Kind uint8

// The kinds of value. Absent is the kind of the zero Value: what Get returns
// for a name that is not there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	switch k {
	case Absent:
		return "absent"
	case Null:
		return "null"
	case Bool:
		return "bool"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	default:
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
}

// SyntaxError says where and why bytes are not a JSON value.
type SyntaxError struct {
	// Offset is the place of the offending byte from the start of the input. It is
	// the length of the input, and only then, when the input ends before the
	// value does: more bytes might still make it one.
	Offset int
	Reason string // what was expected, or what is wrong
}

// Error names the byte and the reason; of the input it shows nothing.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Reason)
}

// Doc is the index of one JSON value. The zero Doc is ready for use and holds
// no value; a Doc must not be used by two goroutines at once. It keeps the memory
// of the longest index it has held: 12 bytes for each value and each name.
//
// The index is a tape of entries in the order in which the values begin, the
// names of members among them:
//
//	{"a":[1,"x"],"b":{}}
//
//	0 Object  next 7
//	1 String  a
//	2 Array   next 5
//	3 Number  1
//	4 String  x
//	5 String  b
//	6 Object  next 7
//
// Whatever is in a container follows it, and next is the index of the first
// entry that does not, so that passing over a value costs one step however
// much it holds.
type Doc struct {
	// Whole says that an input is a whole session, which may hold more values the
	// longer it is.
	Whole bool

	buf     []byte
	tape    []entry
	scratch []byte // of the last string that had escapes
}

// entry describes the value buf[start:end].
//
// The low three bits of meta are the Kind. The bits above are, for a container,
// the index of the entry after all that it holds; for a String, the flags
// below; for a Bool, 1 when it is true.
//
// While a container is open during a parse, end is the index of the container
// around it: the open containers are a stack threaded through the tape.
type entry struct {
	start, end, meta uint32
}

const (
	kindBits = 3
	kindMask = 1<<kindBits - 1

	// maxEntries is what the bits above the kind can count. Reaching it takes
	// more than 1 GiB of the shortest values there are.
	maxEntries = 1<<(32-kindBits) - 1

	flagEscape   = 1 << kindBits // the body has a backslash
	flagForeign  = 2 << kindBits // and not all escapes are those of AppendQuote
	flagNonASCII = 4 << kindBits // the body may have a byte beyond ASCII

	flagTrue = 1 << kindBits
)

// kind returns the kind of the value that an entry stands for.
func (e entry) kind() Kind { return Kind(e.meta & kindMask) }

// next returns the index of the entry that follows the value of e, which stands
// at index at, and all that it holds.
func (e entry) next(at uint32) uint32 {
	if e.kind() >= Array {
		return e.meta >> kindBits
	}
	return at + 1
}

// Parse indexes the first value in b and forgets the one before. Space before
// the value is passed over; n is the length of b up to the end of the value,
// the space after it not included. A caller that expects nothing more looks at
// b[n:]; one that meets values glued to each other calls Parse on b[n:] again.
//
// The error is a *SyntaxError, n is then 0 and the root absent. Parse keeps b
// for its Values to point into, and never modifies it.
func (d *Doc) Parse(b []byte) (n int, err error) {
	d.buf, d.tape = nil, d.tape[:0]
	if uint64(len(b)) > maxInput {
		return 0, &SyntaxError{Offset: 0, Reason: errTooLong}
	}
	end, reason := d.index(b)
	if reason != "" {
		d.tape = d.tape[:0]
		return 0, &SyntaxError{Offset: end, Reason: reason}
	}
	d.buf = b
	return end, nil
}

// Root returns the value that the last call of Parse indexed. It is absent when
// that failed, and before the first call.
func (d *Doc) Root() Value {
	if len(d.tape) == 0 {
		return Value{}
	}
	return Value{doc: d}
}
