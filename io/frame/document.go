package frame

// MaxDocument is the default of Document.Max. It is more than MaxLine, since a document is a
// whole session.
const MaxDocument = 2 * MaxLine

// Document is the framer of a stream that is one record. Feed emits nothing; Flush emits the
// whole stream as line 1. A document over Max is cut like a line. The zero Document is ready.
type Document struct {
	Max int // length in bytes of the longest document that is kept whole; 0 is MaxDocument

	lines Lines
}

// Feed implements [Framer].
func (d *Document) Feed(chunk []byte, _ func(Line)) {
	d.lines.Max = d.Limit()
	d.lines.keep(chunk)
}

// Room implements [Framer].
func (d *Document) Room(n int) []byte { return d.lines.Room(n) }

// Flush calls emit for the document, unless it is only white space.
func (d *Document) Flush(emit func(Line)) { d.lines.Flush(emit) }

// Reset prepares d for another document. Memory of usual size is kept.
func (d *Document) Reset() { d.lines.Reset() }

// Limit implements [Framer].
func (d *Document) Limit() int {
	if d.Max > 0 {
		return d.Max
	}
	return MaxDocument
}

// Number returns 1: a document has one line.
func (d *Document) Number() int64 { return 1 }
