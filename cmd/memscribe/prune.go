package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/sink/sqlite"
)

type pruneOptions struct {
	retention

	db       string
	stateDir string
	dryRun   bool
	readmit  bool
	json     bool
}

func (a *app) newPrune() *cobra.Command {
	var o pruneOptions
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Let go of what is older than is to be kept",
		Long: `Prune deletes, from the database that watch keeps, the conversations, decisions and
edits that are older than the settings of [retention] or the flags say, with the
bindings of what goes, and gives the disk back what becomes free; and the journals
of what hooks and telemetry have passed on. Watch does the same every day, but for
giving back the disk: it uses again what is free.

The database remembers how far back it goes: what was let go does not come back,
though its transcript is still there and is read again. --readmit takes that back;
a replay into the database then brings what transcripts still have.

A watch may be running. A node without a time is kept.`,
		Example: `  memscribe prune --keep-conversations 90d --dry-run
  memscribe prune --keep-conversations 90d --keep-edits 52w
  memscribe prune --readmit && memscribe replay --sink sqlite`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.prune(cmd.Context(), o) },
	}
	o.addFlags(cmd)
	cli.AddStateDir(cmd, &o.stateDir)
	cmd.Flags().StringVar(&o.db, "db", "", "the database (default: the one that watch keeps)")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only say what would go")
	cmd.Flags().BoolVar(&o.readmit, "readmit", false, "have the database take in again what is old")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

// prunedReport is what prune says.
type prunedReport struct {
	Database      string    `json:"database,omitempty"`
	Conversations int64     `json:"conversations"`
	Decisions     int64     `json:"decisions"`
	Edits         int64     `json:"edits"`
	Bindings      int64     `json:"bindings"`
	Freed         int64     `json:"freed_bytes"`
	Journals      int       `json:"journal_files"`
	Since         sinceWhen `json:"kept_since"`
	DryRun        bool      `json:"dry_run"`
}

// sinceWhen is from when on what is kept; nothing is from ever on.
type sinceWhen struct {
	Conversations *time.Time `json:"conversations,omitempty"`
	Decisions     *time.Time `json:"decisions,omitempty"`
	Edits         *time.Time `json:"edits,omitempty"`
	Journals      *time.Time `json:"journals,omitempty"`
}

func (a *app) prune(ctx context.Context, o pruneOptions) error {
	name, err := a.database(o.db)
	if err != nil {
		return err
	}
	if o.readmit {
		return a.readmit(ctx, name)
	}
	h, before := o.horizon(a.Now()), o.journals.since(a.Now())
	if h.IsZero() && before.IsZero() {
		return cli.Usagef("nothing is to be let go: everything is kept for ever; see --keep-conversations and its like, or [retention] in memscribe.toml")
	}
	report := prunedReport{DryRun: o.dryRun, Since: sinceWhen{
		Conversations: momentOf(h.Conversations), Decisions: momentOf(h.Decisions), Edits: momentOf(h.Edits), Journals: momentOf(before),
	}}
	if !h.IsZero() {
		report.Database = name
		if err = a.pruneNodes(ctx, o, h, &report); err != nil {
			return err
		}
	}
	if !before.IsZero() && !o.dryRun {
		dir, err := a.JournalDir(o.stateDir)
		if err != nil {
			return fmt.Errorf("find journals: %w", err)
		}
		if report.Journals, err = journal.Prune(ctx, dir, before); err != nil {
			return err
		}
	}
	return a.sayPruned(report, o)
}

func momentOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// exists reports that there is no database, before anything makes one.
func exists(name string) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("open database %s: there is none; 'memscribe watch --once' makes one", name)
	}
	return nil
}

func (a *app) pruneNodes(ctx context.Context, o pruneOptions, h sqlite.Horizon, report *prunedReport) error {
	if err := exists(report.Database); err != nil {
		return err
	}
	var went sqlite.Pruned
	var err error
	if o.dryRun {
		went, err = olderThan(ctx, report.Database, h)
	} else {
		went, report.Freed, err = pruneAndShrink(ctx, report.Database, h)
	}
	report.Conversations, report.Decisions, report.Edits, report.Bindings = went.Conversations, went.Decisions, went.Edits, went.Bindings
	return err
}

func olderThan(ctx context.Context, name string, h sqlite.Horizon) (went sqlite.Pruned, err error) {
	r, err := sqlite.OpenReader(ctx, name)
	if err != nil {
		return went, err
	}
	went, err = r.Older(ctx, h)
	return went, errors.Join(err, r.Close())
}

// pruneAndShrink says also how much smaller the file has become.
func pruneAndShrink(ctx context.Context, name string, h sqlite.Horizon) (went sqlite.Pruned, freed int64, err error) {
	s, err := sqlite.Open(ctx, name, sqlite.Options{})
	if err != nil {
		return went, 0, err
	}
	before := fileSize(name)
	err = deliver(s, func(sink.Sink) error {
		if went, err = s.Prune(ctx, h); err == nil && went.Nodes() > 0 {
			err = s.Shrink(ctx)
		}
		return err
	})
	return went, max(0, before-fileSize(name)), err
}

func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (a *app) readmit(ctx context.Context, name string) error {
	if err := exists(name); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, name, sqlite.Options{})
	if err != nil {
		return err
	}
	if err = deliver(s, func(sink.Sink) error { return s.Readmit(ctx) }); err != nil {
		return err
	}
	_, err = a.Stdout.Printf("what is old is taken in again; 'memscribe replay --sink sqlite' brings what transcripts still have\n")
	return err
}

func (a *app) sayPruned(r prunedReport, o pruneOptions) error {
	if o.json {
		e := json.NewEncoder(a.Stdout.Text())
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	for _, p := range []struct {
		what  string
		count int64
		since *time.Time
	}{
		{"conversations", r.Conversations, r.Since.Conversations},
		{"decisions", r.Decisions, r.Since.Decisions},
		{"edits", r.Edits, r.Since.Edits},
	} {
		if p.since != nil {
			a.Stdout.Printf("%-14s %d of before %s\n", p.what, p.count, p.since.Format(time.DateOnly))
		}
	}
	if r.Database != "" {
		a.Stdout.Printf("%-14s %d of what goes\n", "bindings", r.Bindings)
	}
	if r.Since.Journals != nil && !r.DryRun {
		a.Stdout.Printf("%-14s %d files of before %s\n", "journals", r.Journals, r.Since.Journals.Format(time.DateOnly))
	}
	end := "gone; the database has become " + cli.Size(r.Freed) + " smaller"
	switch {
	case r.DryRun:
		end = "would go; nothing was changed"
	case r.Database == "":
		end = "gone"
	}
	_, err := a.Stdout.Printf("%s\n", end)
	return err
}
