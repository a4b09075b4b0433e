package scrub

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/store"
)

// dumped returns the tables that a fixture of a database keeps: those that say what
// was said and done.
func dumped(tool core.Tool) []string {
	switch tool {
	case core.OpenCode, core.Kilo:
		return []string{"session", "message", "part", "session_message", "event"}
	case core.Hermes:
		return []string{"schema_version", "sessions", "messages", "session_model_usage"}
	default:
		return nil
	}
}

// IsDatabase reports whether a transcript is a database.
func IsDatabase(data []byte) bool { return store.IsDatabase(data) }

// Database writes a recorded database, with what is in its log, as statements
// that make one like it: its tables as the client made them, and of the rows
// those that the tool's conversations are made of. Its bytes stay as they are.
func Database(ctx context.Context, tool core.Tool, path string) (dump []byte, err error) {
	dir, err := os.MkdirTemp("", "scrub-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	copied := filepath.Join(dir, "db")
	for _, suffix := range []string{"", "-wal"} {
		var b []byte
		b, err = os.ReadFile(path + suffix)
		if errors.Is(err, os.ErrNotExist) && suffix != "" {
			continue
		}
		if err == nil {
			err = os.WriteFile(copied+suffix, b, 0o600)
		}
		if err != nil {
			return nil, err
		}
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(copied))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var out bytes.Buffer
	for _, table := range dumped(tool) {
		if err := dumpTable(ctx, db, tool, table, &out); err != nil {
			return nil, fmt.Errorf("dump table %s: %w", table, err)
		}
	}
	return out.Bytes(), nil
}

// dumpTable writes a table that is there.
func dumpTable(ctx context.Context, db *sql.DB, tool core.Tool, table string, out *bytes.Buffer) error {
	made, err := list(ctx, db, `SELECT sql FROM sqlite_schema WHERE tbl_name = ?1 AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC, name`, table)
	if err != nil || len(made) == 0 {
		return err
	}
	columns, err := list(ctx, db, `SELECT name FROM pragma_table_info(?1)`, table)
	if err != nil {
		return err
	}
	for _, statement := range made {
		out.WriteString(statement + ";\n")
	}
	for i, column := range columns {
		columns[i] = "quote(" + withoutVendor(tool, table, column) + ")"
	}
	quoted := strings.Join(columns, " || ', ' || ")
	rows, err := list(ctx, db, `SELECT `+quoted+` FROM "`+table+`"`+needed(table)+` ORDER BY rowid`)
	for _, row := range rows {
		out.WriteString(`INSERT INTO "` + table + `" VALUES (` + row + ");\n")
	}
	return err
}

// needed says which rows of a table are kept: of the log of OpenCode those that
// tell of messages which were deleted.
func needed(table string) string {
	if table != "event" {
		return ""
	}
	return ` WHERE type IN ('message.removed.1', 'session.updated.1') AND aggregate_id IN (SELECT aggregate_id FROM event WHERE type = 'message.removed.1')
		OR coalesce(json_extract(data, '$.part.messageID'), json_extract(data, '$.info.id')) IN (SELECT json_extract(data, '$.messageID') FROM event WHERE type = 'message.removed.1')`
}

// withoutVendor returns a column of a row without its vendor's texts. Of Hermes Agent's
// system prompt the line stays that says where the work is done, and of what it
// puts before a summary the beginning.
func withoutVendor(tool core.Tool, table, column string) string {
	const (
		folder = `'Current working directory: '`
		begin  = `'[CONTEXT COMPACTION — REFERENCE ONLY] '`
		end    = `'avoid repeating it:'`
	)
	name := `"` + column + `"`
	switch {
	case tool != core.Hermes:
	case table == "sessions" && column == "system_prompt":
		line := `substr(` + name + `, instr(` + name + `, ` + folder + `))`
		return `CASE WHEN length(` + name + `) < ` + strconv.Itoa(long) + ` THEN ` + name + ` ELSE '` + mark + `' || octet_length(` + name + `) || ' bytes]' ||
			CASE instr(` + name + `, ` + folder + `) WHEN 0 THEN '' ELSE char(10) || substr(` + line + `, 1, instr(` + line + `, char(10))) END END`
	case table == "messages" && column == "content":
		return `CASE WHEN instr(` + name + `, ` + begin + `) > 0 AND instr(` + name + `, ` + end + `) > 0 THEN
			substr(` + name + `, 1, instr(` + name + `, ` + begin + `) - 1) || ` + begin + ` || '` + mark + `' ||
			(instr(` + name + `, ` + end + `) - instr(` + name + `, ` + begin + `)) || ' bytes] ' || substr(` + name + `, instr(` + name + `, ` + end + `))
			ELSE ` + name + ` END`
	}
	return name
}

// list returns the first column of a query.
func list(ctx context.Context, db *sql.DB, query string, args ...any) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}
