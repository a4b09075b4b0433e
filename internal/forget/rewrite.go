package forget

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/durable"
)

// Lines takes lines out of a file and returns how many those were. The file is replaced
// once the new one is complete and on disk; one of which nothing goes is not touched. With
// dry it only counts.
//
// Nobody else may write to the file meanwhile. A line may be as long as memory allows: it
// is one that the program wrote itself.
func Lines(name string, dry bool, gone func(line []byte) (bool, error)) (removed int, err error) {
	in, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer func() {
		if failed := in.Close(); !errors.Is(failed, os.ErrClosed) {
			err = errors.Join(err, failed)
		}
	}()
	if removed, err = filter(in, io.Discard, gone); err != nil || removed == 0 || dry {
		return removed, err
	}
	if _, err = in.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	err = replace(name, func(out *os.File) error {
		w := bufio.NewWriterSize(out, 1<<20)
		_, failed := filter(in, w, gone)
		return errors.Join(failed, w.Flush(), in.Close()) // some systems replace no open file
	})
	return removed, err
}

// filter copies the lines that stay.
func filter(in io.Reader, out io.Writer, gone func([]byte) (bool, error)) (removed int, err error) {
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			goes, failed := gone(bytes.TrimRight(line, "\r\n"))
			if failed != nil {
				return removed, failed
			}
			if goes {
				removed++
			} else if _, failed = out.Write(line); failed != nil {
				return removed, failed
			}
		}
		if errors.Is(err, io.EOF) {
			return removed, nil
		}
		if err != nil {
			return removed, err
		}
	}
}

// replace writes a file for the user alone, and puts it in the place of the one that has
// the name.
func replace(name string, write func(*os.File) error) error {
	dir := filepath.Dir(name)
	f, err := os.CreateTemp(dir, "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return durable.Sync(dir)
}
