package core

import "github.com/memscribe/memscribe/core/jsondoc"

// Text is a string of the source that is decoded only when it is needed: no stage reads
// most of the text of a transcript. The zero Text is empty.
//
// A Text made by [Token] aliases the record and is valid as long as its event. To keep it,
// keep Text.String().
type Text struct {
	s    string
	body []byte // of a JSON string, without the quotes
}

// Plain returns the Text of a decoded string.
func Plain(s string) Text { return Text{s: s} }

// Token returns the Text of a JSON string. For any other kind of value it is empty.
func Token(v jsondoc.Value) Text {
	if v.Kind() != jsondoc.String {
		return Text{}
	}
	return Text{body: v.Body()}
}

// String returns the decoded text.
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

// AppendStored appends the text as it is stored, and reports whether that is the body of a
// JSON string, which [jsondoc.Unquote] decodes. It is for texts that are rarely needed.
func (t Text) AppendStored(dst []byte) (_ []byte, quoted bool) {
	if t.body == nil {
		return append(dst, t.s...), false
	}
	return append(dst, t.body...), true
}

// Ending returns a shorter text whose last n decoded bytes are those of t, or t. Its time
// does not depend on the length of t.
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

// Beginning returns a shorter text whose first n decoded bytes are those of t, except for a
// character that would be cut, or t. Its time does not depend on the length of t.
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

// Size returns the length of the stored text in bytes. The decoded text is not longer,
// unless it has bytes that are not UTF-8.
func (t Text) Size() int { return len(t.s) + len(t.body) }
