// Package prune implements the command prune: it deletes what is older than the
// retention period and reports what it deleted.
package prune

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// Options say what is to go, and from where.
type Options struct {
	Keep     retention.Options
	Database string
	StateDir string
	DryRun   bool // only say what would go
	Readmit  bool // have the database take in again what is old
	JSON     bool
}

// Report is what prune says. Its JSON is what --json prints.
type Report struct {
	Database      string    `json:"database,omitempty"`
	Conversations int64     `json:"conversations"`
	Decisions     int64     `json:"decisions"`
	Edits         int64     `json:"edits"`
	Bindings      int64     `json:"bindings"`
	Messages      int64     `json:"messages"`
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

// Run prunes a database and the journals.
func Run(ctx context.Context, a *cli.App, o Options) error {
	if o.Readmit {
		return readmit(ctx, a, o.Database)
	}
	h, before := o.Keep.Horizon(a.Now()), o.Keep.Journals.Since(a.Now())
	if h.IsZero() && before.IsZero() {
		return usage.Errorf("nothing is to be let go: everything is kept for ever; see --keep-conversations and its like, or [retention] in memscribe.toml")
	}
	r := Report{DryRun: o.DryRun, Since: sinceWhen{
		Conversations: momentOf(h.Conversations), Decisions: momentOf(h.Decisions), Edits: momentOf(h.Edits), Journals: momentOf(before),
	}}
	if !h.IsZero() {
		r.Database = o.Database
		if err := r.pruneNodes(ctx, h); err != nil {
			return err
		}
	}
	if !before.IsZero() && !o.DryRun {
		dir, err := a.JournalDir(o.StateDir)
		if err != nil {
			return fmt.Errorf("find journals: %w", err)
		}
		if r.Journals, err = journal.Prune(ctx, dir, before); err != nil {
			return err
		}
	}
	return r.write(a.Stdout, o.JSON)
}

// momentOf returns a time for JSON; nil for the zero time.
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

// pruneNodes deletes nodes that are older than the horizon, or counts them in a dry
// run.
func (r *Report) pruneNodes(ctx context.Context, h schema.Horizon) error {
	if err := exists(r.Database); err != nil {
		return err
	}
	var went schema.Pruned
	var err error
	if r.DryRun {
		went, err = olderThan(ctx, r.Database, h)
	} else {
		went, r.Freed, err = pruneAndShrink(ctx, r.Database, h)
	}
	r.Conversations, r.Decisions, r.Edits, r.Bindings = went.Conversations, went.Decisions, went.Edits, went.Bindings
	r.Messages = went.Messages
	return err
}

// olderThan counts what is older than the horizon.
func olderThan(ctx context.Context, name string, h schema.Horizon) (went schema.Pruned, err error) {
	r, err := nodedb.Open(ctx, name)
	if err != nil {
		return went, err
	}
	went, err = lists.Older(ctx, r, h)
	return went, errors.Join(err, r.Close())
}

// pruneAndShrink says also how much smaller the file has become.
func pruneAndShrink(ctx context.Context, name string, h schema.Horizon) (went schema.Pruned, freed int64, err error) {
	s, err := sqlite.Open(ctx, name, sqlite.Options{})
	if err != nil {
		return went, 0, err
	}
	before := fileSize(name)
	err = target.Deliver(s, func(sink.Sink) error {
		if went, err = s.Prune(ctx, h); err == nil && !went.IsZero() {
			err = s.Shrink(ctx)
		}
		return err
	})
	return went, max(0, before-fileSize(name)), err
}

// fileSize returns the size of a file; 0 if there is none.
func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// readmit lifts the horizon of a database, so that older nodes are taken in again.
func readmit(ctx context.Context, a *cli.App, name string) error {
	if err := exists(name); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, name, sqlite.Options{})
	if err != nil {
		return err
	}
	if err = target.Deliver(s, func(sink.Sink) error { return s.Readmit(ctx) }); err != nil {
		return err
	}
	_, err = a.Stdout.Printf("what is old is taken in again; 'memscribe replay --sink sqlite' brings what transcripts still have\n")
	return err
}

// writes what was deleted, as JSON or as text.
func (r *Report) write(out *console.Printer, asJSON bool) error {
	if asJSON {
		return out.JSON(r)
	}
	for _, p := range []struct {
		what  string
		count int64
		since *time.Time
	}{
		{"conversations", r.Conversations, r.Since.Conversations},
		{"messages", r.Messages, r.Since.Conversations},
		{"decisions", r.Decisions, r.Since.Decisions},
		{"edits", r.Edits, r.Since.Edits},
	} {
		if p.since != nil {
			out.Printf("%-14s %d of before %s\n", p.what, p.count, p.since.Format(time.DateOnly))
		}
	}
	if r.Database != "" {
		out.Printf("%-14s %d of what goes\n", "bindings", r.Bindings)
	}
	if r.Since.Journals != nil && !r.DryRun {
		out.Printf("%-14s %d files of before %s\n", "journals", r.Journals, r.Since.Journals.Format(time.DateOnly))
	}
	end := "gone; the database has become " + human.Size(r.Freed) + " smaller"
	switch {
	case r.DryRun:
		end = "would go; nothing was changed"
	case r.Database == "":
		end = "gone"
	}
	_, err := out.Printf("%s\n", end)
	return err
}
