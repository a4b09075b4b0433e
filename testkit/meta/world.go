package meta

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// world is the files, and what the tools still have to write.
type world struct {
	dir     string
	outside string // where no one looks
	rng     *rand.Rand
	pending []*writing
	plain   bool // no file gets a second name
	log     []string

	databases []*database
	journals  []*journal
}

// writing is a tool that writes a transcript.
type writing struct {
	path string
	data []byte
	at   int
	open *os.File // held open, as some tools do
}

func newWorld(dir, outside string, cases []Case, rng *rand.Rand) *world {
	w := &world{dir: dir, outside: outside, rng: rng}
	for i := range cases {
		w.begin(&cases[i], rng)
	}
	return w
}

func (w *world) note(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

// rel is a name for the log.
func (w *world) rel(path string) string {
	rel, err := filepath.Rel(w.dir, path)
	if err != nil {
		return path
	}
	return rel
}

// change does one thing to the files.
func (w *world) change() error {
	actions := []func() error{
		w.append, w.append, w.append, w.append, w.append, w.append, w.append,
		w.rewriteInPlace, w.cut, w.regrow, w.replace, w.copyTruncate, w.rotate, w.compress, w.move,
		w.delete, w.touch, w.moveFolder, w.copy, w.link, w.symlink,
	}
	if w.plain {
		actions = actions[:len(actions)-2]
	}
	if len(w.databases) > 0 {
		actions = append(actions, w.store, w.store, w.store, w.store, w.store)
	}
	if len(w.journals) > 0 {
		actions = append(actions, w.push, w.push, w.push)
	}
	return actions[w.rng.IntN(len(actions))]()
}

// append lets a tool write on: any number of bytes, often all of a line but its
// end.
func (w *world) append() error {
	switch {
	case len(w.pending) > 0:
	case len(w.databases) > 0:
		return w.store()
	default:
		return w.push()
	}
	t := w.pending[w.rng.IntN(len(w.pending))]
	n := 1 + w.rng.IntN(1+min(len(t.data)-t.at, 1<<w.rng.IntN(18)))
	n = min(n, len(t.data)-t.at)
	if line := bytes.IndexByte(t.data[t.at+n:], '\n'); line >= 0 && w.rng.IntN(3) == 0 {
		n += line
	}
	w.note("append %s %d+%d", w.rel(t.path), t.at, n)
	return w.write(t, n)
}

func (w *world) write(t *writing, n int) error {
	if n == 0 {
		return nil
	}
	f := t.open
	if f == nil {
		if err := os.MkdirAll(filepath.Dir(t.path), 0o700); err != nil {
			return err
		}
		var err error
		if f, err = os.OpenFile(t.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600); err != nil {
			return err
		}
	}
	if _, err := f.Write(t.data[t.at : t.at+n]); err != nil {
		return err
	}
	t.at += n
	if w.rng.IntN(4) == 0 {
		t.open = f
		return nil
	}
	t.open = nil
	return f.Close()
}

// pause lets every tool write on to where somebody has said something, all but the
// end of that line: a replay takes it for one, and so must whoever follows.
func (w *world) pause() error {
	for _, t := range w.pending {
		rest := t.data[t.at:]
		from := w.rng.IntN(len(rest)+1) / 2
		said := from + bytes.Index(rest[from:], []byte(`user`))
		if said < from {
			continue
		}
		if end := bytes.IndexByte(rest[said:], '\n'); end > 0 {
			w.note("append %s %d+%d, a line without its end", w.rel(t.path), t.at, said+end)
			if err := w.write(t, said+end); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish lets every tool write all that it has.
func (w *world) finish() error {
	for _, t := range w.pending {
		if err := w.write(t, len(t.data)-t.at); err != nil {
			return err
		}
		if t.open != nil {
			t.open.Close()
			t.open = nil
		}
	}
	for _, d := range w.databases {
		if err := d.do(d.statements...); err != nil {
			return err
		}
		d.statements = nil
	}
	for _, j := range w.journals {
		if err := appendTo(j.path, bytes.Join(append(j.lines, nil), []byte("\n"))); err != nil {
			return err
		}
		j.lines = nil
	}
	return nil
}

// end ends the tools.
func (w *world) end() error {
	var errs []error
	for _, d := range w.databases {
		errs = append(errs, d.close())
	}
	return errors.Join(errs...)
}

// appendTo appends to a file, and makes it.
func appendTo(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// some returns a transcript that is there: of a tool that writes, or any file but
// those of databases and journals.
func (w *world) some() (string, bool) {
	var names []string
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && (path == filepath.Join(w.dir, storesDir) || path == filepath.Join(w.dir, journalsDir)) {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			names = append(names, path)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		return "", false
	}
	return names[w.rng.IntN(len(names))], true
}

// on does something to a file that no tool has open any more.
func (w *world) on(what string, do func(path string, data []byte) error) error {
	path, ok := w.some()
	if !ok {
		return nil
	}
	w.note("%s %s", what, w.rel(path))
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return do(path, data)
}

// isPacked reports whether a file cannot be written on.
func isPacked(path string) bool {
	return strings.HasSuffix(path, ".zst") || strings.HasSuffix(path, ".gz")
}

// names lists what there is, for a report.
func (w *world) names() []string {
	found := map[string]bool{}
	_ = filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found[w.rel(path)] = true
		}
		return nil
	})
	return slices.Sorted(maps.Keys(found))
}
