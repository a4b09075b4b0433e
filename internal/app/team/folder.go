package team

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/exchange"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// MeetOptions say where the machines of one person meet.
type MeetOptions struct {
	Place    string // a folder, ssh://host/folder or s3://bucket/folder
	Key      string // file
	Database string
	StateDir string
}

// Meet exchanges nodes with the other machines that use a folder. All of them have the
// same key; whoever keeps the folder sees encrypted files only. A batch that cannot be
// read is set aside and named ([setup.Setup.Say]), and the rest is taken.
//
// The notes of what was exchanged are kept by database and place, so two databases may
// use the same folder.
func Meet(ctx context.Context, s *setup.Setup, o MeetOptions) (r exchange.Result, err error) {
	if o.Key == "" {
		return r, usage.Errorf("sync with a folder wants --key: the file that 'memscribe sync --new-key FILE' makes, the same on each machine")
	}
	place, name, err := placeOf(s, o.Place)
	if err != nil {
		return r, usage.Errorf("sync %s: %v", o.Place, err)
	}
	key, err := exchange.ReadKey(o.Key)
	if err != nil {
		return r, err
	}
	state, err := s.StateDir(o.StateDir)
	if err != nil {
		return r, fmt.Errorf("find state folder: %w", err)
	}
	database, err := filepath.Abs(o.Database)
	if err != nil {
		return r, fmt.Errorf("find database: %w", err)
	}
	sum := sha256.Sum256([]byte(database + "\x00" + name))
	if err = upgrade(ctx, database); err != nil {
		return r, err
	}
	own := &store{path: database}
	if own.forgotten, err = forgotten(s); err != nil {
		return r, err
	}
	if err = s.Private(s.Logger(), database, ""); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, own.close()) }() //nolint:contextcheck // it is closed, whatever has ended
	x := exchange.Exchange{
		Place: place, Store: own, Key: key, Notes: filepath.Join(state, "sync", hex.EncodeToString(sum[:8])+".db"),
		Aside: func(err error) { s.Say("%v\n", err) },
	}
	return x.Run(ctx)
}

// upgrade brings a database that is there to the newest schema.
func upgrade(ctx context.Context, database string) error {
	if _, err := os.Stat(database); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s, err := sqlite.Open(ctx, database, sqlite.Options{})
	if err != nil {
		return err
	}
	return s.Close() //nolint:contextcheck // it is closed, whatever has ended
}

// placeOf returns where an address leads, and what it is called in notes.
func placeOf(s *setup.Setup, address string) (place exchange.Place, name string, err error) {
	switch scheme, _, ok := strings.Cut(address, "://"); {
	case ok && scheme == "ssh":
		place, err = exchange.ParseSSH(address)
		return place, address, err
	case ok && scheme == "s3":
		place, err = exchange.ParseBucket(address, s.Getenv)
		return place, address, err
	case ok:
		return nil, "", errors.New("what machines meet at is a folder, ssh://host/folder or s3://bucket/folder")
	}
	dir, err := filepath.Abs(address)
	if err == nil {
		if real, failed := filepath.EvalSymlinks(dir); failed == nil {
			dir = real
		}
	}
	return exchange.Folder(dir), dir, err
}

// forgotten reads what the user has asked to forget, so that the exchange neither
// sends nor takes it.
func forgotten(s *setup.Setup) (*forget.Book, error) {
	name, err := s.ForgottenFile()
	if err != nil {
		return nil, err
	}
	return forget.Read(name)
}

// store is the database of nodes that watch keeps. It implements [exchange.Store].
//
// It opens the database for each question and holds it for writing only once there is
// something to fetch.
type store struct {
	path      string
	forgotten *forget.Book
	into      *sqlite.Sink // nil: nothing was taken in yet
}

// close closes the database that was received into, if one was opened.
func (s *store) close() error {
	if s.into == nil {
		return nil
	}
	return s.into.Close()
}

// Forgotten implements [exchange.Store].
func (s *store) Forgotten(node []byte) (bool, error) { return s.forgotten.Line(node) }

// Take implements [exchange.Store].
func (s *store) Take(ctx context.Context, nodes []sink.Line) (err error) {
	if len(nodes) == 0 {
		return nil
	}
	if s.into == nil {
		if s.into, err = sqlite.Open(ctx, s.path, sqlite.Options{Bulk: true}); err != nil {
			s.into = nil
			return err
		}
	}
	if err = s.into.Apply(ctx, nodes); err == nil {
		err = s.into.Flush(ctx)
	}
	return err
}

// Held implements [exchange.Store].
func (s *store) Held(ctx context.Context, ids []string) (map[string]exchange.Digest, error) {
	held := map[string]exchange.Digest{}
	list, err := schema.JSONList(ids)
	if err != nil {
		return nil, err
	}
	return held, s.query(ctx, "SELECT id, digest FROM nodes WHERE id IN (SELECT value FROM json_each(?))", []any{list}, func(rows *sql.Rows) error {
		var id string
		var sum []byte
		if err := rows.Scan(&id, &sum); err != nil {
			return err
		}
		if len(sum) != len(exchange.Digest{}) {
			return fmt.Errorf("node %s has a digest of %d bytes", id, len(sum))
		}
		held[id] = exchange.Digest(sum)
		return nil
	})
}

// Each implements [exchange.Store].
func (s *store) Each(ctx context.Context, do func(*sink.Line) error) error {
	return inPages(ctx, s.query, " FROM nodes WHERE "+accepted, do)
}

// query asks the database; one that is not there yet has nothing.
func (s *store) query(ctx context.Context, statement string, args []any, scan func(*sql.Rows) error) error {
	r, err := nodedb.Open(ctx, s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = r.Snapshot(ctx, func(v nodedb.Snapshot) (err error) {
		if err = v.Newest(ctx); err != nil {
			return err
		}
		rows, err := v.QueryContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	if err = errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("read nodes: %w", sqlitefile.Explain(err))
	}
	return nil
}
