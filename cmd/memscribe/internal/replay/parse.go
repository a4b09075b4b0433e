package replay

import (
	"context"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/input"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// ParseOptions say how one transcript is read.
type ParseOptions struct {
	Privacy source.Privacy
	As      string // the tool that wrote it; "": by what it looks like
	Events  bool   // print events instead of nodes
}

// Parse prints the nodes or events of one transcript; "-" is standard input, whose tool must be
// named.
func Parse(ctx context.Context, a *cli.App, o ParseOptions, name string) error {
	bar := a.NewProgress(o.Events)
	plan, err := parsePlan(ctx, a, o, bar, name)
	if err != nil {
		return err
	}
	o.Privacy.Echoes = true // nothing else is read that could tell the same
	r := source.Reading{Privacy: o.Privacy, Plan: plan, Report: a.NewReporter(), Env: a.Machine}
	defer bar.Over(plan)()
	if o.Events {
		err = r.Events(ctx, a.Stdout.Data())
	} else {
		err = target.Deliver(ndjson.NewSorted(a.Stdout.Data()), func(s sink.Sink) error { return r.Nodes(ctx, s) })
	}
	if err != nil {
		return err
	}
	return r.Report.Result()
}

// parsePlan returns the plan of reading one transcript. Archives and folders are refused.
func parsePlan(ctx context.Context, a *cli.App, o ParseOptions, bar *cli.Progress, name string) (*input.Plan, error) {
	options := source.IntakeOptions(ctx, a.Machine)
	options.MaxConversation = source.Budget(a.Machine, o.Privacy.Memory).Document()
	bar.Of(&options)
	options.Single = true
	if o.As != "" {
		as, err := source.AdapterOf(a.Machine, o.As)
		if err != nil {
			return nil, err
		}
		options.As = as
	}
	if name == "-" {
		if o.As == "" {
			return nil, usage.Errorf("standard input needs --as, one of %s", source.KnownTools())
		}
		return options.Stream(name, a.Stdin), nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, usage.Errorf("%s is a folder: use replay", name)
	}
	return options.Paths([]string{filepath.Clean(name)}), nil
}
