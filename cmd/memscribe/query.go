package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// question is what a reader of a database answers.
type question func(context.Context, sqlite.Filter, sqlite.Page) (sqlite.Answer, error)

// queryKind is a thing to ask for.
type queryKind struct {
	use, short, long, example string

	args   cobra.PositionalArgs
	ask    func(r *sqlite.Reader, args []string) question
	layout layout
}

func queryKinds() []queryKind {
	return []queryKind{
		{
			use: "decisions", short: "What was decided, and the edits that carry it out", args: cobra.NoArgs,
			example: `  memscribe query decisions --project orders --since 7d
  memscribe query decisions --match "cursor offset" --json`,
			ask:    func(r *sqlite.Reader, _ []string) question { return r.Decisions },
			layout: decisionLayout("DECISION"),
		},
		{
			use: "bans", short: "What is forbidden, of what nothing has taken back", args: cobra.NoArgs,
			example: `  memscribe query bans --project .`,
			ask:     func(r *sqlite.Reader, _ []string) question { return r.Bans },
			layout:  decisionLayout("BAN"),
		},
		{
			use: "episodes", short: "What was edited, and why", args: cobra.NoArgs,
			example: `  memscribe query episodes --tool codex --since 2026-06-01 --until 2026-06-30`,
			ask:     func(r *sqlite.Reader, _ []string) question { return r.Episodes },
			layout:  editLayout(),
		},
		{
			use: "session ID", short: "What happened in a session, in the order of its transcript", args: cobra.ExactArgs(1),
			long:    `The beginning of an ID will do, if only one session has it.`,
			example: `  memscribe query session 5e550001`,
			ask: func(r *sqlite.Reader, args []string) question {
				return func(ctx context.Context, f sqlite.Filter, p sqlite.Page) (sqlite.Answer, error) {
					return r.Session(ctx, args[0], f, p)
				}
			},
			layout: sessionLayout(),
		},
		{
			use: "file PATH", short: "The edits of a file, and why", args: cobra.ExactArgs(1),
			long: `A PATH that is not absolute is the end of one. A file that was renamed has the
edits of both its names.`,
			example: `  memscribe query file src/orders.js`,
			ask: func(r *sqlite.Reader, args []string) question {
				return func(ctx context.Context, f sqlite.Filter, p sqlite.Page) (sqlite.Answer, error) {
					return r.File(ctx, args[0], f, p)
				}
			},
			layout: editLayout(),
		},
		{
			use: "memories [STORE [KEY]]", short: "What agents wrote to memories of their own, and who has read it", args: cobra.RangeArgs(0, maxMemoryArgs),
			long: `A memory is an entry of a memory server or tool, or a file that an agent is
given, as CLAUDE.md. A read shows the writes that may have planted what was read,
a write the reads after it. STORE is the server or tool, or file; KEY is what it
calls the memory, or the path of the file.`,
			example: `  memscribe query memories
  memscribe query memories memory Postgres
  memscribe query memories file /repo/CLAUDE.md --json`,
			ask: func(r *sqlite.Reader, args []string) question {
				of := append(args, "", "")
				return func(ctx context.Context, f sqlite.Filter, p sqlite.Page) (sqlite.Answer, error) {
					return r.Memories(ctx, of[0], of[1], f, p)
				}
			},
			layout: memoryLayout(),
		},
		{
			use: "search TEXT…", short: "What was said, decided or edited with these words", args: cobra.MinimumNArgs(1),
			long: `TEXT is words, which all must be there; "a phrase", begin*, -without and
path:words narrow it.`,
			example: `  memscribe query search postgres mysql
  memscribe query search '"partial index"' --project orders
  memscribe query search 'pagin*' -- -offset`,
			ask: func(r *sqlite.Reader, args []string) question {
				return func(ctx context.Context, f sqlite.Filter, p sqlite.Page) (sqlite.Answer, error) {
					f.Text = strings.Join(append(args, f.Text), " ")
					return r.Search(ctx, f, p)
				}
			},
			layout: searchLayout(),
		},
	}
}

// maxMemoryArgs is how many arguments say which memory: its store and its key.
const maxMemoryArgs = 2

func (k *queryKind) name() string {
	name, _, _ := strings.Cut(k.use, " ")
	return name
}

type queryOptions struct {
	filterFlags

	db           string
	limit        int
	cursor       string
	json, ndjson bool
}

