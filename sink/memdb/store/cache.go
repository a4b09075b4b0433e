package store

import (
	"sync"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// answer is what a search found, and as long as what it holds.
type answer struct {
	response api.SearchResponse
	head     chain.Head
	until    int64 // 0 is for ever
	size     int
}

// How many answers are kept, and of what size.
const (
	cacheSize  = 256
	cacheBytes = 256 << 10
)

// cache keeps the answers to searches. An answer holds as long as the chain has
// the head that it had then: whoever writes, in this process or another, moves
// it.
type cache struct {
	lock    sync.Mutex
	answers map[string]answer
}

// get returns a cached answer if nothing was written since, and it has not expired.
func (c *cache) get(key string, head chain.Head, now int64) (answer, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	a, ok := c.answers[key]
	return a, ok && a.head == head && (a.until == 0 || now < a.until)
}

// put stores an answer unless it is large. A full cache is emptied.
func (c *cache) put(key string, a answer) {
	if a.size > cacheBytes {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.answers == nil || len(c.answers) >= cacheSize {
		c.answers = map[string]answer{}
	}
	c.answers[key] = a
}

// clear empties the cache.
func (c *cache) clear() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.answers = nil
}
