package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
)

// JoinOptions say with whom a project is shared.
type JoinOptions struct {
	Options

	URL       string
	Namespace string // "": after the project's remote repository
	TokenFile string
	By        string // whom memories are said to be from; "" is the name that git has

	// Show is called with what will be shared before anything is sent; its error ends the
	// joining.
	Show func(*Joining) error
}

// Joining is what will be shared, and with whom.
type Joining struct {
	Team    setup.Team
	Folders []string       // in which the project was worked on, its present one among them
	Nodes   map[string]int // how many of each kind were captured until now
}

// Join writes down that a project is shared, once the server has taken a first memory
// that says so. Nothing else is sent yet.
//
// The order makes a failure harmless: the server is asked first, then the settings are
// written, and if that fails the memory is forgotten again. file is the settings file that
// was written; "" in a dry run.
func Join(ctx context.Context, s *setup.Setup, o JoinOptions) (file string, err error) {
	t, err := o.team(ctx)
	if err != nil {
		return "", err
	}
	own, err := read(s)
	if err != nil {
		return "", err
	}
	if before := own.of(ctx, t.Project); before != nil {
		was := ""
		if before.Project != t.Project {
			was = ", from its folder of before, " + before.Project
		}
		return "", usage.Errorf("%s is shared with %s already%s; 'memscribe leave' ends that", t.Project, before.URL, was)
	}
	if err = show(ctx, &o, t); err != nil {
		return "", err
	}
	c, err := dial(s, t) // reads the token, and asks nothing yet
	if err != nil {
		return "", err
	}
	defer c.Close()
	if o.DryRun {
		return "", nil
	}
	if err = try(ctx, s, c, t); err == nil {
		err = own.replace(own.with(t))
	}
	if err != nil && t.Message != "" {
		err = errors.Join(err, c.Forget(ctx, t.Namespace, t.Message))
	}
	if err != nil {
		return "", fmt.Errorf("join %s: %w", t.URL, err)
	}
	return own.path, nil
}

// team works out what is to be written down.
func (o *JoinOptions) team(ctx context.Context) (*setup.Team, error) {
	project, err := o.folder(ctx)
	if err != nil {
		return nil, err
	}
	if !isFolder(project) {
		return nil, usage.Errorf("--project %s: there is no such folder", o.Project)
	}
	t := &setup.Team{Project: project, URL: o.URL, Namespace: o.Namespace, User: cmp.Or(o.By, gitrepo.Author(ctx, project))}
	if t.Namespace == "" {
		if t.Namespace, err = namespace(ctx, project); err != nil {
			return nil, err
		}
	}
	if o.TokenFile != "" {
		if t.TokenFile, err = filepath.Abs(o.TokenFile); err != nil {
			return nil, fmt.Errorf("find token: %w", err)
		}
	}
	if name, err := t.Wrong(); err != nil {
		return nil, usage.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// namespace is named after the repository that a project was cloned from, and never after
// a folder of this machine.
//
// git@github.com:acme/orders.git becomes github.com.acme.orders. Everybody who clones
// the repository therefore arrives at the same namespace.
func namespace(ctx context.Context, project string) (string, error) {
	name := ""
	if r, err := gitrepo.Open(ctx, project); err == nil {
		name = gitrepo.FullName(r.Remote(ctx))
	}
	if name == "" {
		return "", usage.Errorf("%s has no remote repository to name its namespace after; --namespace names it", project)
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '/':
			return '.'
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, name)
	return strings.TrimLeft(name, "."), nil
}

// show hands on what will be shared, where, and under which name.
func show(ctx context.Context, o *JoinOptions, t *setup.Team) error {
	n, err := openNodes(ctx, o.Database, t.Project)
	if err != nil {
		return err
	}
	of, err := n.count(ctx)
	if err = errors.Join(err, n.close()); err != nil {
		return err
	}
	return o.Show(&Joining{Team: *t, Folders: n.folders, Nodes: of})
}

// try has the server take a memory that says who has joined, and sees whether others' can
// be read.
//
// A token that may write and not read is enough to share; it is said once.
func try(ctx context.Context, s *setup.Setup, c *client.Client, t *setup.Team) error {
	if err := c.EnsureNamespace(ctx, t.Namespace, api.NamespacePut{Description: "shared by a team"}); err != nil {
		return err
	}
	said := api.MemoryWrite{Body: api.Body{
		Kind: "note", Content: cmp.Or(t.User, "somebody") + " joined " + t.Namespace, Origin: api.Internal, UserID: t.User, CreationTool: "memscribe join",
	}}
	results, err := c.Write(ctx, t.Namespace, []api.MemoryWrite{said})
	if err != nil {
		return err
	}
	t.Message = results[0].ID
	_, err = c.Search(ctx, api.SearchRequest{Namespaces: []string{t.Namespace}, Limit: 1})
	if api.IsKind(err, api.Forbidden) {
		s.Say("the token may write there and not read: what others share does not come here\n")
		return nil
	}
	return err
}
