// Package changed applies logs of changes to a JSON value ([Tree]) and to a text
// edited by line and column ([Text]).
//
//	{"kind":1,"k":["requests",0,"result"],"v":{…}}    Tree.Set
//	{"kind":2,"k":["requests"],"v":[…]}               Tree.Push
//
// The work on one of them has a bound: a log that asks for more is refused.
package changed

import (
	"bytes"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Tree is a JSON value that can be changed. Of what no change has gone into, it
// holds the text alone.
type Tree struct {
	text   []byte // of a value as a whole; nil once it is open
	array  bool
	names  [][]byte // of the members of an object, as written, quotes included
	values []*Tree
}

// maxGap bounds how far behind the end of a list a change may set an element.
const maxGap = 1 << 10

// NewTree returns a value as it is written. It keeps a copy of its bytes.
func NewTree(v jsondoc.Value) *Tree { return &Tree{text: bytes.Clone(v.Raw())} }

// open makes the members or elements of a value changeable. A value that has
// none becomes an empty object, or list.
func (t *Tree) open(array bool) {
	if t.text == nil {
		if t.array != array {
			*t = Tree{array: array}
		}
		return
	}
	var doc jsondoc.Doc
	text := t.text
	*t = Tree{array: array}
	if _, err := doc.Parse(text); err != nil {
		return
	}
	root := doc.Root()
	switch {
	case array && root.Kind() == jsondoc.Array:
		for v := range root.Elems() {
			t.values = append(t.values, NewTree(v))
		}
	case !array && root.Kind() == jsondoc.Object:
		for name, v := range root.Fields() {
			t.names = append(t.names, bytes.Clone(name.Raw()))
			t.values = append(t.values, NewTree(v))
		}
	}
}

// step returns the member or element that a key of a path names, made if it is
// not there; nil if it cannot be.
func (t *Tree) step(key jsondoc.Value) *Tree {
	if key.Kind() == jsondoc.Number {
		n, ok := key.Int()
		t.open(true)
		if !ok || n < 0 || n > int64(len(t.values)+maxGap) {
			return nil
		}
		for int64(len(t.values)) <= n {
			t.values = append(t.values, &Tree{text: []byte("null")})
		}
		return t.values[n]
	}
	t.open(false)
	if i := t.member(key); i >= 0 {
		return t.values[i]
	}
	t.names = append(t.names, bytes.Clone(key.Raw()))
	t.values = append(t.values, &Tree{text: []byte("null")})
	return t.values[len(t.values)-1]
}

// member is the number of a name, or -1.
func (t *Tree) member(key jsondoc.Value) int {
	for i, name := range t.names {
		if bytes.Equal(name, key.Raw()) {
			return i
		}
	}
	return -1
}

// at follows a path from its n-th key on.
func (t *Tree) at(path jsondoc.Value, from int) *Tree {
	n := 0
	for key := range path.Elems() {
		if n++; n <= from {
			continue
		}
		if t = t.step(key); t == nil {
			return nil
		}
	}
	return t
}

// Set puts a value at a path; one that is absent becomes null.
func (t *Tree) Set(path jsondoc.Value, from int, v jsondoc.Value) {
	place := t.at(path, from)
	if place == nil {
		return
	}
	if !v.Exists() {
		*place = Tree{text: []byte("null")}
		return
	}
	*place = *NewTree(v)
}

// Push cuts the list at a path to n elements, if n is not negative, and appends.
func (t *Tree) Push(path jsondoc.Value, from int, list jsondoc.Value, n int64) {
	place := t.at(path, from)
	if place == nil {
		return
	}
	place.open(true)
	if n >= 0 && n < int64(len(place.values)) {
		place.values = place.values[:n]
	}
	for v := range list.Elems() {
		place.values = append(place.values, NewTree(v))
	}
}

// Write appends the value as JSON.
func (t *Tree) Write(dst []byte) []byte {
	if t.text != nil {
		return append(dst, t.text...)
	}
	first, last := byte('{'), byte('}')
	if t.array {
		first, last = '[', ']'
	}
	dst = append(dst, first)
	for i, v := range t.values {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !t.array {
			dst = append(append(dst, t.names[i]...), ':')
		}
		dst = v.Write(dst)
	}
	return append(dst, last)
}
