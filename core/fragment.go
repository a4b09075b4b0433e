package core

// Fragment is a part of a longer text: the sentence of a turn that decides, or an
// alternative that it names. A secret may be one only by the words around it
// ("password Zk39…"), so a fragment is never judged alone: who writes it scrubs the
// whole and writes what is left of the fragment there. Where the fragment shares a
// byte with a secret it shows the placeholder.
//
// The zero Fragment is the empty text.
type Fragment struct {
	Text   string // the part
	Whole  string // the text in which it stands
	Offset int    // of Text in Whole, in bytes
}

// Whole is the Fragment that is all of a text. It is only for a text that stands
// by itself where it comes from.
func Whole(text string) Fragment { return Fragment{Text: text, Whole: text} }

// Considered is an alternative of a decision, as a part of the text that names it.
type Considered struct {
	Fragment
	Chosen bool
}

// Title is a line made of parts of the source: what a decision says to whoever has
// not read what stands around it. Only the pieces are words; the joints are signs.
type Title []Piece

// Piece is a part of a title, and what joins it to the piece before.
type Piece struct {
	Joint string
	Fragment
}
