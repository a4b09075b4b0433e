package core

import "github.com/memscribe/memscribe/core/jsondoc"

// Text is a string of the source that is decoded only when somebody looks at
// it: nearly all of a transcript is text that no stage reads. The zero Text is
// the empty string.
//
// A Text made by [Token] aliases the record and is valid as long as the event
// that carries it; whoever keeps it keeps Text.String().
type Text struct {
	s    string
	body []byte // of a JSON string, as written, quotes not included
}

// Plain is the Text of a string that is already decoded.
func Plain(s string) Text { return Text{s: s} }

// Token is the Text of a JSON string; of any other kind of value, the empty
// Text.
func Token(v jsondoc.Value) Text {
	if v.Kind() != jsondoc.String {
		return Text{}
	}
	return Text{body: v.Body()}
}

// String decodes the text.
func (t Text) String() string {
	if t.body == nil {
		return t.s
	}
	return string(jsondoc.Unquote(nil, t.body))
}

// Append appends the decoded text to dst.
func (t Text) Append(dst []byte) []byte {
	if t.body == nil {
		return append(dst, t.s...)
	}
	return jsondoc.Unquote(dst, t.body)
}

// AppendStored appends the text as it is stored, and reports whether that is the
// body of a JSON string, for [jsondoc.Unquote] to decode: it is for who may not
// look at it in the end.
func (t Text) AppendStored(dst []byte) (_ []byte, quoted bool) {
	if t.body == nil {
		return append(dst, t.s...), false
	}
	return append(dst, t.body...), true
}

// Ending is a text that ends with the same n bytes as t, once they are decoded, or
// is t. It looks at no more than that of a long one.
func (t Text) Ending(n int) Text {
	const longest = 6 // bytes of an escape, for what may be one byte
	if cut := len(t.s) - n; cut > 0 {
		return Text{s: t.s[cut:]}
	}
	cut := len(t.body) - longest*n - longest
	if cut <= 0 {
		return t
	}
	slashes := 0
	for slashes < cut && t.body[cut-1-slashes] == '\\' {
		slashes++
	}
	return Text{body: t.body[cut+slashes%2:]} // not between a backslash and what it escapes
}

// Beginning is a text that begins with the same n bytes as t, once they are decoded,
// but for a character that is cut, or is t. It looks at no more than that of a long one.
func (t Text) Beginning(n int) Text {
	const longest = 6 // bytes of an escape, for what may be one byte
	if cut := n; len(t.s) > n {
		for cut > 0 && t.s[cut]&0xc0 == 0x80 {
			cut--
		}
		return Text{s: t.s[:cut]}
	}
	cut := longest * n
	if len(t.body) <= cut {
		return t
	}
	slashes := 0
	for slashes < longest && t.body[cut-1-slashes] == '\\' {
		slashes++
	}
	cut -= slashes % 2 // not between a backslash and what it escapes
	for k := 1; k < longest; k++ {
		if t.body[cut-k] == '\\' && t.body[cut-k+1] == 'u' { // nor inside an escape
			cut -= k
			break
		}
	}
	for cut > 0 && t.body[cut]&0xc0 == 0x80 {
		cut--
	}
	return Text{body: t.body[:cut]}
}

// IsEmpty reports whether the text is the empty string.
func (t Text) IsEmpty() bool { return t.s == "" && len(t.body) == 0 }

// Size is the length of the text as it is stored, in bytes; the decoded text
// is never longer, but for bytes that are not UTF-8.
func (t Text) Size() int { return len(t.s) + len(t.body) }
