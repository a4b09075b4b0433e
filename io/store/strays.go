package store

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/smallfile"
)

// OrphanDirs remembers the owners of folders that may have lost their record. It is safe for
// concurrent use.
//
// An example from OpenCode: message/ses_1/msg_a.json is the record of the folder part/msg_a/.
// If the record is deleted, part/msg_a/ is an orphan. The first file in it names the session
// that it belonged to, and is read once.
type OrphanDirs struct {
	mu   sync.Mutex
	dirs map[string]*census
}

// NewStrays returns an OrphanDirs that knows no folder yet.
func NewStrays() *OrphanDirs { return &OrphanDirs{dirs: map[string]*census{}} }

// census is what is known of the folders in one parent folder. The owner of a folder never
// changes, so owner is kept; owned, the folders of each owner, is made again when the parent
// has changed.
type census struct {
	at    time.Time         // when the folder was changed last
	owner map[string]string // of a folder, by its name
	owned map[string][]string
}

// of returns the folders of a branch whose record is missing, in order. If records of a
// conversation were copied, the copy has the folders, and the original has none.
func (s *OrphanDirs) of(b core.Branch, names []string, isCopy bool) ([]string, error) {
	if s == nil || b.OrphanDirs == nil || isCopy || len(names) == 0 {
		return nil, nil
	}
	s.mu.Lock()
	folders, err := s.folders(b)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	var gone []string
	for _, key := range folders {
		if _, there := slices.BinarySearch(names, key+".json"); !there {
			gone = append(gone, key)
		}
	}
	if len(gone) == 0 || b.Mark == nil {
		return gone, nil
	}
	first, _, err := marked(b, names[0])
	if err != nil || first == "" {
		return nil, err
	}
	alike, err := beginAlike(b, first)
	if err != nil || len(alike) > 0 {
		return nil, err
	}
	return gone, nil
}

// folders returns the folders of one conversation, in order.
func (s *OrphanDirs) folders(b core.Branch) ([]string, error) {
	dir := filepath.FromSlash(b.OrphanDirs.Dir)
	if b.OrphanDirs.Owner == nil {
		names, err := named(dir)
		slices.Sort(names)
		return names, err
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := s.dirs[dir]
	if c == nil {
		c = &census{owner: map[string]string{}}
		if err := c.claim(b); err != nil {
			return nil, err
		}
	}
	if c.owned == nil || !c.at.Equal(info.ModTime()) {
		if err := c.take(b); err != nil {
			return nil, err
		}
		c.at, s.dirs[dir] = info.ModTime(), c
	}
	return c.owned[b.OrphanDirs.Of], nil
}

// claim marks the folders that have their record, which lies in the folder of the conversation,
// beside the others.
func (c *census) claim(b core.Branch) error {
	beside := path.Dir(b.Dir)
	conversations, err := named(filepath.FromSlash(beside))
	if err != nil {
		return err
	}
	for _, conversation := range conversations {
		names, err := listing(core.Branch{Dir: path.Join(beside, conversation)})
		if err != nil {
			return err
		}
		for _, name := range names {
			c.owner[keyed(name)] = conversation
		}
	}
	return nil
}

// take lists the folders of the parent again, by their owners.
func (c *census) take(b core.Branch) error {
	names, err := named(filepath.FromSlash(b.OrphanDirs.Dir))
	if err != nil {
		return err
	}
	slices.Sort(names)
	c.owned = map[string][]string{}
	for _, name := range names {
		owner, ok := c.owner[name]
		if !ok {
			if owner, err = ownerOf(b.OrphanDirs, name); err != nil {
				return err
			}
		}
		if owner == "" {
			continue // it is just being made
		}
		c.owner[name] = owner
		c.owned[owner] = append(c.owned[owner], name)
	}
	return nil
}

// ownerOf reads the owner of a folder from the first file in it.
func ownerOf(s *core.OrphanDirs, name string) (string, error) {
	dir := path.Join(s.Dir, name)
	files, err := listing(core.Branch{Dir: dir})
	if err != nil || len(files) == 0 {
		return "", err
	}
	data, err := smallfile.Read(filepath.FromSlash(path.Join(dir, files[0])), maxMarked)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, smallfile.ErrIrregular) || errors.Is(err, smallfile.ErrSize) {
		return "", nil
	}
	return s.Owner(data), err
}

// named returns the names in a folder; none if it does not exist.
func named(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	return names, errors.Join(err, f.Close())
}
