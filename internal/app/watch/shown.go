package watch

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/internal/visible"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/status"
)

// shown runs a watch and shows its state: as a line on a terminal, and at StatusAddr.
func (w *watch) shown(ctx context.Context, run func(context.Context) error) error {
	board := w.board
	board.Clean = w.cleaned
	if w.Privacy.NoContent {
		board.Clean = func(string) string { return "withheld" }
	}
	w.report.Note = board.Failed
	view := w.newView()
	if view != nil {
		defer view.Clear()
	}
	var last time.Time
	news := newNovelties(func() *slog.Logger { return w.report.Log }, board.Clean)
	w.observe = func(p capture.Progress) {
		now := w.setup.Now()
		board.Update(p, now)
		if p.Idle {
			w.keeper.Read()
		}
		news.note(ctx, p)
		if view != nil && (p.Idle || now.Sub(last) >= pace) {
			last = now
			view.Show()
		}
	}
	if w.StatusAddr == "" {
		return run(ctx)
	}
	return w.served(ctx, run)
}

// cleaned returns a message or a name after redaction, as it may be shown.
func (w *watch) cleaned(s string) string {
	clean, err := w.setup.Clean([]byte(s))
	if err != nil {
		return "" // a text that cannot be redacted is not shown
	}
	return visible.Line(string(clean))
}

// served runs a watch and serves its state at StatusAddr.
func (w *watch) served(ctx context.Context, run func(context.Context) error) error {
	l, err := status.Listen(ctx, w.StatusAddr)
	if errors.Is(err, status.ErrRemote) {
		return usage.Mark(err)
	}
	if err != nil {
		return err
	}
	w.setup.Logger().Info("serving status", slog.String("address", l.Addr().String()))
	ctx2, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- status.Serve(ctx2, l, w.board, w.setup.Logger()) }()
	err = run(ctx)
	stop()
	return errors.Join(err, <-done)
}

// newView returns the view for the terminal, or nil if there is none.
func (w *watch) newView() *status.View {
	if w.Line == nil {
		return nil
	}
	return &status.View{Line: w.Line, Board: w.board}
}

// pace is the shortest time between two states of the line.
const pace = 100 * time.Millisecond
