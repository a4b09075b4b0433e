package otlp

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

var errKind = errors.New("not of its type")

// look counts the records in a message of JSON, and says what in it breaks the protocol.
// What the protocol does not know may be there.
func look(v jsondoc.Value, l *layout) (records int, err error) {
	switch v.Kind() {
	case jsondoc.Null:
		return 0, nil
	case jsondoc.Object:
	default:
		return 0, errKind
	}
	if l.record {
		records++
	}
	for name, value := range v.Fields() {
		f := l.named(name.Str())
		if f == nil {
			continue
		}
		n, err := f.look(value)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", f.name, err)
		}
		records += n
	}
	return records, nil
}

// named is the field of a name, in the form of JSON or of protobuf, or nil.
func (l *layout) named(name string) *field {
	for i := range l.fields {
		if f := &l.fields[i]; f.rule != instead && (f.name == name || strings.Contains(name, "_") && f.name == camel(name)) {
			return f
		}
	}
	return nil
}

// camel is a name of protobuf as it is in JSON.
func camel(name string) string {
	var b strings.Builder
	upper := false
	for _, c := range []byte(name) {
		switch {
		case c == '_':
			upper = true
			continue
		case upper && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		upper = false
		b.WriteByte(c)
	}
	return b.String()
}

// look looks at the values of a field.
func (f *field) look(v jsondoc.Value) (records int, err error) {
	switch {
	case v.Kind() == jsondoc.Null:
		return 0, nil
	case f.rule != list:
		return f.one(v)
	case v.Kind() != jsondoc.Array:
		return 0, errKind
	}
	for e := range v.Elems() {
		n, err := f.one(e)
		if err != nil {
			return 0, err
		}
		records += n
	}
	return records, nil
}

// one looks at one value.
func (f *field) one(v jsondoc.Value) (records int, err error) {
	is := v.Kind()
	switch f.kind {
	case nested:
		return look(v, f.of)
	case text, octets, id8, id16:
		if is != jsondoc.String {
			return 0, errKind
		}
	case boolean:
		if is != jsondoc.Bool {
			return 0, errKind
		}
	case double:
		if is != jsondoc.Number && is != jsondoc.String {
			return 0, errKind
		}
	default:
		if f.kind != int32s || is != jsondoc.String { // it may be the name of a value
			return 0, whole(v)
		}
	}
	return 0, nil
}

// whole refuses what is no whole number. One of many digits may be a string.
func whole(v jsondoc.Value) error {
	switch v.Kind() {
	case jsondoc.Number:
		if _, ok := v.Int(); !ok {
			return whole64(string(v.Raw()))
		}
	case jsondoc.String:
		return whole64(v.Str())
	default:
		return errKind
	}
	return nil
}

func whole64(s string) error {
	_, signed := strconv.ParseInt(s, 10, 64)
	_, unsigned := strconv.ParseUint(s, 10, 64)
	if signed != nil && unsigned != nil {
		return errKind
	}
	return nil
}
