package team

import (
	"context"
	"log/slog"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// Share sends what was captured of each project that is shared, as [Sync] does, and
// writes the results to the log. The settings are read each time: a project that is
// joined while watch runs is shared from then on.
//
// The error is that of the last project that failed; all projects are tried.
func Share(ctx context.Context, a *cli.App, database string) error {
	own, err := read(a)
	if err != nil {
		return err
	}
	var failed error
	for i := range own.teams {
		s, err := withTeam(ctx, a, database, &own.teams[i], nil)
		if err != nil {
			failed = err // the other projects are shared all the same
			continue
		}
		if s.New+s.Changed > 0 {
			a.Logger().Info("shared", slog.String("project", s.Project), slog.String("namespace", s.Namespace), slog.Int("new", s.New), slog.Int("changed", s.Changed))
		}
	}
	return failed
}
