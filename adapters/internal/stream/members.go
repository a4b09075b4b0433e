package stream

import "github.com/memscribe/memscribe/core/jsondoc"

// Members takes the members of an object into values: of says into which one a member of
// a name goes, nil if it means nothing. Whoever calls it has emptied them.
//
// A record has up to fifty members; to look up each that means something would go
// through all of them as often.
func Members(v jsondoc.Value, of func(name []byte) *jsondoc.Value) {
	for name, v := range v.Fields() {
		if to := of(name.Body()); to != nil {
			*to = v
		}
	}
}
