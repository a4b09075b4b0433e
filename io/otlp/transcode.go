package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxFields is how many fields the layout of a message has at most.
const maxFields = 18

// errDeep says that messages stand in each other deeper than JSON may.
var errDeep = fmt.Errorf("nested deeper than %d", jsondoc.MaxDepth)

// transcoder writes messages of protobuf as JSON.
type transcoder struct {
	out     []byte
	records int // how many were written
}

// found is what a message has of a field: its last value, or how many values there are.
type found struct {
	number uint64
	bytes  []byte
	sent   int // how often it was
	values int // of a list
}

// message writes one message. It keeps nothing of it but the last value of each field:
// lists are read once more when their turn comes.
func (t *transcoder) message(b []byte, l *layout, depth int) error {
	if depth > jsondoc.MaxDepth {
		return errDeep
	}
	var all [maxFields]found
	last, err := scan(b, l, &all)
	if err != nil {
		return err
	}
	if l.record {
		t.records++
	}
	t.out = append(t.out, '{')
	start := len(t.out)
	for i := range l.fields {
		f, is := &l.fields[i], &all[i]
		if !f.written(is, i == last) || f.rule == instead && all[i-1].values > 0 {
			continue
		}
		if len(t.out) > start {
			t.out = append(t.out, ',')
		}
		t.out = append(append(append(t.out, '"'), f.name...), '"', ':')
		switch {
		case f.rule == list || f.rule == instead:
			err = t.list(b, f, depth)
		case f.kind == nested && is.sent > 1 && f.rule == always:
			err = t.message(merged(b, f.number), f.of, depth+1)
		default:
			err = t.value(f, is.number, is.bytes, depth)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	t.out = append(t.out, '}')
	return nil
}

// written reports whether a field is written; chosen says that it was the last of those
// of which there is one.
func (f *field) written(is *found, chosen bool) bool {
	switch f.rule {
	case list, instead:
		return is.values > 0
	case always:
		return true
	case oneOf:
		return chosen
	case sent:
		return is.sent > 0
	case plain:
	}
	switch f.kind {
	case text, octets:
		return len(is.bytes) > 0
	case id8, id16:
		for _, c := range is.bytes {
			if c != 0 {
				return true
			}
		}
		return false
	case double:
		return math.Float64frombits(is.number) != 0
	case fixed32, uint32s, int32s, sint32s:
		return uint32(is.number) != 0 //nolint:gosec // of more bits, the lower ones count
	default:
		return is.number != 0
	}
}

// scan reads a message through: the last value of each field that it has, and the place of
// the last one of those of which there is one, or -1.
func scan(b []byte, l *layout, all *[maxFields]found) (last int, err error) {
	last = -1
	for len(b) > 0 {
		number, wire, size := protowire.ConsumeTag(b)
		if size < 0 {
			return 0, protowire.ParseError(size)
		}
		b = b[size:]
		i := l.find(number)
		if i < 0 {
			if size = protowire.ConsumeFieldValue(number, wire, b); size < 0 {
				return 0, protowire.ParseError(size)
			}
			b = b[size:]
			continue
		}
		f, is := &l.fields[i], &all[i]
		if is.number, is.bytes, size = consume(wire, b); size < 0 {
			return 0, fmt.Errorf("%s: %w", f.name, protowire.ParseError(size))
		}
		b = b[size:]
		n, err := f.values(wire, is.bytes)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", f.name, err)
		}
		is.sent++
		is.values += n
		if f.rule == oneOf {
			last = i
		}
	}
	return last, nil
}

// consume reads the value of a field. A kind that the protocol has nowhere is an error.
func consume(wire protowire.Type, b []byte) (number uint64, value []byte, size int) {
	switch wire {
	case protowire.VarintType:
		number, size = protowire.ConsumeVarint(b)
	case protowire.Fixed32Type:
		var n uint32
		n, size = protowire.ConsumeFixed32(b)
		number = uint64(n)
	case protowire.Fixed64Type:
		number, size = protowire.ConsumeFixed64(b)
	case protowire.BytesType:
		value, size = protowire.ConsumeBytes(b)
	default:
		_, size = protowire.ConsumeVarint(nil)
	}
	return number, value, size
}

var (
	errWire = errors.New("not sent as its type is")
	errID   = errors.New("an id of a wrong length")
)

// values says how many values a field was sent, and refuses what is not of its type.
func (f *field) values(wire protowire.Type, b []byte) (int, error) {
	own := f.kind.wire()
	if wire != own && (f.rule != list || wire != protowire.BytesType) {
		return 0, errWire
	}
	switch {
	case f.kind == id8 && len(b) != 0 && len(b) != 8, f.kind == id16 && len(b) != 0 && len(b) != 16:
		return 0, errID
	case wire == own:
		return 1, nil
	case own == protowire.Fixed64Type:
		if len(b)%8 != 0 {
			return 0, errWire
		}
		return len(b) / 8, nil
	}
	n := 0
	for ; len(b) > 0; n++ {
		_, size := protowire.ConsumeVarint(b)
		if size < 0 {
			return 0, protowire.ParseError(size)
		}
		b = b[size:]
	}
	return n, nil
}

// list writes all values of a field that a message, which was read through, has.
func (t *transcoder) list(b []byte, f *field, depth int) error {
	t.out = append(t.out, '[')
	start := len(t.out)
	one := func(number uint64, value []byte) error {
		if len(t.out) > start {
			t.out = append(t.out, ',')
		}
		return t.value(f, number, value, depth)
	}
	for len(b) > 0 {
		number, wire, size := protowire.ConsumeTag(b)
		b = b[size:]
		if number != f.number {
			b = b[protowire.ConsumeFieldValue(number, wire, b):]
			continue
		}
		n, value, size := consume(wire, b)
		b = b[size:]
		if wire == f.kind.wire() {
			if err := one(n, value); err != nil {
				return err
			}
			continue
		}
		for len(value) > 0 { // packed
			n, _, size = consume(f.kind.wire(), value)
			value = value[size:]
			if err := one(n, nil); err != nil {
				return err
			}
		}
	}
	t.out = append(t.out, ']')
	return nil
}

// merged is the message that several are together which were sent for one field.
func merged(b []byte, of protowire.Number) (all []byte) {
	for len(b) > 0 {
		number, wire, size := protowire.ConsumeTag(b)
		b = b[size:]
		size = protowire.ConsumeFieldValue(number, wire, b)
		if number == of {
			value, _ := protowire.ConsumeBytes(b)
			all = append(all, value...)
		}
		b = b[size:]
	}
	return all
}

// value writes one value.
func (t *transcoder) value(f *field, number uint64, b []byte, depth int) error {
	//nolint:gosec // of numbers with more bits than their type, the lower ones count
	switch f.kind {
	case nested:
		return t.message(b, f.of, depth+1)
	case text:
		t.out = appendString(t.out, b)
	case octets:
		t.out = append(base64.StdEncoding.AppendEncode(append(t.out, '"'), b), '"')
	case id8, id16:
		t.out = append(hex.AppendEncode(append(t.out, '"'), b), '"')
	case boolean:
		t.out = strconv.AppendBool(t.out, number != 0)
	case double:
		t.out = appendDouble(t.out, math.Float64frombits(number))
	case fixed64, uint64s:
		t.out = append(strconv.AppendUint(append(t.out, '"'), number, 10), '"')
	case sfixed64, int64s:
		t.out = append(strconv.AppendInt(append(t.out, '"'), int64(number), 10), '"')
	case fixed32, uint32s:
		t.out = strconv.AppendUint(t.out, uint64(uint32(number)), 10)
	case int32s:
		t.out = strconv.AppendInt(t.out, int64(int32(number)), 10)
	case sint32s:
		t.out = strconv.AppendInt(t.out, int64(int32(uint32(number>>1))^-int32(number&1)), 10)
	}
	return nil
}

// appendDouble writes a number as ECMAScript does, and those that JSON does not have as
// protobuf does.
func appendDouble(out []byte, v float64) []byte {
	switch abs := math.Abs(v); {
	case math.IsNaN(v):
		return append(out, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(out, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(out, `"-Infinity"`...)
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		return strconv.AppendFloat(out, v, 'e', -1, 64)
	default:
		return strconv.AppendFloat(out, v, 'f', -1, 64)
	}
}

// appendString writes a string of JSON. What is not UTF-8 stays as it is.
func appendString(out, s []byte) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	start := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' || c >= utf8.RuneSelf {
			continue
		}
		out = append(out, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(out, s[start:]...), '"')
}
