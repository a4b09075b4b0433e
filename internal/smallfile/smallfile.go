// Package smallfile reads files whose place others choose: a folder that a transcript names, a
// repository that was cloned, the folder of a tool. There a name may lead to a pipe that nothing
// is written to, to a device without an end, or to a file of any size.
package smallfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

var (
	// ErrIrregular is what an error wraps about what is no regular file.
	ErrIrregular = errors.New("it is no regular file")
	// ErrSize is what an error wraps about a file that is larger than it may be.
	ErrSize = errors.New("it is larger than it may be")
)

// Read reads a regular file of at most limit bytes. It waits for no writer of a pipe.
func Read(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadOpen(f, limit)
}

// ReadOpen is Read of a file that was opened, in a way that waits for no writer of a pipe. It takes
// the memory of the file once.
func ReadOpen(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: ErrIrregular}
	}
	tooLarge := &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("%w: %d bytes", ErrSize, limit)}
	if info.Size() > limit {
		return nil, tooLarge
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, tooLarge
	}
	return b.Bytes(), nil
}
