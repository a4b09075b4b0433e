package team

import (
	"context"
	"log/slog"

	"github.com/memscribe/memscribe/internal/app/setup"
)

// Share sends what was captured of each project that is shared, as [Sync] does, and
// writes the results to the log. The settings are read each time: a project that is
// joined while watch runs is shared from then on.
//
// All projects are tried; the error is the last one.
func Share(ctx context.Context, s *setup.Setup, database string) error {
	own, err := read(s)
	if err != nil {
		return err
	}
	var failed error
	for i := range own.teams {
		done, err := withTeam(ctx, s, &SyncOptions{Database: database}, &own.teams[i], nil)
		if err != nil {
			failed = err // the other projects are shared all the same
			continue
		}
		if done.New+done.Changed > 0 {
			s.Logger().Info("shared", slog.String("project", done.Project), slog.String("namespace", done.Namespace), slog.Int("new", done.New), slog.Int("changed", done.Changed))
		}
	}
	return failed
}
