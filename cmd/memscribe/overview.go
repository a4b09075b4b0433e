package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/overview"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/usage"
)

// scopeFlags say which sessions a list is about.
type scopeFlags struct{ db, project, tool, session, since, until string }

// add adds the flags that narrow a list: database, project, tool, session and time.
func (s *scopeFlags) add(f *pflag.FlagSet) {
	f.StringVar(&s.db, "db", "", "database (default: the one of watch)")
	f.StringVar(&s.project, "project", "", "only this project: a folder with everything below it, or a name")
	f.StringVar(&s.tool, "tool", "", "only this tool: one of "+source.KnownTools())
	f.StringVar(&s.session, "session", "", "only this session; the beginning of its id is enough")
	f.StringVar(&s.since, "since", "", "only from this time on: 2026-06-01, \"2026-06-01 15:04\", RFC 3339, yesterday, or 90m, 36h, 7d, 2w ago")
	f.StringVar(&s.until, "until", "", "only until this time, in the same form; a day counts to its end")
}

// filter checks the flags and makes a filter of them. Times without a zone are those of
// the clock's zone; "7d" counts back from now.
func (s *scopeFlags) filter(e host.Machine) (f lists.Filter, err error) {
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
		return f, usage.Errorf("--since %q: %w", s.since, err)
	}
	if f.Until, err = flags.Moment(s.until, e.Now(), true); err != nil {
		return f, usage.Errorf("--until %q: %w", s.until, err)
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
	f.IntVar(&o.Page.Limit, "limit", 50, "maximum number; 0 is all")
	f.StringVar(&o.Page.After, "cursor", "", "continue after the previous page")
}

// listing prints one of the lists of package overview.
type listing func(context.Context, *cli.App, *nodedb.Reader, overview.Options) error

// list validates the flags, opens the database and runs one listing.
func (a *app) list(ctx context.Context, o *overviewFlags, do listing) error {
	if err := o.Check(); err != nil {
		return err
	}
	var err error
	if o.Filter, err = o.filter(a.Machine); err != nil {
		return err
	}
	return a.asking(ctx, o.db, func(r *nodedb.Reader) error { return flags.Advised(do(ctx, a.App, r, o.Options)) })
}

// newSessions returns the command sessions.
func (a *app) newSessions() *cobra.Command {
	var o overviewFlags
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List sessions by latest activity",
		Long: `Sessions lists the sessions in the database: the time of the last activity, the id for
memscribe show, tool and project, how much was said, decided and edited, and the first
thing that a person said. --since and --until select sessions with activity in that time.
With --json it prints one object with items, one per line, and next, the cursor of the
next page.

The exit code is 1 if there are none.`,
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
		Short: "List projects by latest activity",
		Long: `Projects lists the folders in which agents worked, with the number of sessions and how
much was said, decided, forbidden and edited. With --json it prints one object with
items, one per line, and next, the cursor of the next page.

The exit code is 1 if there are none.`,
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
		Short: "Count decisions and edits by tool",
		Long: `Stats counts sessions, messages, decisions and edits, in total and per tool: decisions
in force, edits with a known decision or request, lines added and removed, and files.
--since and --until select what was done in that time.

The exit code is 1 if there is nothing.`,
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
		Short: "Sum up tokens and costs by day, session, model, project or tool",
		Long: `Usage sums up the tokens that the tools recorded: input, output, the part of the output
that was reasoning, reads from the cache, writes to the cache, and the part of the writes
that was kept for an hour. Only these two columns are parts of others.

Costs are estimates from list prices of a stated date, built in or from a file of yours; a
subscription costs something else. A price file has one model per line with the prices of
input, output, cache reads and cache writes in dollars per million tokens: "model-x 3 15
0.3 3.75". Tokens of a model without a price are counted, and the cost is marked with +?.

Days are local, newest first; sessions are newest first, everything else is sorted by
cost. With --json it prints one object: by, prices (the date), items, total.

The exit code is 1 if no tokens were recorded.`,
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
	f.IntVar(&o.Page.Limit, "limit", 50, "maximum number of lines; 0 is all, and the sum covers all")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object")
	// it fails for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("by", completeList(strings.Split(overview.KnownBy(), ", ")))
	return cmd
}
