package core

import "github.com/memscribe/memscribe/core/jsondoc"

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
