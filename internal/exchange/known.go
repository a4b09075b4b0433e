package exchange

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Digest tells one JSON of a node from another: the first half of its SHA-256.
type Digest [16]byte

// DigestOf returns the digest of a node.
func DigestOf(json []byte) Digest {
	sum := sha256.Sum256(json)
	return Digest(sum[:16])
}

// known is what this machine remembers of a place: who it is there, what it has read of
// others, and in which words each node went there or came from there.
type known struct {
	db      *sql.DB
	machine string
	next    int   // number of the file that is written next
	clock   int64 // of the latest file that was read or written
}

const tables = `
CREATE TABLE IF NOT EXISTS self (machine TEXT NOT NULL, next INTEGER NOT NULL, clock INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS read (machine TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS nodes (id TEXT PRIMARY KEY, digest BLOB NOT NULL, machine TEXT NOT NULL, clock INTEGER NOT NULL) WITHOUT ROWID;`

// openKnown opens the notes about a place, or begins some. Without them everything is sent
// again, by a machine of another name, and read again.
//
// The notes are a SQLite database that is synced at each commit:
//
//	self   this machine's name, its next file, its clock
//	read   machine → number of its last file that was read
//	nodes  id → digest, machine and clock of the file it was last in
func openKnown(ctx context.Context, path string) (k *known, err error) {
	k = &known{}
	if err = sqlitefile.Create(path); err == nil {
		k.db, err = sqlitefile.Dial(path, sqlitefile.Options{Connections: 1, Pragmas: []string{"journal_mode(wal)", "synchronous(full)"}})
	}
	if err == nil {
		err = sqlitefile.RetryBusy(ctx, func() error { return k.begin(ctx) })
	}
	if err != nil {
		return nil, fmt.Errorf("open notes about shared folder %s: %w", path, errors.Join(sqlitefile.Explain(err), k.close()))
	}
	return k, nil
}

// begin creates the tables and, the first time, this machine's random name.
func (k *known) begin(ctx context.Context) error {
	if _, err := k.db.ExecContext(ctx, tables); err != nil {
		return err
	}
	err := k.db.QueryRowContext(ctx, "SELECT machine, next, clock FROM self").Scan(&k.machine, &k.next, &k.clock)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	k.machine, k.next = newName(), 1
	_, err = k.db.ExecContext(ctx, "INSERT INTO self VALUES (?, ?, 0)", k.machine, k.next)
	return err
}

// newName returns a random name.
func newName() string {
	name := make([]byte, machineSize/2)
	_, _ = rand.Read(name) // it does not fail
	return hex.EncodeToString(name)
}

// rename gives this machine a new name. What it had under the old one beyond what it knows of
// is another machine's.
func (k *known) rename(ctx context.Context) (err error) {
	tx, err := k.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	old, name := k.machine, newName()
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{"INSERT OR REPLACE INTO read VALUES (?, ?)", []any{old, k.next - 1}},
		{"UPDATE nodes SET machine = ? WHERE machine = ?", []any{name, old}},
		{"UPDATE self SET machine = ?, next = 1", []any{name}},
	} {
		if _, err = tx.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	if err = tx.Commit(); err == nil {
		k.machine, k.next = name, 1
	}
	return err
}

// close closes the database, if it is open.
func (k *known) close() error {
	if k.db == nil {
		return nil
	}
	return k.db.Close()
}

// readOf returns the number of the last file that was read of a machine.
func (k *known) readOf(ctx context.Context, machine string) (number int, err error) {
	err = k.db.QueryRowContext(ctx, "SELECT number FROM read WHERE machine = ?", machine).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return number, err
}

// node is the words in which a node was exchanged last, with the machine and clock of that file.
type node struct {
	in      Digest
	machine string // "": it was not
	clock   int64
}

// precedes reports whether a file is later than the one that the node was last in. Of two
// files with the same clock, no machine had read the other's: the names decide.
func (n *node) precedes(machine string, clock int64) bool {
	return n.clock < clock || n.clock == clock && n.machine < machine
}

// node returns what is known of a node; the zero value if nothing is.
func (k *known) node(ctx context.Context, id string) (n node, err error) {
	var sum []byte
	err = k.db.QueryRowContext(ctx, "SELECT digest, machine, clock FROM nodes WHERE id = ?", id).Scan(&sum, &n.machine, &n.clock)
	if errors.Is(err, sql.ErrNoRows) {
		return node{}, nil
	}
	copy(n.in[:], sum)
	return n, err
}

// exchanged is a node in the words in which it went or came.
type exchanged struct {
	id string
	in Digest
}

// note notes the nodes of a file, and that it was read, or written.
//
// All of it is one transaction.
func (k *known) note(ctx context.Context, h header, nodes []exchanged) (err error) {
	tx, err := k.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	put, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer put.Close()
	for i := range nodes {
		if _, err = put.ExecContext(ctx, nodes[i].id, nodes[i].in[:], h.Machine, h.Clock); err != nil {
			return err
		}
	}
	next, clock := k.next, max(k.clock, h.Clock)
	if h.Machine == k.machine {
		next = h.Number + 1
	} else if _, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO read VALUES (?, ?)", h.Machine, h.Number); err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, "UPDATE self SET next = ?, clock = ?", next, clock); err != nil {
		return err
	}
	if err = tx.Commit(); err == nil {
		k.next, k.clock = next, clock
	}
	return err
}
