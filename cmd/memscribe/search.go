package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/find"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
)

// newSearch returns the command search.
func (a *app) newSearch() *cobra.Command {
	var (
		o  find.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "search WORDS…",
		Short: "Search everything that was said, decided and edited",
		Long: `Search looks through the words of people and agents, commands that agents ran, decisions,
and the paths and changed lines of edits. The best hits come first: those with the words
often, close together and in little text, decisions before the rest.

All words must match, in any order; the beginning of a word is enough. "user name" also
finds getUserName and get_user_name. A word without any match is corrected as a
misspelling, and if nothing matches all words, hits with some of them are shown. A
"phrase" must match as it is; a -word must not match.

Filters can be written among the words or as flags: project:orders file:orders.js
tool:codex session:5e550001 since:7d until:2026-11-01 by:me by:agent kind:decision.
by:person also finds what teammates said and shared. With --json it prints one object per line: kind, source, session_id, thread_id, seq,
timestamp, project, by, title (of a decision: what was decided), excerpt, hits (byte
ranges in the excerpt), score, open (the command that shows the place), shared
(by, server and namespace, if a teammate shared it).

The exit code is 1 if nothing is found.`,
		Example: `  memscribe search token rotation
  memscribe search '"cursor pagination"' project:orders since:30d
  memscribe search pagin kind:decision
  memscribe search getUserName by:agent --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Words = strings.Join(args, " ")
			return a.search(cmd.Context(), o, db)
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "database (default: the one of watch)")
	f.StringVar(&o.Project, "project", "", "only this project: a folder with everything below it, or a name")
	f.StringVar(&o.File, "file", "", "only hits in this file: its path, or the end of it")
	f.StringVar(&o.Tool, "tool", "", "only this tool: one of "+source.KnownTools())
	f.StringVar(&o.Session, "session", "", "only this session; the beginning of its id is enough")
	f.StringVar(&o.Since, "since", "", "only from this time on: 2026-06-01, \"2026-06-01 15:04\", RFC 3339, yesterday, or 90m, 36h, 7d, 2w ago")
	f.StringVar(&o.Until, "until", "", "only until this time, in the same form; a day counts to its end")
	f.StringVar(&o.By, "by", "", "only what this author said or did: me, person (a teammate, too) or agent")
	f.StringVar(&o.Kind, "kind", "", "only hits of these kinds: "+strings.Join(nodedb.FindKinds(), ", "))
	f.IntVar(&o.Limit, "limit", 20, "maximum number of hits")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object per line")
	cmd.ValidArgsFunction = a.completeSearch
	_ = cmd.RegisterFlagCompletionFunc("by", completeList([]string{"me", "person", "agent"}))
	// it fails for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("kind", completeList(nodedb.FindKinds()))
	return cmd
}

// search runs a search and prints its hits. An unknown filter is a usage error that
// names what is near.
//
// Finding nothing is exit code 1; standard error then says which of the conditions
// excludes what.
func (a *app) search(ctx context.Context, o find.Options, db string) error {
	if o.Limit < 1 {
		return usage.Errorf("--limit %d: it is a number of hits", o.Limit)
	}
	return a.asking(ctx, db, func(r *nodedb.Reader) error {
		found, err := find.Ask(ctx, r, o, a.findWorld())
		switch {
		case errors.Is(err, find.ErrFilter):
			return usage.Mark(err)
		case err != nil:
			return flags.Advised(err)
		case o.JSON:
			err = find.WriteJSON(a.Stdout.Text(), found)
		default:
			err = answers.Hits(a.Stdout.Text(), found, a.Columns())
		}
		for _, line := range find.Meant(o.Words) {
			a.Stderr.Printf("%s\n", line)
		}
		if err == nil && len(found.Hits) == 0 {
			conditions, failed := find.Conditions(ctx, r, o, a.findWorld())
			others := make([]cli.Condition, len(conditions))
			for i, c := range conditions {
				others[i] = cli.Condition(c)
			}
			return errors.Join(failed, a.Nothing(others...))
		}
		for _, line := range find.Remarks(found) {
			a.Stderr.Printf("%s\n", line)
		}
		return err
	})
}

// findWorld returns what the filters of a search are read by.
func (a *app) findWorld() find.World {
	return find.World{Tools: source.ToolNames(), Project: flags.ProjectName, Moment: a.moment}
}

// moment reads what a person writes for one, by the clock of the program.
func (a *app) moment(text string, end bool) (time.Time, error) {
	return flags.Moment(text, a.Now(), end)
}

// asking opens the database for one question and closes it. db is the flag --db; empty
// is the database of watch.
func (a *app) asking(ctx context.Context, db string, ask func(*nodedb.Reader) error) error {
	path, err := flags.Database(a.App, db)
	if err != nil {
		return err
	}
	r, err := nodedb.Open(ctx, path)
	if err != nil {
		return flags.Advised(err)
	}
	return errors.Join(ask(r), r.Close())
}
