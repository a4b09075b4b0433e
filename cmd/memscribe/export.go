package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/atomicfile"
	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/export"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
)

// exportFlags are the flags of export, before they are checked.
type exportFlags struct {
	decisions.Question

	selected        flags.Selection
	db, format, out string
}

// newExport returns the command export. Records go to a folder, one file each; the
// other formats are one file or stdout.
func (a *app) newExport() *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export decisions as Markdown, CSV, JSON or HTML",
		Long: `Export writes the decisions of a project, oldest first, including revoked ones. The format
adr writes one Markdown record per decision into the folder --out; csv, json and html
write one file, or standard output without --out.

The same decisions give the same bytes. A record that was edited by hand is not
overwritten, and is named on stderr; any other record is brought up to date. The HTML
file loads nothing.`,
		Example: `  memscribe export --out docs/decisions
  memscribe export --format csv --since 30d > decisions.csv
  memscribe export --format html --out decisions.html`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.export(cmd.Context(), &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.db, "db", "", "database (default: the one of watch)")
	f.StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	o.selected.AddScope(f, "only", "")
	f.StringVar(&o.format, "format", "adr", "adr, csv, json or html")
	// it fails for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("format", completeList([]string{"adr", "csv", "json", "html"}))
	f.StringVar(&o.out, "out", "", "the folder of the records, or the file")
	return cmd
}

// export validates the flags, reads the decisions of the project and writes them in
// the format asked for.
//
// --session without --project exports that session wherever it ran.
func (a *app) export(ctx context.Context, o *exportFlags) error {
	var err error
	if o.Filter, err = o.selected.Read(a.Machine); err != nil {
		return err
	}
	o.All = o.Project == "" && o.Filter.Session != "" // wherever it was
	switch o.format {
	case "csv", "json", "html":
	case "adr":
		if o.out == "" {
			return usage.Errorf("--out: it names the folder that the records go to")
		}
	default:
		return usage.Errorf("--format %q: it is adr, csv, json or html", o.format)
	}
	answer, err := asked(ctx, a, o.db, &o.Question, func(r *nodedb.Reader) (*export.Answer, error) {
		return export.Ask(ctx, r, o.Question)
	})
	if err != nil {
		return err
	}
	if len(answer.Decisions) == 0 {
		a.Stderr.Printf("nothing was decided in %s\n", answer.Project)
		return report.ErrIncomplete
	}
	if o.format == "adr" {
		return a.exportRecords(answer, o.out)
	}
	write := map[string]func(io.Writer) error{"csv": answer.WriteCSV, "json": answer.WriteJSON, "html": answer.WriteHTML}[o.format]
	if o.out != "" {
		return atomicfile.Write(o.out, write)
	}
	return write(a.Stdout.Text())
}

// exportRecords writes one Markdown record per decision and reports how many are
// new, changed, unchanged, or were left because a person edited them.
// A file that is left as it is, is named on stderr and is no error.
func (a *app) exportRecords(answer *export.Answer, dir string) error {
	w, err := answer.WriteRecords(dir)
	for _, name := range w.Kept {
		a.Stderr.Printf("%s: changed by hand, kept as it is\n", name)
	}
	a.Stderr.Printf("%s: %d new, %d changed, %d as they were\n", dir, w.New, w.Changed, w.Same)
	return err
}
