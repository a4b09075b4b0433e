package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

// applicationID marks the file as ours: "Memo".
const applicationID = 0x4d656d6f

// ErrNewer is the error of a database that a later version of the program has
// changed.
var ErrNewer = errors.New("written by a newer version of Memscribe")

// ErrForeign is the error of a database that is not one of nodes.
var ErrForeign = errors.New("not a database of Memscribe")

//go:embed schema/1.sql
var schema1 string

//go:embed schema/2.sql
var schema2 string

//go:embed schema/3.sql
var schema3 string

//go:embed schema/4.sql
var schema4 string

//go:embed schema/5.sql
var schema5 string

//go:embed schema/6.sql
var schema6 string

//go:embed schema/7.sql
var schema7 string

//go:embed schema/8.sql
var schema8 string

//go:embed schema/9.sql
var schema9 string

// migrations are the steps from nothing to the newest schema. Step i leads from
// version i to version i+1. A step that has been released is never changed.
func migrations() []string {
	return []string{schema1, schema2, schema3, schema4, schema5, schema6, schema7, schema8, schema9}
}

// version is the number of the newest schema.
func version() int { return len(migrations()) }

// stamp is what a database says about itself.
type stamp struct {
	application, version int
	empty                bool
}

// readStamp asks in one statement: another process may be making the database
// just now.
func readStamp(ctx context.Context, c querier) (s stamp, err error) {
	const stamps = `SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`
	tables := 0
	err = c.QueryRowContext(ctx, stamps).Scan(&s.application, &s.version, &tables)
	s.empty = tables == 0 && s.application == 0 && s.version == 0
	return s, err
}

// querier is what connections and pools of them have in common.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// check refuses a database that is not ours or that is newer than us.
func (s stamp) check(newest int) error {
	switch {
	case s.application != applicationID:
		return ErrForeign
	case s.version > newest:
		return fmt.Errorf("%w: its schema is %d, the newest known here %d", ErrNewer, s.version, newest)
	}
	return nil
}

// migrate brings a database to the newest schema. All steps are one transaction:
// whoever opens the database sees the old schema or the new one.
func migrate(ctx context.Context, c *sql.Conn, steps []string) (err error) {
	if s, stampErr := readStamp(ctx, c); stampErr != nil {
		return stampErr
	} else if !s.empty && (s.check(len(steps)) != nil || s.version == len(steps)) {
		return s.check(len(steps))
	}
	if err = begin(ctx, c); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // the first error counts
		}
	}()
	s, err := readStamp(ctx, c) // another may have been faster
	if err != nil {
		return err
	}
	if !s.empty {
		if err = s.check(len(steps)); err != nil {
			return err
		}
	}
	for i := s.version; i < len(steps); i++ {
		if _, err = c.ExecContext(ctx, steps[i]); err != nil {
			return fmt.Errorf("migrate to schema %d: %w", i+1, err)
		}
	}
	done := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", applicationID, len(steps))
	_, err = c.ExecContext(ctx, done)
	return err
}
