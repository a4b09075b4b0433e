package pi

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// tree follows the branch that is alive. An entry is remembered by a few bytes, for the
// whole file; those beyond maxNodes cannot be gone back to.
type tree struct {
	nodes   map[string]node
	root    node
	leaf    string // id of the last entry
	spoken  uint64 // seq of the last event that was said or done
	said    bool
	started bool
}

// node is an entry: the seqs of its events, and its moment.
type node struct {
	first, last uint64
	time        core.Time
}

// mark is an event to go back to.
type mark struct {
	id  string
	seq uint64
}

// maxNodes bounds the entries that a branch can begin at.
const maxNodes = 1 << 20

// add makes an entry the leaf.
func (t *tree) add(id string, n node) {
	if t.nodes == nil {
		t.nodes = map[string]node{}
	}
	if len(t.nodes) < maxNodes {
		t.nodes[id] = n
	}
	t.leaf = id
}

// speak notes that the last event was said or done.
func (t *tree) speak(seq uint64) { t.spoken, t.said = seq, true }

// branch reports whether an entry leaves the branch that is alive, and to where
// it goes back. Where nothing was said since, nothing is taken back; parents
// that stand nowhere lead nowhere (wild, OpenClaw).
func (t *tree) branch(r *record, session string) (mark, bool) {
	if t.leaf == "" || !t.said || !r.parent.Exists() || r.parent.Is(t.leaf) {
		return mark{}, false
	}
	if r.parent.Kind() == jsondoc.Null || r.parent.Is(session) {
		return mark{session, t.root.last}, t.started && t.spoken > t.root.last
	}
	id := r.parent.Str()
	n, ok := t.nodes[id]
	if !ok || n.last >= t.spoken {
		return mark{}, false
	}
	return mark{key(id, n.time), n.last}, true
}
