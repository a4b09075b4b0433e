package otel

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// attributes is a list of keys and values, as OTLP writes them.
type attributes struct{ list jsondoc.Value }

// get is the value of an attribute; absent if there is none.
func (a attributes) get(key string) value {
	var found jsondoc.Value
	for kv := range a.list.Elems() {
		if kv.Get("key").Is(key) {
			found = kv.Get("value")
		}
	}
	return value{found}
}

// first is the first of several attributes that is there and not empty.
func (a attributes) first(keys ...string) value {
	for _, key := range keys {
		if v := a.get(key); v.str() != "" || v.list().Exists() || v.members().Exists() {
			return v
		}
	}
	return value{}
}

// value is an AnyValue: an object with one member that says its kind.
type value struct{ v jsondoc.Value }

// text is the text of a string, not decoded yet.
func (v value) text() core.Text { return core.Token(v.v.Get("stringValue")) }

// str is a string, or a number or truth value as text. Numbers are written as
// strings or as numbers; so are truth values by some clients.
func (v value) str() string {
	if s := v.v.Get("stringValue"); s.Exists() {
		return s.Str()
	}
	for _, kind := range []string{"intValue", "doubleValue", "boolValue"} {
		if x := v.v.Get(kind); x.Kind() == jsondoc.String {
			return x.Str()
		} else if x.Exists() {
			return string(x.Raw())
		}
	}
	return ""
}

// number is a value that is a number or the text of one; else 0.
func (v value) number() int64 {
	n, err := strconv.ParseInt(v.str(), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// isTrue reports whether a value is true, or says so.
func (v value) isTrue() bool { return strings.EqualFold(v.str(), "true") }

// list is the values of an array; absent if it is none.
func (v value) list() jsondoc.Value { return v.v.Path("arrayValue", "values") }

// members is the members of a map; absent if it is none.
func (v value) members() jsondoc.Value { return v.v.Path("kvlistValue", "values") }

// plain appends the value as the JSON that it stands for.
func (v value) plain(dst []byte) []byte {
	for kind, x := range v.v.Fields() {
		switch kind.Str() {
		case "arrayValue":
			dst = append(dst, '[')
			sep := false
			for el := range x.Get("values").Elems() {
				if sep {
					dst = append(dst, ',')
				}
				dst, sep = value{el}.plain(dst), true
			}
			return append(dst, ']')
		case "kvlistValue":
			dst = append(dst, '{')
			sep := false
			for el := range x.Get("values").Elems() {
				if sep {
					dst = append(dst, ',')
				}
				dst = append(el.Get("key").AppendCompact(dst), ':')
				dst, sep = value{el.Get("value")}.plain(dst), true
			}
			return append(dst, '}')
		case "intValue":
			if _, err := strconv.ParseInt(x.Str(), 10, 64); err == nil {
				return append(dst, x.Str()...)
			}
			return x.AppendCompact(dst)
		default:
			return x.AppendCompact(dst)
		}
	}
	return append(dst, "null"...)
}

// structured reads a value that stands for something structured: as such, or as
// JSON in a string, which may have been cut off. It is absent then. The result is
// valid until the next call.
func (p *parser) structured(v value) jsondoc.Value {
	switch {
	case !v.v.Exists():
		return jsondoc.Value{}
	case v.list().Exists() || v.members().Exists():
		p.buf = v.plain(p.buf[:0])
	default:
		p.buf = v.text().Append(p.buf[:0])
	}
	n, err := p.inner.Parse(p.buf)
	if err != nil || n == 0 {
		return jsondoc.Value{}
	}
	root := p.inner.Root()
	if root.Kind() == jsondoc.String { // written as JSON again
		again := root.AppendStr(nil)
		if _, err := p.inner.Parse(again); err != nil {
			return jsondoc.Value{}
		}
		root = p.inner.Root()
	}
	return root
}

// raw is a value as what it stands for: structured if it is, and else its text.
func (p *parser) raw(v value) core.Raw {
	if !v.v.Exists() {
		return core.Raw{}
	}
	if s := p.structured(v); s.Kind() == jsondoc.Object || s.Kind() == jsondoc.Array {
		return core.RawValue(s)
	}
	return core.RawString(v.str())
}
