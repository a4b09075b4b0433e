// Package checkpoint remembers between runs which transcripts are finished: the
// state of each file when all of its nodes had reached the sink.
//
// No state of a parser is kept. A file that looks different is read again from
// its start, and so are those that may have a say in its nodes; which these are
// is kept as groups of files, with the keys (hashes of the ids of nodes and
// sessions) by which another file is found to belong to a group.
//
// The file of a [Store] is a log of changes:
//
//	magic ┃ length crc changes ┃ length crc changes ┃ …
//
// A frame counts whole or not at all, and only behind those before it: its checksum
// is of them too, so that what a loss of power has left of a longer log does not
// go on from what was written over its middle. Every beginning of the log is something
// that was true once, so that a log whose end was lost costs nothing but reading
// some transcripts again.
package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/io/discover"
)

// Group is files that are read again together. The zero Group is none.
type Group uint32

// Store is what is remembered. It serves one goroutine.
type Store struct {
	// Withheld, if not nil, says that a path must not be written down. What is
	// known of such a file ends with the process.
	Withheld func(path string) bool

	path    string
	binding string // what the entries are about
	mark    string // what the sink said of itself at the last commit
	file    *os.File
	size    int64  // of the file up to its last whole frame
	durable int64  // so much of that is known to be on the disk
	sum     uint32 // checksum of that
	rewrite bool   // the file does not say what memory does
	waste   int64  // bytes written since the file was last rewritten

	files  map[string]entry
	groups map[Group]*group
	joined map[Group]Group // groups that have become part of others
	keys   keys
	last   Group
	batch  []byte // changes that were not written yet
}

// entry is what is known of a file: how it looked when all of it had reached the sink.
type entry struct {
	stamp discover.Stamp
	group Group
	known bool // the stamp is one
}

// group is the files that are only understood together; live says that they are in memory.
type group struct {
	paths []string
	live  bool
}

// Open opens the store at path, and creates it, with its folder, for the user
// alone. Binding says what the entries depend on; a store that was written under
// another one is empty, and so is one that is damaged from its start.
func Open(path, binding string) (*Store, error) {
	if err := durable.Create(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("create state folder: %w", err)
	}
	s := &Store{path: path, binding: binding}
	s.empty()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read checkpoints: %w", err)
	}
	s.load(data)
	return s, nil
}

// InMemory returns a Store that is forgotten when the process ends.
func InMemory() *Store {
	s := &Store{}
	s.empty()
	return s
}

// empty makes the store one that knows nothing, to be written as a whole.
func (s *Store) empty() {
	s.files, s.groups, s.joined, s.keys = map[string]entry{}, map[Group]*group{}, map[Group]Group{}, keys{}
	s.batch, s.mark, s.size, s.sum, s.rewrite = nil, "", 0, 0, true
}

// Clear forgets everything.
func (s *Store) Clear() { s.empty() }

// Mark returns what the sink said of itself when the entries were true.
func (s *Store) Mark() string { return s.mark }

// Len returns how many files are known.
func (s *Store) Len() int { return len(s.files) }

// Each calls f for every file: with how it looked when all of it had been dealt
// with, or with no stamp where that is not known.
func (s *Store) Each(f func(path string, stamp discover.Stamp)) {
	for path, e := range s.files {
		f(path, e.stamp)
	}
}

// root returns the group that a group has become part of, or itself.
func (s *Store) root(g Group) Group {
	for {
		to, ok := s.joined[g]
		if !ok {
			return g
		}
		g = to
	}
}

// Of returns the group of a file.
func (s *Store) Of(path string) Group { return s.root(s.files[path].group) }

// Holder returns the group that has a key.
func (s *Store) Holder(key uint64) Group { return s.root(s.keys.holder(key)) }

// Paths returns the files of a group, sorted.
func (s *Store) Paths(g Group) []string {
	x := s.groups[s.root(g)]
	if x == nil {
		return nil
	}
	return slices.Sorted(slices.Values(x.paths))
}

// SetLive notes whether the files of a group are being followed, so that they
// need not be read again. It is not kept.
func (s *Store) SetLive(g Group, live bool) {
	if x := s.groups[s.root(g)]; x != nil {
		x.live = live
	}
}

// IsLive reports what SetLive has noted. A group that is none is live.
func (s *Store) IsLive(g Group) bool {
	x := s.groups[s.root(g)]
	return x == nil || x.live
}

// New makes a group without files.
func (s *Store) New() Group {
	s.last++
	s.groups[s.last] = &group{live: true}
	return s.last
}

// Join makes one group of two. It is live if one of them is.
func (s *Store) Join(a, b Group) Group {
	a, b = s.root(a), s.root(b)
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	}
	if len(s.groups[b].paths) > len(s.groups[a].paths) {
		a, b = b, a
	}
	s.change(opJoin, uint64(a), uint64(b))
	s.join(a, b)
	return a
}

// join makes one group of two. The number of the second stays valid, for the first.
func (s *Store) join(a, b Group) {
	to, from := s.groups[a], s.groups[b]
	if to == nil || from == nil || a == b {
		return
	}
	to.paths = append(to.paths, from.paths...)
	to.live = to.live || from.live
	delete(s.groups, b)
	s.joined[b] = a
}

// Add makes a file part of a group, and of no other. What is known of it is
// forgotten.
func (s *Store) Add(g Group, path string) {
	s.changePath(opAdd, path, uint64(s.root(g)))
	s.set(path, entry{group: s.root(g)})
}

// Done notes that all that a file held when it looked so is in the sink. The
// file must be part of a group.
func (s *Store) Done(path string, stamp discover.Stamp) {
	e := s.files[path]
	if e.known && e.stamp == stamp {
		return
	}
	e.stamp, e.known = stamp, true
	s.changeStamp(path, stamp)
	s.files[path] = e
}

// IsDone reports whether Done has noted that of a file.
func (s *Store) IsDone(path string, stamp discover.Stamp) bool {
	e := s.files[path]
	return e.known && e.stamp == stamp
}

// Forget removes a file.
func (s *Store) Forget(path string) {
	if _, ok := s.files[path]; !ok {
		return
	}
	s.changePath(opForget, path)
	s.remove(path)
}

// set puts a file in the place of what was known of it, in its group too.
func (s *Store) set(path string, e entry) {
	s.remove(path)
	s.files[path] = e
	if g := s.groups[s.root(e.group)]; g != nil {
		g.paths = append(g.paths, path)
	}
}

// remove drops a file, and it from its group.
func (s *Store) remove(path string) {
	e, ok := s.files[path]
	if !ok {
		return
	}
	delete(s.files, path)
	if g := s.groups[s.root(e.group)]; g != nil {
		g.paths = slices.DeleteFunc(g.paths, func(p string) bool { return p == path })
	}
}

// AddKeys gives keys to a group.
func (s *Store) AddKeys(g Group, keys []uint64) {
	if len(keys) == 0 {
		return
	}
	g = s.root(g)
	s.changeKeys(g, keys)
	for _, k := range keys {
		s.keys.add(k, g)
	}
}
