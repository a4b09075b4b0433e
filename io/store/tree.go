package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/smallfile"
	"github.com/memscribe/memscribe/io/discover"
)

// latest is how many of the last files of a folder are looked at one by one. Files below them
// may change without a change of the folder itself, and tools write at the end of a
// conversation.
const latest = 4

// Tree follows a conversation that consists of many small files. It must be used by one
// goroutine.
//
//	storage/session/p1/ses_1.json     the first file, which names the conversation
//	storage/message/ses_1/msg_a.json  a branch: one record for each file, sorted by name
//	storage/part/msg_a/prt_1.json     below it: comes after msg_a
type Tree struct {
	path   string
	tree   core.Tree
	strays *OrphanDirs

	most  int // bytes of it that are kept; 0: a standard
	stamp string
	sum   [32]byte
	read  bool
}

// NewTree prepares to read the conversation whose first file is at path. The trees of one tool
// may share strays, so that each folder is read once.
func NewTree(path string, tree core.Tree, strays *OrphanDirs) *Tree {
	return &Tree{path: path, tree: tree, strays: strays}
}

// Changes returns all records of the conversation if they have changed since the last call,
// else nil. Files that appear or disappear during the call are read as they are found; the next
// call sees the rest.
func (t *Tree) Changes() ([]Row, error) {
	stamp, err := t.look()
	if err != nil || t.read && stamp == t.stamp {
		return nil, err
	}
	w := treeReader{first: t.path, reader: reader{room: newRoom(t.most)}, strays: t.strays}
	if err := w.file(t.tree.Table, t.path, nil); err != nil {
		return nil, err
	}
	if err := w.branches(t.tree.Branches); err != nil {
		return nil, err
	}
	sum := w.reader.digest()
	same := t.read && sum == t.sum
	t.stamp, t.sum, t.read = stamp, sum, true
	if same {
		return nil, nil
	}
	return w.reader.rows, nil
}

// SetMost says how many bytes of the conversation are kept; see [Database.SetMost].
func (t *Tree) SetMost(bytes int) { t.most = bytes }

// HasMoved reports whether Changes may return records. It looks at sizes and times only.
func (t *Tree) HasMoved() bool {
	stamp, err := t.look()
	return err != nil || !t.read || stamp != t.stamp
}

// Again makes the next call of Changes return all records even if nothing has changed.
func (t *Tree) Again() { t.read = false }

// treeReader makes records of the files of one conversation.
type treeReader struct {
	first  string // the first file of the conversation
	reader reader
	strays *OrphanDirs
}

// file adds a file as a record of a table, or its text unchanged if that is not JSON. It skips
// a file that no longer exists and one that is still empty. Of is the record that this one
// copies; it may be nil.
func (w *treeReader) file(table, name string, of *original) error {
	r := &w.reader
	if r.room.isFull() {
		return nil
	}
	r.file = name
	r.json = r.open(table, strings.TrimSuffix(filepath.Base(name), ".json"))
	called := len(r.json)
	at := Row{At: core.Location{Line: 1}} // the start of its file
	if info, err := os.Stat(name); err == nil && info.Size() > int64(r.room.limit) {
		r.room.full = true
		at.JSON, at.Over = append(slices.Clone(r.json), '}'), r.room.over()
		at.At.File = name
		r.rows = append(r.rows, at)
		return nil
	}
	b, err := smallfile.Read(name, int64(r.room.limit))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, smallfile.ErrIrregular) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(b) == 0 {
		return nil // just being made
	}
	r.json = append(of.append(r.json), `,"data":`...)
	if r.embed(b) {
		r.json = append(r.json, '}')
		r.keep(at, called, 0)
		return nil
	}
	r.json = append(r.json[:called], b...)
	r.keep(at, called, called)
	return nil
}

// branches adds the files of some folders in the order of their names, and what is below a file
// directly after it. Folders that have lost their record are placed where the record would have
// been.
func (w *treeReader) branches(branches []core.Branch) error {
	for _, b := range branches {
		if w.reader.room.isFull() {
			return nil
		}
		if discover.LeadsOut(w.first, filepath.FromSlash(path.Join(b.Dir, b.File))) {
			continue // what is there is not the tool's
		}
		names, err := listing(b)
		if err == nil && b.Take != nil && !b.Logs {
			names, err = w.taken(b, names)
		}
		if err != nil {
			return err
		}
		of, err := originals(b, names)
		if err != nil {
			return err
		}
		gone, err := w.strays.of(b, names, len(of) > 0)
		if err != nil {
			return err
		}
		for _, name := range names {
			for len(gone) > 0 && gone[0] < keyed(name) {
				if err := w.branches(b.Below(gone[0])); err != nil {
					return err
				}
				gone = gone[1:]
			}
			if err := w.record(b, name, of[name]); err != nil {
				return err
			}
		}
		for _, key := range gone {
			if err := w.branches(b.Below(key)); err != nil {
				return err
			}
		}
	}
	return nil
}

