// Package retention deletes what is older than the retention period: nodes in a
// database and entries in the journals of pushed data.
//
// A node is as old as its timestamp; one without a timestamp has no age and stays. A binding is
// deleted with either of its ends. What was deleted does not come back when its transcript is
// read again: the database remembers the horizon, the time since which it keeps nodes of a
// kind, and accepts nothing older.
//
//	      horizon            now
//	────────┼──────────────────┼──▶
//	deleted │ kept             │        both horizons only move forward
//
// The horizon is the beginning of a day (UTC), so that the same command gives the same result
// all day. If the clock is more than a year ahead of the newest node, watch deletes nothing: the
// clock is probably wrong.
package retention

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strconv"
	"time"

	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// Span is a number of days for which something is kept; 0 is for ever. It is a flag's value:
// "90d", "12w" or "forever".
//
//	90d, 12w    a number of days or weeks
//	forever     nothing is deleted; the default, and the zero Span
type Span int

const (
	forever = "forever"
	day     = 24 * time.Hour
)

// String implements the Value of flags.
func (s *Span) String() string {
	if *s == 0 {
		return forever
	}
	return strconv.Itoa(int(*s)) + "d"
}

// Set implements the Value of flags.
func (s *Span) Set(text string) error {
	if text == forever {
		*s = 0
		return nil
	}
	d, ok := Duration(text)
	if !ok || d < day || d%day != 0 {
		return fmt.Errorf("%q is neither %s nor a number of days or weeks, as 90d or 12w", text, forever)
	}
	*s = Span(d / day)
	return nil
}

// Type implements the Value of flags.
func (*Span) Type() string { return "time" }

// Since returns the first moment that is kept. It is the beginning of a day, so that it is
// the same all day long.
func (s *Span) Since(now time.Time) time.Time {
	if *s == 0 {
		return time.Time{}
	}
	return now.UTC().Truncate(day).AddDate(0, 0, -int(*s))
}

// Options hold the retention period of each kind.
type Options struct{ Conversations, Decisions, Edits, Journals Span }

// Horizon returns the first moments of nodes that are kept.
func (o *Options) Horizon(now time.Time) schema.Horizon {
	return schema.Horizon{Conversations: o.Conversations.Since(now), Decisions: o.Decisions.Since(now), Edits: o.Edits.Since(now)}
}

// Keeper deletes what is older than the retention periods while watch runs: when it starts, and
// once a day. Nodes may be deleted at any time, since transcripts can be read again. Journals
// are the only copy of what they hold, so they wait until everything was read once.
type Keeper struct {
	Options  Options
	Database string // "": there is none to prune
	Journals string // the folder of the journals; "": there is none
	Now      func() time.Time
	Log      *slog.Logger

	caughtUp chan struct{} // closed when everything was read: only then may journals be deleted
	isRead   bool
	nodesOf  time.Time // the last day on which nodes were deleted
}

// NewKeeper returns a keeper with these fields.
func NewKeeper(k Keeper) *Keeper {
	k.caughtUp = make(chan struct{})
	return &k
}

// often is how often the keeper checks whether a day has begun.
const often = time.Hour

// run deletes what is old until ctx ends. A deletion that fails is tried again.
func (k *Keeper) run(ctx context.Context) {
	caughtUp := k.caughtUp
	for ctx.Err() == nil {
		k.Nodes(ctx)
		again := time.NewTimer(often)
		select {
		case <-ctx.Done():
		case <-again.C:
			if caughtUp == nil {
				k.Pushed(ctx)
			}
		case <-caughtUp:
			caughtUp = nil
			k.Pushed(ctx)
		}
		again.Stop()
	}
}

// Read tells the keeper that all transcripts and journals have been read once.
func (k *Keeper) Read() {
	if !k.isRead {
		k.isRead = true
		close(k.caughtUp)
	}
}

