package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/team"
	"github.com/memscribe/memscribe/internal/usage"
)

// addProjectFlags adds the flags of commands about one project.
func addProjectFlags(cmd *cobra.Command, o *team.Options) {
	cmd.Flags().StringVar(&o.Project, "project", "", "a `folder` of the project (default: the working folder)")
	cmd.Flags().StringVar(&o.Database, "db", "", "database of nodes (default: the one of watch)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would be done")
	cli.AddStateDir(cmd, new(string)) // a server on this machine wants to see that it is the same
}

// NewJoin returns the command join. It prints what will be shared before anything is sent;
// --dry-run ends there.
func NewJoin(a *cli.App) *cobra.Command {
	var o team.JoinOptions
	cmd := &cobra.Command{
		Use:   "join URL",
		Short: "Share a project with a team",
		Long: `Join shares the project of the current folder with a team's MemDB. It shows what would be
shared, stores a first memory on the server that says who has joined, and writes the
project, the server and the namespace into your settings. Nothing else is sent until
memscribe sync, and nothing of other projects is ever sent.

The namespace is named after the remote repository of the project: acme.app for
github.com/acme/app, never after a folder. The token needs the rights read, write and
internal for it, admin if the namespace has to be created, and forget to leave without a
trace. Connections to other machines use https only.`,
		Example: `  memscribe join https://memdb.example --token-file ~/.config/memscribe/token --dry-run
  memscribe join https://memdb.example --token-file ~/.config/memscribe/token`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.URL = args[0]
			if o.Database, err = flags.Database(a, o.Database); err != nil {
				return err
			}
			return join(cmd.Context(), a, o)
		},
	}
	addProjectFlags(cmd, &o.Options)
	cmd.Flags().StringVar(&o.Namespace, "namespace", "", "namespace to share it in (default: named after the remote repository)")
	cmd.Flags().StringVar(&o.TokenFile, "token-file", "", "file with the token for the server, readable only by you")
	cmd.Flags().StringVar(&o.By, "by", "", "author of the shared memories (default: user.name of git)")
	return cmd
}

// NewLeave returns the command leave, which undoes join. If the server cannot be reached
// nothing is changed here either, so that a project is never half left.
func NewLeave(a *cli.App) *cobra.Command {
	var o team.LeaveOptions
	cmd := &cobra.Command{
		Use:   "leave",
		Short: "Stop sharing a project",
		Long: `Leave undoes memscribe join: it restores your settings, and the server forgets the memory
that says who has joined. Shared memories stay on the server; with --forget the server
forgets those that your own database still has, for good. If the server cannot be
reached, you have not left.`,
		Example: `  memscribe leave
  memscribe leave --forget`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Database, err = flags.Database(a, o.Database); err != nil {
				return err
			}
			return leave(cmd.Context(), a, o)
		},
	}
	addProjectFlags(cmd, &o.Options)
	cmd.Flags().BoolVar(&o.Forget, "forget", false, "have the server forget what was shared")
	return cmd
}

// NewSync returns the command sync, which has three forms:
//
//	sync                         exchange with the servers of the teams that were joined
//	sync FOLDER --key FILE       exchange with other machines of the same person
//	sync --new-key FILE          create the key for the second form
//
// A flag of one form is refused in the others, since it would have no effect there.
func NewSync(a *cli.App) *cobra.Command {
	var o team.SyncOptions
	var meet team.MeetOptions
	newKey, asJSON := "", false
	cmd := &cobra.Command{
		Use:   "sync [FOLDER|ssh://HOST/FOLDER|s3://BUCKET/FOLDER]",
		Short: "Exchange new nodes with a team or your other machines",
		Long: `Sync sends the captured nodes of each project that memscribe join shares, from the
database of watch. Sending again changes nothing on the server, so it can run as often as
you like, for example from a timer. If the server is unreachable, your database keeps
everything and the next sync sends it. Decisions that you rejected are not sent.

--receive also fetches what others share of these projects: every command then answers
from your own sessions and theirs, and says who shared what. What the server forgets is
removed here too, and received nodes are never sent on. With --forget the server forgets
what was shared in your name and is forgotten here since.

With a folder, sync connects your own machines without a server: each machine adds its
new nodes, of all projects, and fetches those of the others. The folder may be on a
removable disk, kept in sync by another program, on a machine that ssh reaches, or in an
S3 bucket. Its files are append-only and encrypted with a key that only your machines
have. What you forget on one machine you have to forget on the others, too.`,
		Example: `  memscribe sync
  memscribe sync --receive
  memscribe sync --new-key ~/.config/memscribe/sync.key
  memscribe sync ~/Sync/memscribe --key ~/.config/memscribe/sync.key
  memscribe sync ssh://nas.example/backup/memscribe --key ~/.config/memscribe/sync.key
  memscribe sync 's3://bucket/memscribe?endpoint=https://s3.example' --key ~/.config/memscribe/sync.key`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			switch {
			case newKey != "":
				if len(args) > 0 || o.Receive || meet.Key != "" {
					return usage.Errorf("--new-key makes a key and nothing else")
				}
				return makeKey(a, newKey)
			case len(args) == 0 && meet.Key != "":
				return usage.Errorf("--key is for a folder")
			case len(args) == 1 && o.Receive:
				return usage.Errorf("--receive is for a team; a folder is always sent to and received from")
			case o.Withdraw && !o.Receive:
				return usage.Errorf("--forget goes with --receive")
			}
			if o.Database, err = flags.Database(a, o.Database); err != nil {
				return err
			}
			if len(args) == 0 {
				return syncTeams(cmd.Context(), a, o, asJSON)
			}
			meet.Place, meet.Database = args[0], o.Database
			return meetMachines(cmd.Context(), a, meet, asJSON)
		},
	}
	cmd.Flags().StringVar(&o.Database, "db", "", "database of nodes (default: the one of watch)")
	cmd.Flags().BoolVar(&o.Receive, "receive", false, "also fetch what others share")
	cmd.Flags().BoolVar(&o.Withdraw, "forget", false, "with --receive: have the server forget what you shared and have forgotten here")
	cmd.Flags().StringVar(&meet.Key, "key", "", "`file` with the key that your machines share, for a folder")
	cmd.Flags().StringVar(&newKey, "new-key", "", "create such a key in a new `file`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per project, or one for the folder")
	cli.AddStateDir(cmd, &meet.StateDir)
	return cmd
}
