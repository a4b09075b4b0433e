// Package spool queues memories on disk, in order, until a server has accepted them.
//
// It is a database, so that it outlives a crash at any moment, and so that
// whatever is in it is whole. A memory that is put again before it was sent is
// sent once, as it is now.
//
//	Put ──▶ [ waiting memories, by seq ] ──▶ Next ──▶ server ──▶ Done
//	          └ the same id again: replaced      └ error: stays, tried again later
//
// Put returns when the memory survives a crash of the process; after Sync it also survives a
// power failure. Done removes an item only if it was not replaced meanwhile, so that a newer
// version is still sent. [Held] records where the server's chain ended after the last batch. If
// the server does not have that entry any more, it was restored from an older copy, and
// everything is sent again.
//
// The file is a SQLite database with the application id "MemS":
//
//	spool     seq, id, body      one row for each waiting memory; a new seq if it is put again
//	identity  id                 a random text, replaced when the server lost memories
//	held      length, hash       the head of the server's chain after the last batch
//
// Put of an id that waits already replaces the row under a new seq, so Done for the old seq,
// which is on its way, leaves the new one in the queue.
package spool

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Spool is a queue on disk. It is safe for concurrent use.
type Spool struct{ db *sql.DB }

// applicationID marks the file as ours: "MemS".
const (
	applicationID = 0x4d656d53
	version       = 1
)

const schema = `
CREATE TABLE spool (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  id   TEXT NOT NULL UNIQUE,
  body BLOB NOT NULL -- the memory as it will be sent
) STRICT;
CREATE TABLE identity (id TEXT NOT NULL) STRICT;
INSERT INTO identity VALUES (lower(hex(randomblob(16))));
`

// Open opens the spool at path. It creates the file and its folder, with permissions for the
// user only.
func Open(ctx context.Context, path string) (*Spool, error) {
	if err := sqlitefile.Create(path); err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	db, err := sqlitefile.Dial(path, sqlitefile.Options{Connections: 1, Pragmas: []string{
		"journal_mode(wal)", "synchronous(normal)", "journal_size_limit(67108864)", "secure_delete(fast)", "cache_size(-16384)",
	}})
	if err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	s := &Spool{db}
	if err := sqlitefile.RetryBusy(ctx, func() error { return s.migrate(ctx) }); err != nil {
		return nil, fmt.Errorf("open spool %s: %w", path, errors.Join(sqlitefile.Explain(err), db.Close()))
	}
	return s, nil
}

// migrate creates the tables of a new spool and refuses files of other programs and
// of later versions.
func (s *Spool) migrate(ctx context.Context) error {
	var application, is, tables int
	const stamps = `SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`
	if err := s.db.QueryRowContext(ctx, stamps).Scan(&application, &is, &tables); err != nil {
		return err
	}
	switch {
	case application == applicationID && is == version:
		_, err := s.db.ExecContext(ctx, heldTable)
		return err
	case application == applicationID && is > version:
		return newer.Check(is, version)
	case tables > 0 || application != 0 || is != 0:
		return errors.New("it is not a spool that this version of Memscribe knows")
	}
	_, err := s.db.ExecContext(ctx, fmt.Sprintf("BEGIN IMMEDIATE; %s %s; PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
		schema, heldTable, applicationID, version))
	return err
}

// Put adds memories at the end of the queue, all or none. They survive the end of the process
// at once, and a power failure after Sync.
func (s *Spool) Put(ctx context.Context, memories []api.MemoryWrite) error {
	err := sqlitefile.RetryBusy(ctx, func() error { return s.put(ctx, memories) })
	if err != nil {
		return fmt.Errorf("write spool: %w", sqlitefile.Explain(err))
	}
	return nil
}

