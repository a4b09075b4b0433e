package frame

// MaxDocument is the length beyond which a document is cut, unless Document.Max
// says otherwise: a whole session is more than a line.
const MaxDocument = 2 * MaxLine

// Document is the framer of a stream that is one record from its first byte to
// its last: nothing comes out before Flush, and then the whole, as line 1. It
// is bounded as a line is. The zero Document is at the start.
type Document struct {
	Max int // the longest one that is kept whole; 0 is MaxDocument

	lines Lines
}

// Feed takes in the next bytes of the stream. The chunk is not kept.
func (d *Document) Feed(chunk []byte, _ func(Line)) {
	d.lines.Max = d.Limit()
	d.lines.keep(chunk)
}

// Room implements [Framer].
func (d *Document) Room(n int) []byte { return d.lines.Room(n) }

// Flush calls emit for the document, unless it is blank.
func (d *Document) Flush(emit func(Line)) { d.lines.Flush(emit) }

// Reset puts d to the start of another document. It keeps the memory, if that is not
// more than most documents need.
func (d *Document) Reset() { d.lines.Reset() }

// Limit implements [Framer].
func (d *Document) Limit() int {
	if d.Max > 0 {
		return d.Max
	}
	return MaxDocument
}

// Number returns the number of the line that has not ended: there is only one.
func (d *Document) Number() int64 { return 1 }
