package embed

import "sync"

// recentBytes is how much of vectors is remembered in each of two generations.
const recentBytes = 16 << 20

// named is a text of a namespace. Each namespace remembers for itself: how fast an answer
// comes tells no one what another namespace holds.
type named struct {
	namespace string
	hash      Hash
}

// recent remembers vectors, of the last texts at least. It has two generations: when the
// new one is full it becomes the old one, which is dropped.
type recent struct {
	lock     sync.Mutex
	new, old map[named]Vector
	bytes    int // of the new one
}

// get returns the vector of a text, or nil. One that is asked for stays for another while.
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
