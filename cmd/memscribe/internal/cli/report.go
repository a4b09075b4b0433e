package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/input"
)

// Reporter tells the user about inputs, as "path:line: reason" or, with
// --log-format json, as log records.
type Reporter struct {
	out  *console.Printer
	Log  *slog.Logger
	json bool
	Note func(reason string) // of what was lost; or nil
	lost int                 // inputs that could not be processed
}

// NewReporter returns a reporter of one command.
func (a *App) NewReporter() *Reporter {
	return &Reporter{out: a.Stderr, Log: a.Logger(), json: a.LogFormat == "json"}
}

// Problem reports a capture's problem.
func (r *Reporter) Problem(p capture.Problem) {
	say := r.Log.Warn
	if p.Lost {
		r.lost++
		if r.Note != nil {
			r.Note(p.File + ": " + p.Reason)
		}
		say = r.Log.Error
	}
	if r.json {
		say("input", slog.String("file", p.File), slog.Int64("line", p.Line), slog.String("reason", p.Reason))
		return
	}
	if p.Line > 0 {
		r.out.Printf("%s:%d: %s\n", p.File, p.Line, p.Reason)
		return
	}
	r.out.Printf("%s: %s\n", p.File, p.Reason)
}

// CannotOpen reports what intake says of a file.
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

// Left says which symbolic links were not followed: the first of them.
func (r *Reporter) Left(links []string) {
	if len(links) == 0 {
		return
	}
	r.Log.Warn("a symbolic link that leads out of the folders is not followed; --follow-links does",
		slog.String("link", links[0]), slog.Int("links", len(links)))
}

// IsVerbose reports whether somebody wants to know what was read.
func (r *Reporter) IsVerbose(ctx context.Context) bool { return r.Log.Enabled(ctx, slog.LevelDebug) }

// Seen notes what was read, for those who want to know.
func (r *Reporter) Seen(t input.Transcript, s pipeline.Stats) {
	r.Log.Debug("read transcript", slog.String("file", t.File), slog.String("tool", string(t.Adapter.Tool())),
		slog.Int64("records", s.Records), slog.Int64("events", s.Events), slog.Any("unknown", s.Unknown))
}

// Result is the error for what was reported.
func (r *Reporter) Result() error {
	if r.lost > 0 {
		return ErrIncomplete
	}
	return nil
}

// Unwrapped is what went wrong with a file, without its name.
func Unwrapped(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}
