package capture

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/team"
	"github.com/memscribe/memscribe/internal/exchange"
)

// join joins a team. It prints what will be shared before that, and afterwards in which file
// the settings were written.
func join(ctx context.Context, a *cli.App, o team.JoinOptions) error {
	o.Show = func(j *team.Joining) error { return printJoining(a, j) }
	file, err := team.Join(ctx, &a.Setup, o)
	switch {
	case err != nil:
		return err
	case o.DryRun:
		_, err = a.Stdout.Printf("nothing was sent or written\n")
	default:
		_, err = a.Stdout.Printf("joined; written into %s. 'memscribe sync' shares, 'memscribe leave' ends it\n", file)
	}
	return err
}

// printJoining prints what will be shared, where, and under which name.
func printJoining(a *cli.App, j *team.Joining) error {
	by := ""
	if j.Team.User != "" {
		by = ", as " + j.Team.User
	}
	if _, err := a.Stdout.Printf("%s is shared with %s, in the namespace %s%s\n", j.Team.Project, j.Team.URL, j.Team.Namespace, by); err != nil {
		return err
	}
	for _, folder := range j.Folders {
		if folder != j.Team.Project {
			a.Stdout.Printf("  with what was said and done in %s\n", folder)
		}
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(j.Nodes)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, j.Nodes[kind]))
	}
	_, err := a.Stdout.Printf("captured until now: %s\n", cmp.Or(strings.Join(kinds, ", "), "nothing"))
	return err
}

// leave leaves a team, and prints the project, the server and the namespace.
func leave(ctx context.Context, a *cli.App, o team.LeaveOptions) error {
	o.Forgot = func(many int) error {
		_, err := a.Stdout.Printf("%d memories were forgotten there\n", many)
		return err
	}
	t, err := team.Leave(ctx, &a.Setup, o)
	switch {
	case err != nil:
		return err
	case o.DryRun:
		_, err = a.Stdout.Printf("%s would be shared no more with %s, namespace %s\n", t.Project, t.URL, t.Namespace)
	default:
		_, err = a.Stdout.Printf("%s is shared no more with %s, namespace %s\n", t.Project, t.URL, t.Namespace)
	}
	return err
}

// syncTeams exchanges each project with its team and prints one line, or one JSON object, for
// each:
//
//	/home/me/app: 12 new, 1 changed, 340 there already, 0 forgotten there, 0 refused; https://…
//	  7 nodes of others
func syncTeams(ctx context.Context, a *cli.App, o team.SyncOptions, asJSON bool) error {
	o.Done = func(s *team.Synced) error {
		if asJSON {
			return a.Stdout.JSON(s)
		}
		_, err := a.Stdout.Printf("%s: %d new, %d changed, %d there already, %d forgotten there, %d refused; %s, namespace %s\n",
			s.Project, s.New, s.Changed, s.Same, s.Forgotten, s.Refused, s.URL, s.Namespace)
		if err == nil && o.Receive {
			_, err = a.Stdout.Printf("  %d nodes of others\n", s.Received)
		}
		if err == nil && s.Withdrawn > 0 {
			_, err = a.Stdout.Printf("  %d nodes were forgotten there, because you have forgotten them\n", s.Withdrawn)
		}
		return err
	}
	return team.Sync(ctx, &a.Setup, o)
}

// makeKey creates the file with the key that encrypts the exchange between machines.
func makeKey(a *cli.App, name string) error {
	if err := exchange.NewKey(name); err != nil {
		return err
	}
	_, err := a.Stdout.Printf("%s is the key: put a copy of it on each of your machines, and keep it from everybody else\n", name)
	return err
}

// meetMachines exchanges nodes with other machines, and prints how many were sent and received.
// If a batch of another machine could not be read and was set aside, it returns
// [report.ErrIncomplete] after that.
func meetMachines(ctx context.Context, a *cli.App, o team.MeetOptions, asJSON bool) error {
	r, err := team.Meet(ctx, &a.Setup, o)
	if err != nil {
		return err
	}
	if asJSON {
		err = a.Stdout.JSON(r)
	} else {
		_, err = a.Stdout.Printf("%d nodes sent, %d received of %d other machines; %d of those were captured here too, %d were forgotten here\n",
			r.Sent, r.Received, r.Machines, r.Own, r.Forgotten)
	}
	if err == nil && r.Aside > 0 {
		err = report.ErrIncomplete
	}
	return err
}
