package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/compress"
	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/sums"
	"github.com/memscribe/memscribe/internal/nodedb/wordindex"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/sqlite/place"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// Options say how a Sink writes.
type Options struct {
	// Bulk is for a backfill: what can be searched for is gathered, and put
	// into the index of words by Flush and Close, which is faster.
	Bulk bool
	// Relaxed leaves out the sync of the disk on Flush. What was flushed then
	// survives the end of the process, but maybe not the end of the power.
	Relaxed bool
	// Messages says that messages are delivered too: then the words of conversations
	// are those of messages, and need not be indexed twice.
	Messages bool
	// SearchBytes is how much of a text can be searched for; 0 is 4096.
	SearchBytes int
}

// Sink is a database that keeps the last line of each id. See [sink.Sink].
//
// What Apply takes in is there for readers when it returns.
//
// A Sink belongs to one goroutine. After an error of Apply the batch is rolled back
// whole and can be applied again.
type Sink struct {
	options Options
	conn    *connection
	inserts inserts
	update  string // the statement that replaces a node
	rows    table.Parser
	read    []table.Message // room for those of a batch
	scopes  table.Scopes
	packer  *compress.Packer
	words   *wordindex.Index

	foreign  foreignChanges
	marked   string // see Mark
	receives bool   // what is applied was captured elsewhere, see Receive
	isNew    bool   // no line of the last batch was stored before

	// Retention: lines older than the horizon are counted in leftOut and not stored.
	horizon schema.Horizon // of the last batch
	leftOut int64

	nodePlaces, messagePlaces place.Finder

	rebuilt     []string
	isCancelled bool // a call was cancelled: Close does no more than it must
}

// Open opens the database at path, and creates it, with its folder, for the user
// alone. One of an earlier version is brought to the present schema; one of a
// later version is refused with [newer.Err], a file of another kind with [ErrForeign],
// and one with triggers, views, tables or indexes of another origin with a [sink.Fault]
// that names them. Missing indexes are created again.
func Open(ctx context.Context, path string, o Options) (*Sink, error) {
	if o.SearchBytes == 0 {
		o.SearchBytes = 4096
	}
	s := &Sink{
		options: o, update: table.UpdateNode(), rows: table.Parser{Cap: o.SearchBytes, HasMessages: o.Messages},
	}
	if err := s.open(ctx, path); err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, errors.Join(sqlitefile.Explain(err), s.close()))
	}
	return s, nil
}

// open opens the database and brings it up to the current schema.
func (s *Sink) open(ctx context.Context, path string) (err error) {
	if err = sqlitefile.Create(path); err != nil {
		return err
	}
	// A commit need not be synced: Flush does that, once for many.
	pragmas := []string{"synchronous(normal)", "journal_size_limit(67108864)"}
	if s.options.Bulk {
		pragmas = append(pragmas, "cache_size(-32768)", "wal_autocheckpoint(8192)")
	} else {
		// What is written back by a commit, the commit waits for: Tidy does it before.
		pragmas = append(pragmas, "cache_size(-8192)", "wal_autocheckpoint(4096)")
	}
	if s.conn, err = dial(ctx, path, pragmas); err != nil {
		return err
	}
	s.inserts = inserts{conn: s.conn.Conn, of: map[uint64]*insert{}}
	if s.packer, err = compress.NewPacker(); err != nil {
		return err
	}
	if err = sqlitefile.RetryBusy(ctx, func() error { return migrateFile(ctx, s.conn.Conn) }); err != nil {
		return err
	}
	want, err := sqlitefile.MadeBy(ctx, schema.Migrations()...)
	if err != nil {
		return err
	}
	if s.rebuilt, err = sqlitefile.CheckSchema(ctx, s.conn.Conn, want); err != nil {
		return err
	}
	if s.foreign, err = s.newForeignChanges(ctx, path, want); err != nil {
		return err
	}
	if err = sums.FillSpent(ctx, s.conn); err != nil {
		return err
	}
	if s.words, err = wordindex.Open(ctx, s.conn, s.options.Bulk); err != nil {
		return err
	}
	return s.restoreAnnotations(ctx, path)
}

// RebuiltIndexes returns the indexes that were missing when the database was opened and were
// created again, as "index nodes_id".
func (s *Sink) RebuiltIndexes() []string { return s.rebuilt }

