package pgstore_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// TestForeignSchema has others put on the tables of a database of memories what acts whenever a row
// is written or read: it is named when the database is opened and when it is verified. What reads
// them alone, and the policies of docs/postgres/row-security.sql, are left alone.
func TestForeignSchema(t *testing.T) {
	server := postgres.Start(t)
	for named, statement := range map[string]string{
		"trigger copy on versions": `CREATE TABLE kept (record TEXT);
			CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO kept VALUES (OLD.record); RETURN OLD; END $$;
			CREATE TRIGGER copy BEFORE DELETE ON versions FOR EACH ROW EXECUTE FUNCTION keep()`,
		"trigger swallow on memories": `CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
			CREATE TRIGGER swallow BEFORE INSERT ON memories FOR EACH ROW EXECUTE FUNCTION swallow()`,
		"rule also on entries":    "CREATE TABLE kept (body TEXT); CREATE RULE also AS ON INSERT TO entries DO ALSO INSERT INTO kept VALUES (NEW.body)",
		"policy hide on memories": "ALTER TABLE memories ENABLE ROW LEVEL SECURITY; CREATE POLICY hide ON memories USING (id <> 'a')",
		"": `CREATE VIEW mine AS SELECT record FROM versions;
			CREATE POLICY memscribe_namespaces ON memories USING (true)`,
	} {
		t.Run(named, func(t *testing.T) {
			url, dir := server.Database(), t.TempDir()
			o := pgstore.Options{Now: time.Now, Random: rand.Reader, StateDir: dir}
			s, err := pgstore.Open(t.Context(), url, o)
			if err != nil {
				t.Fatal(err)
			}
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(t.Context())
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
			running, err := s.Verify(t.Context())
			if err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			report, err := pgstore.VerifyURL(t.Context(), url, pgstore.VerifyOptions{StateDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			again, err := pgstore.Open(t.Context(), url, o)
			if err == nil {
				t.Cleanup(func() { again.Close() })
			}
			if named == "" {
				if err != nil || !report.OK || !running.OK {
					t.Errorf("%v, %+v, %+v", err, report.Fault, running.Fault)
				}
				return
			}
			if !sink.IsFault(err) || !strings.Contains(err.Error(), named) {
				t.Errorf("opened: %v", err)
			}
			for _, f := range []bool{report.OK, running.OK} {
				if f {
					t.Errorf("verified: %+v, %+v", report, running)
				}
			}
			if f := report.Fault; f != nil && (f.Reason != record.SchemaMismatch || !strings.HasSuffix(f.Detail, named)) {
				t.Errorf("verified: %+v", f)
			}
		})
	}
}
