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
	Rel  string // path below the folder that is walked, with slashes
	Info fs.FileInfo
}

// Walk goes through folders. It yields no file twice, even if it has several names, and enters a
// folder once for each folder that is walked. It follows a symbolic link if the target is in one
// of the Roots or in the folder that is walked; if that is a link itself, its target counts. It
// never enters /proc, /sys and /dev. The zero Walk has seen nothing.
//
//	root/a.jsonl                      is yielded
//	root/b.jsonl → root/old/b.jsonl   is yielded, once
//	root/c.jsonl → /home/x/.ssh/key   is left, unless Follow is set
type Walk struct {
	// Roots are further folders that links may lead to.
	Roots []string
	// Follow says to follow all links.
	Follow bool
	// Left, if not nil, is called for each link that is not followed.
	Left func(path string)
	// Enter reports whether to enter a folder; nil means all.
	Enter func(path, rel string) bool
	// Holds reports whether to yield a file; nil means all. A file that is not yielded may be
	// yielded in a walk through another folder.
	Holds func(rel string) bool
	// Store, if not nil, reports whether a path with slashes is that of a tool's database. If
	// there is something else than a file, or only the log of a database, that is an error.
	Store func(path string) bool

	seen    map[filestate.Identity]struct{}
	entered map[filestate.Identity]struct{} // in the current call of Files
	dir     string                          // of the current call of Files
	inside  map[string][]string             // by dir: folders that links below it may lead to
}

// ErrSystem is the error of a folder of the system, such as /proc.
var ErrSystem = errors.New("a folder in which the system shows its processes or devices")

// Files yields the regular files below dir, folder by folder, sorted by name. A folder or file
// that cannot be read gives an error with its path, and the others follow. Broken links, pipes and
// devices are skipped, unless a database is expected there.
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

// Forget frees the memory for the files that were seen. Only [Walk.Check] may be called after it.
func (w *Walk) Forget() { w.seen = nil }

// Has reports whether a file was seen, under any name.
func (w *Walk) Has(f File) bool {
	id, ok := filestate.Identify(f.Path, f.Info)
	if !ok {
		return false
	}
	_, ok = w.seen[id]
	return ok
}

// Seen records a file, and reports whether it was seen before under any name.
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

// folder walks one folder; real is its path without links. It returns false if the caller wants
// no more files.
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

// Errors about the place of a database.
var (
	errNoFile = errors.New("no file, where a tool keeps a database")
	errNoBase = errors.New("the log of a database that is not there")
)

// isStore reports whether a path is that of a tool's database.
func (w *Walk) isStore(f File) bool { return w.Store != nil && w.Store(filepath.ToSlash(f.Path)) }

// instead returns an error if there is something else in place of a database, or only its log.
// entries are the sorted entries of the folder.
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

// isLeft reports whether an entry is a folder of the system, or a link that is not followed. For a
// link that is followed, it sets real to the target.
func (w *Walk) isLeft(f File, e fs.DirEntry, real *string) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir() && isSystem(*real)
	}
	to, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return false // opening it gives the error
	}
	if *real = to; !isSystem(to) && (w.Follow || w.isInside(to)) {
		return false
	}
	if w.Left != nil && w.mayHold(f) {
		w.Left(f.Path)
	}
	return true
}

// mayHold reports whether the walk would look at the target of a link.
func (w *Walk) mayHold(f File) bool {
	info, err := os.Stat(f.Path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		return w.Enter == nil || w.Enter(f.Path, f.Rel)
	default:
		return w.isStore(f) || info.Mode().IsRegular() && (w.Holds == nil || w.Holds(f.Rel))
	}
}

// ErrLeadsOut is the error of a link that leads out of the folders.
var ErrLeadsOut = errors.New("a link leads out of the folders that are looked through")

// Check returns an error if an open file is not one that the walk would reach by its path. The
// links on the path may have changed since the walk.
func (w *Walk) Check(path string, open fs.FileInfo) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil && runtime.GOOS == "windows" { // Windows does not know this for every volume
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

// isInside reports whether a path without links is in a folder that links may lead to.
func (w *Walk) isInside(path string) bool {
	inside, ok := w.inside[w.dir]
	if !ok {
		for _, root := range append([]string{w.dir}, w.Roots...) {
			real, err := filepath.EvalSymlinks(root)
			if err != nil {
				real = root // it does not exist, or the system does not know, as on Windows
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

// isBelow reports whether path is dir or below it.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// isSystem reports whether a path is below /proc, /sys or /dev, where reading may never end or
// have effects. /dev/shm is an ordinary folder.
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

// LeadsOut reports whether a file beside a transcript is reached by a link that leads out of the
// folder that both are in.
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

// wasEntered records a folder, and reports whether it was entered before.
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

// entry handles an entry of a folder: it enters folders, yields files that the walk holds, and skips
// everything else. It returns false if the caller wants no more files.
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
