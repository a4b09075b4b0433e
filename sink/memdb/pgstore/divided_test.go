package pgstore_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// TestDivide divides the tables of a database in which everything has happened: all is as it was
// entered, new things are written, and a search of one namespace looks at one part of a table.
func TestDivide(t *testing.T) {
	server := postgres.Start(t)
	url := server.Database()
	dir := populated(t, url)
	conn := connect(t, url)
	if _, err := conn.Exec(t.Context(), scriptOf(t, partitions)); err != nil {
		t.Fatal(err)
	}
	s := open(t, url, dir)
	whole(t, s, 10)
	if _, err := s.Write(t.Context(), "team", note("since", "divided")); err != nil {
		t.Error(err)
	}
	if a, err := s.Search(t.Context(), api.SearchRequest{Namespaces: []string{"team"}, Query: "divided"}); err != nil || len(a.Memories) != 1 {
		t.Errorf("%d found, %v", len(a.Memories), err)
	}
	whole(t, s, 11)
	var plan strings.Builder
	rows, err := conn.Query(t.Context(), "EXPLAIN SELECT record FROM versions WHERE namespace = 'team' AND valid > 0")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(line + "\n")
	}
	if n := strings.Count(plan.String(), " on versions_"); n != 1 {
		t.Errorf("a search looks at %d parts:\n%s", n, plan.String())
	}
}

// TestForeignPart has somebody put a trigger on a part of a divided table.
func TestForeignPart(t *testing.T) {
	server := postgres.Start(t)
	url, dir := server.Database(), t.TempDir()
	s := open(t, url, dir)
	conn := connect(t, url)
	if _, err := conn.Exec(t.Context(), scriptOf(t, partitions)); err != nil {
		t.Fatal(err)
	}
	if report, err := s.Verify(t.Context()); err != nil || !report.OK {
		t.Errorf("divided: %+v, %v", report, err)
	}
	if _, err := conn.Exec(t.Context(), `CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
		CREATE TRIGGER swallow BEFORE INSERT ON memories_3 FOR EACH ROW EXECUTE FUNCTION swallow()`); err != nil {
		t.Fatal(err)
	}
	report, err := s.Verify(t.Context())
	if err != nil || report.OK || !strings.Contains(report.Fault.Detail, "trigger swallow on memories_3") {
		t.Errorf("%+v, %v", report, err)
	}
}
