package watch

import (
	"context"
	"errors"
	"log/slog"

	"github.com/memscribe/memscribe/internal/nodedb"
)

// sayHeld logs how much the database still has of excluded projects and files, and how to delete
// it. If the database cannot be read, the writer reports that.
func (w *watch) sayHeld(ctx context.Context) {
	if len(w.Privacy.Exclude) == 0 || w.keeper.Database == "" {
		return
	}
	r, err := nodedb.Open(ctx, w.keeper.Database)
	if err != nil {
		return
	}
	held, err := w.Privacy.Held(ctx, r)
	if err = errors.Join(err, r.Close()); err != nil || held.IsNothing() {
		return
	}
	w.report.Log.Warn("what is left out was captured before and is still held; should that go too: memscribe forget --excluded",
		slog.Any("projects", held.Projects), slog.Int("edits", len(held.Edits)))
}
