package embed

import "sync"

// recentBytes is how many bytes of vectors are remembered in each of two generations.
const recentBytes = 16 << 20

// named is a text in a namespace. Each namespace has its own entries: otherwise the time of an
// answer would reveal whether another namespace has the same text.
type named struct {
	namespace string
	hash      Hash
}

// recent remembers the vectors of the latest texts. When the new generation is full it becomes
// the old one, and the former old one is dropped. A vector that is used in the old generation
// is copied to the new one.
type recent struct {
	lock     sync.Mutex
	new, old map[named]Vector
	bytes    int // of the new one
}

// get returns the vector of a text, or nil.
func (r *recent) get(n named) Vector {
	r.lock.Lock()
	defer r.lock.Unlock()
	if v := r.new[n]; v != nil {
		return v
	}
	v := r.old[n]
	if v != nil {
		r.add(n, v)
	}
	return v
}

// put remembers a vector.
func (r *recent) put(n named, v Vector) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.new[n] == nil {
		r.add(n, v)
	}
}

// add adds a vector; beyond recentBytes the older half is dropped. The lock is held.
func (r *recent) add(n named, v Vector) {
	if r.new == nil || r.bytes > recentBytes {
		r.old, r.new, r.bytes = r.new, map[named]Vector{}, 0
	}
	r.new[n] = v
	r.bytes += number*len(v) + len(n.hash) + len(n.namespace)
}