// migrateFile is migrate for a file: readers must not wait for writers.
func migrateFile(ctx context.Context, c *sql.Conn) error {
	was, err := schema.ReadStamp(ctx, c)
	if err != nil {
		return err
	}
	if !was.Empty {
		if err := was.Check(schema.Version()); err != nil {
			return err
		}
	}
	var mode string
	if err := c.QueryRowContext(ctx, "PRAGMA journal_mode = wal").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("its folder does not allow a write-ahead log (journal mode is %s)", mode)
	}
	return schema.Migrate(ctx, c, schema.Migrations())
}

// checkVersion refuses to write once another process has changed the schema.
func (s *Sink) checkVersion(ctx context.Context) error {
	is, err := s.conn.number(ctx, "PRAGMA user_version")
	if err != nil {
		return err
	}
	if is != int64(schema.Version()) {
		return fmt.Errorf("%w: its schema has become %d", newer.Err, is)
	}
	return nil
}

// Apply implements [sink.Sink]. The batch is one transaction.
func (s *Sink) Apply(ctx context.Context, lines []sink.Line) error {
	if len(lines) == 0 {
		return nil
	}
	b := batch{sink: s, cancelled: ctx.Err}
	b.lines, b.messages = splitMessages(lines)
	err := s.conn.Transact(ctx, b.apply)
	s.isNew = err == nil && len(b.stored) == 0 && (len(b.lines) > 0 || s.isNew)
	if err != nil {
		s.isCancelled = s.isCancelled || ctx.Err() != nil
		return fmt.Errorf("write nodes to database: %w", sqlitefile.Explain(err))
	}
	if b.mark != "" {
		s.marked = b.mark
	} else if s.marked == "" {
		s.marked = b.same
	}
	s.foreign.newest = cmp.Or(b.newest, s.foreign.newest)
	s.leftOut += b.leftOut
	// The lines are stored, whatever happens to the index.
	if err := s.words.Committed(context.WithoutCancel(ctx), &b.words); err != nil {
		return fmt.Errorf("write words to database: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Flush implements [sink.Sink]. It completes the index of words.
func (s *Sink) Flush(ctx context.Context) error {
	err := s.sync(ctx)
	if err == nil {
		err = s.completeWords(ctx)
	}
	if err != nil {
		s.isCancelled = s.isCancelled || ctx.Err() != nil
		return fmt.Errorf("flush database: %w", sqlitefile.Explain(err))
	}
	return nil
}

// sync makes all commits so far durable, unless the Sink is relaxed.
func (s *Sink) sync(ctx context.Context) error {
	if s.options.Relaxed {
		return nil
	}
	return s.conn.sync(ctx)
}

// completeWords brings the index of words up to date with the rows.
func (s *Sink) completeWords(ctx context.Context) error {
	if s.words.IsComplete() {
		return nil
	}
	if err := s.words.Complete(ctx, s.unindexedNodes, s.unindexedMessages); err != nil {
		return err
	}
	return s.sync(ctx)
}

// tidyCommits is how many commits the log may hold before it is written back. The
// commits of one delivery are three.
const tidyCommits = 60

// Tidy implements [sink.Tidier]: it looks at what others have done, and writes the log
// back into the database. What readers still need of it stays.
func (s *Sink) Tidy(ctx context.Context) error {
	if s.conn.Conn == nil {
		return nil
	}
	if err := s.checkForeignChanges(ctx); err != nil {
		return fmt.Errorf("look at database: %w", sqlitefile.Explain(err))
	}
	if s.conn.commits < tidyCommits {
		return nil
	}
	s.conn.commits = 0
	if _, err := s.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(passive)"); err != nil {
		return fmt.Errorf("write log of database back: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Close implements [sink.Sink], and flushes. After a call was cancelled it does not
// complete the index of words: the next Flush of any Sink does.
func (s *Sink) Close() error {
	if s.conn.Conn == nil {
		return nil
	}
	ctx := context.Background()
	err := s.sync(ctx)
	if err == nil && !s.isCancelled {
		err = s.completeWords(ctx)
	}
	if err = errors.Join(err, s.close()); err != nil {
		return fmt.Errorf("close database: %w", sqlitefile.Explain(err))
	}
	return nil
}

// close closes the database. A Sink that was opened in part can be closed too.
func (s *Sink) close() error {
	if s.conn == nil {
		return nil
	}
	return errors.Join(s.inserts.close(), s.conn.close())
}
