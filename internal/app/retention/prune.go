package retention

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// PruneOptions say what [Prune] deletes, and from where.
type PruneOptions struct {
	Keep     Options
	Database string
	StateDir string
	DryRun   bool // only count
}

// Pruned says what [Prune] deleted, or what it would delete.
type Pruned struct {
	Database      string `json:"database,omitempty"` // "": only journals were pruned
	Conversations int64  `json:"conversations"`
	Decisions     int64  `json:"decisions"`
	Edits         int64  `json:"edits"`
	Bindings      int64  `json:"bindings"`
	Messages      int64  `json:"messages"`
	Freed         int64  `json:"freed_bytes"`
	Journals      int    `json:"journal_files"` // always 0 in a dry run
	Since         Since  `json:"kept_since"`
	DryRun        bool   `json:"dry_run"`
}

// Since holds the first moment of what is kept, for each kind; nil: all of it is kept.
type Since struct {
	Conversations *time.Time `json:"conversations,omitempty"`
	Decisions     *time.Time `json:"decisions,omitempty"`
	Edits         *time.Time `json:"edits,omitempty"`
	Journals      *time.Time `json:"journals,omitempty"`
}

// Prune deletes what is older than the retention periods from a database and the journals, and
// returns the freed space of the database to the disk. The database remembers the horizon, so
// what was deleted does not come back when its transcript is read again. A dry run opens the
// database for reading and deletes nothing.
func Prune(ctx context.Context, m host.Machine, o PruneOptions) (p Pruned, err error) {
	h, before := o.Keep.Horizon(m.Now()), o.Keep.Journals.Since(m.Now())
	if h.IsZero() && before.IsZero() {
		return p, usage.Errorf("nothing is to be let go: everything is kept for ever; see --keep-conversations and its like, or [retention] in memscribe.toml")
	}
	p = Pruned{DryRun: o.DryRun, Since: Since{
		Conversations: orNil(h.Conversations), Decisions: orNil(h.Decisions), Edits: orNil(h.Edits), Journals: orNil(before),
	}}
	if !h.IsZero() {
		p.Database = o.Database
		if err = p.nodes(ctx, h); err != nil {
			return p, err
		}
	}
	if before.IsZero() || o.DryRun {
		return p, nil
	}
	dir, err := m.JournalDir(o.StateDir)
	if err != nil {
		return p, fmt.Errorf("find journals: %w", err)
	}
	p.Journals, err = journal.Prune(ctx, dir, before)
	return p, err
}

// orNil returns a time for JSON; nil for the zero time.
func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// exists returns an error if there is no database: opening one would create it.
func exists(name string) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("open database %s: there is none; 'memscribe watch --once' makes one", name)
	}
	return nil
}

// nodes deletes the nodes that are older than the horizon, or counts them in a dry run.
func (p *Pruned) nodes(ctx context.Context, h schema.Horizon) error {
	if err := exists(p.Database); err != nil {
		return err
	}
	var went schema.Pruned
	var err error
	if p.DryRun {
		went, err = olderThan(ctx, p.Database, h)
	} else {
		went, p.Freed, err = pruneAndShrink(ctx, p.Database, h)
	}
	p.Conversations, p.Decisions, p.Edits, p.Bindings = went.Conversations, went.Decisions, went.Edits, went.Bindings
	p.Messages = went.Messages
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

// pruneAndShrink deletes what is older than the horizon. freed is how many bytes smaller
// the file is afterwards.
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

// Readmit removes the horizon of a database: nodes that were deleted for their age are
// stored again when their transcript is next read.
func Readmit(ctx context.Context, name string) error {
	if err := exists(name); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, name, sqlite.Options{})
	if err != nil {
		return err
	}
	return target.Deliver(s, func(sink.Sink) error { return s.Readmit(ctx) })
}
