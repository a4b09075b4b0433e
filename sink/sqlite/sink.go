package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/memscribe/memscribe/internal/compress"
	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
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
	db      *sql.DB
	conn    *sql.Conn
	queries map[string]*sql.Stmt
	writes  *sqlitefile.Statements
	inserts inserts
	update  string // the statement that replaces a node
	rows    table.Parser
	scopes  table.Scopes

	// State between calls.
	others   others
	marked   string // see Mark
	receives bool   // what is applied was captured elsewhere, see Receive
	isNew    bool   // nothing of the last batch was there before

	// Retention: lines older than the horizon are counted in leftOut and not stored.
	horizon schema.Horizon // of the last batch
	leftOut int64

	// Words that wait for the index, and which numbers are known to be taken.
	writer int64 // tells our ranges in pending from those of others
	held   held
	piece  int // bytes that are held before they are built
	places places
	heard  places // of messages
	packer *compress.Packer

	// What the next Flush, Tidy or Close has to do.
	mended    []string
	unsynced  bool // something was committed since the last sync
	commits   int  // since the log was last written back
	unindexed bool // there may be rows in pending
	hurried   bool // a call was cancelled: Close does no more than it must
}

// Open opens the database at path, and creates it, with its folder, for the user
// alone. One of an earlier version is brought to the present schema; one of a
// later version is refused with [newer.Err], a file that is something else with
// [ErrForeign], and one with triggers, views, tables or indexes that are not ours
// with a [sink.Fault] that names them. Missing indexes are made again.
func Open(ctx context.Context, path string, o Options) (*Sink, error) {
	if o.SearchBytes == 0 {
		o.SearchBytes = 4096
	}
	s := &Sink{
		options: o, queries: map[string]*sql.Stmt{}, update: table.UpdateNode(), rows: table.Parser{Cap: o.SearchBytes},
		writer: rand.Int64(), piece: heldBytes, places: places{}, heard: places{},
	}
	s.rows.Heard = o.Messages
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
	if s.db, err = sqlitefile.Dial(path, sqlitefile.Options{Connections: 1, Pragmas: pragmas}); err != nil {
		return err
	}
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return err
	}
	s.writes = sqlitefile.NewStatements(s.conn)
	s.inserts = inserts{conn: s.conn, of: map[uint64]*insert{}}
	if s.packer, err = compress.NewPacker(); err != nil {
		return err
	}
	if err = sqlitefile.RetryBusy(ctx, func() error { return migrateFile(ctx, s.conn) }); err != nil {
		return err
	}
	want, err := sqlitefile.MadeBy(ctx, schema.Migrations()...)
	if err != nil {
		return err
	}
	if s.mended, err = sqlitefile.CheckSchema(ctx, s.conn, want); err != nil {
		return err
	}
	if s.others, err = s.newOthers(ctx, path, want); err != nil {
		return err
	}
	err = s.conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM pending UNION ALL SELECT * FROM unheard)").Scan(&s.unindexed)
	if err != nil {
		return err
	}
	return s.restoreAnnotations(ctx, path)
}

// Mended are the indexes that were missing and were made again when the database
// was opened, as "index nodes_id".
func (s *Sink) Mended() []string { return s.mended }

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
	is, err := s.pragma(ctx, "user_version")
	if err != nil {
		return err
	}
	if is != int64(schema.Version()) {
		return fmt.Errorf("%w: its schema has become %d", newer.Err, is)
	}
	return nil
}

// stmt returns the prepared form of a question.
func (s *Sink) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if st, ok := s.queries[query]; ok {
		return st, nil
	}
	st, err := s.conn.PrepareContext(ctx, query)
	if err == nil {
		s.queries[query] = st
	}
	return st, err
}

// exec runs a statement and returns how many rows it changed.
func (s *Sink) exec(ctx context.Context, query string, args ...any) (int64, error) {
	return s.writes.Exec(ctx, query, args...)
}

// transact runs f in a transaction. It commits if f says that there is something
// to commit.
//
// f gets a context that cannot be cancelled: a statement is never interrupted, and the
// batch asks for cancellation between lines (batch.broken).
func (s *Sink) transact(ctx context.Context, f func(context.Context) (changed bool, err error)) error {
	if s.conn == nil {
		return errors.New("database is closed")
	}
	if err := schema.Begin(ctx, s.conn); err != nil {
		return err
	}
	// Statements are short. To let each be cancelled would cost more than they.
	ctx = context.WithoutCancel(ctx)
	changed, err := f(ctx)
	if err == nil && changed {
		if _, err = s.conn.ExecContext(ctx, "COMMIT"); err == nil {
			s.unsynced = true
			s.commits++
			return nil
		}
	}
	// After some errors SQLite has rolled back already, and says so.
	_, undo := s.conn.ExecContext(ctx, "ROLLBACK")
	if err == nil {
		err = undo
	}
	return err
}

