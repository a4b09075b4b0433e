package team

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
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
}

// Leave ends that a project is shared. The file of settings is what it was before.
func Leave(ctx context.Context, a *cli.App, o LeaveOptions) error {
	project, err := o.folder(ctx)
	if err != nil {
		return err
	}
	own, err := read(a)
	if err != nil {
		return err
	}
	t := own.of(ctx, project)
	if t == nil {
		return usage.Errorf("%s is not shared", project)
	}
	project = t.Project
	text, ours := own.without(t)
	if !ours {
		return usage.Errorf("memscribe join has not written what %s says of %s; take the [[team]] out there", own.path, project)
	}
	if o.DryRun {
		_, err = a.Stdout.Printf("%s would be shared no more with %s, namespace %s\n", project, t.URL, t.Namespace)
		return err
	}
	if err = o.forget(ctx, a, t); err != nil {
		return err
	}
	if err = o.forgetReceived(ctx, t); err != nil {
		return err
	}
	if err = own.replace(text); err != nil {
		return err
	}
	_, err = a.Stdout.Printf("%s is shared no more with %s, namespace %s\n", project, t.URL, t.Namespace)
	return err
}

// forgetReceived forgets what was received from the team.
func (o *LeaveOptions) forgetReceived(ctx context.Context, t *setup.Team) error {
	if _, err := os.Stat(o.Database); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_, err := sqlite.ForgetReceived(ctx, o.Database, nil, sqlite.Origin{Server: t.URL, Namespace: t.Namespace})
	return err
}

// forget has the server forget the memory of joining and, if that is wanted, all that was
// shared. That a server cannot forget the first keeps no one from leaving.
func (o *LeaveOptions) forget(ctx context.Context, a *cli.App, t *setup.Team) error {
	c, err := dial(a, t)
	if err == nil {
		defer c.Close()
		err = unless(c.Forget(ctx, t.Namespace, t.Message))
	}
	if err != nil && !o.Forget {
		a.Stderr.Printf("the memory that says who has joined stays there: %v\n", err)
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
	_, err = a.Stdout.Printf("%d memories were forgotten there\n", many)
	return err
}

// forgetAll asks the server to forget each of the nodes and counts those it forgot.
// A node that the server does not have is no error.
func forgetAll(ctx context.Context, c *client.Client, namespace string, n *nodes) (many int, err error) {
	err = n.each(ctx, func(l *sink.Line) error {
		failed := c.Forget(ctx, namespace, l.ID)
		if failed == nil {
			many++
		}
		return unless(failed)
	})
	return many, err
}

// unless is an error that says more than that the server does not have what it is to
// forget.
func unless(err error) error {
	if api.IsKind(err, api.NotFound) || api.IsKind(err, api.Gone) {
		return nil
	}
	return err
}
