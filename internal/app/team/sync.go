package team

import (
	"context"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/client"
)

// SyncOptions say what is shared now.
type SyncOptions struct {
	Database string
	Receive  bool // also fetch what others share
	// Withdraw has the server forget what was shared in the user's name and forgotten here since.
	// It needs Receive.
	Withdraw bool

	// Done is called with the result of each project that was shared; its error ends the
	// sync.
	Done func(*Synced) error
}

// Synced is what a sync did for one project, and its JSON what --json prints. New,
// Changed and Same add up to what was sent; Forgotten are nodes that somebody had the
// server forget, which stay so; Refused were not taken, each named on standard error.
type Synced struct {
	Project   string `json:"project"`
	URL       string `json:"url"`
	Namespace string `json:"namespace"`
	New       int    `json:"new"`
	Changed   int    `json:"changed"`
	Same      int    `json:"same"`
	Forgotten int    `json:"forgotten"`
	Refused   int    `json:"refused"`
	Received  int    `json:"received"`
	Withdrawn int    `json:"withdrawn,omitempty"` // forgotten by the server, since they were forgotten here

	left int // of what the server has, not received
}

// Sync sends what was captured of each project that is shared. A server that cannot be
// reached is named, and the others go on: the next call sends what this one could not.
//
// [report.ErrIncomplete] if a project could not be shared or a node was refused.
func Sync(ctx context.Context, s *setup.Setup, o SyncOptions) (err error) {
	own, err := read(s)
	if err != nil {
		return err
	}
	if len(own.teams) == 0 {
		s.Say("no project is shared; see 'memscribe join'\n")
		return report.ErrIncomplete
	}
	if err = upgrade(ctx, o.Database); err != nil {
		return err
	}
	var r *receiver
	if o.Receive {
		if r, err = newReceiver(ctx, s, o.Database); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.close(ctx, err == nil)) }()
	}
	for i := range own.teams {
		t := &own.teams[i]
		done, failed := withTeam(ctx, s, &o, t, r)
		switch {
		case ctx.Err() != nil:
			return failed
		case failed != nil:
			s.Say("%s: %v\n", t.Project, failed)
			err = report.ErrIncomplete
			continue
		case done.Refused > 0 || done.left > 0:
			err = report.ErrIncomplete
		}
		if failed = o.Done(&done); failed != nil {
			return failed
		}
	}
	return err
}

// withTeam sends the nodes of a project and, with a receiver, fetches those of others.
func withTeam(ctx context.Context, s *setup.Setup, o *SyncOptions, t *setup.Team, r *receiver) (done Synced, err error) {
	c, err := dial(s, t)
	if err != nil {
		return done, err
	}
	defer c.Close()
	if done, err = push(ctx, s, c, o.Database, t); err == nil && r != nil {
		var got taken
		got, err = r.receive(ctx, c, t)
		if done.Received, done.left = got.many, got.left; got.left > 0 {
			s.Say("%s: %d of what the server has were not taken; the first: %v\n", t.URL, got.left, got.why)
		}
		if err == nil {
			done.Withdrawn, err = withdraw(ctx, s, c, o, t, got.mine)
		}
	}
	if err != nil {
		return done, fmt.Errorf("share with %s: %w", t.URL, err)
	}
	return done, nil
}

// withdraw has the server forget what was forgotten here, if that is wanted, and says otherwise
// that it is still there.
func withdraw(ctx context.Context, s *setup.Setup, c *client.Client, o *SyncOptions, t *setup.Team, ids []string) (many int, err error) {
	if len(ids) > 0 && !o.Withdraw {
		s.Say("%s: it still has %d nodes that you shared and have forgotten here; 'memscribe sync --receive --forget' has it forget them\n", t.URL, len(ids))
		return 0, nil
	}
	for _, id := range ids {
		if err = unless(c.Forget(ctx, t.Namespace, id)); err != nil {
			return many, err
		}
		many++
	}
	return many, nil
}

// push sends the nodes of a project.
func push(ctx context.Context, s *setup.Setup, c *client.Client, database string, t *setup.Team) (Synced, error) {
	done := Synced{Project: t.Project, URL: t.URL, Namespace: t.Namespace}
	n, err := openNodes(ctx, database, t.Project)
	if err != nil {
		return done, err
	}
	p := memdb.Push{Client: c, Namespace: t.Namespace, User: t.User, Aside: func(id string, reason error) {
		s.Say("%s: refused: %v\n", id, reason)
	}}
	err = n.each(ctx, func(l *sink.Line) error { return p.Add(ctx, l) })
	if err == nil {
		err = p.Flush(ctx)
	}
	if err = errors.Join(err, n.close()); err != nil {
		return done, err
	}
	done.New, done.Changed, done.Same, done.Forgotten, done.Refused = p.Created, p.Updated, p.Unchanged, p.Forgotten, p.Refused
	return done, nil
}
