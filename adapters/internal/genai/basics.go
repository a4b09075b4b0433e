package genai

import (
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Digest is the 64-bit FNV-1a hash of b: ids and texts that only need to be told
// apart are kept as this.
func Digest(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// Moment reads a timestamp. All versions write 2006-01-02T15:04:05.000Z, which
// is read without a detour.
func Moment(v jsondoc.Value) core.Time {
	const form = "0000-00-00T00:00:00.000Z"
	b := v.Body()
	if len(b) != len(form) {
		return core.ParseTime(string(b))
	}
	var n [7]int
	field := 0
	for i, c := range b {
		switch {
		case form[i] == '0' && '0' <= c && c <= '9':
			n[field] = n[field]*10 + int(c-'0')
		case form[i] != '0' && form[i] == c:
			field++
		default:
			return core.ParseTime(string(b))
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*int(time.Millisecond), time.UTC)
	if t.Month() != time.Month(n[1]) || t.Day() != n[2] || t.Hour() != n[3] || t.Minute() != n[4] || t.Second() != n[5] {
		return core.Time{}
	}
	return core.UnixMilli(t.UnixMilli())
}

// Names keeps strings with few distinct values, so that each is made once. The
// zero Names is ready.
type Names struct{ known map[string]string }

// Beyond these, every use is a new string.
const (
	maxNames = 1024
	maxName  = 128
)

// Of is the text of v, "" if v is no string.
func (n *Names) Of(v jsondoc.Value) string {
	if v.Kind() != jsondoc.String {
		return ""
	}
	if v.Escaped() {
		return v.Str()
	}
	return n.intern(v.Body())
}

// Joined is family+name.
func (n *Names) Joined(family, name string) string {
	var key [2 * maxName]byte
	return n.intern(append(append(key[:0], family...), name...))
}

// intern is a name as a string, which is made once for all records that have it.
func (n *Names) intern(b []byte) string {
	if s, ok := n.known[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(n.known) < maxNames && len(s) <= maxName {
		if n.known == nil {
			n.known = map[string]string{}
		}
		n.known[s] = s
	}
	return s
}

// Joined makes one text of several.
func Joined(texts []core.Text) core.Text {
	switch len(texts) {
	case 0:
		return core.Text{}
	case 1:
		return texts[0]
	}
	var all []byte
	for i, t := range texts {
		if i > 0 {
			all = append(all, "\n\n"...)
		}
		all = t.Append(all)
	}
	return core.Plain(string(all))
}
