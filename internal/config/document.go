package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Document is a file of settings that was read. Its methods take a path and never fail: where
// the file does not have the setting, or has one of another kind, they return the zero value.
// Whether the kinds are right is what [Schema.Check] says; call it first.
//
// Name is the file as messages call it. tree is what the TOML library makes of the file: tables
// as map[string]any, lists as []any, and text, int64, float64, bool and dates below them.
// places has the position of every key, table and element, by path.
type Document struct {
	Name   string
	tree   map[string]any
	places map[string]Place
}

// maxSize bounds a file of settings.
// It is in bytes. A file of a person has some kilobytes.
const maxSize = 4 << 20

// Parse reads a file, which is called name in messages. A byte order mark at its beginning, as
// editors on Windows write it, is skipped. The error, if there is one, is [Problems] with one
// entry: a file that is no TOML has a single problem, with the place where reading stopped.
func Parse(name string, data []byte) (*Document, error) {
	d := &Document{Name: name, tree: map[string]any{}, places: map[string]Place{}}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > maxSize {
		return nil, Problems{{Place: Place{name, 1, 1}, Message: fmt.Sprintf("file has %d bytes, of %d at most", len(data), maxSize)}}
	}
	if err := toml.Unmarshal(data, &d.tree); err != nil {
		return nil, Problems{syntaxProblem(name, data, err)}
	}
	d.locate(data)
	return d, nil
}

// syntaxProblem returns a syntax error of TOML as a problem with its line and
// column.
func syntaxProblem(name string, data []byte, err error) *Problem {
	p := &Problem{Place: Place{name, 1, 1}, Message: strings.TrimPrefix(err.Error(), "toml: ")}
	if de, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, col := de.Position()
		rows := 1 + bytes.Count(data, []byte("\n"))
		p.Place.Line, p.Place.Col = min(max(row, 1), rows), max(col, 1)
	}
	return p
}

// locate notes where each key and each element of a list stands. It reads the file a second
// time, with the library's low-level parser, since the values that toml.Unmarshal returns have
// no positions. The file is known to be valid by then.
func (d *Document) locate(data []byte) {
	l := locator{document: d, lists: map[string]int{}, starts: lineStarts(data)}
	l.parser.Reset(data)
	prefix := ""
	for l.parser.NextExpression() {
		switch e := l.parser.Expression(); e.Kind {
		case unstable.Table:
			prefix = l.keys("", e, false)
		case unstable.ArrayTable:
			prefix = l.keys("", e, true)
		case unstable.KeyValue:
			l.pair(prefix, e)
		default:
		}
	}
}

// locator walks a file and notes the line and column of each setting. It lives for one call of
// [Document.locate].
type locator struct {
	document *Document
	parser   unstable.Parser
	lists    map[string]int // lists of tables: how many there are so far
	starts   []int          // of the lines
}

// keys follows the key of a node from a path on and returns the path to which it
// leads. With another set, the last name is of a list that gets another table.
func (l *locator) keys(path string, n *unstable.Node, another bool) string {
	first := n.Key()
	first.Next()
	for it := n.Key(); it.Next(); {
		k := it.Node()
		path = Join(path, string(k.Data))
		if _, known := l.document.places[path]; !known {
			l.document.places[path] = l.place(k.Raw)
		}
		switch count, isList := l.lists[path]; {
		case another && it.IsLast():
			l.lists[path] = count + 1
			element := path + "[" + strconv.Itoa(count) + "]"
			l.document.places[element] = l.place(first.Node().Raw)
			return element
		case isList:
			path += "[" + strconv.Itoa(count-1) + "]"
		}
	}
	return path
}

// pair records the places of a key and of its value.
func (l *locator) pair(prefix string, n *unstable.Node) {
	path := l.keys(prefix, n, false)
	l.value(path, n.Value())
}

// value records the places of the parts of a value: members of inline tables and
// items of arrays.
// An element for which the parser gives no byte range has the place of its list.
func (l *locator) value(path string, v *unstable.Node) {
	i := 0
	for it := v.Children(); it.Next(); {
		child := it.Node()
		switch {
		case v.Kind == unstable.InlineTable:
			l.pair(path, child)
			continue
		case v.Kind != unstable.Array || child.Kind == unstable.Comment:
			continue
		}
		element := path + "[" + strconv.Itoa(i) + "]"
		i++
		l.document.places[element] = l.document.places[path]
		if child.Raw.Length > 0 {
			l.document.places[element] = l.place(child.Raw)
		}
		l.value(element, child)
	}
}

