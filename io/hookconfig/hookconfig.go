// Package hookconfig adds hooks to the settings of a tool and removes them.
//
// Settings are JSON, in some tools with comments, and belong to the user: everything else in them
// stays unchanged, byte for byte. Added text has the indentation of the text around it.
//
//	{
//	  "hooks": {
//	    "Stop": [        ← a list for each event, created if there is none
//	      { … },         ← another program's
//	      { … }          ← ours, at the end
//	    ]
//	  }
//	}
//
// Our own hooks are recognised by a mark, a text that one of their strings has, such as the
// path of this program. So an element that a person has changed a little is still found, and
// nothing else is ever removed.
//
//	Add       settings with the hooks; the list that has a marked element stays as it is
//	Remove    settings without marked elements, and without lists that are empty then
//	Has       how many of the hooks are there, and whether they are equal to the wanted ones
//	…Member   the same for a single member, as MCP servers need it
//
// Every function is pure: it gets the text of the settings and returns the new text. Comments
// stay with the value that they belong to.
package hookconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Entry is one hook: an element in the list of an event.
type Entry struct {
	Event string
	JSON  string // the element
}

// ErrForm says that settings do not have the form that the tool expects.
var ErrForm = errors.New("not of the expected form")

// key is the member with the lists.
const key = "hooks"

// Add returns settings with the entries added. An empty text stands for a missing file. A list
// that has an element with mark in it is not changed.
func Add(text []byte, mark string, entries []Entry) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	lay := layoutOf(text)
	for _, e := range entries {
		lists, err := member(&root, key, "{}", lay.at(1))
		if err != nil {
			return nil, err
		}
		list, err := member(lists, e.Event, "[]", lay.at(2))
		if err != nil {
			return nil, err
		}
		array, ok := list.Value.(*hujson.Array)
		if !ok {
			return nil, fmt.Errorf("%s.%s: %w", key, e.Event, ErrForm)
		}
		if holds(array, mark) {
			continue
		}
		if err := push(array, e.JSON, lay.at(3)); err != nil {
			return nil, err
		}
	}
	return root.Pack(), nil
}

// Remove returns settings without the elements that have mark in them, and without the lists that
// are empty then. It reports whether there were any.
func Remove(text []byte, mark string) ([]byte, bool, error) {
	root, err := parse(text)
	if err != nil {
		return nil, false, err
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, false, fmt.Errorf("settings: %w", ErrForm)
	}
	at := index(object, key)
	if at < 0 {
		return text, false, nil
	}
	lists, ok := object.Members[at].Value.Value.(*hujson.Object)
	if !ok {
		return text, false, nil
	}
	removed := false
	for i, m := range slices.Backward(lists.Members) {
		array, ok := m.Value.Value.(*hujson.Array)
		if !ok || !holds(array, mark) {
			continue
		}
		strip(array, mark)
		removed = true
		if len(array.Elements) == 0 {
			dropMember(lists, i)
		}
	}
	if removed && len(lists.Members) == 0 {
		dropMember(object, at)
	}
	return root.Pack(), removed, nil
}

// Has returns for how many of the entries the settings have an element with mark in it, and
// whether all of these elements are equal to the entries.
func Has(text []byte, mark string, entries []Entry) (n int, same bool, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return 0, false, nil
	}
	root, err := parse(text)
	if err != nil {
		return 0, false, err
	}
	same = true
	for _, e := range entries {
		list := root.Find("/" + key + "/" + e.Event)
		if list == nil {
			continue
		}
		array, ok := list.Value.(*hujson.Array)
		if !ok || !holds(array, mark) {
			continue
		}
		n++
		same = same && holdsJSON(array, e.JSON)
	}
	return n, n > 0 && same, nil
}

// Count returns how many lists of the settings have an element with mark in it. Settings that
// cannot be read have none.
func Count(text []byte, mark string) (n int) {
	root, err := parse(text)
	if err != nil {
		return 0
	}
	lists := root.Find("/" + key)
	if lists == nil {
		return 0
	}
	object, ok := lists.Value.(*hujson.Object)
	if !ok {
		return 0
	}
	for _, m := range object.Members {
		if array, ok := m.Value.Value.(*hujson.Array); ok && holds(array, mark) {
			n++
		}
	}
	return n
}

