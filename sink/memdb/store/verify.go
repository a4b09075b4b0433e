package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/store/walk"
)

// VerifyOptions say how thorough Verify is.
type VerifyOptions = walk.Options

// Verify walks the chain of a Store with everything that belongs to it.
func (s *Store) Verify(ctx context.Context) (api.VerifyReport, error) {
	if s.readers == nil {
		return api.VerifyReport{}, errors.New("verify memories: they are closed")
	}
	return verify(ctx, s.readers, VerifyOptions{StateDir: s.options.StateDir})
}

// VerifyFile walks the chain in a database, which need not be open elsewhere.
func VerifyFile(ctx context.Context, path string, o VerifyOptions) (report api.VerifyReport, err error) {
	var application, is int
	stamps := func(db *sql.DB) error {
		const query = "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version)"
		return db.QueryRowContext(ctx, query).Scan(&application, &is)
	}
	db, err := sqlitefile.DialReader(ctx, path, sqlitefile.Options{Connections: 1, Pragmas: []string{"query_only(on)"}}, stamps)
	if err != nil {
		return report, fmt.Errorf("verify %s: %w", path, sqlitefile.Explain(err))
	}
	switch {
	case application == applicationID && is > version:
		err = newer.Check(is, version)
	case application == applicationID && is == version-1: // it has no vectors yet, and is the same otherwise
		if o.Schema, err = sqlitefile.MadeBy(ctx, schema+chain.Tables); err == nil {
			report, err = verify(ctx, db, o)
		}
	case application != applicationID || is != version:
		err = ErrForeign
	default:
		report, err = verify(ctx, db, o)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return report, fmt.Errorf("verify %s: %w", path, sqlitefile.Explain(err))
	}
	return report, nil
}

// verify walks a database that holds the schema of this version, or the one in
// o.Schema. All is read in one transaction, so that what other processes write
// meanwhile is not mistaken for tampering.
func verify(ctx context.Context, db *sql.DB, o VerifyOptions) (report api.VerifyReport, err error) {
	if o.Schema == nil {
		if o.Schema, err = ownSchema(ctx); err != nil {
			return report, err
		}
	}
	return walk.Verify(ctx, o, func(f func(chain.DB) error) error {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return err
		}
		return errors.Join(f(tx), tx.Rollback())
	})
}
