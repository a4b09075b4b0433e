package corrections

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// List prints what people said, the oldest first: a line each, or as JSON.
func List(ctx context.Context, a *cli.App, p Place, asJSON bool) error {
	all, err := read(ctx, p.Database)
	if err != nil {
		return err
	}
	if asJSON {
		return annotate.Write(a.Stdout.Text(), all)
	}
	for i := range all {
		k := &all[i]
		undo := ""
		if k.Undo {
			undo = " --undo"
		}
		if _, err := a.Stdout.Printf("%s  %s%s %s  %s  %s\n", k.At[:len("2006-01-02")], string(k.Kind), undo, k.Node, who(k), fulltext.Excerpt(k.Text, "", 100)); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		a.Stderr.Printf("nothing found\n")
		return report.ErrIncomplete
	}
	return nil
}

// who names the author of an annotation, an agent as one.
func who(k *annotate.Annotation) string {
	return (&annotate.Note{By: k.By, Agent: k.Author == annotate.Agent}).Who()
}

// read returns all annotations of a database.
func read(ctx context.Context, database string) (all []annotate.Annotation, err error) {
	r, err := nodedb.Open(ctx, database)
	if err != nil {
		return nil, err
	}
	all, err = r.Annotations(ctx)
	return all, errors.Join(err, r.Close())
}

// Import adds the annotations of the file of that name. Those that are there
// already change nothing.
//
// They are redacted again with this machine's rules before they are stored.
func Import(ctx context.Context, a *cli.App, p Place, name string, in io.Reader) error {
	all, err := annotate.Parse(in)
	if err != nil {
		return fmt.Errorf("import annotations %s: %w", name, err)
	}
	scrub, err := scrubber(a)
	if err != nil {
		return err
	}
	for i := range all { // another machine may have had other rules
		if all[i], err = all[i].Clean(scrub); err != nil {
			return err
		}
	}
	added, err := sqlite.ImportAnnotations(ctx, p.Database, all)
	if err == nil {
		_, err = a.Stdout.Printf("%d annotations, %d of them new\n", len(all), added)
	}
	return err
}

// Export writes annotations, to be kept or imported elsewhere.
func Export(ctx context.Context, w io.Writer, p Place) error {
	all, err := read(ctx, p.Database)
	if err != nil {
		return err
	}
	return annotate.Write(w, all)
}
