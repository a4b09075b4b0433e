package upkeep

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/verify"
	"github.com/memscribe/memscribe/internal/visible"
)

// runVerify verifies and prints the verdict. A promise that is not kept is a
// [report.ErrFound].
func runVerify(ctx context.Context, a *cli.App, o verify.Options, paths []string, asJSON bool) error {
	v, unread := verify.Run(ctx, &a.Setup, o, paths)
	if v == nil {
		return unread
	}
	if err := printVerdict(a, v, asJSON); err != nil {
		return err
	}
	if len(v.Broken) > 0 {
		return report.ErrFound
	}
	return unread
}

// runAdd adds a session to a corpus. What keeps it from being added is printed as the
// verdict of verify, and is a [report.ErrFound].
func runAdd(a *cli.App, o verify.AddOptions) error {
	name, err := verify.Add(&a.Setup, o)
	if refused, ok := errors.AsType[*verify.RefusedError](err); ok {
		return errors.Join(printVerdict(a, refused.Verdict, false), report.ErrFound)
	}
	if err != nil {
		return err
	}
	_, err = a.Stdout.Printf("wrote %s: read it, line by line, before anybody else does\n", name)
	return err
}

// printShapes prints what the records are like and what is not known in them.
func printShapes(b *strings.Builder, v *verify.Verdict) {
	if len(v.Unseen) > 0 {
		b.WriteString("not known of the tools, kept as it is:\n")
	}
	for _, u := range v.Unseen {
		visible.Fprintf(b, "  %8d  %s %s %s\n", u.Count, u.Tool, u.What, u.Name)
	}
	if len(v.Variants) > 0 {
		b.WriteString("variants of the tools' formats:\n")
	}
	for _, x := range v.Variants {
		name := x.Variant
		if name == "" {
			name = "none that is known"
		}
		visible.Fprintf(b, "  %8d  %s %s (%d shapes)\n", x.Transcripts, x.Tool, name, len(x.Fingerprints))
	}
}

// printVerdict prints a verdict, as JSON or as text.
func printVerdict(a *cli.App, v *verify.Verdict, asJSON bool) error {
	if asJSON {
		return a.Stdout.JSON(v)
	}
	var b strings.Builder
	for _, x := range v.Broken {
		visible.Fprintf(&b, "%s: %s\n", x.File, x.What)
	}
	visible.Fprintf(&b, "%d transcripts with %d records gave %d events and %d nodes\n", v.Transcripts, v.Records, v.Events, v.Nodes)
	if v.Databases > 0 {
		visible.Fprintf(&b, "%d databases of nodes were looked at\n", v.Databases)
	}
	if v.Malformed > 0 {
		visible.Fprintf(&b, "%d lines are no JSON; they are kept as they are\n", v.Malformed)
	}
	if len(v.Drift) > 0 {
		b.WriteString("records that no adapter knows, kept as they are:\n")
	}
	for _, kind := range slices.Sorted(maps.Keys(v.Drift)) {
		visible.Fprintf(&b, "  %8d  %s\n", v.Drift[kind], kind)
	}
	printShapes(&b, v)
	if v.Transcripts+v.Databases+len(v.Broken) == 0 {
		b.WriteString("nothing was checked\n")
	} else if len(v.Broken) == 0 {
		b.WriteString("every promise is kept\n")
	} else {
		visible.Fprintf(&b, "%d promises are not kept\n", len(v.Broken))
	}
	_, err := io.WriteString(a.Stdout.Text(), b.String())
	return err
}