// taken returns the files that a branch takes, in the branch's order. A file that is not JSON
// is taken, and comes first: it may be a damaged part of the conversation, and its record will
// say so.
func (w *treeReader) taken(b core.Branch, names []string) ([]string, error) {
	var taken []string // the order and the name of each
	for _, name := range names {
		document, err := smallfile.Read(filepath.FromSlash(path.Join(b.Dir, name)), int64(w.reader.room.limit))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, smallfile.ErrIrregular) {
			continue
		}
		if errors.Is(err, smallfile.ErrSize) {
			taken = append(taken, "\x00"+name) // there is no room for it, which its record says
			continue
		}
		if err != nil {
			return nil, err
		}
		order, ok := "", len(document) > 0 && !w.reader.isJSON(document)
		if !ok {
			order, ok = b.Take(document)
		}
		if ok {
			taken = append(taken, order+"\x00"+name)
		}
	}
	slices.Sort(taken)
	for i, one := range taken {
		_, taken[i], _ = strings.Cut(one, "\x00")
	}
	return taken, nil
}

// log adds those lines of a log that the branch takes, and lines that are not JSON, unchanged.
// An incomplete last line is left for the next time.
func (w *treeReader) log(b core.Branch, name string) error {
	r := &w.reader
	data, err := smallfile.Read(name, int64(r.room.limit))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, smallfile.ErrIrregular) {
		return nil
	}
	if errors.Is(err, smallfile.ErrSize) {
		return w.file(b.Table, name, nil) // there is no room for it, which its record says
	}
	if err != nil {
		return err
	}
	r.file = name
	line := int64(0)
	for text := range bytes.Lines(data) {
		line++
		if r.room.isFull() || text[len(text)-1] != '\n' {
			break
		}
		text = bytes.TrimSpace(text)
		isJSON := r.isJSON(text)
		if _, ok := b.Take(text); len(text) == 0 || isJSON && !ok {
			continue
		}
		r.json = r.open(b.Table, strings.TrimSuffix(filepath.Base(name), suffixOf(b)))
		called, from := len(r.json), 0
		r.json = append(r.json, `,"data":`...)
		if !r.embed(text) {
			r.json = append(r.json[:called], text...)
			from = called
		} else {
			r.json = append(r.json, '}')
		}
		r.keep(Row{At: core.Location{Line: line}}, called, from)
	}
	return nil
}

// record adds a file of a branch and what is below it.
func (w *treeReader) record(b core.Branch, name string, of *original) error {
	if b.Logs {
		return w.log(b, filepath.FromSlash(path.Join(b.Dir, name)))
	}
	if err := w.file(b.Table, filepath.FromSlash(path.Join(b.Dir, name)), of); err != nil || b.Below == nil {
		return err
	}
	return w.branches(b.Below(keyed(name)))
}

// listing returns the names of the files of a branch, sorted; none if the folder does not
// exist.
func listing(b core.Branch) ([]string, error) {
	if b.File != "" {
		return []string{b.File}, nil
	}
	entries, err := os.ReadDir(filepath.FromSlash(b.Dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), suffixOf(b)) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// suffixOf returns the extension of a branch's files.
func suffixOf(b core.Branch) string {
	if b.Logs {
		return ".jsonl"
	}
	return ".json"
}

// look returns a string that changes when the files of the conversation change. It has the
// state of every folder, of the first file, and of the last four files of each folder with
// everything below them.
//
// A file further up that is written in place is not noticed until its folder changes.
func (t *Tree) look() (string, error) {
	info, err := os.Stat(t.path)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	addInfo(&s, info)
	err = stampBranches(&s, t.tree.Branches)
	return s.String(), err
}

// stampBranches adds the state of the branches' folders and of the latest files of each.
func stampBranches(s *strings.Builder, branches []core.Branch) error {
	for _, b := range branches {
		if err := stampFolder(s, b.Dir); err != nil {
			return err
		}
		names, err := listing(b)
		if err != nil {
			return err
		}
		for _, name := range names[max(0, len(names)-latest):] {
			if err := stampFile(s, b, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// stampFile adds the state of a file of a branch, and of every file below it.
func stampFile(s *strings.Builder, b core.Branch, name string) error {
	if err := stampFolder(s, path.Join(b.Dir, name)); err != nil || b.Below == nil {
		return err
	}
	below := b.Below(strings.TrimSuffix(name, ".json"))
	for _, under := range below {
		if err := stampAll(s, under.Dir); err != nil {
			return err
		}
	}
	return nil
}

// stampAll adds the state of every file of a folder.
func stampAll(s *strings.Builder, dir string) error {
	names, err := listing(core.Branch{Dir: dir})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := stampFolder(s, path.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// stampFolder adds the state of a folder or a file, if it exists.
func stampFolder(s *strings.Builder, name string) error {
	info, err := os.Stat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		addInfo(s, info)
	}
	return err
}

// addInfo adds the name, size and time of a file, one line for each file.
func addInfo(s *strings.Builder, info fs.FileInfo) {
	fmt.Fprintf(s, "%s %d %d\n", info.Name(), info.Size(), info.ModTime().UnixNano())
}
