package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/tailing"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/usage"
)

// newTail returns the command tail.
func (a *app) newTail() *cobra.Command {
	var (
		o                        tailing.Options
		db, project, tool, since string
	)
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Print decisions and edits as they happen",
		Long: `Tail prints the latest decisions and edits in the database, and then new ones as a
running memscribe watch stores them, until it is interrupted. It reads no transcripts. If
the database does not exist yet, or is replaced, tail waits for it.

With --json it prints the nodes as lines of JSON.`,
		Example: `  memscribe tail
  memscribe tail --since 2h
  memscribe tail --project orders --limit 0 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Limit < 0 {
				return usage.Errorf("--limit %d: it is a number of nodes", o.Limit)
			}
			if tool != "" {
				if _, err = source.AdapterOf(a.Machine, tool); err != nil {
					return err
				}
			}
			o.Filter.Tool = core.Tool(tool)
			if o.Filter.Project, err = flags.ProjectName(project); err != nil {
				return err
			}
			if o.Filter.Since, err = a.moment(since, false); err != nil {
				return usage.Errorf("--since %q: %w", since, err)
			}
			if since != "" && !cmd.Flags().Changed("limit") {
				o.Limit = tailing.All
			}
			if o.DB, err = flags.Database(a.App, db); err != nil {
				return err
			}
			o.Pause = func(ctx context.Context) error { return interrupt.Wait(ctx, tailing.Every) }
			return flags.Advised(tailing.Run(cmd.Context(), a.App, o))
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "database (default: the one of watch)")
	f.StringVar(&project, "project", "", "only this project: a folder with everything below it, or a name")
	f.StringVar(&tool, "tool", "", "only this tool: one of "+source.KnownTools())
	f.StringVar(&o.Session, "session", "", "only this session; the beginning of its id is enough")
	f.StringVar(&since, "since", "", "also print stored nodes from this time on: 2026-06-01, \"2026-06-01 15:04\", RFC 3339, yesterday, or 90m, 36h, 7d, 2w ago")
	f.IntVar(&o.Limit, "limit", 10, fmt.Sprintf("how many stored nodes to print first (with --since: %d)", tailing.All))
	f.BoolVar(&o.JSON, "json", false, "print the nodes as lines of JSON")
	return cmd
}
