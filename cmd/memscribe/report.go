package main

import (
	"errors"
	"log/slog"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/intake"
)

// reporter tells the user about inputs, as "path:line: reason" or, with
// --log-format json, as log records.
type reporter struct {
	out  *console.Printer
	log  *slog.Logger
	json bool
	note func(reason string) // of what was lost; or nil
	lost int                 // inputs that could not be processed
}

func (a *app) newReporter() *reporter {
	return &reporter{out: a.stderr, log: a.logger(), json: a.logFormat == "json"}
}

// problem reports a capture's problem.
func (r *reporter) problem(p capture.Problem) {
	say := r.log.Warn
	if p.Lost {
		r.lost++
		if r.note != nil {
			r.note(p.File + ": " + p.Reason)
		}
		say = r.log.Error
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

// cannotOpen reports what intake says of a file.
func (r *reporter) cannotOpen(err error) {
	p := capture.Problem{Reason: err.Error(), Lost: true}
	if pr, ok := errors.AsType[*intake.Problem](err); ok {
		p.File, p.Reason = pr.File, pr.Err.Error()
	}
	switch {
	case errors.Is(err, intake.ErrEmpty):
		p.Lost = false
	case errors.Is(err, intake.ErrArchive):
		p.Reason += ": use replay"
	case errors.Is(err, intake.ErrUnknown):
		p.Reason += "; if it is one, say whose with parse --as"
	}
	r.problem(p)
}

// left says which symbolic links were not followed: the first of them.
func (r *reporter) left(links []string) {
	if len(links) == 0 {
		return
	}
	r.log.Warn("a symbolic link that leads out of the folders is not followed; --follow-links does",
		slog.String("link", links[0]), slog.Int("links", len(links)))
}

// seen notes what was read, for those who want to know.
func (r *reporter) seen(t intake.Transcript, s pipeline.Stats) {
	r.log.Debug("read transcript", slog.String("file", t.File), slog.String("tool", string(t.Adapter.Tool())),
		slog.Int64("records", s.Records), slog.Int64("events", s.Events), slog.Any("unknown", s.Unknown))
}

// result is the error for what was reported.
func (r *reporter) result() error {
	if r.lost > 0 {
		return errIncomplete
	}
	return nil
}
