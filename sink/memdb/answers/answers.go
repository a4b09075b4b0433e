// Package answers keeps the answers to searches, and gives one out only while a search would
// find just that.
//
// An answer is kept with the place up to which it knows each chain: see [Log]. When the same
// search comes again, the entries behind that place say which memories were written, superseded
// or forgotten since, by whichever process.
//
//	nothing new                                   the answer holds
//	a memory that is in the answer                it is stale
//	a memory that fits the filters of the search  it is stale
//	another memory                                it holds, as far as the chain now goes
//
// The entries and the search are read in one transaction, so nothing can come between.
package answers

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Step is what an entry of a chain says was done.
type Step struct {
	Namespace, MemoryID, Action string
	Record                      []byte // the version that it wrote; nil if there is none any more
}

// Log is the chains of a store as a transaction sees them.
type Log interface {
	// Stamp is where the chains stand that a search depends on.
	Stamp(ctx context.Context) (Stamp, error)
	// Since are the steps of a chain behind a head, so many at most. ok is false if the
	// chain is not one that continues that head.
	Since(ctx context.Context, name string, from chain.Head, most int) (steps []Step, ok bool, err error)
}

// Stamp is the place up to which something is known.
type Stamp struct {
	Heads  chain.Heads // by the name of the chain
	Filled int64       // how often vectors were filled in, for a search that looks at them
}

// equal reports whether two stamps say that nothing was written in between.
func (s Stamp) equal(t Stamp) bool { return s.Filled == t.Filled && maps.Equal(s.Heads, t.Heads) }

// Answer is what a search found.
type Answer struct {
	Response api.SearchResponse
	Until    int64 // when the passing of time alone may change it; 0 is never
	Size     int   // in bytes
	Stamp    Stamp
}

// Of returns the answer that a page makes.
func Of(p *record.Page) Answer {
	a := Answer{Response: api.SearchResponse{Memories: p.Memories, NextCursor: p.Next}, Size: p.Size}
	if a.Response.Memories == nil {
		a.Response.Memories = []api.Memory{}
	}
	return a
}

// The bounds of what is kept.
const (
	most      = 256       // answers
	mostBytes = 256 << 10 // of one
	mostSteps = 128       // that are looked at before an answer is given up
)

// Cache keeps answers. The zero Cache is empty. Several goroutines may use it.
type Cache struct {
	lock    sync.Mutex
	answers map[string]Answer
	hits    int64
}

// Get returns the answer to a search that was asked before, under its key, if it still
// is one. Otherwise ok is false, and found says with which stamp the answer of now is to
// be kept.
func (c *Cache) Get(ctx context.Context, key string, r *api.SearchRequest, now int64, log Log) (found Answer, ok bool, err error) {
	stamp, err := log.Stamp(ctx)
	if err != nil {
		return Answer{}, false, err
	}
	c.lock.Lock()
	a, known := c.answers[key]
	c.lock.Unlock()
	if !known || a.Until != 0 && now >= a.Until {
		return Answer{Stamp: stamp}, false, nil
	}
	if !a.Stamp.equal(stamp) {
		if ok, err = a.holds(ctx, r, stamp, log); err != nil || !ok {
			return Answer{Stamp: stamp}, false, err
		}
		a.Stamp = stamp
		c.Put(key, a)
	}
	c.lock.Lock()
	c.hits++
	c.lock.Unlock()
	return a, true, nil
}

// holds reports whether nothing that was done up to a stamp changes an answer.
func (a *Answer) holds(ctx context.Context, r *api.SearchRequest, stamp Stamp, log Log) (bool, error) {
	if a.Stamp.Filled != stamp.Filled || len(a.Stamp.Heads) != len(stamp.Heads) {
		return false, nil
	}
	for _, name := range slices.Sorted(maps.Keys(stamp.Heads)) {
		from, known := a.Stamp.Heads[name]
		if !known || from.Length == 0 {
			return false, nil
		}
		if from == stamp.Heads[name] {
			continue
		}
		steps, ok, err := log.Since(ctx, name, from, mostSteps+1)
		if err != nil || !ok || len(steps) > mostSteps {
			return false, err
		}
		for i := range steps {
			if a.changedBy(r, &steps[i]) {
				return false, nil
			}
		}
	}
	return true, nil
}

// changedBy reports whether a step may change an answer.
func (a *Answer) changedBy(r *api.SearchRequest, s *Step) bool {
	switch {
	case !slices.Contains(r.Namespaces, s.Namespace):
		return false
	case s.MemoryID == "" || a.has(s.Namespace, s.MemoryID):
		return true
	case s.Action == chain.Write:
		return s.fits(r)
	case a.Response.NextCursor != "" || r.Mode.ByVectors():
		return true // it may be what the next page has, or have stood between others
	}
	return s.fits(r)
}

// has reports whether a memory is among those that were found.
func (a *Answer) has(namespace, id string) bool {
	return slices.ContainsFunc(a.Response.Memories, func(m api.Memory) bool { return m.Namespace == namespace && m.ID == id })
}

// fits reports whether a search with these filters may find what a step wrote.
func (s *Step) fits(r *api.SearchRequest) bool {
	if s.Record == nil {
		return false // it is gone again, or there never was one
	}
	rec, err := record.Read(s.Record)
	return err != nil || record.Fits(r, &rec.Memory)
}

// Put keeps an answer under the key of its search.
func (c *Cache) Put(key string, a Answer) {
	if a.Size > mostBytes {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.answers == nil || len(c.answers) >= most {
		c.answers = map[string]Answer{}
	}
	c.answers[key] = a
}

// Drop drops what has a memory, as when its content must go. With id "" that is all of a
// namespace.
func (c *Cache) Drop(namespace, id string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	maps.DeleteFunc(c.answers, func(_ string, a Answer) bool {
		return slices.ContainsFunc(a.Response.Memories, func(m api.Memory) bool { return m.Namespace == namespace && (id == "" || m.ID == id) })
	})
}

// Hits returns how often an answer was given out that was kept.
func (c *Cache) Hits() int64 {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.hits
}
