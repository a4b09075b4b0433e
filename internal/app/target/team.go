package target

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/postgres"
)

// aimAtTeam makes the target a PostgreSQL. The URL may contain a password and is never printed
// or stored: the checkpoint of the target has a name made from a hash of it.
func (t *Target) aimAtTeam(noRedact bool) error {
	if noRedact {
		return usage.Errorf("--no-redact is only for --sink ndjson --out -")
	}
	if !postgres.IsURL(t.Out) {
		return usage.Errorf("--sink postgres needs --out postgres://user@host/name; a password stands better in PGPASSWORD or ~/.pgpass")
	}
	dir, err := t.setup.StateDir(t.setup.StateFolder)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	t.team = t.Out
	t.Out = filepath.Join(dir, "postgres-"+shortSum(postgres.Shown(t.team)), "nodes")
	return nil
}

// followInTeam delivers the nodes of a watch to a PostgreSQL.
func followInTeam(ctx context.Context, to Target, use func(sink.Sink) error) error {
	open := func(ctx context.Context) (sink.Sink, error) { return postgres.Open(ctx, to.team) }
	return patiently(ctx, to, open, use)
}

// intoTeam delivers the nodes of a replay to a PostgreSQL.
func intoTeam(ctx context.Context, to Target, use func(sink.Sink) error) error {
	s, err := postgres.Open(ctx, to.team)
	if err != nil {
		return err
	}
	return Deliver(s, use)
}
