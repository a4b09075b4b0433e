package query

import (
	"context"
	"errors"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/questions"
)

// nothing says that nothing was found, and suggests the conditions that are the reason, else
// nearly equal names.
func nothing(ctx context.Context, a *cli.App, r questions.Reader, o *Options, args []string) error {
	if db, ok := r.(*nodedb.Reader); ok {
		if err := db.KnowsProject(ctx, o.Filter.Project); err != nil {
			return err
		}
	}
	ask := o.Kind.Of(r, args)
	var all []cli.Condition
	for _, c := range questions.Conditions(o.Filter) {
		all = append(all, cli.Condition{Flag: "--" + c.Name, Finds: func() (bool, error) {
			answer, err := ask(ctx, c.Without, nodedb.Page{Limit: 1})
			return len(answer.Nodes) > 0, err
		}})
	}
	for _, c := range all {
		if is, err := c.Finds(); is || err != nil {
			return errors.Join(err, a.Nothing(all...))
		}
	}
	if db, ok := r.(*nodedb.Reader); ok && o.Kind.Near != nil {
		is, err := o.Kind.Near(ctx, db, strings.Join(args, " "))
		if err != nil {
			return err
		}
		if is != "" {
			a.Stderr.Printf("nothing found; %s\n", is)
			return report.ErrIncomplete
		}
	}
	return a.Nothing()
}
