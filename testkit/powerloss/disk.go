package powerloss

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Disk is what a program has made of an empty folder, and what of it has reached
// the disk.
//
// A file system may write what was not synced in any order or not at all. So each
// name may be what it is or anything that it was since its folder was synced, and
// a file may have any sectors of what was written since it was.
type Disk struct {
	names map[string]*name
}

// name is what has stood under a name since its folder was synced, the first of
// which is there for certain. A nil is nothing.
type name struct{ history []*file }

func (n *name) now() *file { return n.history[len(n.history)-1] }

// file is a file or a folder.
type file struct {
	folder  bool
	synced  []byte
	pending []Call // writes and truncations, in order
}

// After returns the disk after so many calls.
func After(calls []Call) *Disk {
	d := &Disk{names: map[string]*name{}}
	for i := range calls {
		d.do(&calls[i])
	}
	return d
}

func (d *Disk) do(c *Call) {
	switch c.Kind {
	case Say:
	case Create:
		if d.now(c.Name) == nil {
			d.set(c.Name, &file{})
		}
	case Folder:
		d.set(c.Name, &file{folder: true})
	case Remove:
		d.set(c.Name, nil)
	case Rename, Link:
		d.set(c.To, d.now(c.Name))
		if c.Kind == Rename {
			d.set(c.Name, nil)
		}
	case Write, Truncate:
		if d.now(c.Name) == nil { // of a name that SQLite has made out of sight
			d.set(c.Name, &file{})
		}
		f := d.now(c.Name)
		f.pending = append(f.pending, *c)
	case Sync:
		d.sync(c.Name)
	}
}

func (d *Disk) now(called string) *file {
	if n := d.names[called]; n != nil {
		return n.now()
	}
	return nil
}

func (d *Disk) set(called string, f *file) {
	n := d.names[called]
	if n == nil {
		n = &name{history: []*file{nil}}
		d.names[called] = n
	}
	n.history = append(n.history, f)
}

func (d *Disk) sync(called string) {
	if f := d.now(called); f != nil && !f.folder {
		f.synced, f.pending = f.whole(), nil
		return
	}
	for below, n := range d.names {
		if path.Dir(below) == called {
			n.history = []*file{n.now()}
		}
	}
}

// Image is what a disk holds: files, by their names.
type Image map[string][]byte

// Whole is the disk as programs see it.
func (d *Disk) Whole() Image {
	return d.image((*name).now, (*file).whole)
}

// Left is what may be left after the power has failed: of what was not synced,
// nothing, everything, the first part, or any.
func (d *Disk) Left(rng *rand.Rand) Image {
	left := map[*file][]byte{}
	return d.image(func(n *name) *file {
		if rng.IntN(2) == 0 {
			return n.now()
		}
		return n.history[rng.IntN(len(n.history))]
	}, func(f *file) []byte {
		if _, known := left[f]; !known {
			left[f] = f.left(rng)
		}
		return left[f]
	})
}

func (d *Disk) image(stands func(*name) *file, holds func(*file) []byte) Image {
	folders, files := map[string]bool{".": true}, Image{}
	for _, called := range slices.Sorted(maps.Keys(d.names)) {
		above := path.Dir(called)
		f := stands(d.names[called])
		if _, known := d.names[above]; f == nil || known && !folders[above] {
			continue
		}
		if f.folder {
			folders[called] = true
			continue
		}
		files[called] = holds(f)
	}
	return files
}

// Write writes the files to a folder.
func (im Image) Write(dir string) error {
	for _, called := range slices.Sorted(maps.Keys(im)) {
		file := filepath.Join(dir, filepath.FromSlash(called))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return fmt.Errorf("write image: %w", err)
		}
		if err := os.WriteFile(file, im[called], 0o600); err != nil {
			return fmt.Errorf("write image: %w", err)
		}
	}
	return nil
}

// whole is the file as programs see it.
func (f *file) whole() []byte {
	content := slices.Clone(f.synced)
	for i := range f.pending {
		content = f.pending[i].apply(content, 0, len(f.pending[i].Data))
	}
	return content
}

// sector is what a disk writes whole.
const sector = 512

// left is what the file may hold after the power has failed.
func (f *file) left(rng *rand.Rand) []byte {
	content := slices.Clone(f.synced)
	upTo, all := len(f.pending), true
	switch rng.IntN(4) {
	case 0:
		upTo = 0
	case 1:
		upTo = rng.IntN(len(f.pending) + 1)
	case 2:
		all = false
	}
	for i := range f.pending[:upTo] {
		p := &f.pending[i]
		if p.Kind == Truncate {
			if all || rng.IntN(2) == 0 {
				content = p.apply(content, 0, 0)
			}
			continue
		}
		for from := 0; from < len(p.Data); from += sector {
			if all || rng.IntN(2) == 0 {
				content = p.apply(content, from, min(from+sector, len(p.Data)))
			}
		}
	}
	return content
}

// apply makes a part of a write, or a truncation.
func (c *Call) apply(content []byte, from, to int) []byte {
	size := int(c.At) + to
	if c.Kind == Truncate {
		size = int(c.At)
	}
	if size > len(content) {
		content = append(content, make([]byte, size-len(content))...)
	}
	if c.Kind == Truncate {
		return content[:size]
	}
	copy(content[int(c.At)+from:], c.Data[from:to])
	return content
}
