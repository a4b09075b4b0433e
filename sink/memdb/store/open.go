package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/answers"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/memdb/store/near"
)

// Options say how a Store works.
type Options struct {
	Now    func() time.Time // must not be nil
	Random io.Reader        // where ids and keys come from; must not be nil
	// StateDir is the folder of the key by which checkpoints of the chain are
	// signed, and of the last checkpoint; "" is none.
	StateDir string
	// Scrubber takes secrets out of everything that is written. nil is for what
	// has been scrubbed before.
	Scrubber core.Scrubber
	// Audit gets a line for each write; nil means no audit.
	Audit *slog.Logger
	// Embedder gives memories vectors; nil: they have none.
	Embedder *embed.Embedder
	// SearchBytes is how much of a content can be searched for; 0 is 4096.
	SearchBytes int
}

// Store is a database of memories. Many goroutines, and several processes, may use it at once.
type Store struct {
	options  Options
	preparer *record.Preparer
	signer   *chain.Signer
	readers  *sql.DB
	cache    answers.Cache
	ids      record.IDs
	rebuilt  []string
	schema   sqlitefile.Schema // as it should be; nil while it is made
	layout   int64             // SQLite's number of the schema that was compared last

	writing sync.Mutex // held by who uses what follows
	db      *sql.DB
	writer  *session
	signed  chain.Head
	held    bool            // a reader kept the log when something was forgotten
	wiped   bool            // what was forgotten is out of the index of words
	slots   map[int64]int64 // by milliseconds: the last number that was given
}

// applicationID marks the file as ours: "MemD".
const (
	applicationID = 0x4d656d44
	version       = 4
)

// ErrForeign is the error of a file that is not a database of memories.
var ErrForeign = errors.New("not a database of memories that this version of Memscribe knows")

//go:embed schema.sql
var schema string

// Open opens the database at path, or makes it and its folder with permissions for the user
// only. One whose schema or chain is not what it should be is refused with a [sink.Fault];
// missing indexes are made again.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if o.SearchBytes == 0 {
		o.SearchBytes = 4096
	}
	s := &Store{options: o, ids: record.IDs{Random: o.Random}, slots: map[int64]int64{}}
	if err := s.open(ctx, path); err != nil {
		return nil, fmt.Errorf("open memories %s: %w", path, errors.Join(sqlitefile.Explain(err), s.close()))
	}
	return s, nil
}

// open opens, migrates and checks the database. On an error the caller closes the store.
func (s *Store) open(ctx context.Context, path string) (err error) {
	if s.preparer, err = record.NewPreparer(s.options.Scrubber); err != nil {
		return err
	}
	if err = sqlitefile.Create(path); err != nil {
		return err
	}
	s.db, err = sqlitefile.Dial(path, sqlitefile.Options{Connections: 1, Pragmas: []string{
		"synchronous(full)", "journal_size_limit(67108864)", "cache_size(-32768)", "wal_autocheckpoint(4096)", "secure_delete(on)",
	}})
	if err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	s.writer = &session{conn: conn, questions: map[string]*sql.Stmt{}, changes: sqlitefile.NewStatements(conn)}
	if err = s.migrate(ctx); err != nil {
		return err
	}
	want, err := ownSchema(ctx)
	if err != nil {
		return err
	}
	if s.rebuilt, err = sqlitefile.CheckSchema(ctx, conn, want); err != nil {
		return err
	}
	if s.layout, err = s.schemaVersion(ctx); err != nil {
		return err
	}
	s.schema = want
	s.readers, err = sqlitefile.Dial(path, sqlitefile.Options{Connections: 4, Pragmas: []string{"query_only(on)", "cache_size(-8192)"}})
	if err != nil {
		return err
	}
	return s.openSigner(ctx)
}

// ownSchema returns the schema that a new database gets.
func ownSchema(ctx context.Context) (sqlitefile.Schema, error) {
	return sqlitefile.MadeBy(ctx, schema+chain.Tables+near.Tables)
}