// put appends memories in one transaction. A memory that waits already is replaced
// by its newer form.
func (s *Spool) put(ctx context.Context, memories []api.MemoryWrite) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	st, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO spool (id, body) VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer st.Close()
	var body []byte
	for i := range memories {
		if body, err = api.Append(body[:0], &memories[i]); err != nil {
			return err
		}
		if _, err := st.ExecContext(ctx, memories[i].ID, body); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Sync returns when everything that was put is durable.
func (s *Spool) Sync(ctx context.Context) error {
	err := sqlitefile.RetryBusy(ctx, func() error {
		_, err := s.db.ExecContext(ctx, fmt.Sprintf("PRAGMA synchronous = full; PRAGMA application_id = %d; PRAGMA synchronous = normal", applicationID))
		return err
	})
	if err != nil {
		return fmt.Errorf("sync spool: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Item is a memory that waits.
type Item struct {
	Seq  int64
	Body []byte // the memory as it will be sent, validated when it was put
}

// Next returns the memories that have waited longest, in their order: at most the given number,
// and at most the given bytes, but always one if there is one. They stay in the queue.
func (s *Spool) Next(ctx context.Context, most, bytes int) (items []Item, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT seq, body FROM spool ORDER BY seq LIMIT ?", most)
	if err != nil {
		return nil, fmt.Errorf("read spool: %w", sqlitefile.Explain(err))
	}
	defer rows.Close()
	for size := 0; rows.Next(); {
		var item Item
		if err := rows.Scan(&item.Seq, &item.Body); err != nil {
			return nil, fmt.Errorf("read spool: %w", sqlitefile.Explain(err))
		}
		if size += len(item.Body); size > bytes && len(items) > 0 {
			break
		}
		items = append(items, item)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read spool: %w", sqlitefile.Explain(err))
	}
	return items, nil
}

// Done removes items that were sent. A memory that was put again under the same id meanwhile
// stays.
func (s *Spool) Done(ctx context.Context, items []Item) error {
	if len(items) == 0 {
		return nil
	}
	err := sqlitefile.RetryBusy(ctx, func() error {
		_, err := s.db.ExecContext(ctx, "DELETE FROM spool WHERE seq BETWEEN ? AND ?", items[0].Seq, items[len(items)-1].Seq)
		return err
	})
	if err != nil {
		return fmt.Errorf("shorten spool: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Forget removes the waiting memories for which gone returns true, and overwrites their bytes
// on the disk. It returns their number; with dry it only counts them.
func (s *Spool) Forget(ctx context.Context, dry bool, gone func(body []byte) (bool, error)) (n int, err error) {
	seqs, err := s.which(ctx, gone)
	if err != nil {
		return 0, fmt.Errorf("read spool: %w", sqlitefile.Explain(err))
	}
	if dry || len(seqs) == 0 {
		return len(seqs), nil
	}
	list, err := json.Marshal(seqs)
	if err != nil {
		return 0, fmt.Errorf("shorten spool: %w", err)
	}
	err = sqlitefile.RetryBusy(ctx, func() error { return s.wipe(ctx, string(list)) })
	if err != nil {
		return 0, fmt.Errorf("shorten spool: %w", sqlitefile.Explain(err))
	}
	return len(seqs), nil
}

// which returns the memories that are gone.
func (s *Spool) which(ctx context.Context, gone func(body []byte) (bool, error)) (seqs []int64, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT seq, body FROM spool ORDER BY seq")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var body sql.RawBytes
		if err = rows.Scan(&seq, &body); err != nil {
			return nil, err
		}
		goes, failed := gone(body)
		if failed != nil {
			return nil, failed
		}
		if goes {
			seqs = append(seqs, seq)
		}
	}
	return seqs, rows.Err()
}

// wipe deletes memories, and writes the file without its free pages and with an empty log.
func (s *Spool) wipe(ctx context.Context, seqs string) error {
	_, err := s.db.ExecContext(ctx, "PRAGMA secure_delete = on")
	if err == nil {
		_, err = s.db.ExecContext(ctx, "DELETE FROM spool WHERE seq IN (SELECT value FROM json_each(?))", seqs)
	}
	if err == nil {
		_, err = s.db.ExecContext(ctx, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
	}
	return err
}

// ID returns a random text that identifies this spool, also among spools that were created at
// the same path.
func (s *Spool) ID(ctx context.Context) (id string, err error) {
	if err = s.db.QueryRowContext(ctx, "SELECT id FROM identity").Scan(&id); err != nil {
		return "", fmt.Errorf("read spool: %w", sqlitefile.Explain(err))
	}
	return id, nil
}

// Len returns how many memories wait.
func (s *Spool) Len(ctx context.Context) (n int64, err error) {
	if err = s.db.QueryRowContext(ctx, "SELECT count(*) FROM spool").Scan(&n); err != nil {
		return 0, fmt.Errorf("read spool: %w", sqlitefile.Explain(err))
	}
	return n, nil
}

// Waiting returns how many memories wait in the spool at path. It does not change the file.
func Waiting(ctx context.Context, path string) (n int64, err error) {
	db, err := sqlitefile.DialReader(ctx, path, sqlitefile.Options{Connections: 1, ReadOnly: true}, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT count(*) FROM spool").Scan(&n)
	})
	if err != nil {
		return 0, fmt.Errorf("read spool %s: %w", path, sqlitefile.Explain(err))
	}
	return n, db.Close()
}

// Close closes the file. What waits stays in it.
func (s *Spool) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close spool: %w", sqlitefile.Explain(err))
	}
	return nil
}
