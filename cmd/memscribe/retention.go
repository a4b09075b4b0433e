package main

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// span is for how many days something is kept; 0 is for ever.
type span int

const (
	forever = "forever"
	day     = 24 * time.Hour
)

// String implements the Value of flags.
func (s *span) String() string {
	if *s == 0 {
		return forever
	}
	return strconv.Itoa(int(*s)) + "d"
}

// Set implements the Value of flags.
func (s *span) Set(text string) error {
	if text == forever {
		*s = 0
		return nil
	}
	d, ok := time.Duration(0), false
	if text != "" {
		d, ok = duration(text)
	}
	if !ok || d < day || d%day != 0 {
		return fmt.Errorf("%q is neither %s nor a number of days or weeks, as 90d or 12w", text, forever)
	}
	*s = span(d / day)
	return nil
}

// Type implements the Value of flags.
func (*span) Type() string { return "time" }

// since is from when on something is kept: from the beginning of a day, so that it
// is the same all day long.
func (s *span) since(now time.Time) time.Time {
	if *s == 0 {
		return time.Time{}
	}
	return now.UTC().Truncate(day).AddDate(0, 0, -int(*s))
}

// retention are the flags about how long what is taken in is kept.
type retention struct{ conversations, decisions, edits, journals span }

func (r *retention) addFlags(cmd *cobra.Command) {
	for _, f := range []struct {
		value      *span
		name, what string
	}{
		{&r.conversations, "conversations", "the conversations of a database"},
		{&r.decisions, "decisions", "its decisions"},
		{&r.edits, "edits", "its edits"},
		{&r.journals, "journals", "what hooks and telemetry have passed on"},
	} {
		cmd.Flags().Var(f.value, "keep-"+f.name, "for how long to keep "+f.what+", as 90d or 12w")
		cli.Configurable(cmd, "keep-"+f.name, "retention."+f.name)
	}
}

// horizon is from when on nodes are kept.
func (r *retention) horizon(now time.Time) sqlite.Horizon {
	return sqlite.Horizon{Conversations: r.conversations.since(now), Decisions: r.decisions.since(now), Edits: r.edits.since(now)}
}

// keeper lets go of what is older than is to be kept while watch runs: at its
// start, and whenever a day has begun.
type keeper struct {
	retention

	database string // "": it is none that nodes go to
	journals string // their folder; or ""
	now      func() time.Time
	log      *slog.Logger

	caughtUp chan struct{} // closed when everything was read: journals may go
	isRead   bool
	nodesOf  time.Time // the day of which the nodes have been dealt with
}

func (a *app) newKeeper(o watchOptions, to target, journals string) *keeper {
	k := &keeper{retention: o.keep, journals: journals, now: a.Now, log: a.Logger(), caughtUp: make(chan struct{})}
	if to.name == databaseKind && isKept(to.out) {
		k.database = to.out
	} else if !k.horizon(a.Now()).IsZero() {
		k.log.Warn("retention of nodes is for databases: what goes elsewhere is kept", slog.String("sink", to.name))
	}
	return k
}

// often is how often the keeper looks whether a day has begun.
const often = time.Hour

// run keeps at it until ctx ends. What fails is tried again.
func (k *keeper) run(ctx context.Context) {
	caughtUp := k.caughtUp
	for ctx.Err() == nil {
		k.nodes(ctx)
		again := time.NewTimer(often)
		select {
		case <-ctx.Done():
		case <-again.C:
			if caughtUp == nil {
				k.pushed(ctx)
			}
		case <-caughtUp:
			caughtUp = nil
			k.pushed(ctx)
		}
		again.Stop()
	}
}

// read says that everything has been read, for the moment.
func (k *keeper) read() {
	if !k.isRead {
		k.isRead = true
		close(k.caughtUp)
	}
}

// nodes lets old nodes go, once a day.
func (k *keeper) nodes(ctx context.Context) {
	now := k.now()
	h, today := k.horizon(now), now.UTC().Truncate(day)
	if k.database == "" || h.IsZero() || today.Equal(k.nodesOf) {
		return
	}
	went, err := pruneDatabase(ctx, k.database, h)
	switch {
	case err == nil:
		k.nodesOf = today
	case ctx.Err() == nil:
		k.log.Error("cannot let go of old nodes", slog.Any("error", err))
	}
	if went.Nodes() > 0 {
		k.log.Info("let go of old nodes", slog.Int64("nodes", went.Nodes()))
	}
}

func pruneDatabase(ctx context.Context, name string, h sqlite.Horizon) (went sqlite.Pruned, err error) {
	s, err := sqlite.Open(ctx, name, sqlite.Options{})
	if err != nil {
		return went, err
	}
	err = deliver(s, func(sink.Sink) error {
		went, err = s.Prune(ctx, h)
		return err
	})
	return went, err
}

// pushed lets old journals go, which must have been read.
func (k *keeper) pushed(ctx context.Context) {
	before := k.retention.journals.since(k.now())
	if k.journals == "" || before.IsZero() {
		return
	}
	n, err := journal.Prune(ctx, k.journals, before)
	if err != nil && ctx.Err() == nil {
		k.log.Error("cannot let go of old journals", slog.Any("error", err))
	}
	if n > 0 {
		k.log.Info("let go of old journals", slog.Int("files", n))
	}
}

// beside has the keeper at work while something else is done.
func (k *keeper) beside(ctx context.Context, do func(context.Context) error) error {
	keeping, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := panics.Caught(func() error {
			k.run(keeping)
			return nil
		})
		if err != nil {
			k.log.Error("no longer lets go of what is old", slog.Any("error", err))
		}
	}()
	err := do(ctx)
	stop()
	<-done
	return err
}
