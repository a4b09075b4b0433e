package core

import (
	"fmt"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Location is a place in the source.
type Location struct {
	File   string // path of the transcript, or of the database
	Offset int64  // of the record's first byte; in a compressed file, of the decompressed bytes
	Line   int64  // counted from 1; 0 if records are not lines
	Row    string // key of the row, for a database
}

// Record is one raw record of a stream.
//
// Bytes and Doc are valid until the next record is parsed, and nothing that is kept may
// alias them.
type Record struct {
	Bytes []byte       // without the line end; never blank
	Doc   *jsondoc.Doc // index of Bytes; nil if they are not JSON
	Err   error        // why Doc is nil
	At    Location
}

// OverLimit is the error of a record that is too large. Its bytes are then only the
// beginning, or its name.
type OverLimit struct {
	Size  int64 // of the record in bytes; equal to Limit if it is not known
	Limit int64
	Kept  int // bytes of the beginning that are kept
	// Rest says that the limit is that of a conversation, and that this record is the
	// first one over it.
	Rest bool
}

// Error implements error.
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