// Nodes deletes old nodes, once a day. An error is logged and the deletion tried again an hour
// later.
func (k *Keeper) Nodes(ctx context.Context) {
	now := k.Now()
	h, today := k.Options.Horizon(now), now.UTC().Truncate(day)
	if k.Database == "" || h.IsZero() || today.Equal(k.nodesOf) {
		return
	}
	latest, leapt, err := Leapt(ctx, k.Database, now)
	if leapt {
		k.nodesOf = today
		k.Log.Warn("the clock is far ahead of what has been captured: no old nodes are let go; 'memscribe prune' does it if the clock is right",
			slog.Time("clock", now), slog.String("latest", latest.Format(time.DateOnly)))
		return
	}
	var went schema.Pruned
	if err == nil {
		went, err = pruneDatabase(ctx, k.Database, h)
	}
	switch {
	case err == nil:
		k.nodesOf = today
	case ctx.Err() == nil:
		k.Log.Error("cannot let go of old nodes", slog.Any("error", err))
	}
	if !went.IsZero() {
		k.Log.Info("let go of old nodes", slog.Int64("nodes", went.Nodes()), slog.Int64("messages", went.Messages))
	}
}

const (
	// leap is how far the clock may be ahead of the latest day for which there is
	// something. Beyond that it is the clock that is wrong, and not the user who was away.
	leap = 365 * day
	// doubted is how many days of a clock that leapt do not vouch for it.
	doubted = 3
)

// Leapt reports whether the clock is so far ahead that it must not decide what is deleted, and
// the latest day that is believed. With something of 2026-10-30, 2026-10-31 and
// 2028-11-01 and a clock of 2028-11-01 that is 2026-10-31.
func Leapt(ctx context.Context, name string, now time.Time) (latest time.Time, yes bool, err error) {
	r, err := nodedb.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, schema.ErrOlder) {
		return latest, false, nil // it is yet to be created or migrated
	}
	if err != nil {
		return latest, false, err
	}
	days, err := lists.LatestDays(ctx, r, doubted+1)
	if err = errors.Join(err, r.Close()); err != nil {
		return latest, false, err
	}
	latest, yes = leaptFrom(days, now)
	return latest, yes, nil
}

// leaptFrom does the same with the latest days for which there is something, the newest first.
func leaptFrom(days []time.Time, now time.Time) (latest time.Time, yes bool) {
	if len(days) == 0 {
		return latest, false
	}
	latest = days[0]
	for i, d := range days[1:] {
		if days[i].Sub(d) > leap {
			latest = d
		}
	}
	return latest, now.Sub(latest) > leap
}

// pruneDatabase deletes what is older than the horizon from a database, and
// remembers the horizon there.
func pruneDatabase(ctx context.Context, name string, h schema.Horizon) (went schema.Pruned, err error) {
	s, err := sqlite.Open(ctx, name, sqlite.Options{})
	if err != nil {
		return went, err
	}
	err = target.Deliver(s, func(sink.Sink) error {
		went, err = s.Prune(ctx, h)
		return err
	})
	return went, err
}

// Pushed deletes old journals. They must have been read before.
func (k *Keeper) Pushed(ctx context.Context) {
	before := k.Options.Journals.Since(k.Now())
	if k.Journals == "" || before.IsZero() {
		return
	}
	n, err := k.prune(ctx, before)
	if err != nil && ctx.Err() == nil {
		k.Log.Error("cannot let go of old journals", slog.Any("error", err))
	}
	if n > 0 {
		k.Log.Info("let go of old journals", slog.Int("files", n))
	}
}

// prune removes old journals, unless the clock is far ahead of when they were last written to.
func (k *Keeper) prune(ctx context.Context, before time.Time) (removed int, err error) {
	days, err := journal.LatestDays(k.Journals, doubted+1)
	if err != nil {
		return 0, err
	}
	if latest, leapt := leaptFrom(days, k.Now()); leapt {
		k.Log.Warn("the clock is far ahead of the last journal: no journals are let go; 'memscribe prune' does it if the clock is right",
			slog.Time("clock", k.Now()), slog.String("latest", latest.Format(time.DateOnly)))
		return 0, nil
	}
	return journal.Prune(ctx, k.Journals, before)
}

// Beside runs the keeper on a goroutine of its own while do runs, and waits for it to end.
func (k *Keeper) Beside(ctx context.Context, do func(context.Context) error) error {
	keeping, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := panics.Caught(func() error {
			k.run(keeping)
			return nil
		})
		if err != nil {
			k.Log.Error("no longer lets go of what is old", slog.Any("error", err))
		}
	}()
	err := do(ctx)
	stop()
	<-done
	return err
}
