package schema

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// maxProblems bounds what is said of one database.
const maxProblems = 10

// Inspect says what is wrong with the database at path, and changes nothing: pages that
// are damaged, bindings without an end, and everything in its schema that is not as
// Memscribe made it (triggers, views, tables, missing indexes). The error is of a file
// that cannot be read at all, or [ErrForeign] of another program's database.
func Inspect(ctx context.Context, path string) (problems []string, err error) {
	o := sqlitefile.Options{Connections: 1, ReadOnly: true, Pragmas: []string{"query_only(1)", "trusted_schema(0)"}}
	var s Stamp
	db, err := sqlitefile.DialReader(ctx, path, o, func(db *sql.DB) (err error) {
		s, err = ReadStamp(ctx, db)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("inspect database %s: %w", path, sqlitefile.Explain(err))
	}
	defer db.Close()
	if err = s.Check(Version()); err != nil {
		return nil, fmt.Errorf("inspect database %s: %w", path, err)
	}
	if s.Version == Version() { // an older one has the schema of its time
		var differs string
		if differs, err = schemaOf(ctx, db); err != nil {
			return nil, fmt.Errorf("inspect database %s: %w", path, err)
		}
		if differs != "" {
			problems = append(problems, "its schema is not that of Memscribe: "+differs)
		}
	}
	damage, err := damageOf(ctx, db)
	return append(problems, damage...), err
}

// schemaOf says in what the schema of a database is not the present one.
func schemaOf(ctx context.Context, db *sql.DB) (string, error) {
	want, err := sqlitefile.MadeBy(ctx, Migrations()...)
	if err != nil {
		return "", err
	}
	is, err := sqlitefile.ReadSchema(ctx, db)
	if err != nil {
		return "", sqlitefile.Explain(err)
	}
	d := is.Differs(want)
	return d.All(), nil
}

// damageOf asks SQLite about pages and indexes.
func damageOf(ctx context.Context, db *sql.DB) (problems []string, err error) {
	rows, err := db.QueryContext(ctx, fmt.Sprintf("PRAGMA integrity_check(%d)", maxProblems))
	if err != nil {
		return []string{sqlitefile.Explain(err).Error()}, nil
	}
	defer rows.Close()
	for rows.Next() {
		var said string
		if err := rows.Scan(&said); err != nil {
			return problems, err
		}
		if said != "ok" {
			problems = append(problems, said)
		}
	}
	if err := rows.Err(); err != nil {
		problems = append(problems, sqlitefile.Explain(err).Error())
	}
	return problems, nil
}