// parse parses settings: JSON that may have comments and trailing commas. Anything but an object
// gives [ErrForm].
func parse(text []byte) (hujson.Value, error) {
	root, err := hujson.Parse(text)
	if err != nil {
		return hujson.Value{}, fmt.Errorf("read settings: %w", err)
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return hujson.Value{}, fmt.Errorf("settings: %w", ErrForm)
	}
	return root, nil
}

// holds reports whether an element of a list has mark in it.
func holds(array *hujson.Array, mark string) bool {
	for i := range array.Elements {
		if isMarked(&array.Elements[i], mark) {
			return true
		}
	}
	return false
}

// isMarked reports whether a value has mark in one of its strings.
func isMarked(v *hujson.Value, mark string) bool {
	c := v.Clone()
	c.Minimize()
	return bytes.Contains(c.Pack(), []byte(mark))
}

// holdsJSON reports whether an array has an element that equals want, apart from white space.
func holdsJSON(array *hujson.Array, want string) bool {
	w, err := hujson.Parse([]byte(want))
	if err != nil {
		return false
	}
	w.Minimize()
	for i := range array.Elements {
		c := array.Elements[i].Clone()
		c.Minimize()
		if bytes.Equal(c.Pack(), w.Pack()) {
			return true
		}
	}
	return false
}

// strip removes the marked elements of a list. From a group of hooks it removes only the marked
// hooks.
func strip(array *hujson.Array, mark string) {
	for i := len(array.Elements) - 1; i >= 0; i-- {
		v := &array.Elements[i]
		if !isMarked(v, mark) {
			continue
		}
		if group := v.Find("/" + key); group != nil {
			if inner, ok := group.Value.(*hujson.Array); ok {
				strip(inner, mark)
				if len(inner.Elements) > 0 {
					continue
				}
			}
		}
		dropElement(array, i)
	}
}

// member returns the value of a member. It creates the member if there is none.
func member(v *hujson.Value, name, empty string, lay layout) (*hujson.Value, error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, ErrForm)
	}
	if i := index(object, name); i >= 0 {
		return &object.Members[i].Value, nil
	}
	value, err := hujson.Parse([]byte(empty))
	if err != nil {
		return nil, err
	}
	if len(object.Members) > 0 {
		lay = lay.beside(object.AfterExtra)
	}
	value.BeforeExtra = hujson.Extra(lay.colon)
	m := hujson.ObjectMember{Name: hujson.Value{BeforeExtra: hujson.Extra(lay.before), Value: hujson.String(name)}, Value: value}
	if n := len(object.Members); n > 0 {
		m.Value.AfterExtra = object.Members[n-1].Value.AfterExtra
	}
	lay.follow(&m.Name.BeforeExtra, &object.AfterExtra)
	object.Members = append(object.Members, m)
	return &object.Members[len(object.Members)-1].Value, nil
}

// push appends an element to a list.
func push(array *hujson.Array, text string, lay layout) error {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return fmt.Errorf("read entry: %w", err)
	}
	if len(array.Elements) > 0 {
		lay = lay.beside(array.AfterExtra)
	}
	lay.spread(&v)
	v.BeforeExtra = hujson.Extra(lay.before)
	if n := len(array.Elements); n > 0 {
		v.AfterExtra = array.Elements[n-1].AfterExtra
	}
	lay.follow(&v.BeforeExtra, &array.AfterExtra)
	array.Elements = append(array.Elements, v)
	return nil
}

// beside returns the layout for an element after others that are on one line with the bracket.
func (l layout) beside(closing hujson.Extra) layout {
	if bytes.Contains(closing, []byte("\n")) || l.end == "" {
		return l
	}
	l.unit, l.end, l.before, l.after = "", "", " ", string(closing)
	return l
}