// Apply implements [sink.Sink]. The batch is one transaction.
func (s *Sink) Apply(ctx context.Context, lines []sink.Line) error {
	if len(lines) == 0 {
		return nil
	}
	b := batch{sink: s, broken: ctx.Err}
	b.lines, b.said = split(lines)
	err := s.transact(ctx, b.apply)
	s.isNew = err == nil && len(b.kept) == 0 && (len(b.lines) > 0 || s.isNew)
	if err != nil {
		s.hurried = s.hurried || ctx.Err() != nil
		return fmt.Errorf("write nodes to database: %w", sqlitefile.Explain(err))
	}
	if b.mark != "" {
		s.marked = b.mark
	} else if s.marked == "" {
		s.marked = b.same
	}
	s.others.last = cmp.Or(b.newest, s.others.last)
	s.leftOut += b.leftOut
	s.held.drop(b.gone, b.unsaid)
	if b.left {
		s.unindexed = true
		s.held.add(b.found, b.spoken)
	}
	if s.held.bytes < s.piece {
		return nil
	}
	// The lines are there, whatever happens to the index.
	if err := s.build(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("write words to database: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Flush implements [sink.Sink]. What waits for the index of words is put there.
func (s *Sink) Flush(ctx context.Context) error {
	err := s.sync(ctx)
	if err == nil && s.unindexed {
		err = s.index(ctx)
	}
	if err != nil {
		s.hurried = s.hurried || ctx.Err() != nil
		return fmt.Errorf("flush database: %w", sqlitefile.Explain(err))
	}
	return nil
}

// sync makes durable what was committed: a commit that is synced syncs those
// before it. It writes what stands there already.
//
// synchronous=full makes SQLite sync the log at a commit. The commit must write
// something, so it writes the application id again.
func (s *Sink) sync(ctx context.Context) error {
	if !s.unsynced || s.options.Relaxed {
		return nil
	}
	if _, err := s.conn.ExecContext(ctx, "PRAGMA synchronous = full"); err != nil {
		return err
	}
	err := s.transact(ctx, func(ctx context.Context) (bool, error) {
		_, err := s.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", schema.ApplicationID))
		return true, err
	})
	if err != nil {
		return err
	}
	s.unsynced = false
	_, err = s.conn.ExecContext(ctx, "PRAGMA synchronous = normal")
	return err
}

// tidyCommits is how many commits the log may hold before it is written back. The
// commits of one delivery are three.
const tidyCommits = 60

// Tidy implements [sink.Tidier]: it looks at what others have done, and writes the log
// back into the database. What readers still need of it stays.
func (s *Sink) Tidy(ctx context.Context) error {
	if s.conn == nil {
		return nil
	}
	if err := s.checkOthers(ctx); err != nil {
		return fmt.Errorf("look at database: %w", sqlitefile.Explain(err))
	}
	if s.commits < tidyCommits {
		return nil
	}
	s.commits = 0
	if _, err := s.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(passive)"); err != nil {
		return fmt.Errorf("write log of database back: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Close implements [sink.Sink], and flushes. After a call was cancelled it leaves
// what waits for the index of words to whoever flushes next.
func (s *Sink) Close() error {
	if s.conn == nil {
		return nil
	}
	ctx := context.Background()
	err := s.sync(ctx)
	if err == nil && s.unindexed && !s.hurried {
		err = s.index(ctx)
	}
	if err = errors.Join(err, s.close()); err != nil {
		return fmt.Errorf("close database: %w", sqlitefile.Explain(err))
	}
	return nil
}

// close lets go of everything, in the opposite order. It may be called for a sink that was
// opened in part.
func (s *Sink) close() error {
	var errs []error
	for _, st := range s.queries {
		errs = append(errs, st.Close())
	}
	s.queries = nil
	if s.writes != nil {
		errs = append(errs, s.writes.Close(), s.inserts.close())
		s.writes = nil
	}
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
		s.conn = nil
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
		s.db = nil
	}
	return errors.Join(errs...)
}
