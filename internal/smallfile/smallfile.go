// Package smallfile reads small files at paths that others choose: a folder that a transcript
// names, a cloned repository, the folder of a tool.
//
// Such a path may lead to a pipe that has no writer, to a device without an end, or to a huge
// file. Read returns an error for each of these instead of blocking or using up memory.
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

// Read returns the content of a regular file of at most limit bytes. Symbolic links are
// followed. The error wraps [ErrIrregular] or [ErrSize] for other files.
func Read(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadOpen(f, limit)
}

// ReadOpen is Read for a file that is open already; it must have been opened without waiting
// for the writer of a pipe. It allocates the size of the file once.
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
