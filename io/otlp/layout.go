package otlp

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

//go:embed layout.txt
var layoutText string

// layout is what a message of the protocol may have.
type layout struct {
	fields []field
	record bool // a record of telemetry: what counts
}

// field is a member of a message.
type field struct {
	number protowire.Number
	name   string // in JSON
	rule   rule
	kind   kind
	of     *layout // of a message
}

// rule is the sign before a field's type in layout.txt.
type rule byte

const (
	plain   rule = 0
	list    rule = '*'
	sent    rule = '?'
	oneOf   rule = '|'
	always  rule = '+'
	instead rule = '~'
)

// kind is the type of a field.
type kind uint8

const (
	nested kind = iota
	text
	octets
	id8
	id16
	boolean
	double
	fixed64
	sfixed64
	uint64s
	int64s
	fixed32
	uint32s
	int32s
	sint32s
)

// kindOf is the type of a name; any other name is a message's.
func kindOf(name string) kind {
	names := []string{
		"", "string", "bytes", "id8", "id16", "bool", "double", "fixed64", "sfixed64", "uint64", "int64", "fixed32", "uint32", "int32", "sint32",
	}
	return kind(max(slices.Index(names, name), 0)) //nolint:gosec // there are few
}

// wire is how a field's values are sent.
func (k kind) wire() protowire.Type {
	switch k {
	case nested, text, octets, id8, id16:
		return protowire.BytesType
	case double, fixed64, sfixed64:
		return protowire.Fixed64Type
	case fixed32:
		return protowire.Fixed32Type
	default:
		return protowire.VarintType
	}
}

// find returns the place of a field, or -1.
func (l *layout) find(number protowire.Number) int {
	for i := range l.fields {
		if l.fields[i].number == number {
			return i
		}
	}
	return -1
}

// readLayouts reads layout.txt: the layout of each message by its name, with that of the
// requests under "logs", "traces" and "metrics".
func readLayouts() (map[string]*layout, error) {
	all := map[string]*layout{}
	get := func(name string) *layout {
		if all[name] == nil {
			all[name] = &layout{record: slices.Contains([]string{"LogRecord", "Span", "Number", "HistogramPoint", "ExponentialPoint", "SummaryPoint"}, name)}
		}
		return all[name]
	}
	for line := range strings.Lines(layoutText) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || name[0] == '#' {
			continue
		}
		l := get(name)
		for part := range strings.SplitSeq(rest, ", ") {
			words := strings.Fields(part)
			if len(words) != 3 {
				return nil, fmt.Errorf("%s: %q is no field", name, part)
			}
			number, err := strconv.Atoi(words[0])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			f := field{number: protowire.Number(number), name: words[1]} //nolint:gosec // a test reads them all
			if strings.ContainsRune("*?|+~", rune(words[2][0])) {
				f.rule, words[2] = rule(words[2][0]), words[2][1:]
			}
			if f.kind = kindOf(words[2]); f.kind == nested {
				f.of = get(words[2])
			}
			l.fields = append(l.fields, f)
		}
		if len(l.fields) > maxFields {
			return nil, fmt.Errorf("%s: more than %d fields", name, maxFields)
		}
	}
	for name, l := range all {
		if len(l.fields) == 0 {
			return nil, errors.New(name + ": no fields")
		}
	}
	return all, nil
}
