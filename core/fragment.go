package core

// Fragment is a part of a longer text, such as the deciding sentence of a turn or an option. A
// secret may only be recognisable by the words around it ("password Zk39…"). Therefore the
// encoder scrubs the whole text and writes what remains of the fragment. Where the fragment
// overlaps a secret, it has the placeholder.
//
//	Whole    "my password is kT9#vLq2Zw, use it for the staging database"
//	Text     "kT9#vLq2Zw, use it"             Offset 15
//	written  "[REDACTED:password], use it"
//
// The zero Fragment is empty.
type Fragment struct {
	Text   string // the part
	Whole  string // the text that it is a part of
	Offset int    // of Text in Whole, in bytes
}

// Whole returns a Fragment that is a whole text. It is only for texts that are not part of a
// longer one in the source.
func Whole(text string) Fragment { return Fragment{Text: text, Whole: text} }

// Considered is an option of a decision, as a part of the text that names it.
type Considered struct {
	Fragment
	Chosen bool
}

// Title is a line that says what was decided, for a reader without the context. Its pieces
// are parts of the source; the joints between them are punctuation only.
type Title []Piece

// Piece is a part of a title. Joint is written before it.
type Piece struct {
	Joint string
	Fragment
}
