// Package postgres stores nodes in a PostgreSQL database that a team can query: the views of
// the SQLite database, in the schema memscribe.
//
//	Apply → COPY into a staging table → one merge by id → commit
//
// Of several lines with one id the last one counts, also across batches. If two sinks deliver
// the same node at once one of the two lines is kept, and it is whole. A line that is there
// already with the same digest is not written again, so that a replay costs a COPY and no
// write.
//
// A node that is no longer found stays, as in every sink; the command forget deletes it.
//
// Costs. A batch of any size takes a few round trips: BEGIN, COPY into the temporary table, the
// merge, COMMIT. The merge goes in the order of ids, so two sinks that deliver the same nodes
// wait for each other, and never deadlock.
//
// A read is one transaction on one snapshot:
//
//	question      conditions, joined with AND, values apart from the text
//	filter        project, tool, session, time, words
//	order, after  newest first, or in the order of the transcript; continued at a cursor
//	link          the newest links of all nodes of the page, in one query
//
// A cursor names the place of the last node in the order of its answer. It ends with the id, so
// no node is skipped or repeated when new ones arrive.
//
// Where to find what:
//
//	postgres.go   Sink: opening, delivering, the mark
//	row.go        the columns, and how each follows from a node
//	reader.go     Reader: the questions, filters and cursors
//	session.go    one session in the order of its transcript
package postgres

import (
	"context"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/pg"
)

//go:embed schema.sql
var schema string

// upgrades returns the steps from each version of the schema to the next. A step that
// has been released is never changed.
func upgrades() pg.Schema {
	return pg.Schema{Table: "memscribe_schema", Steps: []string{schema}, Tables: []string{"memscribe_schema", "memscribe.nodes"}}
}

// Sink is a database that keeps the last line of each id. See [sink.Sink]. Many sinks, on many
// machines, may deliver to one database. A Sink serves one goroutine.
//
// What Apply was given is committed when it returns.
type Sink struct {
	pool    *pg.Pool
	columns []column
	merge   string
	doc     jsondoc.Doc
	marked  string // see Mark
}

// IsURL reports whether a text names a database of PostgreSQL rather than a file.
func IsURL(s string) bool { return pg.IsURL(s) }

// Shown returns the URL of a database as a person may see it: without user and password.
func Shown(dsn string) string { return pg.Shown(dsn) }

// Open opens the database at a URL, and makes its tables if there are none. A database that a
// newer program has made is an error, and so are tables on which others have put triggers or
// rules.
func Open(ctx context.Context, dsn string) (*Sink, error) {
	pool, err := pg.Dial(ctx, dsn)
	if err == nil {
		if err = pg.Migrate(ctx, pool, upgrades()); err != nil {
			pool.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", pg.Shown(dsn), pg.Explain(err))
	}
	return &Sink{pool: pool, columns: columns(), merge: merge()}, nil
}

// staging is a temporary table of the connection. It is empty when a transaction begins.
const staging = "CREATE TEMPORARY TABLE IF NOT EXISTS memscribe_staging (LIKE memscribe.nodes) ON COMMIT DELETE ROWS"

// merge returns the statement that moves the staged rows into nodes. It goes in the order of
// ids: if two sinks deliver the same nodes at once one waits for the other, and never each for
// the other.
func merge() string {
	var set []string
	for _, name := range names()[1:] {
		set = append(set, name+" = excluded."+name)
	}
	all := strings.Join(names(), ", ")
	return "INSERT INTO memscribe.nodes (" + all + ") SELECT " + all + " FROM memscribe_staging ORDER BY id ON CONFLICT (id) DO UPDATE SET " +
		strings.Join(set, ", ") + " WHERE nodes.digest <> excluded.digest"
}

// Apply implements [sink.Sink]. The batch is one transaction. If it is unknown whether that was
// committed it is run again: rows that are there already stay as they are.
func (s *Sink) Apply(ctx context.Context, lines []sink.Line) error {
	if s.pool == nil {
		return errors.New("write nodes to database: it is closed")
	}
	if err := ctx.Err(); err != nil || len(lines) == 0 {
		return err
	}
	rows, err := s.rows(lines)
	if err != nil {
		return err
	}
	put := func(ctx context.Context, tx pg.Tx) error {
		_, failed := tx.Exec(ctx, staging)
		if failed == nil {
			failed = tx.Copy(ctx, "memscribe_staging", names(), rows)
		}
		if failed == nil {
			_, failed = tx.Exec(ctx, s.merge)
		}
		return failed
	}
	err = pg.Transact(ctx, s.pool, put)
	if errors.Is(err, pg.ErrUnknown) {
		err = pg.Transact(ctx, s.pool, put)
	}
	if err != nil {
		return fmt.Errorf("write nodes to database: %w", pg.Explain(err))
	}
	last := rows[len(rows)-1]
	s.marked = fmt.Sprintf("%x %s", last[1], last[0])
	return nil
}

// rows returns a row for the last line of each id, in the order of those lines.
func (s *Sink) rows(lines []sink.Line) ([][]any, error) {
	last := make(map[string]int, len(lines))
	for i := range lines {
		last[lines[i].ID] = i
	}
	rows := make([][]any, 0, len(last))
	for i := range lines {
		if last[lines[i].ID] != i {
			continue
		}
		row, err := s.row(&lines[i])
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Flush implements [sink.Sink]. A commit is durable already.
func (s *Sink) Flush(ctx context.Context) error {
	if s.pool == nil {
		return errors.New("flush database: it is closed")
	}
	return ctx.Err()
}

// Close implements [sink.Sink].
func (s *Sink) Close() error {
	if s.pool != nil {
		s.pool.Close()
		s.pool = nil
	}
	return nil
}

// Mark implements [sink.Marker]: the id and the digest of the node that was stored last. A
// database that was emptied, or an older copy of it, does not have that node in this version.
func (s *Sink) Mark() string { return s.marked }

// Holds implements [sink.Marker]. An error of the question counts as no: then transcripts are
// read again, which is slow but loses nothing.
func (s *Sink) Holds(mark string) bool {
	sum, id, ok := strings.Cut(mark, " ")
	digest, err := hex.DecodeString(sum)
	if s.pool == nil || !ok || err != nil {
		return false
	}
	var there bool
	err = s.pool.QueryRow(context.Background(),
		"SELECT EXISTS (SELECT 1 FROM memscribe.nodes WHERE id = $1 AND digest = $2)", id, digest).Scan(&there)
	if err != nil || !there {
		return false
	}
	if s.marked == "" {
		s.marked = mark
	}
	return true
}