// RebuiltIndexes returns the indexes that were missing and were made again when the database
// was opened, as "index entries_memory".
func (s *Store) RebuiltIndexes() []string { return s.rebuilt }

// migrate makes the schema of a new database, and checks that of an existing one.
//
// A new database gets its schema and its stamps in one transaction, so that a process that is
// killed here leaves either nothing or all of it. WAL mode cannot be set inside a transaction
// and comes before. Two processes may do this at once; the second one finds the tables.
func (s *Store) migrate(ctx context.Context) error {
	var application, is, tables int
	const stamps = `SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`
	ask := func() error {
		return s.writer.conn.QueryRowContext(ctx, stamps).Scan(&application, &is, &tables)
	}
	if err := sqlitefile.RetryBusy(ctx, ask); err != nil {
		return err
	}
	switch {
	case application == applicationID && is == version:
		return nil
	case application == applicationID && is > 0 && is < version:
		return s.upgrade(ctx)
	case application == applicationID && is > version:
		return newer.Check(is, version)
	case tables > 0 || application != 0 || is != 0:
		return ErrForeign
	}
	var mode string
	if err := s.writer.conn.QueryRowContext(ctx, "PRAGMA journal_mode = wal").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("its folder does not allow a write-ahead log (journal mode is %s)", mode)
	}
	return s.transact(ctx, func(ctx context.Context) error {
		if err := ask(); err != nil || tables > 0 {
			return err // another has been faster
		}
		statements := schema + chain.Tables + near.Tables + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, version)
		_, err := s.writer.conn.ExecContext(ctx, statements)
		return err
	})
}

// upgrades returns the steps from each version of the schema to the next. A step that
// has been released is never changed.
func upgrades() []string {
	return []string{
		`ALTER TABLE versions ADD COLUMN superseded TEXT;
		CREATE INDEX versions_superseded ON versions(superseded) WHERE superseded IS NOT NULL AND until IS NULL;
		CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, instance);`,
		// An entry that was tampered with may be no JSON. It is carried over as it is,
		// for Verify to name.
		`ALTER TABLE memories RENAME TO memories_2;
		CREATE TABLE memories (
		  id TEXT NOT NULL, namespace TEXT NOT NULL, seq INTEGER NOT NULL, n INTEGER, digest BLOB NOT NULL, PRIMARY KEY (namespace, id)
		) STRICT, WITHOUT ROWID;
		INSERT INTO memories SELECT id, namespace, seq, n, digest FROM memories_2 ORDER BY namespace, id;
		DROP TABLE memories_2;
		DROP TRIGGER entries_stay; DROP TRIGGER entries_stand; DROP INDEX entries_memory;
		ALTER TABLE entries RENAME TO entries_2;
		CREATE TABLE entries (
		  seq INTEGER PRIMARY KEY, namespace TEXT NOT NULL, memory TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL
		) STRICT;
		INSERT INTO entries SELECT seq, CASE WHEN json_valid(body) THEN coalesce(body ->> '$.namespace', '') ELSE '' END, memory, body, hash
		  FROM entries_2 ORDER BY seq;
		DROP TABLE entries_2;
		CREATE INDEX entries_memory ON entries(memory, namespace);
		CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
		CREATE TRIGGER entries_stand BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;`,
		near.Tables,
	}
}

// upgrade brings a database of an earlier version to the present schema, in one
// transaction. What it holds stays as it was entered.
func (s *Store) upgrade(ctx context.Context) error {
	return s.transact(ctx, func(ctx context.Context) error {
		var is int
		if err := s.writer.conn.QueryRowContext(ctx, "SELECT user_version FROM pragma_user_version").Scan(&is); err != nil {
			return err
		}
		for ; is < version; is++ { // another may have been faster
			if _, err := s.writer.conn.ExecContext(ctx, upgrades()[is-1]+fmt.Sprintf("PRAGMA user_version = %d;", is+1)); err != nil {
				return fmt.Errorf("upgrade to schema %d: %w", is+1, err)
			}
		}
		return nil
	})
}

