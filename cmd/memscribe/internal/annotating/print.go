package annotating

import (
	"context"
	"io"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/corrections"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
)

// Say stores what a person says about nodes and prints what was stored, with asJSON as
// lines of JSON.
func Say(ctx context.Context, a *cli.App, o corrections.Options, asJSON bool) error {
	kept, err := corrections.Say(ctx, &a.Setup, o)
	if err != nil {
		return err
	}
	if asJSON {
		return annotate.Write(a.Stdout.Text(), kept)
	}
	for i := range kept {
		if err := printKept(a, &kept[i]); err != nil {
			return err
		}
	}
	return nil
}

// printKept prints one annotation that was stored, as "accepted ID", or "edited ID: TEXT" with
// at most 100 characters of the text.
func printKept(a *cli.App, k *annotate.Annotation) error {
	done := map[annotate.Kind]string{
		annotate.Accept: "accepted", annotate.Reject: "rejected", annotate.Edit: "edited", annotate.Pin: "pinned",
		annotate.Say: "noted", annotate.Supersede: "replaced", annotate.Add: "added",
	}[k.Kind]
	if k.Undo {
		done = string(k.Kind) + " taken back"
	}
	line := done + " " + k.Node
	switch {
	case k.Undo:
	case k.Kind == annotate.Supersede:
		line += " by " + k.Text
	case k.Text != "":
		line += ": " + fulltext.Excerpt(k.Text, "", 100)
	}
	_, err := a.Stdout.Printf("%s\n", line)
	return err
}

// List prints all annotations, the oldest first, one a line: day, kind, node, author, text.
// With asJSON it prints them as lines of JSON. If there are none, it returns
// [report.ErrIncomplete].
func List(ctx context.Context, a *cli.App, p corrections.Place, asJSON bool) error {
	all, err := corrections.All(ctx, p)
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

// who returns the author of an annotation as it is shown; an agent is marked as one.
func who(k *annotate.Annotation) string {
	return (&annotate.Note{By: k.By, Agent: k.Author == annotate.Agent}).Who()
}

// Import stores the annotations in a file of lines of JSON, as Export writes it, and prints how
// many are new. Those that are stored already are not stored twice.
func Import(ctx context.Context, a *cli.App, p corrections.Place, name string, in io.Reader) error {
	all, added, err := corrections.Import(ctx, &a.Setup, p, name, in)
	if err == nil {
		_, err = a.Stdout.Printf("%d annotations, %d of them new\n", all, added)
	}
	return err
}

// Export prints all annotations as lines of JSON, which Import reads on another machine.
func Export(ctx context.Context, a *cli.App, p corrections.Place) error {
	all, err := corrections.All(ctx, p)
	if err != nil {
		return err
	}
	return annotate.Write(a.Stdout.Text(), all)
}
