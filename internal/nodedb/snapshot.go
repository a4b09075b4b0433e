package nodedb

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/messages"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Snapshot is a database as it is at one moment, for packages that ask what a
// [Reader] has no answer for. It is valid during the call that it was given to.
type Snapshot struct{ v view }

// Snapshot shows do the database as it is at one moment.
func (r *Reader) Snapshot(ctx context.Context, do func(Snapshot) error) error {
	return sqlitefile.Explain(r.look(ctx, func(v view) error { return do(Snapshot{v}) }))
}

// QueryContext runs a query that reads.
func (s Snapshot) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.v.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query that reads one row.
func (s Snapshot) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return s.v.QueryRowContext(ctx, query, args...)
}

// Version is the number of the schema that the database has.
func (s Snapshot) Version(ctx context.Context) (int, error) {
	is, err := schema.ReadStamp(ctx, s.v)
	return is.Version, err
}

// Newest returns an [schema.ErrOlder] if the database has not been brought to the newest
// schema, for questions about what only that has.
func (s Snapshot) Newest(ctx context.Context) error {
	is, err := schema.ReadStamp(ctx, s.v)
	if err == nil && is.Version < schema.Version() {
		err = fmt.Errorf("%w: its schema is %d, needed is %d", schema.ErrOlder, is.Version, schema.Version())
	}
	return err
}

// Projects returns the projects that a name means: a folder with all below it, or all
// folders of that name. A name that means none is an [ErrProject], which says what is
// near. No name means no project.
func (s Snapshot) Projects(ctx context.Context, name string) ([]string, error) {
	if err := s.v.knowsProject(ctx, name); err != nil {
		return nil, err
	}
	return s.v.projects(ctx, name)
}

// SessionID completes the beginning of a session's id, or returns an [ErrSession].
func (s Snapshot) SessionID(ctx context.Context, id string) (string, error) {
	return s.v.sessionID(ctx, id)
}

// maxOpening is how much of it Opening returns, in bytes.
const maxOpening = 300

// openingOf finds the first message of a person in a session: of each transcript the first by
// the index, and of these the earliest. No other messages are looked at.
const openingOf = `n IN (SELECT (SELECT m.n FROM messages AS m WHERE m.t = mine.t AND m.kind = 'user' ORDER BY m.seq LIMIT 1)
	FROM talks AS mine WHERE mine.session = ? AND mine.source = ?) ORDER BY n LIMIT 1`

// Opening returns the beginning of what a person said first in a session, or of the
// first that was worth keeping; "" if there is nothing.
func (s Snapshot) Opening(ctx context.Context, session, source string) (string, error) {
	said, err := messages.Read(ctx, s, openingOf, session, source)
	if err != nil {
		return "", err
	}
	if len(said) > 0 {
		return fulltext.Cut(said[0].Text, maxOpening), nil
	}
	kept, err := schema.Collect(ctx, s.v, schema.Single[string], `SELECT coalesce(json_extract(json, '$.text'), '') FROM nodes
		WHERE session = ? AND source = ? AND +kind = 'conversation' AND speaker = 'user' ORDER BY n LIMIT 1`, session, source)
	if err != nil || len(kept) == 0 {
		return "", err
	}
	return fulltext.Cut(kept[0], maxOpening), nil
}
