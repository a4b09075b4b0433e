package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/io/intake"
)

type replayOptions struct {
	privacy
	places
	delivery

	events bool
}

func (a *app) newReplay() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay [PATH…]",
		Short: "Print the nodes of many transcripts",
		Long: `Replay reads files, folders and archives (.zst, .gz, .tar, .tar.gz, .zip) and
writes their nodes as lines of JSON, sorted, each once, however many copies of a
session there are. Without a path it reads what the tools on this machine have
written. In folders and archives, files that are no transcripts are passed over.`,
		Example: `  memscribe replay > nodes.ndjson
  memscribe replay --tools codex --events
  memscribe replay backup.tar.gz ~/old-laptop/.claude`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.replay(cmd.Context(), o, args) },
	}
	o.privacy.addFlags(cmd)
	o.places.addFlags(cmd)
	o.delivery.addFlags(cmd, "-")
	cmd.Flags().BoolVar(&o.events, "events", false, "write events instead of nodes")
	return cmd
}

func (a *app) replay(ctx context.Context, o replayOptions, paths []string) error {
	if err := o.check(o.privacy); err != nil {
		return err
	}
	options := intakeOptions(ctx)
	options.Want = o.wants
	bar := a.newProgress(o)
	if bar != nil {
		options.Progress = bar.update
	}
	plan, err := a.replayPlan(options, o, paths)
	if err != nil {
		return err
	}
	report := a.newReporter()
	if bar != nil {
		bar.size = plan.Size
		report.clear = bar.clear
		defer bar.clear()
	}
	return o.to(a.stdout, func(w io.Writer) error { return a.replayTo(ctx, w, o, plan, report) })
}

func (a *app) replayPlan(options intake.Options, o replayOptions, paths []string) (*intake.Plan, error) {
	if _, err := o.adapters(); err != nil {
		return nil, err
	}
	if paths = append(paths, o.roots...); len(paths) > 0 {
		if o.home != "" {
			return nil, usagef("--home is for when no path is given")
		}
		return options.Paths(paths), nil
	}
	roots, err := o.folders(a.env)
	if err != nil {
		return nil, err
	}
	return options.Places(roots), nil
}

func (a *app) replayTo(ctx context.Context, w io.Writer, o replayOptions, plan *intake.Plan, report *reporter) error {
	out := newOutput(w, o.events)
	c, err := newCapture(o.privacy, out.sink, out.events, report)
	if err != nil {
		return err
	}
	if err := errors.Join(a.readAll(ctx, plan, c, report), out.close()); err != nil {
		return err
	}
	return report.result()
}

// delivery are the flags about where nodes go.
type delivery struct {
	kind string
	out  string
}

func (d *delivery) addFlags(cmd *cobra.Command, out string) {
	cmd.Flags().StringVar(&d.kind, "sink", "ndjson", "what to write: ndjson")
	usage := "where to write; - is standard output"
	if out == "" {
		usage += " (default: nodes.ndjson in your data folder)"
	}
	cmd.Flags().StringVar(&d.out, "out", out, usage)
}

func (d *delivery) check(p privacy) error {
	if d.kind != "ndjson" {
		return usagef("unknown sink %q; known is ndjson", d.kind)
	}
	if p.noRedact && d.out != "-" {
		return usagef("--no-redact is only for --sink ndjson --out -")
	}
	return nil
}

// to has write write to where the user wants it. A file that is there already is
// replaced once the new one is complete.
func (d *delivery) to(stdout io.Writer, write func(io.Writer) error) error {
	if d.out == "-" {
		return write(stdout)
	}
	if info, err := os.Stat(d.out); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(d.out, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("open output: %w", err)
		}
		return errors.Join(write(f), f.Close())
	}
	return replaceFile(d.out, write)
}

// replaceFile writes a file that only its owner can read. An input that could
// not be processed does not keep the rest from being written.
func replaceFile(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	result := write(f)
	err = errors.Join(f.Sync(), f.Close())
	if result != nil && !errors.Is(result, errIncomplete) || err != nil {
		return errors.Join(result, err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return errors.Join(fmt.Errorf("replace output: %w", err), os.Remove(f.Name()))
	}
	return result
}
