package shape

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Unseen is something that is not known of a tool's records.
type Unseen struct {
	What string // "kind", "member" or "version"
	Name string // where it is, as a path, or which version
}

// String returns what was unseen, as in "field tool_use_id".
func (u Unseen) String() string { return u.What + " " + u.Name }

// Compare orders what is unseen.
func (u Unseen) Compare(v Unseen) int {
	return cmp.Or(cmp.Compare(u.What, v.What), cmp.Compare(u.Name, v.Name))
}

// Census is what the records of one transcript are like. What it says depends on
// nothing else.
type Census struct {
	known  *Known
	seen   [][]uint64 // by object and member
	unseen map[Unseen]int64
	extra  map[string]bool // members that are not known, as paths
	latest string          // version that was known
}

// Census begins one.
func (k *Known) Census() *Census {
	return &Census{known: k, seen: make([][]uint64, len(k.objects)), unseen: map[Unseen]int64{}, extra: map[string]bool{}}
}

// The bounds of what is kept of a transcript: names that a hostile one makes up
// are counted together.
const (
	maxUnseen = 256
	maxName   = 64
	maxDepth  = 64
)

// Record looks at a record.
func (c *Census) Record(v jsondoc.Value) {
	c.look(c.known.root, v, 0)
	if is := c.known.placed; is.value != "" {
		c.place(v.Get(is.path), v.Get(is.value))
	}
}

// place looks at a value where a path says that it stands. Which kind an element of
// a list is of, a path does not say: behind such a one nothing is looked at.
func (c *Census) place(path, v jsondoc.Value) {
	o, at := c.known.root, -1
	for key := range path.Elems() {
		if key.Kind() == jsondoc.Number {
			continue
		}
		if at >= 0 {
			m := &o.members[at]
			if m.opaque {
				return
			}
			if m.value == nil {
				c.member(o.path + ">" + m.name + "{}")
				return
			}
			o = m.value
		}
		if o.named != nil {
			o, at = o.named, -1
			continue
		}
		if o.kinds != nil {
			return
		}
		if at = o.next(0, key); at < 0 {
			c.member(o.path + ">" + legible(key.Str()))
			return
		}
		c.mark(o, -1)
		c.mark(o, at)
	}
	if at < 0 {
		c.look(o, v, 0)
		return
	}
	c.held(o, at, v, 0)
}

// Unseen returns what was met that is not known, and how often. It is the census's
// own, to be read only.
func (c *Census) Unseen() map[Unseen]int64 { return c.unseen }

// look compares a value with what is known of the objects where it stands.
func (c *Census) look(o *object, v jsondoc.Value, depth int) {
	if depth > maxDepth {
		return
	}
	switch v.Kind() {
	case jsondoc.Array:
		for e := range v.Elems() {
			if kind := e.Kind(); kind == jsondoc.Object || kind == jsondoc.Array {
				c.look(o, e, depth+1)
			}
		}
	case jsondoc.Object:
		c.object(o, v, depth)
	default:
	}
}

// object compares an object with what is known of its place: its kind, then its members,
// then the values below them.
func (c *Census) object(o *object, v jsondoc.Value, depth int) {
	if o.named != nil {
		for _, held := range v.Fields() {
			c.look(o.named, held, depth+1)
		}
		return
	}
	if o.kinds != nil {
		if kind := c.kindOf(v); kind != "" {
			of := o.kinds[kind]
			if of == nil {
				c.note("kind", o.path+":"+legible(kind))
				return
			}
			o = of
		}
	}
	c.mark(o, -1)
	next := 0
	for name, held := range v.Fields() {
		at := o.next(next, name)
		if at < 0 {
			c.member(o.path + ">" + legible(name.Str()))
			continue
		}
		next = at + 1
		c.mark(o, at)
		c.held(o, at, held, depth)
	}
}

// held compares what a member holds with what is known of that.
func (c *Census) held(o *object, member int, v jsondoc.Value, depth int) {
	m := &o.members[member]
	switch {
	case m.version:
		c.version(v)
	case m.value != nil && !m.opaque:
		c.look(m.value, v, depth+1)
	case !m.opaque && holdsObject(v):
		c.member(o.path + ">" + m.name + "{}")
	}
}

