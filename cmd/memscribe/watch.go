package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/intake"
	"github.com/memscribe/memscribe/io/tail"
	"github.com/memscribe/memscribe/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
)

type watchOptions struct {
	privacy
	places
	delivery

	once bool
}

func (a *app) newWatch() *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Follow the tools' transcripts and write nodes as they come",
		Long: `Watch finds the transcripts of every tool, catches up with them and follows them,
and those that are made later, until it is stopped. It appends nodes to a file as
lines of JSON; of lines with the same id, the last one holds. What the file holds
already is not written again.`,
		Example: `  memscribe watch
  memscribe watch --once --out nodes.ndjson
  memscribe watch --tools codex --out -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.watch(cmd.Context(), o) },
	}
	o.privacy.addFlags(cmd)
	o.places.addFlags(cmd)
	o.delivery.addFlags(cmd, "")
	cmd.Flags().BoolVar(&o.once, "once", false, "catch up and exit")
	return cmd
}

func (a *app) watch(ctx context.Context, o watchOptions) error {
	if err := o.check(o.privacy); err != nil {
		return err
	}
	roots, err := a.watchRoots(o)
	if err != nil {
		return err
	}
	out, err := a.openLog(o)
	if err != nil {
		return err
	}
	return errors.Join(a.follow(ctx, o, roots, out), out.Close())
}

func (a *app) follow(ctx context.Context, o watchOptions, roots []discover.Root, out sink.Sink) error {
	report := a.newReporter()
	c, err := newCapture(o.privacy, out, nil, report)
	if err != nil {
		return err
	}
	for _, dir := range o.roots {
		if _, err = os.Stat(dir); err != nil {
			report.log.Warn("cannot look into root", slog.String("folder", dir), slog.Any("error", err))
		}
	}
	follower := &capture.Follower{Capture: c, Judge: o.judge}
	source := &tail.Source{Roots: roots, Log: report.log, Report: func(file string, err error) {
		report.cannotOpen(intake.NewProblem(file, err))
	}}
	if o.once {
		if err = source.Once(ctx, follower); err != nil {
			return err
		}
		return report.result()
	}
	for _, r := range roots {
		report.log.Info("watching", slog.String("folder", r.Dir))
	}
	if err = source.Run(ctx, follower); err != nil || wasTerminated(ctx) {
		return err
	}
	return ctx.Err()
}

func (a *app) watchRoots(o watchOptions) ([]discover.Root, error) {
	if _, err := o.adapters(); err != nil {
		return nil, err
	}
	if len(o.roots) == 0 {
		return o.folders(a.env)
	}
	var roots []discover.Root
	for _, dir := range o.roots {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, fmt.Errorf("find root %s: %w", dir, err)
		}
		roots = append(roots, discover.Everything(abs))
	}
	return roots, nil
}

// judge says whose transcript a file is, if it is that of a wanted tool.
func (o *watchOptions) judge(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing) {
	s := intake.Sample(path, head, whole)
	a := intake.Judge(adapters.Detect, s, place)
	if a == nil || !o.wants(a.Tool()) {
		return nil, core.Lines
	}
	return a, intake.Framing(a, s)
}

func (a *app) openLog(o watchOptions) (sink.Sink, error) {
	if o.out == "-" {
		return ndjson.NewLog(a.stdout), nil
	}
	if o.out != "" {
		return ndjson.Open(o.out)
	}
	dir, err := a.dataDir()
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	return ndjson.Open(filepath.Join(dir, "nodes.ndjson"))
}

// dataDir is the folder for what a program keeps for its user, as the system
// wants it.
func (a *app) dataDir() (string, error) {
	variable, below := "XDG_DATA_HOME", filepath.Join(".local", "share")
	switch a.os {
	case "darwin":
		variable, below = "", filepath.Join("Library", "Application Support")
	case "windows":
		variable, below = "LOCALAPPDATA", filepath.Join("AppData", "Local")
	}
	if variable != "" {
		if dir := a.getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "memscribe"), nil
		}
	}
	home, err := a.home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, below, "memscribe"), nil
}
