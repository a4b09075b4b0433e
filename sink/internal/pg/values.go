package pg

import (
	bits "encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// encode writes the values of a statement as the server reads them: bytes as they are,
// everything else as text, nil as NULL.
//
//	"a", int64(7), true, []string{"a", `say "b"`}, []*int64{nil, &one}
//	→ a, 7, t, {"a","say \"b\""}, {NULL,1}
func encode(args []any) (values [][]byte, formats []int16, err error) {
	values, formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		if b, ok := arg.([]byte); ok {
			values[i], formats[i] = b, 1
			continue
		}
		text, null, err := written(arg)
		if err != nil {
			return nil, nil, fmt.Errorf("encode value %d: %w", i+1, err)
		}
		if !null {
			values[i] = []byte(text)
		}
	}
	return values, formats, nil
}

// written returns a value as text, and whether it is NULL. Types that no statement of this
// program uses are an error.
func written(arg any) (text string, null bool, err error) {
	switch v := arg.(type) {
	case nil:
		return "", true, nil
	case string:
		return v, false, nil
	case *string:
		return pointed(v)
	case *int64:
		return pointed(v)
	case int64:
		return strconv.FormatInt(v, 10), false, nil
	case int:
		return strconv.Itoa(v), false, nil
	case bool:
		return strconv.FormatBool(v), false, nil
	case []byte:
		return `\x` + hex.EncodeToString(v), false, nil
	case []string:
		return array(v)
	case []int64:
		return array(v)
	case []*string:
		return array(v)
	case []*int64:
		return array(v)
	case [][]byte:
		return array(v)
	}
	return "", false, fmt.Errorf("a %T is none that this program sends", arg)
}

// pointed returns an optional value as text; null if it is not set.
func pointed[T any](p *T) (text string, null bool, err error) {
	if p == nil {
		return "", true, nil
	}
	return written(*p)
}

// array returns a list as PostgreSQL writes it.
func array[T any](all []T) (text string, null bool, err error) {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	b.WriteByte('{')
	for i, one := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		text, null, err = written(one)
		switch {
		case err != nil:
			return "", false, err
		case null:
			b.WriteString("NULL")
		default:
			b.WriteByte('"')
			_, _ = escape.WriteString(&b, text) // a Builder takes everything
			b.WriteByte('"')
		}
	}
	b.WriteByte('}')
	return b.String(), false, nil
}

// copied returns rows in the text format of COPY: values between tabs, rows between line ends,
// NULL as \N.
func copied(rows [][]any) (string, error) {
	escape := strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	var b strings.Builder
	for _, row := range rows {
		for i, value := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			text, null, err := written(value)
			switch {
			case err != nil:
				return "", fmt.Errorf("encode value %d of a row: %w", i+1, err)
			case null:
				b.WriteString(`\N`)
			default:
				_, _ = escape.WriteString(&b, text) // a Builder takes everything
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// errNull is the error of a place that has no room for NULL.
var errNull = errors.New("it is NULL")

// decode puts a value of an answer, in binary, into the variable that into points to. The
// value's bytes are copied. NULL is an error unless the variable can be nil.
func decode(value []byte, into any) error {
	switch p := into.(type) {
	case *[]byte:
		*p = nil
		if value != nil {
			*p = append([]byte{}, value...)
		}
		return nil
	case **string:
		return perhaps(value, p)
	case **int64:
		return perhaps(value, p)
	case **bool:
		return perhaps(value, p)
	}
	if value == nil {
		return errNull
	}
	switch p := into.(type) {
	case *string:
		*p = string(value)
		return nil
	case *bool:
		*p = len(value) == 1 && value[0] != 0
		return nil
	case *int64:
		return whole(value, p)
	case *[]float32:
		return numbers(value, p)
	case *int:
		var n int64
		err := whole(value, &n)
		*p = int(n)
		return err
	}
	return fmt.Errorf("a %T takes no value of an answer", into)
}

// perhaps decodes a value that may be NULL.
func perhaps[T any](value []byte, into **T) error {
	*into = nil
	if value == nil {
		return nil
	}
	*into = new(T)
	return decode(value, *into)
}

// whole reads an integer of two, four or eight bytes with a sign, the highest byte first.
func whole(value []byte, into *int64) error {
	n := len(value)
	if n != 2 && n != 4 && n != 8 {
		return fmt.Errorf("%d bytes are no number", n)
	}
	is := int64(int8(value[0])) //nolint:gosec // the first bit is the sign
	for _, b := range value[1:] {
		is = is<<8 | int64(b)
	}
	*into = is
	return nil
}

// Real returns a list of numbers as PostgreSQL reads a real[]. Each has as many digits as it
// takes to read back the same number.
func Real(all []float32) string {
	b := make([]byte, 0, 12*len(all)+2)
	b = append(b, '{')
	for i, n := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(n), 'g', -1, 32)
	}
	return string(append(b, '}'))
}

// numbers reads a real[] of one dimension into the memory of into, if that has room. In binary
// such an array is, in parts of four bytes with the highest first:
//
//	"dimensions" 1, "has NULLs", "type of element", "number of elements", "first index"
//	"length" 4, "element"      for each element
func numbers(value []byte, into *[]float32) error {
	const part, head, one, size = 4, 20, 1, 4
	*into = (*into)[:0]
	if len(value) == 3*part && bits.BigEndian.Uint32(value) == 0 {
		return nil // an empty one has no dimension
	}
	if len(value) < head || bits.BigEndian.Uint32(value) != one || (len(value)-head)%(2*part) != 0 {
		return fmt.Errorf("%d bytes are no list of numbers", len(value))
	}
	for at := value[head:]; len(at) > 0; at = at[2*part:] {
		if bits.BigEndian.Uint32(at) != size {
			return errNull
		}
		*into = append(*into, math.Float32frombits(bits.BigEndian.Uint32(at[part:])))
	}
	return nil
}
