// Package smallfile reads files whose place others choose: a folder that a transcript names, a
// repository that was cloned, the folder of a tool. There a name may lead to a pipe that nothing
// is written to, to a device without an end, or to a file of any size.
package smallfile

import (
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
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: ErrIrregular}
	}
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: %d bytes", ErrSize, limit)}
	}
	return b, err
}
