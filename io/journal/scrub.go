package journal

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// errBroken says that removing a secret would have made a JSON value invalid.
var errBroken = errors.New("a secret spans the structure of the value")

// Scrubbed returns a JSON value on one line without its secrets. First every string is redacted by
// itself, then the whole value as one text: only there is a value next to its name, and only there
// is a private key that is quoted line by line complete.
//
// Of {"password":"hunter2"} the first pass sees "hunter2" alone, and the second one the name
// beside it. If removing a secret would break the JSON, that is an error, and the value must not
// be kept.
func Scrubbed(s core.Scrubber, value []byte) ([]byte, error) {
	var doc jsondoc.Doc
	n, err := doc.Parse(value)
	if err != nil {
		return nil, fmt.Errorf("scrub value: %w", err)
	}
	if n != len(bytes.TrimSpace(value)) && len(bytes.TrimSpace(value[n:])) > 0 {
		return nil, fmt.Errorf("scrub value: %d bytes after it", len(value)-n)
	}
	v := walk{scrubber: s}
	line, err := v.value(make([]byte, 0, len(value)), doc.Root())
	if err != nil {
		return nil, fmt.Errorf("scrub value: %w", err)
	}
	clean, cuts, err := s.Scrub(core.TextField, bytes.Clone(line))
	switch {
	case err != nil:
		return nil, fmt.Errorf("scrub value: %w", err)
	case len(cuts) == 0:
		return line, nil
	}
	if n, err := doc.Parse(clean); err != nil || n != len(clean) {
		return nil, fmt.Errorf("scrub value: %w", errBroken)
	}
	return bytes.Clone(clean), nil
}

// walk redacts the strings of a value.
type walk struct {
	scrubber core.Scrubber
	scratch  []byte
}

// value appends a redacted value, including the names of members. The depth is at most
// [jsondoc.MaxDepth].
func (w *walk) value(dst []byte, v jsondoc.Value) ([]byte, error) {
	var err error
	switch v.Kind() {
	case jsondoc.String:
		w.scratch = v.AppendStr(w.scratch[:0])
		var clean []byte
		if clean, _, err = w.scrubber.Scrub(core.TextField, w.scratch); err != nil {
			return nil, err
		}
		return jsondoc.AppendQuote(dst, clean), nil
	case jsondoc.Array:
		open := len(dst)
		dst = append(dst, '[')
		for el := range v.Elems() {
			if len(dst) > open+1 {
				dst = append(dst, ',')
			}
			if dst, err = w.value(dst, el); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case jsondoc.Object:
		return w.object(dst, v)
	default:
		return v.AppendCompact(dst), nil
	}
}

// object appends a redacted object.
func (w *walk) object(dst []byte, v jsondoc.Value) ([]byte, error) {
	var err error
	open := len(dst)
	dst = append(dst, '{')
	for name, el := range v.Fields() {
		if len(dst) > open+1 {
			dst = append(dst, ',')
		}
		if dst, err = w.value(dst, name); err != nil {
			return nil, err
		}
		if dst, err = w.value(append(dst, ':'), el); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}
