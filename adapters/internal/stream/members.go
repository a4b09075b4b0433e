package stream

import "github.com/memscribe/memscribe/core/jsondoc"

// Members says into which values the members of an object go: "type": &r.kind.
//
// A record has up to fifty members; to look up each that means something would go
// through all of them as often. A parser makes its Members once, for a struct that
// it uses again for every record.
type Members map[string]*jsondoc.Value

// Read takes the members of an object into their values. Whoever calls it has
// emptied them.
func (m Members) Read(v jsondoc.Value) {
	for name, v := range v.Fields() {
		if at, ok := m[string(name.Body())]; ok {
			*at = v
		}
	}
}
