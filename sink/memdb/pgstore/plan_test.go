package pgstore_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// TestUncountedNamespace changes memories of a namespace that has just been filled, so
// that the server has not counted its rows and takes it for small: only what is changed
// is read, not the namespace.
func TestUncountedNamespace(t *testing.T) {
	server := postgres.Start(t, "autovacuum=off")
	url := server.Database()
	conn := connect(t, url)
	const many, few = 6000, 300
	write := func(from, to int, text string) {
		t.Helper()
		s, err := pgstore.Open(t.Context(), url, options(""))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = s.PutNamespace(t.Context(), "team", api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
		for i := from; i < to; i += few {
			var some []api.MemoryWrite
			for k := i; k < min(i+few, to); k++ {
				some = append(some, note(fmt.Sprint("m", k), fmt.Sprintf("%s %d", text, k))...)
			}
			if _, err := s.Write(t.Context(), "team", some); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write(0, many, "content of")
	before := rowsRead(t, conn)
	write(many-few, many, "another content of")
	for table, n := range rowsRead(t, conn) {
		if n -= before[table]; n > 6*few {
			t.Errorf("to change %d memories of %d, %d rows of %s were read", few, many, n, table)
		}
	}
}

// rowsRead are the rows of each table that were read, by whoever is gone by now.
func rowsRead(t *testing.T, conn *pgx.Conn) map[string]int {
	t.Helper()
	for left := 1; left > 0; { // what a connection has read counts when it has ended
		err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'memscribe'").Scan(&left)
		if err != nil {
			t.Fatal(err)
		}
	}
	rows, err := conn.Query(t.Context(), "SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	var table string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&table, &n}, func() error {
		all[table] = n
		return nil
	})
	if err != nil || all["chains"] == 0 {
		t.Fatalf("%v, %v", all, err)
	}
	return all
}
