// Package tailing implements the command tail: it prints decisions and edits as a running watch
// stores them. It reads the database only, no transcripts.
//
//	09:43:12  orders-service  decision  Add a /healthz route that returns 200
//	09:43:40  orders-service  edit      modify src/index.js +3 -0  < Add a /healthz route that returns 200
//
// Twice a second it asks whether the database has changed, which costs nearly nothing if it has
// not. After a change it looks at the newest nodes and prints those that were not there before,
// the oldest first. While there is no database, or it is being replaced, it waits and says so
// once.
package tailing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/visible"
)

// Options say what is shown.
type Options struct {
	DB     string
	Filter nodedb.Filter
	// Session is the beginning of a session's id; "" means all sessions.
	Session string // the id of a session, or the beginning of one; "" is all
	Limit   int    // how many stored nodes are printed first
	JSON    bool   // the nodes as lines of JSON
	// Pause waits until the database is to be asked again, or ctx ends.
	Pause func(ctx context.Context) error
}

// Every is the time between two looks at a database.
const Every = 500 * time.Millisecond

// All is how many of the newest nodes are looked at. If more arrive at once, as in the first
// run of watch, the older ones are not printed.
const All = nodedb.MaxPage

// Run prints up to Limit stored nodes and then new ones, until ctx ends; a termination by the
// system is not an error. It waits for a database that does not exist yet or is being replaced.
func Run(ctx context.Context, a *cli.App, o Options) error {
	o.Filter.Kinds = []string{"decision", "episode"}
	f := follower{app: a, Options: o, r: nodedb.Follow(o.DB)}
	defer func() {
		if f.wrote != nil {
			_ = f.wrote.Close() // it was read only, as r
		}
		_ = f.r.Close()
	}()
	for {
		if err := f.look(ctx); err != nil && ctx.Err() == nil {
			if !isTransient(err) {
				return err
			}
			f.waitFor(err)
		}
		if err := o.Pause(ctx); err != nil {
			if interrupt.WasTerminated(ctx) {
				return nil
			}
			return err
		}
	}
}

// follower follows one database.
type follower struct {
	Options

	app   *cli.App
	r     *nodedb.Reader
	wrote *nodedb.Changes // to what r reads; nil before it could be read
	// said is the last reason for waiting that was printed.
	said string // what is waited for, if it has been said
	// begun says that the first look is over.
	begun bool // something has been shown, or there was nothing
	// before has the ids of the nodes of the last look. Nodes older than floor are known, even
	// if they are not in before, since only the newest All nodes are looked at.
	before map[string]bool
	floor  string // the earliest time that was looked at last
}

// isTransient reports whether an error may pass by itself: the file does not exist, is being
// created, or has the schema of an older version, which watch is about to upgrade.
func isTransient(err error) bool {
	return nodedb.Absent(err) || errors.Is(err, schema.ErrOlder) || errors.Is(err, nodedb.ErrProject)
}

// waitFor prints the reason for waiting, unless it was printed before.
func (f *follower) waitFor(err error) {
	if text := err.Error(); text != f.said {
		f.said = text
		f.app.Stderr.Printf("waiting: %v\n", err)
	}
}

// fresh reports whether the database has changed since the last look.
func (f *follower) fresh(ctx context.Context) (fresh bool, err error) {
	if f.wrote != nil {
		fresh, err = f.wrote.Since(ctx)
	} else if f.wrote, err = f.r.Changes(ctx); err == nil {
		fresh = true
	}
	if err != nil || !fresh {
		return false, err
	}
	return true, f.r.KnowsProject(ctx, f.Filter.Project)
}

// look prints nodes that were not there at the last look.
func (f *follower) look(ctx context.Context) error {
	if fresh, err := f.fresh(ctx); err != nil || !fresh {
		return err
	}
	answer, err := f.r.Newest(ctx, f.Filter, nodedb.Page{Limit: All})
	if err != nil {
		return err
	}
	f.said = ""
	seen := make(map[string]bool, len(answer.Nodes))
	var come []*nodedb.Node
	for i := range answer.Nodes {
		n := &answer.Nodes[i]
		seen[n.ID] = true
		if !f.before[n.ID] && n.Timestamp >= f.floor && strings.HasPrefix(n.Session, f.Session) {
			come = append(come, n)
		}
	}
	if !f.begun {
		come = come[:min(f.Limit, len(come))]
	}
	f.begun, f.before = true, seen
	if len(answer.Nodes) == All {
		f.floor = answer.Nodes[All-1].Timestamp
	}
	slices.Reverse(come)
	for _, n := range come {
		if err := f.show(n); err != nil {
			return fmt.Errorf("print node: %w", err)
		}
	}
	return nil
}

// show prints one node as a line of text or as JSON.
func (f *follower) show(n *nodedb.Node) error {
	if f.JSON {
		_, err := f.app.Stdout.Text().Write(append(slices.Clone(n.JSON), '\n'))
		return err
	}
	_, err := visible.Fprintf(f.app.Stdout.Text(), "%s  %-12s  %-8s  %s\n", f.at(n.Timestamp), base(n.Project), kind(n), what(n))
	return err
}

// at returns the time of day in the machine's zone, with the date unless it is today.
func (f *follower) at(timestamp string) string {
	at, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return timestamp
	}
	now := f.app.Now()
	if at = at.In(now.Location()); at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format(time.TimeOnly)
	}
	return at.Format(time.DateTime)
}

// kind returns the word for a node's kind.
func kind(n *nodedb.Node) string {
	switch {
	case n.Kind == "episode":
		return "edit"
	case n.IsBan:
		return "ban"
	}
	return n.Kind
}

// what returns the text of a line: the title of a decision, or an edit with the first decision
// that it carries out.
func what(n *nodedb.Node) string {
	if n.Kind == "decision" {
		text := n.Title
		if n.SupersededBy != "" {
			text += " (no longer holds)"
		}
		return oneLine(text)
	}
	path := n.Path
	if rest, ok := strings.CutPrefix(path, n.Project); ok && n.Project != "" && strings.IndexAny(rest, `/\`) == 0 {
		path = rest[1:]
	}
	text := fmt.Sprintf("%s %s +%d -%d", n.Change, path, n.Added, n.Removed)
	for i := range n.Links {
		if n.Links[i].Title != "" {
			return text + "  < " + oneLine(n.Links[i].Title)
		}
	}
	return text
}

// oneLine joins all lines and spaces of s with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// base returns the last element of a path of any system.
func base(folder string) string { return folder[strings.LastIndexAny(folder, `/\`)+1:] }
