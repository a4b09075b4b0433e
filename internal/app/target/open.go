package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/memscribe/memscribe/internal/atomicfile"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
	"github.com/memscribe/memscribe/sink/retry"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// intoDatabase delivers the nodes and messages of a replay to a database, with indexes built at
// the end. It tells how many nodes were left out because they are older than the database
// keeps.
func intoDatabase(ctx context.Context, to Target, use func(sink.Sink) error) error {
	if err := to.setup.Private(to.setup.Logger(), to.Out, ""); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, to.Out, sqlite.Options{Bulk: true, Messages: to.messages})
	if err != nil {
		return err
	}
	LogRebuiltIndexes(to.setup.Logger(), to.Out, s.RebuiltIndexes())
	err = Deliver(s, use)
	if n := s.LeftOut(); n > 0 {
		to.setup.Logger().Info("left out what is older than the database keeps; see memscribe prune --readmit", slog.Int64("nodes", n))
	}
	return err
}

// followInDatabase delivers the nodes and messages of a watch to a database.
func followInDatabase(ctx context.Context, to Target, use func(sink.Sink) error) error {
	open := func(ctx context.Context) (sink.Sink, error) {
		s, err := sqlite.Open(ctx, to.Out, sqlite.Options{Messages: to.messages})
		if err != nil {
			return nil, err
		}
		LogRebuiltIndexes(to.setup.Logger(), to.Out, s.RebuiltIndexes())
		return s, nil
	}
	return patiently(ctx, to, open, use)
}

// LogRebuiltIndexes logs the indexes of a database that were missing and were created again.
func LogRebuiltIndexes(log *slog.Logger, database string, indexes []string) {
	if len(indexes) > 0 {
		log.Warn("indexes were missing; they were made again", slog.String("database", database), slog.Any("indexes", indexes))
	}
}

// appendLines appends the nodes of a watch to a log of lines: to standard output, to a pipe as
// it is, or to a file, which is resumed behind the last line that was confirmed.
func appendLines(ctx context.Context, to Target, use func(sink.Sink) error) error {
	if to.Out == "-" {
		return use(ndjson.NewLog(to.setup.Data()))
	}
	open := func(context.Context) (sink.Sink, error) { return ndjson.Resume(to.Out, to.Mark) }
	if !IsKept(to.Out) {
		l, err := open(ctx)
		if err != nil {
			return err
		}
		return Deliver(l, use)
	}
	return patiently(ctx, to, open, use)
}

// writeSorted writes each node of a replay once, in canonical order.
func writeSorted(_ context.Context, to Target, use func(sink.Sink) error) error {
	return WriteOut(to.setup.Data(), to.Out, func(w io.Writer) error { return Deliver(ndjson.NewSorted(w), use) })
}

// WriteOut calls write with standard output ("-"), with a pipe or device that exists, or with a
// new file that replaces an existing one when it is complete: a failure leaves the old file
// unchanged.
func WriteOut(stdout io.Writer, out string, write func(io.Writer) error) error {
	if out == "-" {
		return write(stdout)
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(out, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("open output: %w", err)
		}
		return errors.Join(write(f), f.Close())
	}
	return atomicfile.Write(out, write)
}

// Deliver calls use with a sink and closes it.
func Deliver(s sink.Sink, use func(sink.Sink) error) error { return errors.Join(use(s), s.Close()) }

// IsKept reports whether out is a regular file, or will be one, and no pipe or device.
func IsKept(out string) bool {
	if out == "-" {
		return false
	}
	info, err := os.Stat(out)
	return err != nil || info.Mode().IsRegular()
}

// isTaken reports whether an error means that another process has locked the target.
func isTaken(err error) bool { return errors.Is(err, lock.ErrTaken) }

// patiently calls use with a sink that is opened again and retried while it cannot be written
// to (sink/retry), if the target waits; else with the sink itself. A signal while it waits for
// the first opening ends the watch without an error.
func patiently(ctx context.Context, to Target, open func(context.Context) (sink.Sink, error), use func(sink.Sink) error) error {
	log := to.setup.Logger()
	o := retry.Options{
		Open: open, Wait: interrupt.Wait,
		Failed: func(err error) {
			log.Error("cannot deliver; waiting until it works", slog.Any("error", err))
			to.waiting(err.Error())
		},
		Works: func() {
			log.Info("delivering again")
			to.waiting("")
		},
	}
	if to.Waits {
		o.Passes = to.Passes
	}
	s, err := retry.Open(ctx, o)
	if err != nil && to.Waits && interrupt.WasTerminated(ctx) {
		return nil // it was interrupted before anything was read
	}
	if err != nil {
		return err
	}
	return Deliver(s, use)
}

// waiting passes the reason for waiting to Waiting.
func (t *Target) waiting(reason string) {
	if t.Waiting != nil {
		t.Waiting(reason)
	}
}
