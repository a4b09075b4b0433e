package sqlitefile

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/sink"
)

// Schema is what a database is made of: by kind and name ("index nodes_id"), what
// each thing is. It is the same whether the database was made at once or step by
// step, however its statements were laid out.
type Schema map[string]Object

// Object is a table, an index, a trigger or a view.
type Object struct {
	SQL  string // by which it was made; "" of what SQLite made by itself
	form string // what is compared
}

// Asker asks a database.
type Asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// SQLite's own tables of statistics are not part of a schema. Of a table that is
// not virtual the columns count, and not the layout of its statement.
const schemaQuery = `SELECT s.type || ' ' || s.name, coalesce(s.sql, ''), s.type = 'table' AND s.rootpage > 0,
	coalesce((SELECT group_concat(format('%Q %Q %d %Q %d %d', c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden), ', ')
		FROM pragma_table_xinfo(s.name) AS c WHERE s.type = 'table' AND s.rootpage > 0), '')
	FROM sqlite_schema AS s WHERE s.name NOT IN ('sqlite_stat1', 'sqlite_stat4', 'sqlite_sequence')`

// ReadSchema reads the schema of a database, in one statement.
func ReadSchema(ctx context.Context, db Asker) (Schema, error) {
	rows, err := db.QueryContext(ctx, schemaQuery)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	defer rows.Close()
	s := Schema{}
	for rows.Next() {
		var (
			name, columns string
			o             Object
			table         bool
		)
		if err := rows.Scan(&name, &o.SQL, &table, &columns); err != nil {
			return nil, fmt.Errorf("read schema: %w", err)
		}
		o.form = plain(o.SQL)
		if table {
			o.form = columns + clauses(o.form)
		}
		s[name] = o
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return s, nil
}

// clauses returns what a table may have beside its columns that changes what is
// written to it.
func clauses(statement string) string {
	var found strings.Builder
	for word := range strings.FieldsFuncSeq(strings.ToUpper(statement), func(r rune) bool { return r < 'A' || r > 'Z' }) {
		switch word {
		case "CONFLICT", "CHECK", "REFERENCES", "UNIQUE", "COLLATE", "STRICT":
			found.WriteString(" " + word)
		}
	}
	return found.String()
}

// plain returns a statement without comments, and with its words one space apart.
// What is in quotes stays as it is.
func plain(statement string) string {
	var b strings.Builder
	for rest := statement; rest != ""; {
		end := 1
		switch {
		case strings.HasPrefix(rest, "--"):
			if end = strings.IndexByte(rest, '\n'); end < 0 {
				end = len(rest)
			}
			rest = rest[end:]
			continue
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			if !strings.HasSuffix(b.String(), " ") {
				b.WriteByte(' ')
			}
			rest = rest[1:]
			continue
		case rest[0] == '\'' || rest[0] == '"':
			if i := strings.IndexByte(rest[1:], rest[0]); i >= 0 {
				end = i + 2
			}
		}
		b.WriteString(rest[:end])
		rest = rest[end:]
	}
	return strings.TrimSpace(b.String())
}

// MadeBy returns the schema that statements make in an empty database.
func MadeBy(ctx context.Context, statements ...string) (s Schema, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := db.Close(); err == nil {
			err = closed
		}
	}()
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err = db.ExecContext(ctx, statement); err != nil {
			return nil, fmt.Errorf("make schema: %w", err)
		}
	}
	return ReadSchema(ctx, db)
}

// Difference is in what a database is not as it should be: names, sorted.
type Difference struct {
	Indexes []string // that are missing; they can be made again
	Missing []string // what else is missing
	Changed []string // what is another thing than it should be
	Foreign []string // what should not be there
}

// Differs compares a schema with what it should be.
func (s Schema) Differs(want Schema) (d Difference) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		is, there := s[name]
		switch {
		case there && is.form != want[name].form:
			d.Changed = append(d.Changed, name)
		case there:
		case strings.HasPrefix(name, "index ") && want[name].SQL != "":
			d.Indexes = append(d.Indexes, name)
		default:
			d.Missing = append(d.Missing, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if _, known := want[name]; !known {
			d.Foreign = append(d.Foreign, name)
		}
	}
	return d
}

// Fault returns a [sink.Fault] that names what cannot be mended without a person; nil
// if there is nothing of that kind.
func (d *Difference) Fault() error {
	var parts []string
	if len(d.Foreign) > 0 {
		parts = append(parts, "it has what Memscribe did not make: "+list(d.Foreign)+" (look at it, then drop it, for example: DROP "+upper(d.Foreign[0])+")")
	}
	if bad := slices.Concat(d.Missing, d.Changed); len(bad) > 0 {
		parts = append(parts, "missing or changed: "+list(bad)+" (restore a backup: docs/operations.md)")
	}
	if len(parts) == 0 {
		return nil
	}
	return sink.Faultf("its schema is not that of Memscribe: %s", strings.Join(parts, "; "))
}

// All says everything in which a database differs; "" if it does not.
func (d *Difference) All() string {
	var parts []string
	for _, p := range []struct {
		what  string
		names []string
	}{{"not made by Memscribe", d.Foreign}, {"changed", d.Changed}, {"missing", slices.Concat(d.Missing, d.Indexes)}} {
		if len(p.names) > 0 {
			parts = append(parts, p.what+": "+list(p.names))
		}
	}
	return strings.Join(parts, "; ")
}

// upper writes the kind in capitals: "TRIGGER t".
func upper(name string) string {
	kind, rest, _ := strings.Cut(name, " ")
	return strings.ToUpper(kind) + " " + rest
}

// list joins names, and counts those beyond the first ten.
func list(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// CheckSchema holds a database to the schema that it should have, and makes
// missing indexes again, which it returns. Anything else is a [sink.Fault]. The
// connection must not be in a transaction.
func CheckSchema(ctx context.Context, c *sql.Conn, want Schema) (made []string, err error) {
	is, err := ReadSchema(ctx, c)
	if err != nil {
		return nil, err
	}
	d := is.Differs(want)
	if err := d.Fault(); err != nil || len(d.Indexes) == 0 {
		return nil, err
	}
	for _, name := range d.Indexes {
		statement := strings.Replace(want[name].SQL, "INDEX ", "INDEX IF NOT EXISTS ", 1)
		err := RetryBusy(ctx, func() error {
			_, err := c.ExecContext(ctx, statement)
			return err
		})
		if err != nil {
			return made, fmt.Errorf("make %s again: %w", name, err)
		}
	}
	return d.Indexes, nil
}
