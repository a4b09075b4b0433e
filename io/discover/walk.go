package discover

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/filestate"
)

// File is a regular file.
type File struct {
	Path string
	Rel  string // below the folder that was walked, slash-separated
	Info fs.FileInfo
}

// Walk goes through folders. It yields no file twice, whatever its names, and enters
// a folder once for each that it is to go through. It follows a symbolic link as long
// as what that leads to lies in one of the Roots, or in the folder it goes through:
// a folder that is a link itself is where it leads to. It never goes into the folders
// in which a system shows its processes and devices. The zero Walk has seen nothing.
//
//	root/a.jsonl                      is yielded
//	root/b.jsonl → root/old/b.jsonl   is yielded, once
//	root/c.jsonl → /home/x/.ssh/key   is left, unless Follow is set
type Walk struct {
	// Roots are more folders that links may lead to.
	Roots []string
	// Follow has links followed wherever they lead.
	Follow bool
	// Left, if not nil, hears of every link that is not followed.
	Left func(path string)
	// Enter says whether to enter a folder, given as in a File; nil enters all.
	Enter func(path, rel string) bool
	// Holds says whether to yield a file; nil yields all. One that is not yielded
	// may be, from another folder.
	Holds func(rel string) bool
	// Store, if not nil, says by its slash-separated path whether a tool keeps a database
	// there. What stands there and is no file, and the log of a database that is missing,
	// come as errors.
	Store func(path string) bool

	seen    map[filestate.Identity]struct{}
	entered map[filestate.Identity]struct{} // by the present call of Files
	dir     string                          // of the present call of Files
	inside  map[string][]string             // where the links below a dir may lead to
}

// ErrSystem says that a folder is the system's own.
var ErrSystem = errors.New("a folder in which the system shows its processes or devices")

// Files yields the regular files below dir in the order of their names, folder
// by folder. What cannot be read comes as an error with its path, and the rest
// follows. Links to nowhere, and what is neither file nor folder, are passed
// over where no database is expected.
func (w *Walk) Files(dir string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		info, err := os.Stat(dir)
		if err != nil {
			yield(File{Path: dir, Rel: "."}, err)
			return
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			real = dir
		}
		if isSystem(real) {
			yield(File{Path: dir, Rel: "."}, &fs.PathError{Op: "enter", Path: dir, Err: ErrSystem})
			return
		}
		w.entered, w.dir = map[filestate.Identity]struct{}{}, dir
		w.folder(File{Path: dir, Rel: ".", Info: info}, real, yield)
	}
}

// Has reports whether a file was noted, under whatever name.
func (w *Walk) Has(f File) bool {
	id, ok := filestate.Identify(f.Path, f.Info)
	if !ok {
		return false
	}
	_, ok = w.seen[id]
	return ok
}

// Seen notes a file and reports whether it was noted before, under whatever
// name.
func (w *Walk) Seen(f File) bool {
	id, ok := filestate.Identify(f.Path, f.Info)
	if !ok {
		return false
	}
	if _, ok := w.seen[id]; ok {
		return true
	}
	if w.seen == nil {
		w.seen = map[filestate.Identity]struct{}{}
	}
	w.seen[id] = struct{}{}
	return false
}

// folder walks one folder; real is its path without links. It returns false
// when there shall be no more.
func (w *Walk) folder(dir File, real string, yield func(File, error) bool) bool {
	if w.Enter != nil && !w.Enter(dir.Path, dir.Rel) || w.wasEntered(dir) {
		return true
	}
	entries, err := os.ReadDir(dir.Path) // sorted
	if err != nil && !yield(dir, err) {
		return false
	}
	for _, e := range entries {
		f := File{Path: filepath.Join(dir.Path, e.Name()), Rel: path.Join(dir.Rel, e.Name())}
		to := filepath.Join(real, e.Name())
		if w.isLeft(f, e, &to) {
			continue
		}
		if f.Info, err = os.Stat(f.Path); err != nil {
			nowhere := e.Type()&fs.ModeSymlink != 0 && !errors.Is(err, fs.ErrPermission) && !w.isStore(f)
			if !nowhere && !yield(f, err) {
				return false
			}
			continue
		}
		if err := w.instead(f, entries); err != nil && !yield(f, err) {
			return false
		}
		if !w.entry(f, to, yield) {
			return false
		}
	}
	return true
}

// What stands in a database's place.
var (
	errNoFile = errors.New("no file, where a tool keeps a database")
	errNoBase = errors.New("the log of a database that is not there")
)

// isStore reports whether a file is a tool's database by its path.
func (w *Walk) isStore(f File) bool { return w.Store != nil && w.Store(filepath.ToSlash(f.Path)) }

