package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"

	"github.com/memscribe/memscribe/internal/app/setup"
)

// Others fetches what others share, again and again, as [Sync] does once. The zero Others
// has received nothing yet.
//
// A namespace is read whole, so it is read only if the log of one of the servers grew since:
//
//	heads as before   one small request per project
//	a head is new     all namespaces are read, and what is not shared any more is forgotten
type Others struct {
	heads map[string]string // by project, when all was received last
}

// Receive fetches what others share of each project that is shared. The settings are read
// each time. If one server cannot be reached, the others are read all the same, and nothing
// is forgotten.
func (o *Others) Receive(ctx context.Context, s *setup.Setup, database string) error {
	own, err := read(s)
	if err != nil {
		return err
	}
	heads, failed := headsOf(ctx, s, own.teams)
	if failed == nil && maps.Equal(heads, o.heads) || len(heads) == 0 {
		return failed
	}
	r, err := newReceiver(ctx, s, database)
	if err != nil {
		return err
	}
	var left error
	for i := range own.teams {
		t := &own.teams[i]
		if heads[t.Project] == "" {
			continue // it could not be reached just now
		}
		got, err := receiveFrom(ctx, s, r, t)
		switch {
		case err != nil:
			failed = errors.Join(failed, err)
		case got.left > 0:
			left = fmt.Errorf("%s: %d of what the server has were not taken; the first: %w", t.URL, got.left, got.why)
		}
		if got.many > 0 {
			s.Logger().Info("received what others share", slog.String("project", t.Project), slog.String("namespace", t.Namespace), slog.Int("nodes", got.many))
		}
	}
	if failed = errors.Join(failed, r.close(ctx, failed == nil && left == nil)); failed == nil {
		o.heads = heads
	}
	return errors.Join(failed, left)
}

// receiveFrom fetches what others share of one project.
func receiveFrom(ctx context.Context, s *setup.Setup, r *receiver, t *setup.Team) (taken, error) {
	c, err := dial(s, t)
	if err != nil {
		return taken{}, err
	}
	defer c.Close()
	got, err := r.receive(ctx, c, t)
	if err != nil {
		return got, fmt.Errorf("receive from %s: %w", t.URL, err)
	}
	return got, nil
}

// headsOf says how far the logs of the servers are, by project. A server that cannot be
// reached is left out, and is the error.
func headsOf(ctx context.Context, s *setup.Setup, teams []setup.Team) (map[string]string, error) {
	heads := map[string]string{}
	var failed error
	for i := range teams {
		t := &teams[i]
		head, err := headOf(ctx, s, t)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("receive from %s: %w", t.URL, err))
			continue
		}
		heads[t.Project] = head
	}
	return heads, failed
}

// headOf says how far the log of a project's server is.
func headOf(ctx context.Context, s *setup.Setup, t *setup.Team) (string, error) {
	c, err := dial(s, t)
	if err != nil {
		return "", err
	}
	defer c.Close()
	h, err := c.Health(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(t.URL, " ", t.Namespace, " ", h.Length, " ", h.Head), nil
}
