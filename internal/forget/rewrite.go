package forget

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/durable"
)

// MaxLine is the longest line that is looked at: four times what a line of a transcript may
// have unless the user gives the program more memory than is usual.
const MaxLine = 256 << 20

// Lines removes the lines of a file for which gone is true, and returns how many those were.
// The file is replaced once the new one is complete and on disk; a file without such a line is
// not touched. With dry it only counts. Gone gets each line without its end and must not keep
// it.
//
// No other process may write to the file meanwhile. A line longer than [MaxLine], such as the
// hole that a crash or a rotation leaves, is an error that names it; the file stays as it is.
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
	if removed, err = filter(in, io.Discard, gone); err != nil {
		return removed, fmt.Errorf("%s: %w", name, err)
	}
	if removed == 0 || dry {
		return removed, nil
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

// filter copies the lines that stay, and returns how many do not.
func filter(in io.Reader, out io.Writer, gone func([]byte) (bool, error)) (removed int, err error) {
	r := bufio.NewReaderSize(in, 1<<20)
	var line []byte
	for n := 1; ; n++ {
		line, err = readLine(r, line[:0])
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return removed, fmt.Errorf("line %d: %w", n, err)
		}
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
		if last {
			return removed, nil
		}
	}
}

// readLine appends the next line with its end to a buffer. The error is io.EOF for the last
// line, which may be empty.
func readLine(r *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return line, fmt.Errorf("it is longer than %d MiB, too long to be looked at; nothing was taken out", MaxLine>>20)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// replace writes a new file that only the user can read, and puts it in place of the one with
// that name. After a failure the old file is unchanged and the new one is gone.
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
