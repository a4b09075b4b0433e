package schema

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// ErrOlder is the error of a database that has not been brought to the present
// schema. Opening a [Sink] on it does that.
var ErrOlder = errors.New("written by an older version of Memscribe")

// OldestRead is the oldest schema that can be asked as it is, so that questions are
// answered after an upgrade until something is written. It lacks the tables received, files and
// spent, and sums of the tally.
const OldestRead = 9

// Check refuses a database whose schema is not ours. Without an index answers
// are slower, and as right.
func Check(ctx context.Context, db *sql.DB, version int) error {
	sum, err := schemaSum(ctx, db)
	if err != nil || sum == ownSchema {
		return err
	}
	want, err := sqlitefile.MadeBy(ctx, Migrations()[:version]...)
	if err != nil {
		return err
	}
	is, err := sqlitefile.ReadSchema(ctx, db)
	if err != nil {
		return err
	}
	d := is.Differs(want)
	return d.Fault()
}

// ownSchema is the sum of a database that this version of the program made, or brought
// to its schema. A database that has it needs no closer look, which takes longer than
// many a question: what it is compared with must be made first.
const ownSchema = "dc010d89b1fdf145e876d795ef8bfaa0b21c3a776cafb8b2fedb77a4ded3c895"

// schemaSum returns the digest of all statements that made a database.
func schemaSum(ctx context.Context, db Querier) (string, error) {
	parts, err := Collect(ctx, db, Single[string], `SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema
		WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4', 'sqlite_sequence') ORDER BY type, name`)
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:]), err
}