// instead says what is wrong with what stands in a database's place, or beside it: among
// the sorted entries of its folder.
func (w *Walk) instead(f File, entries []fs.DirEntry) error {
	const log = "-wal"
	if !f.Info.Mode().IsRegular() && w.isStore(f) {
		return errNoFile
	}
	base, isLog := strings.CutSuffix(f.Path, log)
	if !isLog || f.Info.Size() == 0 || !w.isStore(File{Path: base}) {
		return nil
	}
	if _, found := slices.BinarySearchFunc(entries, filepath.Base(base), func(e fs.DirEntry, name string) int { return cmp.Compare(e.Name(), name) }); !found {
		return errNoBase
	}
	return nil
}

// isLeft reports whether an entry is the system's own folder, or a link that is not
// followed. Of one that is, real becomes where it leads to.
func (w *Walk) isLeft(f File, e fs.DirEntry, real *string) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir() && isSystem(*real)
	}
	to, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return false // whoever opens it says why
	}
	if *real = to; !isSystem(to) && (w.Follow || w.isInside(to)) {
		return false
	}
	if w.Left != nil && w.mayHold(f) {
		w.Left(f.Path)
	}
	return true
}

// mayHold reports whether anything of a link would be looked at, if it were followed.
func (w *Walk) mayHold(f File) bool {
	info, err := os.Stat(f.Path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		return w.Enter == nil || w.Enter(f.Path, f.Rel)
	default:
		return info.Mode().IsRegular() && (w.Holds == nil || w.Holds(f.Rel))
	}
}

// ErrLeadsOut says that a link leads out of the folders that are gone through.
var ErrLeadsOut = errors.New("a link leads out of the folders that are looked through")

// Check returns an error if a file that was opened by a path is not one to which the walk
// would follow links.
func (w *Walk) Check(path string, open fs.FileInfo) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil && runtime.GOOS == "windows" { // it cannot say of every volume
		real, err = path, nil
	}
	if err != nil {
		return err
	}
	info, err := os.Lstat(real)
	if err != nil {
		return err
	}
	if isSystem(real) || !w.Follow && !w.isInside(real) || !os.SameFile(info, open) {
		return &fs.PathError{Op: "open", Path: path, Err: ErrLeadsOut}
	}
	return nil
}

// isInside reports whether a path without links lies in a folder that links may lead to.
func (w *Walk) isInside(path string) bool {
	inside, ok := w.inside[w.dir]
	if !ok {
		for _, root := range append([]string{w.dir}, w.Roots...) {
			real, err := filepath.EvalSymlinks(root)
			if err != nil {
				real = root // it is not there, or as on Windows the system cannot say
			}
			inside = append(inside, real)
		}
		if w.inside == nil {
			w.inside = map[string][]string{}
		}
		w.inside[w.dir] = inside
	}
	for _, root := range inside {
		if isBelow(root, path) {
			return true
		}
	}
	return false
}

// isBelow reports whether path is dir or lies below it.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// isSystem reports whether a path lies where a system shows its processes and devices:
// reading there may never end, or do something. /dev/shm is a folder like others.
func isSystem(path string) bool {
	if runtime.GOOS == "windows" || strings.HasPrefix(path, "/dev/shm/") {
		return false
	}
	for _, dir := range []string{"/proc", "/sys", "/dev"} {
		if rest, ok := strings.CutPrefix(path, dir); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// LeadsOut reports whether a link stands on the way to what lies beside a file, and
// leads out of the folder that both have in common.
func LeadsOut(file, place string) bool {
	rel, err := filepath.Rel(filepath.Dir(file), place)
	if err != nil {
		return true
	}
	at, linked := filepath.Dir(file), false
	common := at
	for name := range strings.SplitSeq(rel, string(filepath.Separator)) {
		at = filepath.Join(at, name)
		if name == ".." {
			common = at
			continue
		}
		info, missing := os.Lstat(at)
		if missing != nil {
			return false
		}
		linked = linked || info.Mode()&fs.ModeSymlink != 0
	}
	if !linked {
		return false
	}
	to, err := filepath.EvalSymlinks(place)
	in, err2 := filepath.EvalSymlinks(common)
	return err != nil || err2 != nil || !isBelow(in, to)
}

// wasEntered notes a folder and reports whether it was entered before.
func (w *Walk) wasEntered(dir File) bool {
	w.Seen(dir)
	id, ok := filestate.Identify(dir.Path, dir.Info)
	if !ok {
		return false
	}
	_, was := w.entered[id]
	w.entered[id] = struct{}{}
	return was
}

// entry handles what stands in a folder: folders are entered, files that the walk holds are yielded,
// everything else is passed over. It returns false if the caller wants no more.
func (w *Walk) entry(f File, real string, yield func(File, error) bool) bool {
	switch {
	case f.Info.IsDir():
		return w.folder(f, real, yield)
	case f.Info.Mode().IsRegular() && (w.Holds == nil || w.Holds(f.Rel)) && !w.Seen(f):
		return yield(f, nil)
	default:
		return true
	}
}
