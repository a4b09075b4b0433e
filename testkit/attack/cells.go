package attack

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
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

// LongCells makes a database of OpenCode's with one session, whose person says texts of
// some sizes.
func LongCells(path string, sizes ...int) (err error) {
	db, err := opencode(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err = db.Exec(`INSERT INTO message VALUES ('msg_1', 'ses_1', 1, 1, ?)`, message); err != nil {
		return err
	}
	for i, size := range sizes {
		_, err = db.Exec(`INSERT INTO part VALUES (printf('prt_%08d', ?), 'msg_1', 'ses_1', 1, 1,
			'{"type":"text","text":"Let''s use tabs instead of spaces. ' || hex(zeroblob(?)) || '"}')`, i, size/2)
		if err != nil {
			return err
		}
	}
	return nil
}

const message = `{"role":"user","time":{"created":1785542400000}}`

// opencode makes a database of OpenCode's with a session without messages.
func opencode(path string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	_, err = db.Exec(`CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
		CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
		CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
		CREATE INDEX part_message ON part (message_id, id);
		INSERT INTO session VALUES ('ses_1', '/w', '1.2.27', 1785542400000, 1785542400000)`)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Rows makes a database of OpenCode's with one session, that has many messages of many
// parts each. The first parts decide something, each of them.
func Rows(path string, messages, parts, decisions int) (err error) {
	db, err := opencode(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, do := range []string{
		fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO message SELECT printf('msg_%%08d', i), 'ses_1', i, i, '%s' FROM n`, messages-1, message),
		fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO part SELECT printf('prt_%%08d', i), printf('msg_%%08d', i / %d), 'ses_1', i, i,
			printf(iif(i < %d, '{"type":"text","text":"Use store number %%d instead of the old one."}',
				'{"type":"text","text":"The store number %%d is what the old one was."}'), i) FROM n`, messages*parts-1, parts, decisions),
	} {
		if _, err = db.Exec(do); err != nil {
			return err
		}
	}
	return nil
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
