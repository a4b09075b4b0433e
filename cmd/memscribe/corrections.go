package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/annotating"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/corrections"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/usage"
)

// correction describes a command by which a person annotates nodes. The commands differ
// in their texts and in whether a text follows the id; newCorrections makes them all.
// To add one, add an entry to corrected and a [annotate.Kind] that it keeps.
type correction struct {
	kind                      annotate.Kind
	use, short, long, example string

	// What the command line holds after the name.
	args cobra.PositionalArgs
	text bool // what follows the first id is a text
}

// corrected lists the commands that make one annotation each, with their texts.
func corrected() []correction {
	return []correction{
		{
			kind: annotate.Accept, use: "accept ID…", short: "Accept decisions as right", args: cobra.MinimumNArgs(1),
			long:    "Rules and check take an accepted decision as certain.",
			example: "  memscribe accept 94ab03c1",
		},
		{
			kind: annotate.Reject, use: "reject ID…", short: "Reject decisions as wrong", args: cobra.MinimumNArgs(1),
			long:    "A rejected decision is left out of lists, searches and rules; query --all shows it.",
			example: "  memscribe reject 94ab03c1 5a0c77d2\n  memscribe reject --undo 94ab03c1",
		},
		{
			kind: annotate.Edit, use: "edit ID TITLE…", short: "Give a decision a better title", args: cobra.MinimumNArgs(1), text: true,
			long:    "The captured words are kept.",
			example: "  memscribe edit 94ab03c1 Cursors, not offsets, in the orders API",
		},
		{
			kind: annotate.Pin, use: "pin ID…", short: "Pin decisions to the top", args: cobra.MinimumNArgs(1),
			example: "  memscribe pin 94ab03c1",
		},
		{
			kind: annotate.Say, use: "note ID TEXT…", short: "Add a note to a node", args: cobra.MinimumNArgs(1), text: true,
			long:    "A node can have several notes; --undo removes all of them.",
			example: "  memscribe note 94ab03c1 agreed with the payments team",
		},
		{
			kind: annotate.Supersede, use: "supersede ID BY", short: "Replace one decision by another", args: cobra.RangeArgs(1, 2), text: true,
			example: "  memscribe supersede 94ab03c1 5a0c77d2",
		},
	}
}

// newCorrections returns one command for each entry of corrected.
//
// With text, the first argument is the id and the rest is the text; without, each
// argument is an id. --undo takes no text.
func (a *app) newCorrections() (all []*cobra.Command) {
	for _, c := range corrected() {
		var (
			o      corrections.Options
			asJSON bool
		)
		cmd := &cobra.Command{
			Use: c.use, Short: c.short, Example: c.example, Args: c.args, ValidArgsFunction: a.completeDecision,
			Long: strings.TrimRight(c.short+".\n"+c.long, "\n") + `

ID is the id of a node, as query --ids and --json show it, or the beginning of one, with
or without its kind. The captured node is not changed. The annotation is stored beside
it, redacted, with its author and time, in the database and in a file that outlives the
database.`,
			RunE: func(cmd *cobra.Command, args []string) error {
				o.Kind, o.Nodes = c.kind, args
				if c.text {
					o.Nodes, o.Text = args[:1], strings.Join(args[1:], " ")
				}
				if slices.Contains(o.Nodes, "") {
					return usage.Errorf("the id is empty; 'memscribe query decisions --ids' shows them")
				}
				if c.text && (o.Text == "") != o.Undo {
					return usage.Errorf("%s needs an id and a text, or an id and --undo", cmd.Name())
				}
				if err := a.placeOf(&o.Place); err != nil {
					return err
				}
				return flags.Advised(annotating.Say(cmd.Context(), a.App, o, asJSON))
			},
		}
		addCorrectionFlags(cmd, &o.Place)
		cmd.Flags().BoolVar(&o.Undo, "undo", false, "undo an earlier use of this command")
		cmd.Flags().BoolVar(&asJSON, "json", false, "print what was stored as lines of JSON")
		all = append(all, cmd)
	}
	return all
}

// addCorrectionFlags adds the flags that all corrections share: the database and the
// author.
func addCorrectionFlags(cmd *cobra.Command, p *corrections.Place) {
	cmd.Flags().StringVar(&p.Database, "db", "", "database (default: the one of watch)")
	cmd.Flags().StringVar(&p.By, "by", "", "author (default: user.name of git, else your user name)")
}

// placeOf fills in the database that the flags left out.
func (a *app) placeOf(p *corrections.Place) (err error) {
	p.Database, err = flags.Database(a.App, p.Database)
	return err
}

