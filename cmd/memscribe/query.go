package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/query"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/questions"
	"github.com/memscribe/memscribe/sink/postgres"
)

// queryKind describes a subcommand of query; kind is the question itself, and the rest
// is its text. All share their flags.
type queryKind struct {
	use, short, long, example string

	args cobra.PositionalArgs
	kind query.Kind
}

// queryKinds lists the subcommands of query.
func queryKinds() []queryKind {
	return []queryKind{
		{
			use: "decisions", short: "List decisions and the edits that carry them out", args: cobra.NoArgs,
			example: `  memscribe query decisions --project orders --since 7d
  memscribe query decisions --match "cursor offset" --json`,
			kind: query.Decisions(),
		},
		{
			use: "bans", short: "List the bans in force", args: cobra.NoArgs,
			example: `  memscribe query bans --project .`,
			kind:    query.Bans(),
		},
		{
			use: "episodes", short: "List edits and the decision behind each", args: cobra.NoArgs,
			example: `  memscribe query episodes --tool codex --since 2026-06-01 --until 2026-06-30`,
			kind:    query.Episodes(),
		},
		{
			use: "session ID", short: "List the nodes of a session, in the order of its transcript", args: cobra.ExactArgs(1),
			long:    `The beginning of an ID is enough if it is unique.`,
			example: `  memscribe query session 5e550001`,
			kind:    query.Session(),
		},
		{
			use: "file PATH", short: "List the edits of a file and the decision behind each", args: cobra.ExactArgs(1),
			long: `A relative PATH matches the end of a path. A renamed file has the edits of both its
names.`,
			example: `  memscribe query file src/orders.js`,
			kind:    query.File(),
		},
		{
			use: "memories [STORE [KEY]]", short: "List what agents wrote to memories of their own, and who read it", args: cobra.RangeArgs(0, questions.MaxMemoryArgs),
			long: `A memory is an entry of a memory server or tool, or a file that an agent is given, such
as CLAUDE.md. A read shows the writes that it may come from, a write the reads after it.
STORE is the name of the server or tool, or "file"; KEY is the name of the entry, or the
path of the file.`,
			example: `  memscribe query memories
  memscribe query memories memory Postgres
  memscribe query memories file /repo/CLAUDE.md --json`,
			kind: query.Memories(),
		},
		{
			use: "search TEXT…", short: "Find conversations, decisions and edits with these words", args: cobra.MinimumNArgs(1),
			long: `All words of TEXT must match. "a phrase", begin*, -without and path:words narrow the
search.`,
			example: `  memscribe query search postgres mysql
  memscribe query search '"partial index"' --project orders
  memscribe query search 'pagin*' -- -offset`,
			kind: query.Search(),
		},
	}
}

// name returns the subcommand's name without its arguments.
func (k *queryKind) name() string {
	name, _, _ := strings.Cut(k.use, " ")
	return name
}

// queryFlags are the flags of a query: its options, and what they are worked out from.
type queryFlags struct {
	query.Options
	flags.Selection

	db string
}

// newQuery returns the command query with a subcommand for each kind.
func (a *app) newQuery() *cobra.Command {
	var o queryFlags
	cmd := &cobra.Command{
		Use:   "query",
		Short: "List decisions, edits and conversations",
		Long: `Query lists what watch and replay --sink sqlite have stored; they may be running. It
prints a table or JSON: --ndjson prints the nodes as replay does, --json also what each
is bound to. The newest come first, one page at a time. The cursor of the next page is
printed on stderr or in the JSON.

The exit code is 1 if nothing is found; near names are suggested.`,
		Example: `  memscribe query decisions
  memscribe query search "pagination" --json`,
	}
	for _, k := range queryKinds() {
		sub := &cobra.Command{
			Use: k.use, Short: k.short, Long: strings.TrimSpace(k.short + ".\n\n" + k.long), Example: k.example, Args: k.args,
			RunE: func(cmd *cobra.Command, args []string) error {
				o.Kind = k.kind
				return a.query(cmd.Context(), &o, args)
			},
		}
		if k.name() == "session" {
			sub.ValidArgsFunction = a.completeSessions
		}
		cmd.AddCommand(sub)
	}
	o.addFlags(cmd)
	return cmd
}

// addFlags adds the flags that all subcommands of query share.
func (o *queryFlags) addFlags(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&o.db, "db", "", "database: a file, or postgres://user@host/name (default: the one of watch)")
	f.IntVar(&o.Limit, "limit", 50, "maximum number of nodes; 0 is all")
	f.StringVar(&o.Cursor, "cursor", "", "continue after the previous page")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object with the nodes, their bindings and the next cursor")
	f.BoolVar(&o.Lines, "ndjson", false, "print the nodes as lines of JSON")
	f.BoolVar(&o.IDs, "ids", false, "show node ids in the table, for accept, reject and so on")
	o.Add(f)
}

// query validates the flags, asks the database and prints one page of the answer.
func (a *app) query(ctx context.Context, o *queryFlags, args []string) error {
	if err := o.Check(); err != nil {
		return err
	}
	filter, err := o.Read(a.Machine)
	if err != nil {
		return err
	}
	o.Filter = filter
	path, err := flags.AnyDatabase(a.App, o.db)
	if err != nil {
		return err
	}
	r, err := a.openReader(ctx, path)
	if err != nil {
		return flags.Advised(err)
	}
	return errors.Join(flags.Advised(query.Run(ctx, a.App, r, o.Options, args)), r.Close())
}

// openReader opens a database: a file, or PostgreSQL.
//
// Only the commands why and query read PostgreSQL; the others need tables that a file
// alone has, and refuse a URL. Both end with their answer, so most of their garbage is left
// to the system.
func (a *app) openReader(ctx context.Context, name string) (questions.Reader, error) {
	const lazy = 400 // percent of what is live
	if a.SetGCPercent != nil && a.Variable("GOGC") == "" {
		a.SetGCPercent(lazy)
	}
	if postgres.IsURL(name) {
		return postgres.OpenReader(ctx, name)
	}
	return nodedb.Open(ctx, name)
}
