package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/status"
)

// shown runs a watch whose state is shown: on a terminal as a line, and to those
// who ask at the address for it.
func (a *app) shown(ctx context.Context, w *watching, run func(context.Context) error) error {
	board := a.Board
	board.Clean = a.cleaned
	if w.noContent {
		board.Clean = func(string) string { return "withheld" }
	}
	w.report.Note = board.Failed
	view := a.newView()
	if view != nil {
		defer view.Clear()
	}
	var last time.Time
	w.shapes = true
	news := newNovelties(func() *slog.Logger { return w.report.Log }, board.Clean)
	w.observe = func(p capture.Progress) {
		now := a.Now()
		board.Update(p, now)
		if p.Idle {
			w.keeper.read()
		}
		news.note(ctx, p)
		if view != nil && (p.Idle || now.Sub(last) >= cli.Pace) {
			last = now
			view.Show()
		}
	}
	if w.statusAddr == "" {
		return run(ctx)
	}
	return a.served(ctx, w.statusAddr, run)
}

// cleaned is what may be shown of a message or a name: as on stderr.
func (a *app) cleaned(s string) string {
	clean, err := a.Guard.Clean([]byte(s))
	if err != nil {
		return "" // what cannot be redacted is withheld
	}
	return console.Visible(string(clean))
}

// served answers questions about the state meanwhile.
func (a *app) served(ctx context.Context, address string, run func(context.Context) error) error {
	l, err := status.Listen(ctx, address)
	if errors.Is(err, status.ErrRemote) {
		return cli.Usage(err)
	}
	if err != nil {
		return err
	}
	a.Logger().Info("serving status", slog.String("address", l.Addr().String()))
	ctx2, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- status.Serve(ctx2, l, a.Board, a.Logger()) }()
	err = run(ctx)
	stop()
	return errors.Join(err, <-done)
}

// newView returns nil where nobody would see it.
func (a *app) newView() *status.View {
	if !a.Stderr.IsTerminal() || a.LogFormat == "json" || a.Stdout.IsTerminal() && a.Verbose {
		return nil
	}
	return &status.View{Line: a.Stderr, Board: a.Board}
}
