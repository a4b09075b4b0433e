package query

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/search"
)

// nothing says that nothing was found and what is near: projects and files that are
// called nearly so, and the conditions that keep away what there is.
func nothing(ctx context.Context, a *cli.App, r Reader, o *Options, args []string) error {
	if db, ok := r.(*nodedb.Reader); ok {
		if err := db.KnowsProject(ctx, o.Filter.Project); err != nil {
			return err
		}
		if o.Kind.near != nil {
			is, err := o.Kind.near(ctx, db, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if is != "" {
				a.Stderr.Printf("nothing found; %s\n", is)
				return report.ErrIncomplete
			}
		}
	}
	return a.Nothing(conditions(ctx, o.Kind.ask(r, args), o.Filter)...)
}

// filesLike names files that are called nearly as one.
func filesLike(ctx context.Context, db *nodedb.Reader, path string) (string, error) {
	files, err := lists.FilesLike(ctx, db, path)
	if err != nil || len(files) == 0 {
		return "", err
	}
	return "there is " + strings.Join(files, ", "), nil
}

// wordsLike names the words that those which nothing has may be misspellings of.
func wordsLike(ctx context.Context, db *nodedb.Reader, words string) (string, error) {
	found, err := db.Find(ctx, search.Parse(words), nodedb.Finding{Limit: 1})
	if errors.Is(err, nodedb.ErrSearch) {
		return "", nil
	}
	var near []string
	for _, word := range slices.Sorted(maps.Keys(found.Instead)) {
		near = append(near, found.Instead[word][0]+" for "+word)
	}
	if err != nil || len(near) == 0 {
		return "", err
	}
	return "there is " + strings.Join(near, ", "), nil
}

// conditions are the filters of a question that are set, each with the question that
// has all the others.
func conditions(ctx context.Context, ask question, f nodedb.Filter) (all []cli.Condition) {
	without := func(flag string, is bool, drop func(*nodedb.Filter)) {
		if !is {
			return
		}
		wider := f
		drop(&wider)
		all = append(all, cli.Condition{Flag: flag, Finds: func() (bool, error) {
			answer, err := ask(ctx, wider, nodedb.Page{Limit: 1})
			return len(answer.Nodes) > 0, err
		}})
	}
	without("--project", f.Project != "", func(f *nodedb.Filter) { f.Project = "" })
	without("--tool", f.Tool != "", func(f *nodedb.Filter) { f.Tool = "" })
	without("--session", f.Session != "", func(f *nodedb.Filter) { f.Session = "" })
	without("--since", !f.Since.IsZero(), func(f *nodedb.Filter) { f.Since = time.Time{} })
	without("--until", !f.Until.IsZero(), func(f *nodedb.Filter) { f.Until = time.Time{} })
	without("--match", f.Text != "", func(f *nodedb.Filter) { f.Text = "" })
	without("--kind", len(f.Kinds) > 0, func(f *nodedb.Filter) { f.Kinds = nil })
	return all
}
