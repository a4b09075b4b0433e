package cursor

import (
	"bytes"
	"slices"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Before bubbles were rows, the header of a conversation held them, in a list, in
// tabs or by their ids, and their calls apart:
//
//	conversation [bubble]   conversationMap {id: bubble}   tabs [{bubbles [bubble]}]
//	capabilities [{data {bubbleDataMap: {id: call}}}]       a string, or the value itself
//
// A header that lists rows as well may hold what no row has.

// before reads the bubbles that a header holds.
// Bubbles of a header without rows are emitted at once, in its order; those of one with
// rows wait until the row of theirs comes, and are taken only where that is empty.
func (p *parser) before(v jsondoc.Value) {
	p.inline, p.tools = nil, nil
	for c := range v.Get("capabilities").Elems() {
		for id, call := range stream.Nested(&p.kept, c.Path("data", "bubbleDataMap")).Fields() {
			p.tools = noted(p.tools, id.Str(), call)
		}
	}
	for id, b := range v.Get("conversationMap").Fields() {
		p.inline = noted(p.inline, id.Str(), b)
	}
	listed := v.Get("fullConversationHeadersOnly").Len() > 0
	for _, list := range p.lists(v) {
		for b := range list.Elems() {
			id := stream.Some(b, "bubbleId", "id")
			if listed {
				p.inline = noted(p.inline, id, b)
				continue
			}
			p.bubble(id, b)
		}
	}
}

// lists are the lists of bubbles in a header: the tabs' only if there is no other.
func (p *parser) lists(v jsondoc.Value) []jsondoc.Value {
	if c := v.Get("conversation"); c.Len() > 0 {
		return []jsondoc.Value{c}
	}
	var all []jsondoc.Value
	for tab := range v.Get("tabs").Elems() {
		all = append(all, tab.Get("bubbles"))
	}
	return all
}

// noted keeps a copy of a value, which lives no longer than its record.
func noted(all map[string][]byte, id string, v jsondoc.Value) map[string][]byte {
	if id == "" || v.Kind() != jsondoc.Object {
		return all
	}
	if all == nil {
		all = map[string][]byte{}
	}
	all[id] = slices.Clone(bytes.TrimSpace(v.Raw()))
	return all
}

// done is the call of a bubble that does not hold it.
// It is valid until the next call.
func (p *parser) done(id string) jsondoc.Value {
	kept, ok := p.tools[id]
	if !ok {
		return jsondoc.Value{}
	}
	if _, err := p.ran.Parse(kept); err != nil {
		return jsondoc.Value{}
	}
	return p.ran.Root()
}
