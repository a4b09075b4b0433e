package watch

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
)

// Sharing is how, and how often, watch sends what it stores to teams and receives what others
// share.
type Sharing struct {
	Every        time.Duration // between two sendings; 0 means never
	ReceiveEvery time.Duration // between two receptions; 0 means never
	// Send sends the nodes of shared projects in a database. Nodes that were sent before are
	// not sent again.
	Send func(ctx context.Context, database string) error
	// Receive stores what others share in a database. If nothing is new, it makes one
	// request.
	Receive func(ctx context.Context, database string) error
}

// sharer sends the nodes of a database after it was written to, at most every s.Every, and
// receives every s.ReceiveEvery and at the start. A failure is logged once and retried at the
// next interval.
type sharer struct {
	Sharing

	database string // "" if nodes are not written to a database
	log      *slog.Logger
	now      func() time.Time
	sent     string // the state of the database at the last sending
	said     string // the last failure that was logged
	missed   string // the last failure to receive that was logged
}

// beside runs do while the sharer works.
func (s *sharer) beside(ctx context.Context, do func(context.Context) error) error {
	if s.Every == 0 && s.ReceiveEvery == 0 || s.database == "" {
		return do(ctx)
	}
	sharing, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.run(sharing)
	}()
	err := do(ctx)
	stop()
	<-done
	return err
}

// run sends and receives at their intervals until ctx ends. It receives once at the beginning, so
// that a watch that is restarted often receives, too.
func (s *sharer) run(ctx context.Context) {
	share, stopSharing := ticks(s.Every)
	defer stopSharing()
	receive, stopReceiving := ticks(s.ReceiveEvery)
	defer stopReceiving()
	if s.ReceiveEvery > 0 {
		s.receive(ctx)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-share:
			s.share(ctx)
		case <-receive:
			s.receive(ctx)
		}
	}
}

// ticks returns a channel that ticks at an interval, never if that is 0, and a function that
// stops it.
func ticks(every time.Duration) (c <-chan time.Time, stop func()) {
	if every == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// receive receives what others share. A failure is retried at the next interval; the same failure
// is logged once.
func (s *sharer) receive(ctx context.Context) {
	err := panics.Caught(func() error { return s.Receive(ctx, s.database) })
	switch {
	case err == nil:
		s.missed = ""
	case ctx.Err() == nil && err.Error() != s.missed:
		s.missed = err.Error()
		s.log.Warn("cannot receive what others share", slog.Any("error", err))
	}
}

// share sends what is new. A failure is retried at the next interval; the same failure is logged
// once.
func (s *sharer) share(ctx context.Context) {
	now := s.state()
	if now == s.sent {
		return
	}
	err := panics.Caught(func() error { return s.Send(ctx, s.database) })
	switch {
	case err == nil:
		s.sent, s.said = now, ""
	case ctx.Err() == nil && err.Error() != s.said:
		s.said = err.Error()
		s.log.Warn("cannot share what was captured", slog.Any("error", err))
	}
}

// state returns a text that changes when the database is written to: size and time of the file
// and of its log. It also changes once an hour, since a project may have joined a team.
func (s *sharer) state() string {
	var text strings.Builder
	fmt.Fprint(&text, s.now().Truncate(time.Hour).Unix())
	for _, name := range []string{s.database, s.database + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprint(&text, " ", info.Size(), " ", info.ModTime().UnixNano())
		}
	}
	return text.String()
}
