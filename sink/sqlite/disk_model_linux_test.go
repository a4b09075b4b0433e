package sqlite_test

import (
	"math/rand/v2"
	"slices"
)

// disk is a model of what has reached one.
type disk struct {
	files map[string]*diskFile
	above bool // the name of the folder is on the disk for certain
}

// diskFile is a file: what is on the disk for certain, and what may be.
type diskFile struct {
	synced  []byte
	pending []call // writes and truncations, in order
	named   bool   // its name is on the disk for certain
	removed bool   // it was removed, which may have reached the disk
}

func (d *disk) do(c *call) {
	if c.name == ".." {
		d.above = true
		return
	}
	f, ok := d.files[c.name]
	if !ok && c.kind != "flushed" && c.name != "." {
		f = &diskFile{}
		d.files[c.name] = f
	}
	switch c.kind {
	case "create":
		if f.removed { // another file of that name
			d.files[c.name] = &diskFile{}
		}
	case "remove":
		f.removed = true
	case "write", "truncate":
		f.pending = append(f.pending, *c)
	case "sync":
		if c.name == "." {
			d.syncFolder()
			return
		}
		f.synced, f.pending = f.whole(), nil
	}
}

// whole is the file as programs see it.
func (f *diskFile) whole() []byte {
	content := f.synced
	for i := range f.pending {
		content = f.pending[i].apply(content, 0, len(f.pending[i].data))
	}
	return content
}

// syncFolder makes names, and that they are gone, certain.
func (d *disk) syncFolder() {
	for name, f := range d.files {
		f.named = true
		if f.removed {
			delete(d.files, name)
		}
	}
}

// survives says whether the file is there after the power has failed.
func (f *diskFile) survives(rng *rand.Rand) bool {
	if f.removed || !f.named {
		return rng.IntN(2) == 0
	}
	return true
}

const sector = 512

// left is what the file may hold after the power has failed: of what was not
// synced, nothing, everything, the first part, or any sectors.
func (f *diskFile) left(rng *rand.Rand) []byte {
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
		if p.kind == "truncate" {
			if all || rng.IntN(2) == 0 {
				content = p.apply(content, 0, 0)
			}
			continue
		}
		for from := 0; from < len(p.data); from += sector {
			if all || rng.IntN(2) == 0 {
				content = p.apply(content, from, min(from+sector, len(p.data)))
			}
		}
	}
	return content
}

// apply makes a part of a write, or a truncation.
func (c *call) apply(content []byte, from, to int) []byte {
	size := int(c.off) + to
	if c.kind == "truncate" {
		size = int(c.off)
	}
	if size > len(content) {
		content = append(content, make([]byte, size-len(content))...)
	}
	if c.kind == "truncate" {
		return content[:size]
	}
	copy(content[int(c.off)+from:], c.data[from:to])
	return content
}
