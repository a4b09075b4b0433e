package tail

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Keeper reads files itself that are more than a row of bytes: databases, and
// the first files of conversations that lie in many. Its methods are called on
// the goroutine of the [Consumer].
type Keeper interface {
	// Keeps reports whether it reads a file itself that begins with head.
	Keeps(path string, head []byte, place core.Adapter) bool
	// HasMoved reports, at little cost, whether there may be something new.
	HasMoved(file string) bool
	// Look has it look for what has changed. If that is much it reports that there is
	// more, and is called again when the others have had their turn. An error of the
	// file, not of the consumer, is a [*InputError].
	Look(ctx context.Context, c Chunk) (more bool, err error)
	// End says that no more will be asked of a file, perhaps because it is gone.
	End(file string, gone bool) error
}

// InputError is an error of a file, not of the consumer: the others go on.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }

// companions are what SQLite calls the files beside a database.
func companions() []string { return []string{"-wal", "-journal", "-shm"} }

// keptBy is the kept file to which a path belongs, or nil.
func (s *Source) keptBy(path string) *file {
	for _, suffix := range companions() {
		base, ok := strings.CutSuffix(path, suffix)
		if f := s.files[base]; ok && f != nil && f.kept {
			return f
		}
	}
	return nil
}

// takeOrLook has a file read, by its keeper if it has one.
func (s *Source) takeOrLook(ctx context.Context, f *file, c Consumer) (more bool, err error) {
	if s.Keeper == nil || f.isCalledPacked() {
		return s.take(ctx, f, c)
	}
	if !f.asked {
		if f.kept, err = s.keeps(f); err != nil {
			return false, &InputError{err}
		}
	}
	if f.kept {
		return s.Keeper.Look(ctx, f.chunk(Chunk{}))
	}
	return s.take(ctx, f, c)
}

// keeps asks the keeper, once there is something to show.
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
	f.asked = n > 0
	return n > 0 && s.Keeper.Keeps(f.chunk(Chunk{}).Path, head[:n], f.place), nil
}
