package watch

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/sink"
)

// sessions runs sessions until ctx ends. If a session finds that the output or the state folder
// was replaced, the next session begins with the new one, like a program that is started again.
//
// After three sessions in a minute it pauses for five seconds, so that an output that something
// keeps deleting does not keep the machine busy.
func (w *watch) sessions(ctx context.Context, to target.Target) error {
	for began := []time.Time{}; ; {
		err := w.session(ctx, to)
		if !errors.Is(err, sink.ErrLost) || ctx.Err() != nil {
			return err
		}
		w.report.Log.Error("what was written is not there any more; beginning again", slog.Any("error", err))
		w.board.Again(err.Error())
		if began = append(began, w.setup.Now()); len(began) > quickly {
			if w.setup.Now().Sub(began[0]) < time.Minute {
				_ = interrupt.Wait(ctx, stateWait) // if ctx ends, the next session returns at once
			}
			began = began[1:]
		}
		to.Again, w.distrust = true, true
		if w.state, err = w.awaitState(ctx, to); err != nil {
			if to.Waits && interrupt.WasTerminated(ctx) {
				return nil
			}
			return err
		}
		w.board.Waiting("")
	}
}

// quickly is how many sessions in a minute begin without a pause.
const quickly = 3

// session follows with one sink and one state folder. It returns when ctx ends, on an error that
// cannot be retried, and with [sink.ErrLost] if the lookout finds either of them replaced. The
// state is closed in any case; if it is lost, nothing is written to the folder in its place.
func (w *watch) session(ctx context.Context, to target.Target) error {
	to.Mark = w.state.store.Mark()
	w.keeper = w.newKeeper(to)
	w.lookout = nil
	if to.Out != "-" {
		w.lookout = &lookout{state: w.state, out: to.Out, grows: to.Streams() && target.IsKept(to.Out)}
	}
	err := w.receiving(ctx, func(ctx context.Context) error {
		return w.lookout.beside(ctx, func(ctx context.Context) error {
			return to.Follow(ctx, func(s sink.Sink) error { return w.follow(ctx, s) })
		})
	})
	if closing := w.state.close(); !errors.Is(err, sink.ErrLost) {
		err = errors.Join(err, closing)
	}
	return err
}

// newKeeper returns the keeper that deletes old nodes from a target, and old journals.
func (w *watch) newKeeper(to target.Target) *retention.Keeper {
	k := retention.Keeper{Options: w.Keep, Journals: w.journals, Now: w.setup.Now, Log: w.setup.Logger()}
	if to.Name() == target.Database && target.IsKept(to.Out) {
		k.Database = to.Out
	} else if !w.Keep.Horizon(w.setup.Now()).IsZero() {
		k.Log.Warn("retention of nodes is for databases: what goes elsewhere is kept", slog.String("sink", to.Name()))
	}
	return retention.NewKeeper(k)
}
