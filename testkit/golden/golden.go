// Package golden compares output with reviewed files of expected output.
//
// With the flag -update the files are rewritten instead, and those that no one
// asks for any more are removed. A test package that uses golden files imports
// this package and so has the flag; there is no other one of its kind.
package golden

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the files of expected output")

// Updating reports whether expected output is being rewritten.
func Updating() bool { return *update }

// Dir is a folder of expected output.
type Dir struct {
	root string
	mu   sync.Mutex
	used map[string]bool
}

// Open returns the folder. When the test is over, a file in it that was not
// asked for is an orphan, and the test fails; unless only some tests were run.
func Open(t *testing.T, root string) *Dir {
	d := &Dir{root: root, used: map[string]bool{}}
	t.Cleanup(func() {
		if filtered() || t.Failed() {
			return
		}
		for _, name := range d.orphans(t) {
			if *update {
				d.remove(t, name)
			} else {
				t.Errorf("%s is expected output of nothing; -update removes it", filepath.Join(root, name))
			}
		}
	})
	return d
}

// filtered reports whether the run is of some tests only.
func filtered() bool {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}

// Check compares got with the file of that slash-separated name, or writes it
// there.
func (d *Dir) Check(t *testing.T, name string, got []byte) {
	t.Helper()
	d.mu.Lock()
	d.used[filepath.FromSlash(name)] = true
	d.mu.Unlock()
	file := filepath.Join(d.root, filepath.FromSlash(name))
	want, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	switch {
	case err == nil && bytes.Equal(got, want):
	case *update:
		write(t, file, got)
	case err != nil:
		t.Errorf("%s is missing; -update writes it", file)
	default:
		t.Errorf("%s differs (- expected, + got; read the output, then accept it with -update):\n%s", file, Diff(want, got))
	}
}

func write(t *testing.T, file string, got []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, got, 0o644); err != nil {
		t.Fatal(err)
	}
}

// orphans lists the files that no one asked for.
func (d *Dir) orphans(t *testing.T) []string {
	var names []string
	err := filepath.WalkDir(d.root, func(at string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && at == d.root {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		if name, err := filepath.Rel(d.root, at); err == nil && !d.used[name] {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// remove deletes an orphan and the folders that are empty then.
func (d *Dir) remove(t *testing.T, name string) {
	t.Logf("remove %s", name)
	if err := os.Remove(filepath.Join(d.root, name)); err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if os.Remove(filepath.Join(d.root, dir)) != nil {
			return // not empty
		}
	}
}