// follow places a value after the last one. A comment after that one stays where it is.
func (l layout) follow(before, closing *hujson.Extra) {
	comment := bytes.TrimRight(*closing, " \t\r\n")
	*before = append(bytes.Clone(comment), *before...)
	if len(comment) > 0 && !bytes.ContainsAny(*before, "\n") {
		*before = append(*before, '\n') // a comment may extend to the end of its line
	}
	*closing = hujson.Extra(l.after)
}

// unfollow keeps the comment before the last value, which is removed.
func unfollow(before hujson.Extra, closing *hujson.Extra) {
	comment := bytes.TrimRight(before, " \t\r\n")
	*closing = append(bytes.Clone(comment), *closing...)
}

// index returns the index of a member of an object, or -1.
func index(object *hujson.Object, name string) int {
	for i := range object.Members {
		if s, ok := object.Members[i].Name.Value.(hujson.Literal); ok && s.String() == name {
			return i
		}
	}
	return -1
}

// dropElement removes an element.
func dropElement(array *hujson.Array, i int) {
	before, isLast := array.Elements[i].BeforeExtra, i == len(array.Elements)-1
	if isLast && i > 0 && array.Elements[i-1].AfterExtra == nil {
		array.Elements[i-1].AfterExtra = array.Elements[i].AfterExtra // keep a trailing comma
	}
	array.Elements = append(array.Elements[:i], array.Elements[i+1:]...)
	switch {
	case len(array.Elements) == 0 && len(bytes.TrimSpace(before)) == 0:
		array.AfterExtra = nil
	case isLast:
		unfollow(before, &array.AfterExtra)
	}
}

// dropMember removes a member.
func dropMember(object *hujson.Object, i int) {
	before, isLast := object.Members[i].Name.BeforeExtra, i == len(object.Members)-1
	if isLast && i > 0 && object.Members[i-1].Value.AfterExtra == nil {
		// a comma at the end
		object.Members[i-1].Value.AfterExtra = object.Members[i].Value.AfterExtra
	}
	object.Members = append(object.Members[:i], object.Members[i+1:]...)
	switch {
	case len(object.Members) == 0 && len(bytes.TrimSpace(before)) == 0:
		object.AfterExtra = nil
	case isLast:
		unfollow(before, &object.AfterExtra)
	}
}

// layout is the white space of a file at some depth.
type layout struct {
	unit, end string // one level of indentation, and the line end; both "" if all is on one line
	depth     int

	before, after, colon string
}

// layoutOf returns the layout of a file by its first indented line.
func layoutOf(text []byte) layout {
	lay := layout{unit: "  ", end: "\n", colon: " "}
	if bytes.Contains(text, []byte("\r\n")) {
		lay.end = "\r\n"
	}
	body := bytes.TrimSpace(text)
	if !bytes.Contains(body, []byte("\n")) && len(body) > len("{}") {
		lay.unit, lay.end = "", ""
		return lay
	}
	for line := range strings.Lines(string(text)) {
		rest := strings.TrimLeft(line, " \t")
		if indent := line[:len(line)-len(rest)]; indent != "" && strings.HasPrefix(rest, `"`) {
			lay.unit = indent
			break
		}
	}
	return lay
}

// at returns the layout for a depth.
func (l layout) at(depth int) layout {
	l.depth = depth
	l.before = l.end + strings.Repeat(l.unit, depth)
	l.after = l.end + strings.Repeat(l.unit, depth-1)
	return l
}

// spread lays out a value at the layout's depth.
func (l layout) spread(v *hujson.Value) {
	in := l.at(l.depth + 1)
	switch x := v.Value.(type) {
	case *hujson.Object:
		for i := range x.Members {
			m := &x.Members[i]
			m.Name.BeforeExtra, m.Value.BeforeExtra = hujson.Extra(in.before), hujson.Extra(l.colon)
			in.spread(&m.Value)
		}
		if len(x.Members) > 0 {
			x.AfterExtra = hujson.Extra(in.after)
		}
	case *hujson.Array:
		for i := range x.Elements {
			x.Elements[i].BeforeExtra = hujson.Extra(in.before)
			in.spread(&x.Elements[i])
		}
		if len(x.Elements) > 0 {
			x.AfterExtra = hujson.Extra(in.after)
		}
	}
}
