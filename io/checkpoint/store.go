// Package checkpoint remembers between runs which transcripts are finished: the
// state of each file when all of its nodes had reached the sink.
//
// No state of a parser is stored. A file that has changed is read again from its start, together
// with all files that can affect its nodes: its group. For each group the keys are stored, hashes
// of the ids of its nodes and sessions, by which a new file is recognised as a member.
//
// The file of a [Store] is a log of changes:
//
//	magic ┃ length crc changes ┃ length crc changes ┃ …
//
// A frame is valid as a whole or not at all, and only after valid frames: its checksum covers
// those before it, too. So after a power failure the rest of a longer, older log is not taken for
// a continuation of new frames. Every prefix of the log was once the state, so a log that lost its
// end costs nothing but reading some transcripts again.
//
// What one transcript writes, from its first line on:
//
//	Add(group, path)      the file belongs to a group           before its first node
//	AddKeys(group, keys)  hashes of its node and session ids
//	Done(path, stamp)     the content with this stamp is in the sink
//	Commit(mark)          writes these, with the mark of the sink
//
// A day in the life of a store. Two transcripts are of one session, so they are one group:
//
//	Add(1, a.jsonl)  AddKeys(1, …)  Done(a.jsonl, stamp)  Commit    a was read
//	Add(2, b.jsonl)  Join(1, 2)     Commit                          b repeats records of a
//	restart: IsDone(a.jsonl) true, IsDone(b.jsonl) false            both are read again,
//	                                                                since they are one group
//
// The size of the file is about 128 bytes for each transcript and 8 for each key. It is
// rewritten when it has grown to twice the size of its state and 4 MiB more.
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

// Group is a set of files that are read again together. The zero Group is no group.
type Group uint32

// Store is the state of all files. It must be used by one goroutine.
type Store struct {
	// Withheld, if not nil, reports whether a path must not be stored. The state of such a file
	// lives as long as the process.
	Withheld func(path string) bool

	path    string
	binding string // the entries are valid for this binding only
	mark    string // the sink's mark at the last commit
	file    *os.File
	size    int64  // bytes of the file up to its last complete frame
	durable int64  // bytes of that which were synced
	sum     uint32 // checksum of that
	rewrite bool   // the file differs from memory and must be rewritten
	waste   int64  // bytes written since the file was last rewritten

	files  map[string]entry
	groups map[Group]*group
	joined map[Group]Group // groups that were joined to another one
	keys   keys
	last   Group
	batch  []byte // changes that are not written yet
}

// entry is the state of a file: its stamp when all of its content had reached the sink.
type entry struct {
	stamp discover.Stamp
	group Group
	known bool // the stamp is set
}

// group is the files of a group; live says that a follower has them in memory.
type group struct {
	paths []string
	live  bool
}

// Open opens the store at path. It creates the file and its folder, with permissions for the user
// only. A store with another binding, or one that is damaged from the start, is empty.
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

// InMemory returns a Store without a file.
func InMemory() *Store {
	s := &Store{}
	s.empty()
	return s
}

// empty removes everything from the store. The next Commit rewrites the file.
func (s *Store) empty() {
	s.files, s.groups, s.joined, s.keys = map[string]entry{}, map[Group]*group{}, map[Group]Group{}, keys{}
	s.batch, s.mark, s.size, s.sum, s.rewrite = nil, "", 0, 0, true
}

// Clear removes everything.
func (s *Store) Clear() { s.empty() }

// Mark returns the sink's mark at the last commit.
func (s *Store) Mark() string { return s.mark }

// Len returns the number of files.
func (s *Store) Len() int { return len(s.files) }

// Each calls f for every file with its stamp when it was done, or with the zero stamp.
func (s *Store) Each(f func(path string, stamp discover.Stamp)) {
	for path, e := range s.files {
		f(path, e.stamp)
	}
}

// root returns the group that a group was joined to, or the group itself.
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

// Holder returns the group with a key, or the zero Group.
func (s *Store) Holder(key uint64) Group { return s.root(s.keys.holder(key)) }

// Paths returns the files of a group, sorted.
func (s *Store) Paths(g Group) []string {
	x := s.groups[s.root(g)]
	if x == nil {
		return nil
	}
	return slices.Sorted(slices.Values(x.paths))
}

// SetLive sets whether the files of a group are in memory, so that they need not be read again. It
// is not stored.
func (s *Store) SetLive(g Group, live bool) {
	if x := s.groups[s.root(g)]; x != nil {
		x.live = live
	}
}

// IsLive reports whether the files of a group are in memory. The zero Group is always live.
func (s *Store) IsLive(g Group) bool {
	x := s.groups[s.root(g)]
	return x == nil || x.live
}

// New returns a new group without files.
func (s *Store) New() Group {
	s.last++
	s.groups[s.last] = &group{live: true}
	return s.last
}

// Join joins two groups and returns the result. It is live if one of them is.
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

// join adds group b to group a. The number of b stays valid and means a.
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

// Add adds a file to a group and removes it from its former one. Its stamp is reset.
func (s *Store) Add(g Group, path string) {
	s.changePath(opAdd, path, uint64(s.root(g)))
	s.set(path, entry{group: s.root(g)})
}

// Done records that the content of a file with this stamp is in the sink. The file must be in a
// group.
func (s *Store) Done(path string, stamp discover.Stamp) {
	e := s.files[path]
	if e.known && e.stamp == stamp {
		return
	}
	e.stamp, e.known = stamp, true
	s.changeStamp(path, stamp)
	s.files[path] = e
}

// IsDone reports whether Done was called for a file with this stamp.
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

// set replaces the entry of a file, and moves the file to its group.
func (s *Store) set(path string, e entry) {
	s.remove(path)
	s.files[path] = e
	if g := s.groups[s.root(e.group)]; g != nil {
		g.paths = append(g.paths, path)
	}
}

// remove removes a file, also from its group.
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

// AddKeys adds keys to a group.
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
