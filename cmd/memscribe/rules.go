package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/rules"
	"github.com/memscribe/memscribe/internal/rules/inforce"
	"github.com/memscribe/memscribe/internal/usage"
)

// rulesFlags are the flags of rules, before they are checked.
type rulesFlags struct {
	inforce.Options

	db, format, write string
}

// newRules returns the command rules.
func (a *app) newRules() *cobra.Command {
	var o rulesFlags
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Write the rules in force for agents",
		Long: `Rules lists the decisions in force in this project that are certain: bans, conventions,
choices between alternatives, and accepted proposals. Certain means a score of at least
90, an answer to a tool's question, or an acceptance by a person. Revoked decisions
and finished tasks are left out.

It prints text for AGENTS.md or CLAUDE.md with at most --budget tokens: bans first, then
rules, choices and acceptances, newest first, each of them whole. A token is estimated as
four ASCII characters or one other character. --write puts the text into a file between
two markers, or at the end if there are none, and changes no other byte. Rules that a
teammate shared have the teammate's name, except in a file, which is then the same on
every machine.

The exit code is 1 if there is no rule.`,
		Example: `  memscribe rules
  memscribe rules --write AGENTS.md
  memscribe rules --format claude-md --write CLAUDE.md --budget 800
  memscribe rules --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.rules(cmd.Context(), &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.db, "db", "", "database (default: the one of watch)")
	f.StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	f.StringVar(&o.format, "format", string(rules.AgentsMD), "agents-md, claude-md or json")
	// it fails for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("format", completeList([]string{string(rules.AgentsMD), string(rules.ClaudeMD), string(rules.JSON)}))
	f.IntVar(&o.Budget, "budget", 2000, "maximum number of `tokens`")
	f.StringVar(&o.write, "write", "", "write the text into a `file`, between markers")
	return cmd
}

// rules validates the flags, selects what is in force and sure, and writes it.
//
// Rules that do not fit into the budget are left out from the least important on, and
// standard error says how many. Nothing in force is exit code 1, after a check that the
// project is known at all.
func (a *app) rules(ctx context.Context, o *rulesFlags) error {
	o.Format = rules.Format(o.format)
	switch {
	case !slices.Contains([]rules.Format{rules.AgentsMD, rules.ClaudeMD, rules.JSON}, o.Format):
		return usage.Errorf("--format %q: it is agents-md, claude-md or json", o.format)
	case o.Format == rules.JSON && o.write != "":
		return usage.Errorf("--write: it takes a text, agents-md or claude-md")
	}
	o.Unnamed = o.write != ""
	answer, err := asked(ctx, a, o.db, &o.Question, func(r *nodedb.Reader) (*inforce.Answer, error) {
		answer, err := inforce.Ask(ctx, r, o.Options)
		if err == nil && len(answer.Rules) == 0 {
			err = r.KnowsProject(ctx, answer.Project)
		}
		return answer, err
	})
	if errors.Is(err, inforce.ErrBudget) {
		return usage.Errorf("--budget %d: %w", o.Budget, err)
	}
	if err != nil {
		return err
	}
	if err := a.writeRules(answer, o); err != nil {
		return err
	}
	if answer.LeftOut > 0 {
		more := ""
		if answer.Bounded {
			more = " or more"
		}
		a.Stderr.Printf("%d of %d%s rules take %d tokens; the others do not fit into --budget %d\n",
			len(answer.Rules), len(answer.Rules)+answer.LeftOut, more, answer.Tokens, o.Budget)
	}
	if len(answer.Rules) == 0 {
		a.Stderr.Printf("nothing in %s is certain enough to be a rule; 'memscribe query decisions' lists what was decided\n", answer.Project)
		return report.ErrIncomplete
	}
	return nil
}

// writeRules writes the rules to standard output, or between the markers of the file
// --write. Without rules nothing is written.
func (a *app) writeRules(answer *inforce.Answer, o *rulesFlags) error {
	switch {
	case o.Format == rules.JSON:
		return answer.WriteJSON(a.Stdout.Text())
	case o.write == "" && len(answer.Rules) == 0:
		return nil
	case o.write == "":
		return answer.Write(a.Stdout.Text())
	}
	changed, err := answer.WriteFile(o.write)
	if errors.Is(err, rules.ErrMarkers) {
		return usage.Mark(err)
	}
	if err == nil && changed {
		a.Stderr.Printf("%s: %d rules\n", o.write, len(answer.Rules))
	}
	return err
}

// asked opens the database, answers a question about a project, and closes it. It fills
// in q.Dir and resolves q.Project. Errors carry advice where the user can act on them.
func asked[T any](ctx context.Context, a *app, db string, q *decisions.Question, ask func(*nodedb.Reader) (T, error)) (answer T, err error) {
	path, err := flags.Database(a.App, db)
	if err != nil {
		return answer, err
	}
	if q.Dir, err = os.Getwd(); err != nil {
		return answer, err
	}
	if q.Project, err = flags.ProjectName(q.Project); err != nil {
		return answer, err
	}
	r, err := nodedb.Open(ctx, path)
	if err != nil {
		return answer, flags.Advised(err)
	}
	answer, err = ask(r)
	return answer, flags.Advised(errors.Join(err, r.Close()))
}