// transact runs f in a transaction that writes.
//
// BEGIN IMMEDIATE takes the write lock at once and waits for it, so f never fails
// halfway because another process writes. f gets a context that cannot be cancelled. A
// rollback also empties the known slots, which may name numbers that were not written
// after all.
func (s *Store) transact(ctx context.Context, f func(context.Context) error) error {
	if s.writer == nil {
		return errors.New("memories are closed")
	}
	err := sqlitefile.RetryBusy(ctx, func() error {
		_, err := s.writer.conn.ExecContext(ctx, "BEGIN IMMEDIATE")
		return err
	})
	if err != nil {
		return err
	}
	inside := context.WithoutCancel(ctx)
	if err = s.checkSchema(inside); err == nil {
		err = f(inside)
	}
	if err == nil {
		if _, err = s.writer.conn.ExecContext(inside, "COMMIT"); err == nil {
			if s.held {
				_ = s.emptyLog(ctx) // else with the next one
			}
			return nil
		}
	}
	// After some errors SQLite has rolled back already, and says so.
	_, _ = s.writer.conn.ExecContext(inside, "ROLLBACK")
	clear(s.slots)
	return err
}

// Close releases the database, after a checkpoint of the chain. Closing twice is
// safe.
func (s *Store) Close() error {
	err := s.Checkpoint(context.Background())
	s.writing.Lock()
	defer s.writing.Unlock()
	if err = errors.Join(err, s.close()); err != nil {
		return fmt.Errorf("close memories: %w", sqlitefile.Explain(err))
	}
	return nil
}

// close closes the connections in reverse order.
func (s *Store) close() error {
	var errs []error
	if s.readers != nil {
		errs = append(errs, s.readers.Close())
		s.readers = nil
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
		s.writer = nil
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
		s.db = nil
	}
	return errors.Join(errs...)
}

// session is a connection that prepares each statement once. It implements [chain.DB].
type session struct {
	conn      *sql.Conn
	questions map[string]*sql.Stmt
	changes   *sqlitefile.Statements
}

// question returns a prepared statement, which is prepared once per connection.
func (c *session) question(ctx context.Context, query string) (*sql.Stmt, error) {
	if st, ok := c.questions[query]; ok {
		return st, nil
	}
	st, err := c.conn.PrepareContext(ctx, query)
	if err == nil {
		c.questions[query] = st
	}
	return st, err
}

// ExecContext implements [chain.DB].
func (c *session) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	changed, err := c.changes.Exec(ctx, query, args...)
	return driver.RowsAffected(changed), err
}

// QueryContext implements [chain.DB].
func (c *session) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	st, err := c.question(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// QueryRowContext implements [chain.DB].
func (c *session) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	st, err := c.question(ctx, query)
	if err != nil {
		return c.conn.QueryRowContext(ctx, query, args...) // says what is wrong
	}
	return st.QueryRowContext(ctx, args...)
}

// close closes the statements and the connection.
func (c *session) close() error {
	errs := []error{c.changes.Close()}
	for _, st := range c.questions {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, c.conn.Close())...)
}

// checkSchema returns an error if somebody else has changed the schema, as by a trigger that
// keeps what is forgotten. Nothing is written then.
func (s *Store) checkSchema(ctx context.Context) error {
	if s.schema == nil {
		return nil // it is being made
	}
	layout, err := s.schemaVersion(ctx)
	if err != nil || layout == s.layout {
		return err
	}
	is, err := sqlitefile.ReadSchema(ctx, s.writer.conn)
	if err != nil {
		return err
	}
	d := is.Differs(s.schema)
	if err := d.Fault(); err != nil {
		return err
	}
	s.layout = layout
	return nil
}

// schemaVersion returns a number that changes with the schema.
func (s *Store) schemaVersion(ctx context.Context) (n int64, err error) {
	err = s.writer.conn.QueryRowContext(ctx, "PRAGMA schema_version").Scan(&n)
	return n, err
}
