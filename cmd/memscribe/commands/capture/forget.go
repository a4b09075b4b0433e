package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/forgetting"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/source"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/target"
)

// NewForget is the command forget.
func NewForget(a *cli.App) *cobra.Command {
	var (
		o      forgetting.Options
		before string
		list   bool
		left   bool
		undo   string
	)
	cmd := &cobra.Command{
		Use:   "forget",
		Short: "Take a project, a session, a node or what is old out of every store",
		Long: `Forget deletes what fulfils all that is given: nodes, messages, what is known of
tokens, and annotations, from the database, from lines of JSON, from the MemDB of this
machine and the one that watch sends to, from what waits to be sent, and from the
journals of what hooks and telemetry have passed on. The bytes leave the disk: nothing
of them stays in a free page, a log or an index. A node goes with the conversations
and messages of its session that have its words.

It is not taken in again, though transcripts still have it: a tombstone, which holds
hashes and ids alone, keeps it out of every later replay and of a watch that runs.
--list names the tombstones, --undo takes one away.

Leaving something out by exclude takes nothing away that was captured before; watch
says so when it begins, and --excluded forgets all of that.

The tools' own transcripts are not touched, nor are copies of the stores: those that
lie beside them are named. A log of lines that a watch is writing to is left as it is
and named; stop the watch first. MemDB keeps in its chain that something was there:
ids, those of sessions too, and hashes.

On a terminal it shows what would go, and asks; elsewhere it wants --yes.`,
		Example: `  memscribe forget --project orders --dry-run
  memscribe forget --session 5e550001 --yes
  memscribe forget --excluded
  memscribe forget --project ~/work/orders --before 2026-01-01`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			switch {
			case list:
				return forgetting.List(a, o.JSON)
			case undo != "":
				return forgetting.Undo(a, undo)
			}
			if o.Before, err = flags.Moment(before, a.Now(), false); err != nil {
				return cli.Usagef("--before %q: %w", before, err)
			}
			if o.Project, err = flags.ProjectName(o.Project); err != nil {
				return err
			}
			if left {
				if o.Excluded, err = leftOut(a); err != nil {
					return err
				}
			}
			if err = whereForgotten(a, &o); err != nil {
				return err
			}
			return flags.Advised(forgetting.Run(cmd.Context(), a, o))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Project, "project", "", "all of this project: a folder, with all below it, or its name")
	f.StringVar(&o.Session, "session", "", "all of this session: its id, or the beginning of it")
	f.StringVar(&o.Node, "node", "", "this node: its id, or the beginning of it")
	f.StringVar(&before, "before", "", "what is older than this: 2026-06-01, RFC 3339, yesterday, or 36h, 7d, 2w ago")
	f.BoolVar(&left, "excluded", false, "all that [capture] exclude leaves out by now: projects, and edits of files")
	f.StringVar(&o.Database, "db", "", "the database, a file (default: the one that watch keeps)")
	f.StringArrayVar(&o.Out, "out", nil, "a file of lines of JSON that has nodes, too (can be repeated)")
	cli.AddStateDir(cmd, &o.StateDir)
	f.BoolVar(&o.DryRun, "dry-run", false, "only say what would go")
	f.BoolVar(&o.Yes, "yes", false, "do not ask")
	f.BoolVar(&list, "list", false, "name the tombstones")
	f.StringVar(&undo, "undo", "", "take this tombstone away")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object")
	cmd.MarkFlagsMutuallyExclusive("node", "project")
	cmd.MarkFlagsMutuallyExclusive("node", "session")
	cmd.MarkFlagsMutuallyExclusive("node", "before")
	for _, flag := range []string{"node", "project", "session", "before"} {
		cmd.MarkFlagsMutuallyExclusive("excluded", flag)
	}
	cmd.MarkFlagsMutuallyExclusive("list", "undo")
	return cmd
}

// leftOut is what the settings leave out.
func leftOut(a *cli.App) (*source.Privacy, error) {
	var (
		cmd cobra.Command
		p   source.Privacy
	)
	flags.AddPrivacy(a, &cmd, &p)
	return &p, a.Settings.Apply(cmd.Flags(), nil)
}

// whereForgotten finds the stores that watch keeps by its settings.
func whereForgotten(a *cli.App, o *forgetting.Options) (err error) {
	if o.Database, err = flags.AnyDatabase(a, o.Database); err != nil {
		return err
	}
	var (
		cmd cobra.Command
		to  target.Options
	)
	flags.AddWatchTarget(&cmd, &to)
	if err := a.Settings.Apply(cmd.Flags(), nil); err != nil {
		return err
	}
	o.MemDB = to.MemDB
	if kept, err := to.Resolve(a); err == nil {
		switch {
		case kept.Name() == target.Lines && kept.Out != "-":
			o.Out = append(o.Out, kept.Out)
		case kept.Name() == target.Team:
			o.Postgres = kept.Place()
		}
	}
	return nil
}
