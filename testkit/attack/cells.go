package attack

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	_ "modernc.org/sqlite" // the driver
)

// Cell makes a database of Zed's threads with two threads: one is a compressed
// cell of size bytes, the other an ordinary one.
func Cell(path string, size int64) (err error) {
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	const table = `CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL)`
	if _, err = db.Exec(table); err != nil {
		return err
	}
	bomb, err := packed(size)
	if err != nil {
		return err
	}
	const insert = `INSERT INTO threads VALUES (?, 's', '2026-05-01T10:00:00Z', 'zstd', ?)`
	if _, err = db.Exec(insert, "a", bomb); err != nil {
		return err
	}
	plain, err := packed(0)
	if err == nil {
		_, err = db.Exec(insert, "b", plain)
	}
	return err
}

// packed is a thread whose person says a text of a size, compressed.
func packed(size int64) ([]byte, error) {
	const before, after = `{"version":"0.3.0","title":"t","updated_at":"2026-05-01T10:00:00Z","messages":[{"User":{"id":"u-1","content":[{"Text":"Let's use tabs instead of spaces. `, `"}]}}]}`
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		return nil, err
	}
	_, begin := io.WriteString(z, before)
	middle := repeat(z, "a", size)
	_, end := io.WriteString(z, after)
	err = errors.Join(begin, middle, end, z.Close())
	return b.Bytes(), err
}