// newAdd returns the command add. The decision gets the time of the command and the
// folder of the repository, and it is delivered like a captured one, so queries and
// rules have it.
func (a *app) newAdd() *cobra.Command {
	o, asJSON := corrections.Options{Kind: annotate.Add}, false
	cmd := &cobra.Command{
		Use:   "add TEXT…",
		Short: "Add a decision that was made elsewhere",
		Long: `Add records a decision that no transcript contains: one made in a meeting or a letter. It
belongs to the current project, or to --project, its source is "person", and it is in
force like any other: query, search, rules, check and agents see it.

Like every annotation it is also stored in a file that outlives the database.`,
		Example: `  memscribe add Orders are kept for ten years
  memscribe add --ban Never deploy on Fridays`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Text = strings.Join(args, " ")
			if o.Project, err = folderOf(cmd, o.Project); err != nil {
				return err
			}
			if err = a.placeOf(&o.Place); err != nil {
				return err
			}
			return flags.Advised(annotating.Say(cmd.Context(), a.App, o, asJSON))
		},
	}
	addCorrectionFlags(cmd, &o.Place)
	cmd.Flags().StringVar(&o.Project, "project", "", "the folder of the project, or its name (default: the repository that you are in)")
	cmd.Flags().BoolVar(&o.IsBan, "ban", false, "the decision is a ban")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was stored as a line of JSON")
	return cmd
}

// folderOf returns the folder of a project: the one named on the command line, else the root
// of the repository that the working folder is in, else the working folder.
func folderOf(cmd *cobra.Command, named string) (string, error) {
	if named != "" {
		return flags.ProjectName(named)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if repo, _ := gitrepo.Open(cmd.Context(), dir); repo != nil { // without git the folder is the project
		return repo.Root, nil
	}
	return dir, nil
}

// newReview returns the command review. On a terminal an answer is one key; else it is
// a line of standard input.
// An interrupted review has kept what was answered so far.
func (a *app) newReview() *cobra.Command {
	var (
		o annotating.ReviewOptions
		f flags.Selection
	)
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Accept or reject new decisions, one by one",
		Long: `Review shows the decisions that no one has judged yet, newest first, and reads one key
for each: a accept, r reject, e edit the title, p pin, n note, s skip, q quit. Without a
terminal it reads one line for each: "a", or "e A better title".`,
		Example: `  memscribe review --project . --since 7d`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Filter, err = f.Read(a.Machine); err != nil {
				return err
			}
			if err = a.placeOf(&o.Place); err != nil {
				return err
			}
			return flags.Advised(annotating.Review(cmd.Context(), a.App, o))
		},
	}
	addCorrectionFlags(cmd, &o.Place)
	cmd.Flags().StringVar(&f.Project, "project", "", "only this project: a folder with everything below it, or a name")
	f.AddScope(cmd.Flags(), "only", "")
	cmd.Flags().IntVar(&o.Limit, "limit", 0, "maximum number; 0 is all")
	return cmd
}

// newAnnotations returns the command annotations with its subcommands.
func (a *app) newAnnotations() *cobra.Command {
	var (
		p      corrections.Place
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "annotations",
		Short: "List, export and import annotations",
		Long: `Annotations lists everything said with accept, reject, edit, pin, note, supersede and
add, oldest first. The exit code is 1 if there is nothing.`,
		Example: `  memscribe annotations
  memscribe annotations export > mine.ndjson
  memscribe annotations export --labels | memscribe eval decisions -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.placeOf(&p); err != nil {
				return err
			}
			return flags.Advised(annotating.List(cmd.Context(), a.App, p, asJSON))
		},
	}
	cmd.PersistentFlags().StringVar(&p.Database, "db", "", "database (default: the one of watch)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as lines of JSON")
	cmd.AddCommand(a.newAnnotationsExport(&p), a.newAnnotationsImport(&p))
	return cmd
}

// newAnnotationsExport returns the command annotations export.
func (a *app) newAnnotationsExport(p *corrections.Place) *cobra.Command {
	labels := false
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print annotations, or labelled turns",
		Long: `Export prints annotations as lines of JSON, which import reads. With --labels it prints
the turns of accepted and rejected decisions, with the messages around them, in the
format of eval decisions; a rejected one has the label "other". Turns whose text was not
kept are counted on stderr.`,
		Example: `  memscribe annotations export > mine.ndjson
  memscribe annotations export --labels | memscribe eval decisions -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.placeOf(p); err != nil {
				return err
			}
			if !labels {
				return flags.Advised(annotating.Export(cmd.Context(), a.App, *p))
			}
			left, err := corrections.Labels(cmd.Context(), a.Stdout.Text(), *p)
			if left > 0 {
				a.Stderr.Printf("%d turns are not kept, and left out\n", left)
			}
			return flags.Advised(err)
		},
	}
	cmd.Flags().BoolVar(&labels, "labels", false, "print labelled turns")
	return cmd
}

// newAnnotationsImport returns the command annotations import.
func (a *app) newAnnotationsImport(p *corrections.Place) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Import annotations from another database",
		Long: `Import adds annotations to the existing ones. FILE is - for standard input. Annotations
that already exist are skipped. The nodes that they refer to may be captured later.`,
		Example: `  memscribe annotations import mine.ndjson`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.placeOf(p); err != nil {
				return err
			}
			in := io.NopCloser(a.Stdin)
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil { // it is no database: the advice for those is not for it
					return fmt.Errorf("import annotations: %w", err)
				}
				in = f
			}
			return errors.Join(flags.Advised(annotating.Import(cmd.Context(), a.App, *p, args[0], in)), in.Close())
		},
	}
}
