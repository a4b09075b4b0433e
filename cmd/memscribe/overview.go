package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/overview"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/source"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
)

// scopeFlags say which sessions a list is about.
type scopeFlags struct{ db, project, tool, session, since, until string }

// adds the flags that narrow a list: database, project, tool, session and time.
func (s *scopeFlags) add(f *pflag.FlagSet) {
	f.StringVar(&s.db, "db", "", "the database (default: the one that watch keeps)")
	f.StringVar(&s.project, "project", "", "only of this project: a folder, with all below it, or its name")
	f.StringVar(&s.tool, "tool", "", "only of this tool, of "+source.KnownTools())
	f.StringVar(&s.session, "session", "", "only of this session; the beginning of its id will do")
	f.StringVar(&s.since, "since", "", "only from then on: 2026-06-01, \"2026-06-01 15:04\", RFC 3339, yesterday, or 90m, 36h, 7d, 2w ago")
	f.StringVar(&s.until, "until", "", "only until then, written likewise; a day counts to its end")
}

// filter works out the flags. Days and hours are those of the place of now.
func (s *scopeFlags) filter(e cli.Env) (f lists.Filter, err error) {
	f.Session = s.session
	if s.tool != "" {
		if _, err = source.AdapterOf(e, s.tool); err != nil {
			return f, err
		}
		f.Tool = core.Tool(s.tool)
	}
	if f.Project, err = flags.ProjectName(s.project); err != nil {
		return f, err
	}
	if f.Since, err = flags.Moment(s.since, e.Now(), false); err != nil {
		return f, cli.Usagef("--since %q: %w", s.since, err)
	}
	if f.Until, err = flags.Moment(s.until, e.Now(), true); err != nil {
		return f, cli.Usagef("--until %q: %w", s.until, err)
	}
	return f, nil
}

// overviewFlags are the flags of a list.
type overviewFlags struct {
	overview.Options
	scopeFlags
}

// addPage adds the flags for paging.
func (o *overviewFlags) addPage(f *pflag.FlagSet) {
	f.IntVar(&o.Page.Limit, "limit", 50, "how many at most")
	f.StringVar(&o.Page.After, "cursor", "", "go on from where the list before ended")
}

// listing is what a room prints of a database.
type listing func(context.Context, *cli.App, *nodedb.Reader, overview.Options) error

// list validates the flags, opens the database and runs one listing.
func (a *app) list(ctx context.Context, o *overviewFlags, do listing) error {
	if err := o.Check(); err != nil {
		return err
	}
	var err error
	if o.Filter, err = o.filter(a.Env); err != nil {
		return err
	}
	return a.asking(ctx, o.db, func(r *nodedb.Reader) error { return flags.Advised(do(ctx, a.App, r, o.Options)) })
}

// newSessions returns the command sessions.
func (a *app) newSessions() *cobra.Command {
	var o overviewFlags
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions, those with the latest activity first",
		Long: `Sessions lists the sessions of the database: when something last happened in it, its
id as memscribe show takes it, its tool and project, how much was said, decided and
edited, and what a person said first. --since and --until leave the sessions with
activity in that time. With --json it prints one object: items, an item a line, and
next, from which --cursor goes on.

It ends with 1 if there is none.`,
		Example: `  memscribe sessions --since 7d
  memscribe sessions --project orders --tool codex --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context(), &o, overview.Sessions) },
	}
	o.add(cmd.Flags())
	o.addPage(cmd.Flags())
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return cmd
}

// newProjects returns the command projects.
func (a *app) newProjects() *cobra.Command {
	var o overviewFlags
	cmd := &cobra.Command{
		Use:   "projects",
		Short: "List the projects, those with the latest activity first",
		Long: `Projects lists the folders in which agents worked, with how many sessions there were
and how much was said, decided, forbidden and edited. With --json it prints one
object: items, an item a line, and next, from which --cursor goes on.

It ends with 1 if there is none.`,
		Example: `  memscribe projects
  memscribe projects --tool codex --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context(), &o, overview.Projects) },
	}
	o.add(cmd.Flags())
	o.addPage(cmd.Flags())
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return cmd
}

// newStats returns the command stats.
func (a *app) newStats() *cobra.Command {
	o := overviewFlags{Options: overview.Options{Whole: true}}
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count what was decided and edited, by tool",
		Long: `Stats counts sessions, messages, decisions and edits, of all tools and of each:
decisions that are still in force, edits for which a decision or a request is known,
lines added and removed, and files. --since and --until count what was done in that time.

It ends with 1 if there is nothing.`,
		Example: `  memscribe stats
  memscribe stats --since 30d --project orders`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context(), &o, overview.Stats) },
	}
	o.add(cmd.Flags())
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return cmd
}

// newUsage returns the command usage.
func (a *app) newUsage() *cobra.Command {
	var (
		o overviewFlags
		c overview.Costs
	)
	cmd := &cobra.Command{
		Use:   "usage",
		Short: "Sum up tokens and what they cost, by day, session, model, project or tool",
		Long: `Usage sums up the tokens that the tools recorded: input, output and what of it the
model thought, what was read from the cache and written to it, and of that what was
put there for an hour. No column includes another but these two.

Costs are estimates: tokens by the list prices of a date, which the program knows, or
a file of yours does. A subscription costs something else. A file of prices has a
model a line with the prices of input, output, reading from and writing to the cache,
in dollars for a million tokens: "model-x 3 15 0.3 3.75". Of models that have no price
the tokens are counted, and the cost is marked with +?.

Days are those of this place, newest first; sessions too are newest first, all else by
cost. With --json it prints one object: by, prices (the date), items, total.

It ends with 1 if no tokens were recorded.`,
		Example: `  memscribe usage
  memscribe usage --by model --since 30d
  memscribe usage --by session --project orders --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context(), &o, overview.Usage(c)) },
	}
	f := cmd.Flags()
	o.add(f)
	f.StringVar(&c.By, "by", "day", "sum up by one of "+overview.KnownBy())
	f.StringVar(&c.Prices, "prices", "", "a `file` of prices that stand in the place of those of the program")
	cli.ConfigurablePath(cmd, "prices", "usage.prices")
	f.IntVar(&o.Page.Limit, "limit", 50, "how many lines at most; the sum is of all")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object")
	_ = cmd.RegisterFlagCompletionFunc("by", completeList(strings.Split(overview.KnownBy(), ", "))) // it fails for a flag that is not there
	return cmd
}
