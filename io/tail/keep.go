package tail

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Keeper reads files that are more than a sequence of bytes: databases, and conversations in
// many files. Its methods are called on the goroutine of the [Consumer].
//
// A Source asks Keeps once for each file, with its first 4 KiB. From then on it gives the
// Keeper no bytes, only occasions: Look when the file, or one of SQLite's files beside it, may
// have changed; End when the file is gone or Run ends.
type Keeper interface {
	// Keeps reports whether the Keeper reads a file that begins with head.
	Keeps(path string, head []byte, place core.Adapter) bool
	// HasMoved reports whether a file may have changed. It is cheap.
	HasMoved(file string) bool
	// Look reads what has changed. If more is true it is called again after the other
	// files. An error of the file, not of the consumer, is a [*InputError].
	Look(ctx context.Context, c Chunk) (more bool, err error)
	// End ends a file; gone says that it was deleted.
	End(file string, gone bool) error
}

// InputError is an error of a file, not of the consumer. It is reported, and other files
// continue; the file is tried again when it changes.
type InputError struct{ Err error }

// Error returns the text of the error within.
func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error within, as for [fs.ErrNotExist].
func (e *InputError) Unwrap() error { return e.Err }

// companions returns the suffixes of SQLite's files beside a database.
func companions() []string { return []string{"-wal", "-journal", "-shm"} }

// keptBy returns the kept file that a path belongs to, or nil.
func (s *Source) keptBy(path string) *file {
	for _, suffix := range companions() {
		base, ok := strings.CutSuffix(path, suffix)
		if f := s.files[base]; ok && f != nil && f.isKept {
			return f
		}
	}
	return nil
}

// takeOrLook reads a file, or lets the keeper read it.
func (s *Source) takeOrLook(ctx context.Context, f *file, c Consumer) (more bool, err error) {
	if s.Keeper == nil || f.isCalledPacked() {
		return s.take(ctx, f, c)
	}
	if !f.isJudged {
		if f.isKept, err = s.keeps(f); err != nil {
			return false, &InputError{err}
		}
	}
	if f.isKept {
		return s.Keeper.Look(ctx, f.chunk(Chunk{}))
	}
	return s.take(ctx, f, c)
}

// keeps asks the keeper whether it reads a file, once it has any bytes.
func (s *Source) keeps(f *file) (bool, error) {
	r, _, err := s.open(f)
	if err != nil {
		return false, err
	}
	defer r.Close()
	var head [4 << 10]byte
	n, err := io.ReadFull(counted{r, s}, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	f.isJudged = n > 0
	return n > 0 && s.Keeper.Keeps(f.chunk(Chunk{}).Path, head[:n], f.place), nil
}
