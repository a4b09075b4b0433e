package jsondoc

import (
	"iter"
)

// Value is one value of a [Doc]. The zero Value is absent; every method works on
// it and answers as for a value that is not there. A Value is a place on the
// Doc's tape, so it is small, and it is stale once the Doc has parsed another
// input: its methods then answer from that input, or as if absent.
type Value struct {
	doc *Doc
	at  uint32 // index on the tape
}

// entry returns the entry of v; the zero entry, whose kind is Absent, when
// there is none.
func (v Value) entry() entry {
	if v.doc == nil || int(v.at) >= len(v.doc.tape) {
		return entry{}
	}
	return v.doc.tape[v.at]
}

// Kind returns what v is.
func (v Value) Kind() Kind { return v.entry().kind() }

// Exists reports whether v is there at all. A null exists.
func (v Value) Exists() bool { return v.Kind() != Absent }

// Start returns the offset of the first byte of v in the bytes parsed.
func (v Value) Start() int { return int(v.entry().start) }

// End returns the offset after the last byte of v in the bytes parsed.
func (v Value) End() int { return int(v.entry().end) }

// Raw returns v as it is written, the quotes of a string included. It is nil
// when v is absent.
func (v Value) Raw() []byte {
	e := v.entry()
	if e.kind() == Absent {
		return nil
	}
	return v.doc.buf[e.start:e.end:e.end]
}

// Get returns the member of the object v whose decoded name is name, the last
// one when there are several. It is absent when there is none and when v is not
// an object.
func (v Value) Get(name string) Value {
	o := v.entry()
	if o.kind() != Object {
		return Value{}
	}
	var found Value
	tape := v.doc.tape
	for at, last := v.at+1, o.next(v.at); at < last; {
		// Most names differ in their length.
		e := tape[at]
		if (int(e.end-e.start) == len(name)+len(`""`) || e.meta&(flagEscape|flagNonASCII) != 0) && v.doc.text(e, name) {
			found = Value{v.doc, at + 1}
		}
		at = tape[at+1].next(at + 1)
	}
	return found
}

// Path returns what Get finds for the first name, in that for the second, and
// so on.
func (v Value) Path(names ...string) Value {
	for _, name := range names {
		v = v.Get(name)
	}
	return v
}

// Len returns the number of elements of an array or members of an object,
// duplicates included; 0 for all else. It counts them: the cost is one step for
// each.
func (v Value) Len() int {
	n := 0
	for range v.Elems() {
		n++
	}
	for range v.Fields() {
		n++
	}
	return n
}

// Elems yields the elements of the array v in order; nothing when v is not an
// array.
func (v Value) Elems() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		e := v.entry()
		if e.kind() != Array {
			return
		}
		for at, last := v.at+1, e.next(v.at); at < last; {
			elem := Value{v.doc, at}
			if !yield(elem) {
				return
			}
			at = elem.entry().next(at)
		}
	}
}

// Fields yields the name and value of each member of the object v in order,
// duplicates included; nothing when v is not an object. The names are Strings.
func (v Value) Fields() iter.Seq2[Value, Value] {
	return func(yield func(name, value Value) bool) {
		e := v.entry()
		if e.kind() != Object {
			return
		}
		for at, last := v.at+1, e.next(v.at); at < last; {
			value := Value{v.doc, at + 1}
			if !yield(Value{v.doc, at}, value) {
				return
			}
			at = value.entry().next(at + 1)
		}
	}
}

// Body returns what stands between the quotes of the String v, as written; nil
// when v is not a String. It is the text itself unless v is [Value.Escaped].
func (v Value) Body() []byte {
	e := v.entry()
	if e.kind() != String {
		return nil
	}
	return v.doc.buf[e.start+1 : e.end-1 : e.end-1]
}

// Escaped reports whether v is a String whose text differs from its Body: one
// with escapes or with invalid UTF-8.
func (v Value) Escaped() bool {
	e := v.entry()
	switch {
	case e.kind() != String:
		return false
	case e.meta&flagEscape != 0:
		return true
	default:
		return e.meta&flagNonASCII != 0 && !validUTF8(v.Body())
	}
}

// Is reports whether v is a String whose decoded text is s.
func (v Value) Is(s string) bool {
	e := v.entry()
	if e.kind() != String {
		return false
	}
	return v.doc.text(e, s)
}

// text reports whether s is the decoded text of the string e.
func (d *Doc) text(e entry, s string) bool {
	body := d.buf[e.start+1 : e.end-1]
	if e.meta&(flagEscape|flagNonASCII) == 0 {
		return string(body) == s
	}
	return equalText(body, s)
}

// Str returns the decoded text of the String v; "" when v is not a String.
func (v Value) Str() string {
	if !v.Escaped() {
		return string(v.Body())
	}
	const keep = 1 << 20
	b := Unquote(v.doc.scratch[:0], v.Body())
	if cap(b) <= keep {
		v.doc.scratch = b
	}
	return string(b)
}

// AppendStr appends the decoded text of the String v to dst; nothing when v is
// not a String.
func (v Value) AppendStr(dst []byte) []byte {
	if v.Escaped() {
		return Unquote(dst, v.Body())
	}
	return append(dst, v.Body()...)
}

// Bool reports whether v is the literal true.
func (v Value) Bool() bool {
	e := v.entry()
	return e.kind() == Bool && e.meta&flagTrue != 0
}
