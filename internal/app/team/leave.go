package team

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// LeaveOptions say what a team keeps.
type LeaveOptions struct {
	Options

	Forget bool // the team's server forgets what was shared

	// Forgot is called with how many memories the server forgot, once it has; its error
	// ends the leaving.
	Forgot func(many int) error
}

// Leave ends that a project is shared, and returns with whom it was. The file of settings
// is what it was before. A dry run changes nothing.
func Leave(ctx context.Context, s *setup.Setup, o LeaveOptions) (*setup.Team, error) {
	project, err := o.folder(ctx)
	if err != nil {
		return nil, err
	}
	own, err := read(s)
	if err != nil {
		return nil, err
	}
	t := own.of(ctx, project)
	if t == nil {
		return nil, usage.Errorf("%s is not shared", project)
	}
	project = t.Project
	text, ours := own.without(t)
	if !ours {
		return nil, usage.Errorf("memscribe join has not written what %s says of %s; take the [[team]] out there", own.path, project)
	}
	if o.DryRun {
		return t, nil
	}
	if err = o.forget(ctx, s, t); err != nil {
		return nil, err
	}
	if err = o.forgetReceived(ctx, s, t); err != nil {
		return nil, err
	}
	if err = own.replace(text); err != nil {
		return nil, err
	}
	return t, nil
}

// forgetReceived forgets what was received from the team.
func (o *LeaveOptions) forgetReceived(ctx context.Context, s *setup.Setup, t *setup.Team) error {
	if _, err := os.Stat(o.Database); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := s.Private(s.Logger(), o.Database, ""); err != nil {
		return err
	}
	_, err := sqlite.ForgetReceived(ctx, o.Database, nil, sqlite.Origin{Server: t.URL, Namespace: t.Namespace})
	return err
}

// forget has the server forget the memory of joining and, if that is wanted, all that was
// shared. That a server cannot forget the first keeps no one from leaving.
func (o *LeaveOptions) forget(ctx context.Context, s *setup.Setup, t *setup.Team) error {
	c, err := dial(s, t)
	if err == nil {
		defer c.Close()
		err = unless(c.Forget(ctx, t.Namespace, t.Message))
	}
	if err != nil && !o.Forget {
		s.Say("the memory that says who has joined stays there: %v\n", err)
		return nil
	}
	if err != nil || !o.Forget {
		return err
	}
	n, err := openNodes(ctx, o.Database, t.Project)
	if err != nil {
		return err
	}
	many, err := forgetAll(ctx, c, t.Namespace, n)
	if err = errors.Join(err, n.close()); err != nil {
		return err
	}
	return o.Forgot(many)
}

// forgetAll asks the server to forget each of the nodes, also those that were rejected after they
// were shared, and counts those it forgot.
// A node that the server does not have is no error.
func forgetAll(ctx context.Context, c *client.Client, namespace string, n *nodes) (many int, err error) {
	err = n.eachCaptured(ctx, func(l *sink.Line) error {
		failed := c.Forget(ctx, namespace, l.ID)
		if failed == nil {
			many++
		}
		return unless(failed)
	})
	return many, err
}

// unless returns an error that says more than that the server does not have what it is to
// forget.
func unless(err error) error {
	if api.IsKind(err, api.NotFound) || api.IsKind(err, api.Gone) {
		return nil
	}
	return err
}