func (a *app) newQuery() *cobra.Command {
	var (
		o     queryOptions
		names []string
	)
	cmd := &cobra.Command{
		Use:   "query",
		Short: "Ask the database what was said, decided and edited",
		Long: `Query asks the database that watch and replay --sink sqlite keep, while they write
too. It prints a table, or JSON: --ndjson prints the nodes just as replay does,
--json also what each is bound to. What is newest comes first, a page at a time:
what goes on is named on stderr, or in the JSON.`,
		Example: `  memscribe query decisions
  memscribe query search "pagination" --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usagef("unknown query %q; known are %s", args[0], strings.Join(names, ", "))
			}
			return cmd.Help()
		},
	}
	for _, k := range queryKinds() {
		names = append(names, k.name())
		sub := &cobra.Command{
			Use: k.use, Short: k.short, Long: strings.TrimSpace(k.short + ".\n\n" + k.long), Example: k.example, Args: k.args,
			RunE: func(cmd *cobra.Command, args []string) error { return a.query(cmd.Context(), &o, &k, args) },
		}
		if k.name() == "session" {
			sub.ValidArgsFunction = a.completeSessions
		}
		cmd.AddCommand(sub)
	}
	o.addFlags(cmd)
	return cmd
}

func (o *queryOptions) addFlags(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&o.db, "db", "", "the database (default: the one that watch keeps)")
	f.IntVar(&o.limit, "limit", 50, "how many nodes at most; 0 is all")
	f.StringVar(&o.cursor, "cursor", "", "go on from where the answer before ended")
	f.BoolVar(&o.json, "json", false, "print one JSON object: the nodes, what they are bound to, and where to go on")
	f.BoolVar(&o.ndjson, "ndjson", false, "print the nodes as lines of JSON")
	o.filterFlags.addFlags(f)
}

func (a *app) query(ctx context.Context, o *queryOptions, k *queryKind, args []string) error {
	if o.limit < 0 {
		return cli.Usagef("--limit %d: it is a number of nodes, or 0 for all", o.limit)
	}
	if o.json && o.ndjson {
		return cli.Usagef("--json and --ndjson: choose one")
	}
	filter, err := o.filter(a.Now())
	if err != nil {
		return err
	}
	path, err := a.database(o.db)
	if err != nil {
		return err
	}
	r, err := sqlite.OpenReader(ctx, path)
	if err != nil {
		return advised(err)
	}
	show := a.printer(o, k.layout, filter.Text)
	if len(filter.Kinds) == 0 {
		filter.Kinds = show.kinds
	}
	asked := pages{question: k.ask(r, args), filter: filter, limit: o.limit, next: o.cursor}
	return errors.Join(advised(a.answer(ctx, &asked, show)), r.Close())
}

// answer prints what comes page by page.
func (a *app) answer(ctx context.Context, asked *pages, show printer) error {
	count := 0
	for {
		nodes, more, err := asked.page(ctx)
		if err != nil {
			return err
		}
		count += len(nodes)
		if err := show.nodes(nodes); err != nil {
			return fmt.Errorf("print answer: %w", err)
		}
		if !more {
			break
		}
	}
	if err := show.end(asked.next); err != nil {
		return fmt.Errorf("print answer: %w", err)
	}
	switch {
	case count == 0:
		a.Stderr.Printf("nothing found\n")
	case asked.next != "" && !show.saysNext:
		a.Stderr.Printf("there is more: --cursor %s\n", asked.next)
	}
	return nil
}

// pages are the parts of an answer up to its limit.
type pages struct {
	question question
	filter   sqlite.Filter
	limit    int    // of the nodes that are still wanted; 0 is all
	next     string // where they go on; "" is the beginning, or nowhere
}

// page returns the next part and whether there is another that is wanted.
func (p *pages) page(ctx context.Context) (nodes []sqlite.Node, more bool, err error) {
	size := sqlite.MaxPage
	if p.limit > 0 {
		size = min(size, p.limit)
	}
	answer, err := p.question(ctx, p.filter, sqlite.Page{After: p.next, Limit: size})
	if err != nil {
		return nil, false, err
	}
	p.next = answer.Next
	more = p.next != ""
	if p.limit > 0 {
		p.limit -= len(answer.Nodes)
		more = more && p.limit > 0
	}
	return answer.Nodes, more, nil
}

// advised adds to an error what can be done about it.
func advised(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; 'memscribe watch' keeps one from now on, 'memscribe replay --sink sqlite' makes one of what there is, --db names another", err)
	case errors.Is(err, sqlite.ErrOlder):
		return fmt.Errorf("%w; 'memscribe watch --once' brings it up to date", err)
	case errors.Is(err, sqlite.ErrNewer):
		return fmt.Errorf("%w; it needs a newer memscribe", err)
	case errors.Is(err, sqlite.ErrForeign):
		return fmt.Errorf("%w; --db names another", err)
	case errors.Is(err, sqlite.ErrSession):
		return fmt.Errorf("%w; the SESSION column of other queries names some", err)
	case errors.Is(err, sqlite.ErrSearch):
		return cli.Usagef("%w; give a word that is wanted, beside those that are not", err)
	case errors.Is(err, sqlite.ErrCursor):
		return cli.Usagef("--cursor: %w; leave it out to begin at the beginning", err)
	}
	return err
}
