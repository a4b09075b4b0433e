package cut

import (
	"bytes"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// FromJSON appends JSON without what was cut from it as a text. Its strings, numbers and
// other words lose what lies in cuts; what holds them together stays.
func FromJSON(dst, text, clean []byte, cuts []Cut) []byte {
	shift := 0
	for at := 0; at < len(text); {
		end := at + 1
		switch {
		case text[at] == '"':
			end = endOfString(text, at)
		case !isPunctuation(text[at]):
			for end < len(text) && !isPunctuation(text[end]) {
				end++
			}
		}
		for len(cuts) > 0 && cuts[0].At+cuts[0].Len <= at {
			shift += cuts[0].With - cuts[0].Len
			cuts = cuts[1:]
		}
		if len(cuts) == 0 || cuts[0].At >= end || isPunctuation(text[at]) {
			dst = append(dst, text[at:end]...)
		} else {
			dst = appendCut(dst, text[at:end], at, clean, cuts, shift)
		}
		at = end
	}
	return dst
}

// appendCut appends a string or another scalar, which begins at an offset, without what lies
// in cuts. The first of them ends behind its begin.
func appendCut(dst, scalar []byte, at int, clean []byte, cuts []Cut, shift int) []byte {
	first := clean[cuts[0].At+shift : cuts[0].At+shift+cuts[0].With]
	if scalar[0] != '"' {
		return jsondoc.AppendQuote(dst, first)
	}
	begin, from, end := len(dst), at+1, at+len(scalar)-1
	dst = append(dst, '"')
	for _, c := range cuts {
		if c.At >= end {
			break
		}
		dst = append(dst, scalar[min(from, max(from, c.At))-at:max(from, c.At)-at]...)
		if c.At+c.Len > from {
			dst = append(dst, clean[c.At+shift:c.At+shift+c.With]...)
		}
		from, shift = min(end, max(from, c.At+c.Len)), shift+c.With-c.Len
	}
	dst = append(append(dst, scalar[from-at:end-at]...), '"')
	var doc jsondoc.Doc
	if n, err := doc.Parse(dst[begin:]); err != nil || n != len(dst)-begin { // an escape was cut in two
		return jsondoc.AppendQuote(dst[:begin], first)
	}
	return dst
}

// endOfString returns where a string ends that begins at an offset of JSON.
func endOfString(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func isPunctuation(c byte) bool { return bytes.IndexByte([]byte("[]{},:"), c) >= 0 }
