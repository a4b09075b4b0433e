package core

import (
	"fmt"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Location points back into the source bytes.
type Location struct {
	File   string // path of the transcript, or of the database
	Offset int64  // of the record's first byte; in a compressed file, of the decompressed bytes
	Line   int64  // 1-based; 0 where records are not lines
	Row    string // key of the row, for a database
}

// Record is one raw record of a stream.
//
// Bytes and Doc belong to whoever reads the stream: they are valid until the
// next record is parsed, and nothing that is kept may alias them.
type Record struct {
	Bytes []byte       // as they lie there, without the line's end; never blank
	Doc   *jsondoc.Doc // index of Bytes; nil when they are not JSON
	Err   error        // why Doc is nil
	At    Location
}

// OverLimit says that a record is larger than what is kept whole. Its bytes are
// then its beginning, or say what it is called.
type OverLimit struct {
	Size  int64 // of the record, in bytes; the limit if it was not read on
	Limit int64
	Kept  int // bytes of its beginning; 0 is none
	// Rest says that the limit is the conversation's: the record, whatever its
	// size, is the first of those that do not fit into it.
	Rest bool
}

// Error says what was too large, and how large if that is known.
func (e *OverLimit) Error() string {
	if e.Rest {
		return fmt.Sprintf("the conversation is over the limit of %d bytes: from here on it is not kept", e.Limit)
	}
	size := fmt.Sprint(e.Size, " bytes")
	if e.Size <= e.Limit {
		size = fmt.Sprint("more than ", size)
	}
	kept := "not kept"
	if e.Kept > 0 {
		kept = fmt.Sprint("only the first ", e.Kept, " are kept")
	}
	return fmt.Sprintf("%s, over the limit of %d: %s", size, e.Limit, kept)
}
