// Package report names the inputs of a command that could not be read, and why. Begin with
// [Reporter].
//
// A transcript that cannot be read does not end a command: it is reported, the others are read,
// and at the end [Reporter.Result] makes the command fail.
package report

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/input"
)

// ErrIncomplete says that some input could not be processed, or that nothing was found. A
// message about it was printed already, so it is not printed itself.
var ErrIncomplete = errors.New("some input could not be processed")

// ErrFound says that something was found that should not be there. It was printed already.
var ErrFound = errors.New("found what should not be there")

// Reporter reports problems of inputs, one line each, as "path:line: reason" or as log records.
// It must not be used concurrently. A problem with Lost set counts for the result; others are
// only printed.
type Reporter struct {
	Say  func(format string, args ...any) // prints a line for a person
	Log  *slog.Logger
	JSON bool                // report problems as log records
	Note func(reason string) // if not nil, called for each input that was lost

	lost int // inputs that could not be processed
}

// Problem reports a capture's problem. It is printed as path:line: reason, or path: reason if
// no line is known.
func (r *Reporter) Problem(p capture.Problem) {
	say := r.Log.Warn
	if p.Lost {
		r.lost++
		if r.Note != nil {
			r.Note(p.File + ": " + p.Reason)
		}
		say = r.Log.Error
	}
	if r.JSON {
		say("input", slog.String("file", p.File), slog.Int64("line", p.Line), slog.String("reason", p.Reason))
		return
	}
	if p.Line > 0 {
		r.Say("%s:%d: %s\n", p.File, p.Line, p.Reason)
		return
	}
	r.Say("%s: %s\n", p.File, p.Reason)
}

// CannotOpen reports an input that could not be opened, with advice where there is some. An
// empty file is no loss: a tool creates its transcript before it writes to it.
func (r *Reporter) CannotOpen(err error) {
	p := capture.Problem{Reason: err.Error(), Lost: true}
	if pr, ok := errors.AsType[*input.Problem](err); ok {
		p.File, p.Reason = pr.File, pr.Err.Error()
	}
	switch {
	case errors.Is(err, input.ErrEmpty):
		p.Lost = false
	case errors.Is(err, input.ErrArchive):
		p.Reason += ": use replay"
	case errors.Is(err, input.ErrUnknown):
		p.Reason += "; if it is one, say whose with parse --as"
	}
	r.Problem(p)
}

// Left reports that symbolic links were not followed, and names the first.
func (r *Reporter) Left(links []string) {
	if len(links) == 0 {
		return
	}
	r.Log.Warn("a symbolic link that leads out of the folders is not followed; --follow-links does",
		slog.String("link", links[0]), slog.Int("links", len(links)))
}

// IsVerbose reports whether the user wants details about what was read.
func (r *Reporter) IsVerbose(ctx context.Context) bool { return r.Log.Enabled(ctx, slog.LevelDebug) }

// Seen logs what was read, at the debug level.
func (r *Reporter) Seen(t input.Transcript, s pipeline.Stats) {
	r.Log.Debug("read transcript", slog.String("file", t.File), slog.String("tool", string(t.Adapter.Tool())),
		slog.Int64("records", s.Records), slog.Int64("events", s.Events), slog.Any("unknown", s.Unknown))
}

// Result returns [ErrIncomplete] if an input was lost, else nil.
func (r *Reporter) Result() error {
	if r.lost > 0 {
		return ErrIncomplete
	}
	return nil
}

// Unwrapped returns the cause of an error about a file, without the name of the file.
func Unwrapped(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}
