package jsondoc

import (
	"bytes"
	"unicode/utf8"
)

// AppendCompact appends v to dst without the space between its tokens and with
// its strings in the form of [AppendQuote]; numbers stay byte for byte. Equal
// texts written in different ways come out equal, and what is already in this
// form is copied as it is. Nothing is appended when v is absent.
func (v Value) AppendCompact(dst []byte) []byte {
	root := v.entry()
	if root.kind() == Absent {
		return dst
	}
	// The scalars cut the value into gaps that hold only punctuation and space.
	// What is already right is not copied piece by piece: buf[from:to] is the
	// part seen and not yet copied.
	buf, tape := v.doc.buf, v.doc.tape
	from, to := int(root.start), int(root.start)
	for _, e := range tape[v.at:root.next(v.at)] {
		if e.kind() >= Array {
			continue
		}
		dst, from = appendGap(dst, buf, from, to, int(e.start))
		to = int(e.end)
		if e.kind() == String && !canonical(buf[e.start+1:e.end-1], e.meta) {
			dst = append(dst, buf[from:e.start]...)
			dst = appendRequoted(dst, buf[e.start+1:e.end-1])
			from = to
		}
	}
	dst, from = appendGap(dst, buf, from, to, int(root.end))
	return append(dst, buf[from:root.end]...)
}

// appendGap passes over the punctuation buf[to:end]. The bytes from buf[from] on
// that it leaves to be copied are those from the returned offset on.
func appendGap(dst, buf []byte, from, to, end int) ([]byte, int) {
	for ; to < end; to++ {
		if isSpace(buf[to]) {
			dst = append(dst, buf[from:to]...)
			from = to + 1
		}
	}
	return dst, from
}

// canonical reports whether body, with the flags in meta, is what AppendQuote
// makes of its text.
func canonical(body []byte, meta uint32) bool {
	return meta&flagForeign == 0 && (meta&flagNonASCII == 0 || validUTF8(body))
}

// appendRequoted appends the string with the given body in the form of
// AppendQuote.
func appendRequoted(dst, body []byte) []byte {
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 {
			break
		}
		dst = appendValid(dst, body[:i])
		r, size := decodeEscape(body[i:])
		if r < ' ' || r == '"' || r == '\\' {
			dst = appendEscape(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		body = body[i+size:]
	}
	dst = appendValid(dst, body)
	return append(dst, '"')
}
