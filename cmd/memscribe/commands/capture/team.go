package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/team"
)

// addProjectFlags adds the flags of commands about one project.
func addProjectFlags(cmd *cobra.Command, o *team.Options) {
	cmd.Flags().StringVar(&o.Project, "project", "", "a `folder` of the project (default: the working folder)")
	cmd.Flags().StringVar(&o.Database, "db", "", "the database of nodes (default: the one that watch keeps)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only say what would be done")
	cli.AddStateDir(cmd, new(string)) // a server on this machine wants to see that it is the same
}

// NewJoin is the command join.
func NewJoin(a *cli.App) *cobra.Command {
	var o team.JoinOptions
	cmd := &cobra.Command{
		Use:   "join URL",
		Short: "Share a project with a team",
		Long: `Join shares the project of the working folder with a team's MemDB. It shows what
would be shared, has the server take a first memory that says who has joined, and
writes the project, the server and the namespace into your own file of settings.
Nothing else is sent until memscribe sync, and nothing of other projects ever.

The namespace is named after the repository that the project was cloned from:
acme.app for github.com/acme/app. It is never named after a folder. The token needs
the rights read, write and internal there, admin if the namespace is to be made, and
forget to leave without a trace. To another machine it goes by https alone.`,
		Example: `  memscribe join https://memdb.example --token-file ~/.config/memscribe/token --dry-run
  memscribe join https://memdb.example --token-file ~/.config/memscribe/token`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.URL = args[0]
			if o.Database, err = flags.Database(a, o.Database); err != nil {
				return err
			}
			return team.Join(cmd.Context(), a, o)
		},
	}
	addProjectFlags(cmd, &o.Options)
	cmd.Flags().StringVar(&o.Namespace, "namespace", "", "namespace in which it is shared (default: after the remote repository)")
	cmd.Flags().StringVar(&o.TokenFile, "token-file", "", "file with the token for the server, which only you may read")
	cmd.Flags().StringVar(&o.By, "by", "", "whom memories are said to be from (default: the name that git has)")
	return cmd
}

// NewLeave is the command leave.
func NewLeave(a *cli.App) *cobra.Command {
	var o team.LeaveOptions
	cmd := &cobra.Command{
		Use:   "leave",
		Short: "Share a project no more",
		Long: `Leave ends what memscribe join began: your file of settings becomes what it was
before, and the server forgets the memory that says who has joined. What was shared
stays there; with --forget the server forgets that too, as far as your own database
still has it, and for good. If the server cannot, you have not left.`,
		Example: `  memscribe leave
  memscribe leave --forget`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Database, err = flags.Database(a, o.Database); err != nil {
				return err
			}
			return team.Leave(cmd.Context(), a, o)
		},
	}
	addProjectFlags(cmd, &o.Options)
	cmd.Flags().BoolVar(&o.Forget, "forget", false, "have the server forget what was shared")
	return cmd
}

// NewSync is the command sync.
func NewSync(a *cli.App) *cobra.Command {
	var o team.SyncOptions
	var meet team.MeetOptions
	newKey := ""
	cmd := &cobra.Command{
		Use:   "sync [FOLDER|ssh://HOST/FOLDER|s3://BUCKET/FOLDER]",
		Short: "Share what is new with a team, or with your other machines",
		Long: `Sync sends what was captured of each project that memscribe join shares, from the
database that watch keeps. What the server has already changes nothing there, so that
it can be called as often as you like, as by a timer; while the server cannot be
reached your database keeps everything, and the next call sends it. Decisions that you
rejected are not sent.

With --receive it takes in what everybody shares of these projects, into team.db in
your data folder, beside your own database: every command that takes --db can ask it.
What is forgotten at the server goes out of it, too.

With a folder it brings together your own machines, without a server: each adds the
nodes that are new there, of all projects, and takes the others' into its database. The
folder may be on a disk that you carry, one that another program keeps in step, one of a
machine that ssh reaches, or one in a bucket of S3. What lies in it is encrypted with a
key that your machines have and nobody else; it is only added to. What you forget on one
machine you have to forget on the others, too.`,
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
					return cli.Usagef("--new-key makes a key and nothing else")
				}
				return team.NewKey(a, newKey)
			case len(args) == 0 && meet.Key != "":
				return cli.Usagef("--key is for a folder")
			case len(args) == 1 && o.Receive:
				return cli.Usagef("--receive is for a team; a folder is always sent to and received from")
			}
			if o.Database, err = flags.Database(a, o.Database); err != nil {
				return err
			}
			if len(args) == 0 {
				return team.Sync(cmd.Context(), a, o)
			}
			meet.Place, meet.Database, meet.JSON = args[0], o.Database, o.JSON
			return team.Meet(cmd.Context(), a, meet)
		},
	}
	cmd.Flags().StringVar(&o.Database, "db", "", "the database of nodes (default: the one that watch keeps)")
	cmd.Flags().BoolVar(&o.Receive, "receive", false, "take in what everybody shares, too")
	cmd.Flags().StringVar(&meet.Key, "key", "", "`file` with the key of your machines, for a folder")
	cmd.Flags().StringVar(&newKey, "new-key", "", "make such a key, in a new `file`")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object a project, or one for the folder")
	cli.AddStateDir(cmd, &meet.StateDir)
	return cmd
}
