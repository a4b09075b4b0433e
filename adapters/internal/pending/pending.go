// Package pending remembers tool calls until their results arrive.
//
// Calls that are never answered, of a killed client or a response that was broken
// off, must not pile up: the oldest are forgotten.
package pending

import "iter"

const (
	most      = 1024
	mostBytes = 32 << 20
)

// Calls are the calls that have no result yet, by what names them. The zero value has none.
type Calls[K comparable, V any] struct {
	open  map[K]*held[V]
	order []turn[K] // oldest first; those that were taken may still be in it
	size  int       // of all that is open
	count uint64
}

// held is what is kept of a call, with its size, by which the bound is kept.
type held[V any] struct {
	value  V
	size   int
	number uint64
}

// turn is the place of a call among the others.
type turn[K comparable] struct {
	id     K
	number uint64
}

// Put notes a call and how many bytes it holds. One of the same name is forgotten.
func (c *Calls[K, V]) Put(id K, value V, size int) {
	c.Take(id)
	if c.open == nil {
		c.open = map[K]*held[V]{}
	}
	c.count++
	c.open[id] = &held[V]{value, size, c.count}
	c.order = append(c.order, turn[K]{id, c.count})
	c.size += size
	for len(c.open) > most || c.size > mostBytes && len(c.open) > 1 {
		if oldest := c.order[0]; c.isOpen(oldest) {
			c.Take(oldest.id)
		}
		c.order = c.order[1:]
	}
	if len(c.order) > 4*most {
		c.compact()
	}
}

// Len is how many calls are open.
func (c *Calls[K, V]) Len() int { return len(c.open) }

// Get returns a call, or nil if it is not known. What it points to may be changed,
// but for its size.
func (c *Calls[K, V]) Get(id K) *V {
	if made := c.open[id]; made != nil {
		return &made.value
	}
	return nil
}

// Take returns a call and forgets it; the zero call if it is not known.
func (c *Calls[K, V]) Take(id K) V {
	made := c.open[id]
	if made == nil {
		var none V
		return none
	}
	delete(c.open, id)
	c.size -= made.size
	return made.value
}

// Shrink notes that what is kept of a call takes no room any more.
func (c *Calls[K, V]) Shrink(id K) {
	if made := c.open[id]; made != nil {
		c.size -= made.size
		made.size = 0
	}
}

// All visits the calls, oldest first. What they point to may be changed, but for their size.
func (c *Calls[K, V]) All() iter.Seq2[K, *V] {
	return func(yield func(K, *V) bool) {
		for _, t := range c.order {
			if c.isOpen(t) && !yield(t.id, &c.open[t.id].value) {
				return
			}
		}
	}
}

// isOpen reports whether a call is the one that was made then: an id may be used again.
func (c *Calls[K, V]) isOpen(t turn[K]) bool {
	made := c.open[t.id]
	return made != nil && made.number == t.number
}

// compact drops the calls that were taken from the order.
func (c *Calls[K, V]) compact() {
	left := make([]turn[K], 0, 2*len(c.open))
	for _, t := range c.order {
		if c.isOpen(t) {
			left = append(left, t)
		}
	}
	c.order = left
}
