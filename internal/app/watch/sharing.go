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

// Sharing says how watch shares what it stores and fetches what others share, and how
// often.
type Sharing struct {
	Every        time.Duration // 0 is never
	ReceiveEvery time.Duration // 0 is never
	// Send sends what a database holds of the projects that are shared. What was sent
	// before is not sent twice.
	Send func(ctx context.Context, database string) error
	// Receive takes what others share into a database. Where nothing is new it asks for no
	// more than that.
	Receive func(ctx context.Context, database string) error
}

// sharer shares what a database holds after it was written to, at most every s.Every, and
// receives every s.ReceiveEvery, first when it begins. A failure is logged once and tried
// again at the next turn.
type sharer struct {
	Sharing

	database string // "": nodes go elsewhere
	log      *slog.Logger
	now      func() time.Time
	sent     string // the state of the database that was sent last
	said     string // the last failure that was logged
	missed   string // the last failure to receive that was logged
}

// beside has the sharer at work while something else is done.
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

// run shares and receives at their intervals until ctx ends. It receives once at the
// beginning, so that a watch that is started often receives too.
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

// ticks ticks every so often; 0 is never.
func ticks(every time.Duration) (c <-chan time.Time, stop func()) {
	if every == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// receive fetches what others share. What fails is tried again at the next turn; the same
// failure is logged once.
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

// share sends what is new. What fails is tried again at the next turn; the same failure
// is logged once.
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

// state changes when the database is written to: its size and time, and those of the log
// that is ahead of it. A project may also be joined meanwhile, so once an hour it counts as
// another.
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