// holdsObject reports whether a value, so far seen as plain ones only, holds
// objects.
func holdsObject(v jsondoc.Value) bool {
	if v.Kind() == jsondoc.Object {
		return v.Len() > 0
	}
	for e := range v.Elems() {
		if e.Kind() == jsondoc.Object {
			return true
		}
	}
	return false
}

// next finds a member, from where the one before stood: objects of one kind have
// theirs in one order nearly always.
func (o *object) next(from int, name jsondoc.Value) int {
	for i := range o.members {
		at := from + i
		if at >= len(o.members) {
			at -= len(o.members)
		}
		if name.Is(o.members[at].name) {
			return at
		}
	}
	return -1
}

// kindOf returns the kind of an object: what its first members that say so hold.
func (c *Census) kindOf(v jsondoc.Value) string {
	kind := ""
	for _, name := range c.known.kinds {
		k := v.Get(name)
		if k.Kind() != jsondoc.String {
			continue
		}
		if kind != "" {
			kind += "/"
		}
		kind += k.Str()
	}
	return kind
}

// mark notes that a member that is known was seen, so that those which never are can be
// named.
func (c *Census) mark(o *object, member int) {
	if c.seen[o.at] == nil {
		c.seen[o.at] = make([]uint64, (len(o.members)+64)/64)
	}
	bit := member + 1
	if bit/64 < len(c.seen[o.at]) {
		c.seen[o.at][bit/64] |= 1 << (bit % 64)
	}
}

// member notes a member that is not known, by its path: "message>content>newThing".
func (c *Census) member(path string) {
	if len(c.extra) < maxUnseen {
		c.extra[path] = true
	}
	c.note("member", path)
}

// version notes a version of the tool that no recording has. Most records of a file name
// the same one, so that the last is looked at first.
func (c *Census) version(v jsondoc.Value) {
	if v.Kind() != jsondoc.String || v.Is(c.latest) {
		return
	}
	s := v.Str()
	if c.known.versions[s] {
		c.latest = s
		return
	}
	if s != "" {
		c.note("version", legible(s))
	}
}

// note counts something that was not seen before. Of more than maxUnseen names the rest is
// counted as "…": a file must not fill the memory by its names.
func (c *Census) note(what, name string) {
	u := Unseen{what, strings.ReplaceAll(strings.TrimLeft(name, ":>"), ">", ".")}
	if _, ok := c.unseen[u]; !ok && len(c.unseen) >= maxUnseen {
		u.Name = "…"
	}
	c.unseen[u]++
}

// legible returns a name as it may be shown: what is no name of a member or a kind may
// be data, and is not.
func legible(name string) string {
	plain := name != "" && len(name) <= maxName
	for _, r := range name {
		plain = plain && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-$./:+", r))
	}
	if !plain {
		return "?"
	}
	return name
}

// paths lists the members that were met, as paths, sorted.
func (c *Census) paths() []string {
	var all []string
	for at, bits := range c.seen {
		o := c.known.objects[at]
		for i := range o.members {
			if bit := i + 1; bit/64 < len(bits) && bits[bit/64]&(1<<(bit%64)) != 0 {
				all = append(all, o.path+">"+o.members[i].name)
			}
		}
		if bits != nil {
			all = append(all, o.path)
		}
	}
	for path := range c.extra { // sorted below
		all = append(all, path)
	}
	slices.Sort(all)
	return all
}

// Fingerprint returns the same for transcripts whose records have the same shapes:
// kinds and members, whatever they hold.
func (c *Census) Fingerprint() string {
	h := sha256.New()
	for _, path := range c.paths() {
		h.Write([]byte(path + "\n"))
	}
	const long = 8
	return hex.EncodeToString(h.Sum(nil)[:long])
}

// Variant returns the name of the variant of the tool's format, or "" if it is none
// that is known.
func (c *Census) Variant() string {
	met := c.paths()
	for _, v := range c.known.variants {
		path := strings.TrimPrefix(v.path, "-")
		if _, ok := slices.BinarySearch(met, path); ok {
			return v.name
		}
	}
	return ""
}
