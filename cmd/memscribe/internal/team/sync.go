package team

import (
	"context"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/client"
)

// SyncOptions say what is shared now.
type SyncOptions struct {
	Database string
	Receive  bool // take in what others share, too
	JSON     bool
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

	left int // of what the server has, not received
}

// Sync sends what was captured of each project that is shared. A server that cannot be
// reached is named, and the others go on: the next call sends what this one could not.
//
// [report.ErrIncomplete] if a project could not be shared or a node was refused.
func Sync(ctx context.Context, a *cli.App, o SyncOptions) (err error) {
	own, err := read(a)
	if err != nil {
		return err
	}
	if len(own.teams) == 0 {
		a.Stderr.Printf("no project is shared; see 'memscribe join'\n")
		return report.ErrIncomplete
	}
	if err = upgrade(ctx, o.Database); err != nil {
		return err
	}
	var r *receiver
	if o.Receive {
		if r, err = newReceiver(ctx, a, o.Database); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.close(ctx, err == nil)) }()
	}
	for i := range own.teams {
		t := &own.teams[i]
		s, failed := withTeam(ctx, a, o.Database, t, r)
		switch {
		case ctx.Err() != nil:
			return failed
		case failed != nil:
			a.Stderr.Printf("%s: %v\n", t.Project, failed)
			err = report.ErrIncomplete
			continue
		case s.Refused > 0 || s.left > 0:
			err = report.ErrIncomplete
		}
		if failed = s.print(a, &o); failed != nil {
			return failed
		}
	}
	return err
}

// withTeam sends the nodes of a project and, with a receiver, takes in those of others.
func withTeam(ctx context.Context, a *cli.App, database string, t *setup.Team, r *receiver) (s Synced, err error) {
	c, err := dial(a, t)
	if err != nil {
		return s, err
	}
	defer c.Close()
	if s, err = push(ctx, a, c, database, t); err == nil && r != nil {
		var got taken
		got, err = r.receive(ctx, c, t)
		if s.Received, s.left = got.many, got.left; got.left > 0 {
			a.Stderr.Printf("%s: %d of what the server has were not taken; the first: %v\n", t.URL, got.left, got.why)
		}
	}
	if err != nil {
		return s, fmt.Errorf("share with %s: %w", t.URL, err)
	}
	return s, nil
}

// push sends the nodes of a project.
func push(ctx context.Context, a *cli.App, c *client.Client, database string, t *setup.Team) (Synced, error) {
	s := Synced{Project: t.Project, URL: t.URL, Namespace: t.Namespace}
	n, err := openNodes(ctx, database, t.Project)
	if err != nil {
		return s, err
	}
	p := memdb.Push{Client: c, Namespace: t.Namespace, User: t.User, Aside: func(id string, reason error) {
		a.Stderr.Printf("%s: refused: %v\n", id, reason)
	}}
	err = n.each(ctx, func(l *sink.Line) error { return p.Add(ctx, l) })
	if err == nil {
		err = p.Flush(ctx)
	}
	if err = errors.Join(err, n.close()); err != nil {
		return s, err
	}
	s.New, s.Changed, s.Same, s.Forgotten, s.Refused = p.Created, p.Updated, p.Unchanged, p.Forgotten, p.Refused
	return s, nil
}

// print writes the result of a sync as JSON or as text.
func (s *Synced) print(a *cli.App, o *SyncOptions) error {
	if o.JSON {
		return a.Stdout.JSON(s)
	}
	_, err := a.Stdout.Printf("%s: %d new, %d changed, %d there already, %d forgotten there, %d refused; %s, namespace %s\n",
		s.Project, s.New, s.Changed, s.Same, s.Forgotten, s.Refused, s.URL, s.Namespace)
	if err == nil && o.Receive {
		_, err = a.Stdout.Printf("  %d nodes of others\n", s.Received)
	}
	return err
}
