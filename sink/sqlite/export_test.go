package sqlite

import (
	"context"
	"database/sql"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/lite"
)

// InsertNode is the statement that adds a node, and InsertWords the one that
// makes it findable.
func InsertNode() string { return insertNode(columns()) }

// InsertWords is the statement that makes a node findable.
func InsertWords() string { return insertWords }

// Values are the arguments of InsertNode and InsertWords for a line that has the
// number n.
func Values(l sink.Line, n int64) (node, found []any, err error) {
	p := rowReader{cap: 4096}
	r, err := p.read(&l, digestOf(l.JSON))
	if err != nil {
		return nil, nil, err
	}
	r.n = n
	if r.words != (words{}) {
		e := new(scopes).entryOf(r)
		found = []any{e.n, e.text, e.path, e.scope}
	}
	return r.args(nil), found, nil
}

// SetPiece has a sink hold so many bytes of entries before it builds them.
func SetPiece(s *Sink, bytes int) { s.piece = bytes }

// Migrate is migrate on a file.
func Migrate(ctx context.Context, path string, steps []string) error {
	db, err := lite.Dial(path, lite.Options{Connections: 1})
	if err != nil {
		return err
	}
	defer db.Close()
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return migrate(ctx, c, steps)
}

// Migrations are the released steps.
func Migrations() []string { return migrations() }

// Millis reads a timestamp.
func Millis(timestamp string) (int64, bool) { return millis(timestamp) }

// Plan is how SQLite answers a question, as EXPLAIN QUERY PLAN has it.
func Plan(ctx context.Context, r *Reader, question, of string, f Filter) (plan []string, err error) {
	err = r.look(ctx, func(v view) error {
		q, err := v.question(ctx, question, of, f)
		if err != nil {
			return err
		}
		scan := func(rows *sql.Rows, detail *string) error {
			var ignored any
			return rows.Scan(&ignored, &ignored, &ignored, detail)
		}
		plan, err = collect(ctx, v, scan, "EXPLAIN QUERY PLAN "+q.sql, q.args...)
		return err
	})
	return plan, err
}

func (v view) question(ctx context.Context, question, of string, f Filter) (query, error) {
	switch question {
	case "session":
		return v.inSession(ctx, of, f, Page{After: (&Node{}).cursor()})
	case "memory_read", "memory_write":
		return traceOf(question, []string{of})
	case "edits", "reasons":
		ours, theirs := "from_id", "to_id"
		if question == "reasons" {
			ours, theirs = theirs, ours
		}
		return linksOf(ours, theirs, []string{of})
	}
	lists := map[string]list{
		"search": anything(), "decisions": decisions(), "bans": bans(), "episodes": episodes(), "file": ofFile(of), "memories": memories("", ""), "store": memories(of, ""), "key": memories(of, of),
	}
	return v.numbers(ctx, lists[question], f, 1<<60, 51)
}

// OwnSchema is the sum of a database of this version.
const OwnSchema = ownSchema

// SchemaSum is the sum of a database.
func SchemaSum(ctx context.Context, path string) (string, error) {
	db, err := lite.Dial(path, lite.Options{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer db.Close()
	return schemaSum(ctx, db)
}
