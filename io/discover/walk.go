package discover

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/stamp"
)

// File is a regular file.
type File struct {
	Path string
	Rel  string // below the folder that was walked, slash-separated
	Info fs.FileInfo
}

// Walk goes through folders. It follows symbolic links, but yields no file twice,
// whatever its names, and enters a folder once for each that it is to go through.
// The zero Walk has seen nothing.
type Walk struct {
	// Enter says whether to enter a folder, given as in a File; nil enters all.
	Enter func(path, rel string) bool
	// Holds says whether to yield a file; nil yields all. One that is not yielded
	// may be, from another folder.
	Holds func(rel string) bool

	seen    map[stamp.Identity]struct{}
	entered map[stamp.Identity]struct{} // by the present call of Files
}

// Files yields the regular files below dir in the order of their names, folder
// by folder. What cannot be read comes as an error with its path, and the rest
// follows. Links to nowhere, and what is neither file nor folder, are passed
// over.
func (w *Walk) Files(dir string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		info, err := os.Stat(dir)
		if err != nil {
			yield(File{Path: dir, Rel: "."}, err)
			return
		}
		w.entered = map[stamp.Identity]struct{}{}
		w.folder(File{Path: dir, Rel: ".", Info: info}, yield)
	}
}

// Has reports whether a file was noted, under whatever name.
func (w *Walk) Has(f File) bool {
	id, ok := stamp.Identify(f.Path, f.Info)
	if !ok {
		return false
	}
	_, ok = w.seen[id]
	return ok
}

// Seen notes a file and reports whether it was noted before, under whatever
// name.
func (w *Walk) Seen(f File) bool {
	id, ok := stamp.Identify(f.Path, f.Info)
	if !ok {
		return false
	}
	if _, ok := w.seen[id]; ok {
		return true
	}
	if w.seen == nil {
		w.seen = map[stamp.Identity]struct{}{}
	}
	w.seen[id] = struct{}{}
	return false
}

// folder walks one folder. It returns false when there shall be no more.
func (w *Walk) folder(dir File, yield func(File, error) bool) bool {
	if w.Enter != nil && !w.Enter(dir.Path, dir.Rel) || w.wasEntered(dir) {
		return true
	}
	entries, err := os.ReadDir(dir.Path) // sorted
	if err != nil && !yield(dir, err) {
		return false
	}
	for _, e := range entries {
		f := File{Path: filepath.Join(dir.Path, e.Name()), Rel: path.Join(dir.Rel, e.Name())}
		if f.Info, err = os.Stat(f.Path); err != nil {
			nowhere := e.Type()&fs.ModeSymlink != 0 && !errors.Is(err, fs.ErrPermission)
			if !nowhere && !yield(f, err) {
				return false
			}
			continue
		}
		if !w.entry(f, yield) {
			return false
		}
	}
	return true
}

// wasEntered notes a folder and reports whether it was entered before.
func (w *Walk) wasEntered(dir File) bool {
	w.Seen(dir)
	id, ok := stamp.Identify(dir.Path, dir.Info)
	if !ok {
		return false
	}
	_, was := w.entered[id]
	w.entered[id] = struct{}{}
	return was
}

func (w *Walk) entry(f File, yield func(File, error) bool) bool {
	switch {
	case f.Info.IsDir():
		return w.folder(f, yield)
	case f.Info.Mode().IsRegular() && (w.Holds == nil || w.Holds(f.Rel)) && !w.Seen(f):
		return yield(f, nil)
	default:
		return true
	}
}
