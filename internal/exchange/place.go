package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/internal/smallfile"
)

// Root is the folder, in that which machines share, that has all files of an exchange.
const Root = "memscribe-sync-v1"

// Place is where files are exchanged. Names are machine/number.age, with slashes. Files
// are only added; none is changed or removed. An implementation may be used by one
// goroutine.
type Place interface {
	// List returns the names of all files.
	List(ctx context.Context) ([]string, error)
	// Read returns a file; one that is larger than most bytes is an error.
	Read(ctx context.Context, name string, most int64) ([]byte, error)
	// Write adds a file. It is there whole, and stays there, when Write returns.
	Write(ctx context.Context, name string, data []byte) error
}

// Folder is a folder of this machine: of a disk that goes from one to the other, or one that
// another program keeps in step.
type Folder string

// List implements [Place].
func (f Folder) List(context.Context) (names []string, err error) {
	if _, err = os.Stat(string(f)); err != nil {
		return nil, fmt.Errorf("look through shared folder: %w", err)
	}
	root := filepath.Join(string(f), Root)
	var machines []string
	err = eachEntry(root, maxFiles, func(e fs.DirEntry) {
		if isMachine(e.Name()) && e.IsDir() {
			machines = append(machines, e.Name())
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, m := range machines {
		failed := eachEntry(filepath.Join(root, m), maxFiles-len(names), func(e fs.DirEntry) { names = append(names, m+"/"+e.Name()) })
		err = errors.Join(err, failed)
	}
	if err != nil {
		return nil, fmt.Errorf("look through shared folder: %w", err)
	}
	return names, nil
}

// eachEntry calls do for each entry of a folder, so many at most; more are an error.
func eachEntry(dir string, most int, do func(fs.DirEntry)) error {
	const atOnce = 1024
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for seen := 0; ; {
		entries, err := f.ReadDir(atOnce)
		if seen += len(entries); seen > most {
			return fmt.Errorf("%s has more than %d files", dir, most)
		}
		for _, e := range entries {
			do(e)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Read implements [Place].
func (f Folder) Read(_ context.Context, name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, fmt.Errorf("open shared folder: %w", err)
	}
	defer root.Close()
	file, err := root.OpenFile(filepath.FromSlash(Root+"/"+name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("read shared file: %w", err)
	}
	defer file.Close()
	data, err := smallfile.ReadOpen(file, most)
	if err != nil {
		return nil, fmt.Errorf("read shared file %s: %w", name, err)
	}
	return data, nil
}

// readAll reads a file that has so many bytes at most.
func readAll(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read shared file %s: %w", name, err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("read shared file %s: it has more than %d bytes", name, most)
	}
	return data, nil
}

// Write implements [Place].
//
// The file is written under a temporary name, synced and renamed, and then the folders
// are synced. No link leads out of the shared folder.
func (f Folder) Write(_ context.Context, name string, data []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write shared file: %w", err)
		}
	}()
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return err
	}
	defer root.Close()
	to := path.Join(Root, name)
	if err = root.MkdirAll(path.Dir(to), 0o700); err != nil {
		return err
	}
	// A name that begins with a dot is none of a file: what keeps folders in step may send it.
	temporary := path.Join(path.Dir(to), ".new-"+path.Base(to))
	if err = root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a run that was broken off
		return err
	}
	t, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = t.Write(data)
	if err = errors.Join(err, t.Sync(), t.Close()); err == nil {
		err = root.Rename(temporary, to)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temporary))
	}
	for dir := path.Dir(to); err == nil && dir != "."; dir = path.Dir(dir) {
		err = durable.Sync(filepath.Join(string(f), filepath.FromSlash(dir)))
	}
	return errors.Join(err, durable.Sync(string(f)))
}

// file returns the parts of a name; false if it is none of an exchange.
func file(name string) (machine string, number int, ok bool) {
	machine, rest, _ := strings.Cut(name, "/")
	digits, ok := strings.CutSuffix(rest, suffix)
	if !ok || !isMachine(machine) || len(digits) != numberSize || strings.Trim(digits, "0123456789") != "" {
		return "", 0, false
	}
	for _, d := range digits {
		number = 10*number + int(d-'0')
	}
	return machine, number, number > 0
}

// isMachine reports whether a name has the form of a machine's.
func isMachine(name string) bool {
	return len(name) == machineSize && strings.Trim(name, "0123456789abcdef") == ""
}

const (
	suffix      = ".age"
	machineSize = 16
	numberSize  = 8
)

// nameOf returns the name of a machine's nth file.
func nameOf(machine string, number int) string {
	return fmt.Sprintf("%s/%0*d%s", machine, numberSize, number, suffix)
}
