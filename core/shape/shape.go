// Package shape compares the records of a transcript with the known record kinds and
// members of its tool.
//
// What is known is in a table, a line each:
//
//	kind NAME…          members that name the kind of an object
//	opaque NAME…        members that hold data, which is not looked into
//	named NAME…         members that hold an object whose names are data
//	release NAME…       members that hold the version of the tool
//	placed VALUE PATH   a record with a member VALUE changes a document: the value is looked at
//	                    where the names and numbers in the member PATH lead, from its root on
//	version VERSION…    versions that were seen
//	variant NAME PATH   a transcript with this path is of this variant; the first one counts
//	PATH NAME…          the members of the objects at a path
//
// A path leads to objects: ">name" to those that a member holds, alone or in a
// list, "{}" to those that stand under names which are data, ":kind" to those of
// one kind. A record is the empty path, written "-" where it has no kind.
//
// The beginning of the table of Pi, as an example:
//
//	kind type
//	opaque arguments input data
//	variant tree :session>id
//
//	:branchSummary id parentId summary timestamp type
//	:compaction>details modifiedFiles readFiles
//
// So the objects of Pi have their kind in "type"; what is in "arguments", "input" and "data" is
// not compared. With this table, two records give:
//
//	{"type":"compaction","details":{"newThing":1}}   member compaction.details.newThing
//	{"type":"brandnew","x":1}                        kind brandnew
//
// No value of a transcript is ever shown, only names that look like names.
package shape

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/packed"
)

// Known is what is known of a tool's records. It does not change.
type Known struct {
	kinds    []string
	opaque   map[string]bool
	named    map[string]bool
	releases map[string]bool
	versions map[string]bool
	variants []variant
	placed   placed
	root     *object
	objects  []*object
}

// variant is a record kind by its name, and the path at which the name stands.
type variant struct{ name, path string }

// placed names the members of a change that hold what is new, and where.
type placed struct{ value, path string }

// object is what is known of the objects at one path.
type object struct {
	path    string
	at      int // among all objects
	members []member
	kinds   map[string]*object // by kind, where it has one
	named   *object            // what any member holds, where names are data
}

// member is a member of an object, and what is known of what it holds.
type member struct {
	name    string
	opaque  bool
	version bool
	value   *object // also of the elements, if it is a list
}

// Parse reads a table, which may be packed.
func Parse(table []byte) (*Known, error) {
	text, err := packed.Text(string(table))
	if err != nil {
		return nil, err
	}
	k := &Known{
		opaque: map[string]bool{}, named: map[string]bool{}, releases: map[string]bool{}, versions: map[string]bool{},
	}
	k.root = k.make("")
	n := 0
	for line := range strings.Lines(text) {
		n++
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := k.line(words[0], words[1:]); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return k, nil
}

// line reads a line of the table.
func (k *Known) line(word string, more []string) error {
	into := map[string]map[string]bool{"opaque": k.opaque, "named": k.named, "release": k.releases, "version": k.versions}[word]
	switch {
	case into != nil:
		for _, name := range more {
			into[name] = true
		}
	case word == "kind":
		k.kinds = append(k.kinds, more...)
	case word == "variant":
		if len(more) != 2 {
			return errors.New("a variant has a name and a path")
		}
		k.variants = append(k.variants, variant{more[0], more[1]})
	case word == "placed":
		if len(more) != 2 {
			return errors.New("what is placed has a value and a path")
		}
		k.placed = placed{more[0], more[1]}
	default:
		return k.add(word, more)
	}
	return nil
}

// add notes the members of the objects at a path.
func (k *Known) add(path string, names []string) error {
	o, err := k.object(path)
	if err != nil {
		return err
	}
	for _, name := range names {
		k.member(o, name)
	}
	return nil
}

// member returns a member of o, made if there is none.
func (k *Known) member(o *object, name string) *member {
	at := o.find(name)
	if at < 0 {
		o.members, at = append(o.members, member{name: name, opaque: k.opaque[name], version: k.releases[name]}), len(o.members)
		if k.named[name] {
			k.held(o, &o.members[at]).named = k.make(o.path + ">" + name + "{}")
		}
	}
	return &o.members[at]
}

// find returns the place of a member among an object's, or -1.
func (o *object) find(name string) int {
	return slices.IndexFunc(o.members, func(m member) bool { return m.name == name })
}

// make adds an object kind to the table.
func (k *Known) make(path string) *object {
	o := &object{path: path, at: len(k.objects)}
	k.objects = append(k.objects, o)
	return o
}

// held returns the object that a member of o holds.
func (k *Known) held(o *object, m *member) *object {
	if m.value == nil {
		m.value = k.make(o.path + ">" + m.name)
	}
	return m.value
}

// object finds the object at a path, and makes those on the way.
func (k *Known) object(path string) (*object, error) {
	o := k.root
	for rest := strings.TrimPrefix(path, "-"); rest != ""; {
		mark, tail := rest[0], rest[1:]
		end := strings.IndexAny(tail, ">:{")
		if end < 0 {
			end = len(tail)
		}
		name := tail[:end]
		rest = tail[end:]
		switch {
		case mark == '>' && name != "":
			o = k.held(o, k.member(o, name))
		case mark == ':' && name != "":
			o = k.kind(o, name)
		case mark == '{' && name == "}":
			if o.named == nil {
				o.named = k.make(o.path + "{}")
			}
			o = o.named
		default:
			return nil, fmt.Errorf("read path %q: %q is no part of one", path, string(mark)+name)
		}
	}
	return o, nil
}

// kind returns the object kind for records of o with this value in their kind
// member.
func (k *Known) kind(o *object, name string) *object {
	if o.kinds == nil {
		o.kinds = map[string]*object{}
	}
	if o.kinds[name] == nil {
		o.kinds[name] = k.make(o.path + ":" + name)
	}
	return o.kinds[name]
}
