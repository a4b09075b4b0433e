package schema

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// ApplicationID marks the file as ours: "Memo".
const ApplicationID = 0x4d656d6f

// ErrForeign is the error of a database that is not one of nodes.
var ErrForeign = errors.New("not a database of Memscribe")

// ErrEmpty is the error of a database that has no tables yet: another process is just
// creating it.
var ErrEmpty = errors.New("nothing has been written to it yet")

//go:embed steps/1.sql
var schema1 string

//go:embed steps/2.sql
var schema2 string

//go:embed steps/3.sql
var schema3 string

//go:embed steps/4.sql
var schema4 string

//go:embed steps/5.sql
var schema5 string

//go:embed steps/6.sql
var schema6 string

//go:embed steps/7.sql
var schema7 string

//go:embed steps/8.sql
var schema8 string

//go:embed steps/9.sql
var schema9 string

//go:embed steps/10.sql
var schema10 string

//go:embed steps/11.sql
var schema11 string

// Migrations returns the steps from nothing to the newest schema. Step i leads from
// version i to version i+1. A step that has been released is never changed.
func Migrations() []string {
	return []string{schema1, schema2, schema3, schema4, schema5, schema6, schema7, schema8, schema9, schema10, schema11}
}

// Version returns the number of the newest schema.
func Version() int { return len(Migrations()) }

// Stamp is what a database says about itself.
type Stamp struct {
	application, Version int
	Empty                bool
}

// ReadStamp asks in one statement: another process may be making the database
// just now.
func ReadStamp(ctx context.Context, c Querier) (s Stamp, err error) {
	const stamps = `SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`
	tables := 0
	err = c.QueryRowContext(ctx, stamps).Scan(&s.application, &s.Version, &tables)
	s.Empty = tables == 0 && s.application == 0 && s.Version == 0
	return s, err
}

// Check refuses a database that is not ours or that is newer than us.
func (s Stamp) Check(newest int) error {
	if s.application != ApplicationID {
		return ErrForeign
	}
	return newer.Check(s.Version, newest)
}

// Migrate brings a database to the newest schema. All steps are one transaction:
// whoever opens the database sees the old schema or the new one.
func Migrate(ctx context.Context, c *sql.Conn, steps []string) (err error) {
	if s, stampErr := ReadStamp(ctx, c); stampErr != nil {
		return stampErr
	} else if !s.Empty && (s.Check(len(steps)) != nil || s.Version == len(steps)) {
		return s.Check(len(steps))
	}
	if err = Begin(ctx, c); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // the first error counts
		}
	}()
	s, err := ReadStamp(ctx, c) // another may have been faster
	if err != nil {
		return err
	}
	if !s.Empty {
		if err = s.Check(len(steps)); err != nil {
			return err
		}
	}
	for i := s.Version; i < len(steps); i++ {
		if _, err = c.ExecContext(ctx, steps[i]); err != nil {
			return fmt.Errorf("migrate to schema %d: %w", i+1, err)
		}
	}
	done := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", ApplicationID, len(steps))
	_, err = c.ExecContext(ctx, done)
	return err
}

// Begin starts a transaction that writes.
func Begin(ctx context.Context, c *sql.Conn) error {
	return sqlitefile.RetryBusy(ctx, func() error {
		_, err := c.ExecContext(ctx, "BEGIN IMMEDIATE")
		return err
	})
}
