package sqlite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestForeignSchema opens databases to which somebody has added something, or in
// which something was changed: each is refused, by who writes and by who reads,
// and what it is about is named.
func TestForeignSchema(t *testing.T) {
	for names, statement := range map[string]string{
		"trigger swallow": "CREATE TRIGGER swallow BEFORE INSERT ON nodes WHEN NEW.kind = 'decision' BEGIN SELECT RAISE(IGNORE); END",
		"trigger copy, table kept": `CREATE TABLE kept (json TEXT);
			CREATE TRIGGER copy BEFORE DELETE ON nodes BEGIN INSERT INTO kept VALUES (OLD.json); END`,
		"view mine":                            "CREATE VIEW mine AS SELECT * FROM nodes",
		"index mine":                           "CREATE UNIQUE INDEX mine ON nodes(session)",
		"view decisions":                       "DROP VIEW decisions; CREATE VIEW decisions AS SELECT * FROM nodes WHERE 0",
		"index nodes_kind":                     "DROP INDEX nodes_kind; CREATE INDEX nodes_kind ON nodes(session)",
		"view timeline":                        "DROP VIEW timeline",
		"table horizon":                        "DROP TABLE horizon",
		"table pending":                        "ALTER TABLE pending ADD COLUMN more TEXT",
		"table tally, table tally_0":           "ALTER TABLE tally RENAME TO tally_0",
		"trigger t00, trigger t09, and 2 more": many("CREATE TRIGGER t%d BEFORE DELETE ON nodes BEGIN SELECT 1; END;", 12),
	} {
		t.Run(names, func(t *testing.T) {
			dir := t.TempDir()
			if err := open(t, dir, sqlite.Options{}).Close(); err != nil {
				t.Fatal(err)
			}
			script(t, file(dir), statement)
			_, writes := sqlite.Open(t.Context(), file(dir), sqlite.Options{})
			_, reads := nodedb.Open(t.Context(), file(dir))
			for _, err := range []error{writes, reads} {
				if !sink.IsFault(err) {
					t.Fatalf("got %v", err)
				}
				for name := range strings.SplitSeq(names, ", ") {
					if !strings.Contains(err.Error(), name) {
						t.Errorf("%v does not name %s", err, name)
					}
				}
			}
		})
	}
}

// many is a statement so many times, with a number of two digits.
func many(statement string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(statement, "%d", string(rune('0'+i/10))+string(rune('0'+i%10))))
	}
	return b.String()
}

// TestMissingIndex drops every index: each is made again and named, and nodes are
// kept by their ids as before.
func TestMissingIndex(t *testing.T) {
	dir := t.TempDir()
	lines := sinktest.NewMaker(5).Take(20)
	s := open(t, dir, sqlite.Options{})
	apply(t, s, lines...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const query = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
	indexes := ask[string](t, dir, query)
	if len(indexes) < 10 {
		t.Fatalf("there are %d indexes", len(indexes))
	}
	for _, name := range indexes {
		script(t, file(dir), "DROP INDEX "+name)
	}
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatalf("a reader minds: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, sqlite.Options{})
	var made []string
	for _, name := range s.RebuiltIndexes() {
		made = append(made, strings.TrimPrefix(name, "index "))
	}
	if again := ask[string](t, dir, query); !slices.Equal(made, indexes) || !slices.Equal(again, indexes) {
		t.Errorf("made %v, there are %v, want %v", made, again, indexes)
	}
	apply(t, s, lines...)
	sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(lines))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if mended := open(t, dir, sqlite.Options{}).RebuiltIndexes(); len(mended) > 0 {
		t.Errorf("made %v once more", mended)
	}
}

// TestAnalyzed opens a database that somebody analysed: its statistics are
// SQLite's own.
func TestAnalyzed(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	script(t, file(dir), "ANALYZE; VACUUM")
	if mended := open(t, dir, sqlite.Options{}).RebuiltIndexes(); len(mended) > 0 {
		t.Errorf("made %v", mended)
	}
}
