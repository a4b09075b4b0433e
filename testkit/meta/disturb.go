package meta

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// What happens to files beside their tools.

// changed is a version of data of another beginning: lines are left out, or one
// is put in, so that all that follows has other numbers.
func (w *world) changed(data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if len(lines) < 3 {
		return data
	}
	if w.rng.IntN(2) == 0 {
		return bytes.Join(slices.Insert(lines, 1, []byte(`{"type":"note"}`+"\n")), nil)
	}
	return bytes.Join(slices.Delete(lines, 0, 1+w.rng.IntN(len(lines)-2)), nil)
}

// rewriteInPlace writes other bytes over a file, as many.
func (w *world) rewriteInPlace() error {
	return w.on("rewrite in place", func(path string, data []byte) error {
		for range 1 + w.rng.IntN(3) {
			if i := bytes.Index(data[w.rng.IntN(len(data)+1):], []byte("e")); i >= 0 && !isPacked(path) {
				data[i] = byte('a' + w.rng.IntN(26))
			}
		}
		return overwrite(path, data)
	})
}

// cut cuts a file short. Its tool continues where it was.
func (w *world) cut() error {
	return w.on("cut", func(path string, data []byte) error {
		if isPacked(path) {
			return nil
		}
		return os.Truncate(path, int64(w.rng.IntN(len(data)+1)))
	})
}

// regrow rewrites a file through the same inode, often longer than it was.
func (w *world) regrow() error {
	return w.on("regrow", func(path string, data []byte) error {
		other := w.changed(data)
		if len(w.pending) > 0 && w.rng.IntN(2) == 0 {
			t := w.pending[w.rng.IntN(len(w.pending))]
			other = t.data[:w.rng.IntN(len(t.data)+1)]
		}
		if isPacked(path) {
			return nil
		}
		return os.WriteFile(path, other, 0o600)
	})
}

// replace puts a new file under the name of an old one.
func (w *world) replace() error {
	return w.on("replace", func(path string, data []byte) error {
		if isPacked(path) {
			return nil
		}
		name := filepath.Join(w.outside, "new")
		if err := os.WriteFile(name, w.changed(data), 0o600); err != nil {
			return err
		}
		w.close(path)
		return os.Rename(name, path)
	})
}

// close has whoever writes to path open it again.
func (w *world) close(path string) {
	for _, t := range w.pending {
		if t.path == path && t.open != nil {
			t.open.Close()
			t.open = nil
		}
	}
}

// copyTruncate rotates as logrotate can: by copying and cutting to nothing.
func (w *world) copyTruncate() error {
	return w.on("copy and truncate", func(path string, data []byte) error {
		if isPacked(path) {
			return nil
		}
		if err := os.WriteFile(path+".1.jsonl", data, 0o600); err != nil {
			return err
		}
		return os.Truncate(path, 0)
	})
}

// copy makes a copy of a file, before it or behind it in the order of names: who
// speaks for its records does not depend on which was there first.
func (w *world) copy() error {
	return w.on("copy", func(path string, data []byte) error {
		if isPacked(path) {
			return nil
		}
		name := fmt.Sprintf("%c-%s", "0z"[w.rng.IntN(2)], filepath.Base(path))
		return os.WriteFile(filepath.Join(filepath.Dir(path), name), data, 0o600)
	})
}

// rotate renames a file away; its tool begins a new one, or continues in the old.
func (w *world) rotate() error {
	return w.on("rotate", func(path string, _ []byte) error {
		if w.rng.IntN(2) == 0 || runtime.GOOS == "windows" { // which refuses to rename an open file
			w.close(path)
		}
		return os.Rename(path, filepath.Join(filepath.Dir(path), fmt.Sprintf("old%d-%s", w.rng.IntN(3), filepath.Base(path))))
	})
}

// compress replaces a file by a packed one.
func (w *world) compress() error {
	return w.on("compress", func(path string, data []byte) error {
		if isPacked(path) {
			return nil
		}
		packed, suffix, err := w.pack(data)
		if err != nil {
			return err
		}
		w.close(path)
		if err := os.WriteFile(path+suffix, packed, 0o600); err != nil {
			return err
		}
		if w.rng.IntN(4) == 0 {
			return nil // both are there
		}
		return os.Remove(path)
	})
}

func (w *world) pack(data []byte) (packed []byte, suffix string, err error) {
	if w.rng.IntN(2) == 0 {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, "", err
		}
		defer e.Close()
		return e.EncodeAll(data, nil), ".zst", nil
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		return nil, "", err
	}
	return b.Bytes(), ".gz", z.Close()
}

// move moves a file to an archive, which is looked into or not.
func (w *world) move() error {
	return w.on("move", func(path string, _ []byte) error {
		to := filepath.Join(w.dir, "archive", filepath.Base(path))
		if w.rng.IntN(3) == 0 {
			to = filepath.Join(w.outside, filepath.Base(path))
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if runtime.GOOS == "windows" {
			w.close(path)
		}
		return os.Rename(path, to)
	})
}

// moveFolder renames a folder with all that is in it, or brings one back.
func (w *world) moveFolder() error {
	return w.on("move the folder of", func(path string, _ []byte) error {
		dir := filepath.Dir(path)
		if dir == w.dir {
			return nil
		}
		to := dir + "-moved"
		if _, err := os.Stat(to); err == nil {
			return nil
		}
		for _, t := range w.pending {
			if strings.HasPrefix(t.path, dir+string(filepath.Separator)) {
				w.close(t.path)
			}
		}
		return os.Rename(dir, to)
	})
}

func (w *world) delete() error {
	return w.on("delete", func(path string, _ []byte) error {
		w.close(path)
		return os.Remove(path)
	})
}

func (w *world) link() error {
	return w.on("link", func(path string, _ []byte) error {
		to := filepath.Join(filepath.Dir(path), fmt.Sprintf("%d-%s", w.rng.IntN(10), filepath.Base(path)))
		if _, err := os.Lstat(to); err == nil {
			return nil
		}
		return os.Link(path, to)
	})
}

func (w *world) symlink() error {
	return w.on("link by name", func(path string, _ []byte) error {
		to := filepath.Join(w.dir, fmt.Sprintf("%d-%s", w.rng.IntN(10), filepath.Base(path)))
		if _, err := os.Lstat(to); err == nil {
			return nil
		}
		return os.Symlink(path, to)
	})
}

// touch writes nothing new.
func (w *world) touch() error {
	return w.on("touch", overwrite)
}

// overwrite writes over the beginning of a file, through the inode that it has.
func overwrite(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	return errors.Join(err, f.Close())
}