// place returns the line and column of the first byte of a range, both from 1.
func (l *locator) place(r unstable.Range) Place {
	at := int(r.Offset)
	line, exact := slices.BinarySearch(l.starts, at)
	if !exact {
		line--
	}
	return Place{l.document.Name, line + 1, at - l.starts[line] + 1}
}

// lineStarts returns the offset of the first byte of each line.
func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// Join returns the path of the member name of the table at path. A name that TOML writes in
// quotes is quoted in the path, too: Join("projects", "a.b") is `projects."a.b"`.
func Join(path, name string) string {
	if !isBare(name) {
		name = strconv.Quote(name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// isBare reports whether a key needs no quotes in TOML.
func isBare(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return name != ""
}

// At returns the place of a path. If the file does not have the path, it is the place of the
// nearest table around it that the file has, or the beginning of the file.
func (d *Document) At(path string) Place {
	for {
		if p, ok := d.places[path]; ok {
			return p
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return Place{d.Name, 1, 1}
		}
		path = path[:i]
	}
}

// Problem says that something is wrong at path.
func (d *Document) Problem(path, format string, args ...any) *Problem {
	return &Problem{Place: d.At(path), Message: fmt.Sprintf(format, args...)}
}

// lookup returns the value at a path, and false if the file does not have it. The empty path is
// the whole file.
func (d *Document) lookup(path string) (any, bool) {
	var v any = d.tree
	for path != "" {
		var ok bool
		if strings.HasPrefix(path, "[") {
			number, rest, _ := strings.Cut(path[1:], "]")
			list, isList := v.([]any)
			i, err := strconv.Atoi(number)
			if !isList || err != nil || i >= len(list) {
				return nil, false
			}
			v, path = list[i], strings.TrimPrefix(rest, ".")
			continue
		}
		table, isTable := v.(map[string]any)
		name, rest := cutName(path)
		if v, ok = table[name]; !isTable || !ok {
			return nil, false
		}
		path = rest
	}
	return v, true
}

// cutName cuts the first name off a path: `"a.b".c[0]` gives "a.b" and "c[0]". What is left may
// begin with the index of an element.
func cutName(path string) (name, rest string) {
	if quoted, err := strconv.QuotedPrefix(path); err == nil {
		if name, err := strconv.Unquote(quoted); err == nil {
			return name, strings.TrimPrefix(path[len(quoted):], ".")
		}
	}
	i := strings.IndexAny(path, ".[")
	if i < 0 {
		return path, ""
	}
	return path[:i], strings.TrimPrefix(path[i:], ".")
}

// Has reports whether the file says something at path.
func (d *Document) Has(path string) bool {
	_, ok := d.lookup(path)
	return ok
}

// Text returns the value at path as text, in the form in which a flag takes it; "" if there is
// none. It also serves for numbers, booleans and dates.
func (d *Document) Text(path string) string {
	if v, ok := d.lookup(path); ok {
		return textOf(v)
	}
	return ""
}

// Texts returns the elements of the list at path as text; nil if there is no list.
func (d *Document) Texts(path string) []string {
	v, ok := d.lookup(path)
	list, isList := v.([]any)
	if !ok || !isList {
		return nil
	}
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = textOf(x)
	}
	return texts
}

// Flag reports whether the value at path is true.
func (d *Document) Flag(path string) bool {
	v, _ := d.lookup(path)
	on, _ := v.(bool)
	return on
}

// Number returns the number at path; 0 if there is none. Whole numbers beyond 2^53 lose digits.
func (d *Document) Number(path string) float64 {
	switch v, _ := d.lookup(path); v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	default:
		return 0
	}
}

// Tables returns the paths of the tables in the list at path, in the order of the file:
// "redact.rules" gives "redact.rules[0]", "redact.rules[1]" and so on.
func (d *Document) Tables(path string) []string {
	v, _ := d.lookup(path)
	list, _ := v.([]any)
	paths := make([]string, len(list))
	for i := range list {
		paths[i] = path + "[" + strconv.Itoa(i) + "]"
	}
	return paths
}

// Names returns the names in the table at path, sorted.
func (d *Document) Names(path string) []string {
	v, _ := d.lookup(path)
	table, _ := v.(map[string]any)
	return slices.Sorted(maps.Keys(table))
}

// textOf returns a value as the text that a flag would take.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}
