package sqlite_test

import (
	"database/sql"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestDocs runs every query of the documentation; each finds something.
func TestDocs(t *testing.T) {
	t.Parallel()
	doc := string(read(t, "../../docs/sqlite.md"))
	var queries []string
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(doc, -1) {
		queries = append(queries, block[1])
	}
	if len(queries) < 20 {
		t.Errorf("%d queries, want at least 20", len(queries))
	}
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	for part := range slices.Chunk(sinktest.NewMaker(21).Take(2500), 500) {
		apply(t, s, part...)
	}
	apply(t, s, sinktest.Memories()...)
	apply(t, s, talks()...)
	known := map[string]any{
		"project": "/home/dev/work/orders", "session": "session-00000010", "words": "database", "since": "2025-06-01",
		"path": ask[string](t, dir, "SELECT path FROM file_history WHERE relation = 'produced' LIMIT 1")[0],
		"id":   ask[string](t, dir, "SELECT to_id FROM edges LIMIT 1")[0],
	}
	db := connect(t, file(dir), "&mode=ro")
	for _, query := range queries {
		var args []any
		for name, value := range known {
			if strings.Contains(query, ":"+name) {
				args = append(args, sql.Named(name, value))
			}
		}
		rows, err := db.QueryContext(t.Context(), query, args...)
		if err != nil {
			t.Errorf("%s%v", query, err)
			continue
		}
		if !rows.Next() {
			t.Errorf("%sfinds nothing: %v", query, rows.Err())
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDocsNameAll wants every column, table and view to be described.
func TestDocsNameAll(t *testing.T) {
	doc := string(read(t, "../../docs/sqlite.md"))
	dir := t.TempDir()
	open(t, dir, sqlite.Options{})
	for _, query := range []string{
		"SELECT name FROM pragma_table_info('nodes') UNION SELECT name FROM pragma_table_info('search')" +
			" UNION SELECT name FROM pragma_table_info('messages') UNION SELECT name FROM pragma_table_info('talks') UNION SELECT name FROM pragma_table_info('usage')",
		"SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'search\\_%' ESCAPE '\\' AND name NOT LIKE 'words\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
	} {
		for _, name := range ask[string](t, dir, query) {
			if !strings.Contains(doc, "`"+name+"`") {
				t.Errorf("docs/sqlite.md does not say what %s is", name)
			}
		}
	}
	if _, err := os.Stat("../../docs/schema/node.v1.json"); err != nil {
		t.Error(err)
	}
}
