package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/flagset"
	"github.com/memscribe/memscribe/internal/app/forgetting"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/usage"
)

// NewForget returns the command forget. Conditions add up: what is deleted matches all of them.
// --node and --excluded stand alone, since each names something by itself. --list and --undo
// are about earlier deletions.
//
// The order of a run, which ends at the first error:
//
//	1  read the conditions                    a usage error names the flag
//	2  find every store                       whereForgotten
//	3  count what would be deleted            nothing is changed yet; --dry-run ends here
//	4  ask, unless --yes                      not a terminal and no --yes: a usage error
//	5  delete, then print a line per store    a store that still holds data: an error
func NewForget(a *cli.App) *cobra.Command {
	var (
		o      forgetting.Options
		how    forgetHow
		before string
		list   bool
		left   bool
		undo   string
	)
	cmd := &cobra.Command{
		Use:   "forget",
		Short: "Delete a project, a session, a node or old data from every store",
		Long: `Forget deletes everything that matches all of the given conditions: nodes, messages, token
counts and annotations, from the database, NDJSON files, the MemDB of this machine and the
one that watch sends to, spools, and the journals of hooks and telemetry. The bytes are
overwritten: nothing stays in a free page, a log or an index. Forgetting a node
also deletes the conversations and messages of its session that contain its words.

It is not captured again, even if transcripts still contain it: a tombstone, which holds
only hashes and ids, keeps it out of later replays and of a running watch. --list shows
the tombstones, --undo removes one.

A later exclude does not delete what was captured before; watch says so when it starts,
and --excluded forgets all of it.

Transcripts of the tools and copies of the stores are not touched; copies beside the
stores are named. An NDJSON file that a running watch writes to is left as it is and
named: stop the watch first. The chain of MemDB keeps ids, session ids and hashes of what
was there.

On a terminal it shows what would be deleted and asks; otherwise it requires --yes.`,
		Example: `  memscribe forget --project orders --dry-run
  memscribe forget --session 5e550001 --yes
  memscribe forget --excluded
  memscribe forget --project ~/work/orders --before 2026-01-01`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			switch {
			case list:
				return listTombstones(a, how.json)
			case undo != "":
				return undoForget(a, undo)
			}
			if o.Before, err = flags.Moment(before, a.Now(), false); err != nil {
				return usage.Errorf("--before %q: %w", before, err)
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
			return flags.Advised(runForget(cmd.Context(), a, o, how))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Project, "project", "", "everything of this project: a folder with everything below it, or a name")
	f.StringVar(&o.Session, "session", "", "everything of this session; the beginning of its id is enough")
	f.StringVar(&o.Node, "node", "", "this node: its id, or the beginning of it")
	f.StringVar(&before, "before", "", "everything older than this: 2026-06-01, RFC 3339, yesterday, or 36h, 7d, 2w ago")
	f.BoolVar(&left, "excluded", false, "everything that [capture] exclude leaves out now: projects, and edits of files")
	f.StringVar(&o.Database, "db", "", "database file (default: the one of watch)")
	f.StringArrayVar(&o.Out, "out", nil, "another NDJSON file with nodes (can be repeated)")
	cli.AddStateDir(cmd, &o.StateDir)
	f.BoolVar(&how.dryRun, "dry-run", false, "only show what would be deleted")
	f.BoolVar(&how.yes, "yes", false, "do not ask for confirmation")
	f.BoolVar(&list, "list", false, "list the tombstones")
	f.StringVar(&undo, "undo", "", "remove this tombstone")
	f.BoolVar(&how.json, "json", false, "print one JSON object")
	cmd.MarkFlagsMutuallyExclusive("node", "project")
	cmd.MarkFlagsMutuallyExclusive("node", "session")
	cmd.MarkFlagsMutuallyExclusive("node", "before")
	for _, flag := range []string{"node", "project", "session", "before"} {
		cmd.MarkFlagsMutuallyExclusive("excluded", flag)
	}
	cmd.MarkFlagsMutuallyExclusive("list", "undo")
	return cmd
}

// leftOut returns what the settings exclude from capture. It reads the flags of watch from the
// settings, as if watch were started without arguments. An error is about the value of a flag
// in the file.
func leftOut(a *cli.App) (*source.Privacy, error) {
	var (
		cmd cobra.Command
		p   source.Privacy
	)
	flags.AddPrivacy(a, &cmd, &p)
	return &p, flagset.Apply(&a.Settings, cmd.Flags(), nil)
}

// whereForgotten finds every store that watch writes to by its settings: the database, the
// NDJSON file, the MemDB, PostgreSQL. A store that was written to with another --out must be
// named with --out here.
//
// A sink of the settings that cannot be resolved is skipped; the command that writes to it
// reports the mistake.
func whereForgotten(a *cli.App, o *forgetting.Options) (err error) {
	if o.Database, err = flags.AnyDatabase(a, o.Database); err != nil {
		return err
	}
	var (
		cmd cobra.Command
		to  target.Options
	)
	flags.AddWatchTarget(&cmd, &to)
	if err := flagset.Apply(&a.Settings, cmd.Flags(), nil); err != nil {
		return err
	}
	o.MemDB = to.MemDB
	if kept, err := to.Resolve(&a.Setup); err == nil {
		switch {
		case kept.Name() == target.Lines && kept.Out != "-":
			o.Out = append(o.Out, kept.Out)
		case kept.Name() == target.Team:
			o.Postgres = kept.Place()
		}
	}
	return nil
}
