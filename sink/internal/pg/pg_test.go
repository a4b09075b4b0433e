package pg_test

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/testkit/postgres"
)

func dial(t *testing.T, url string) *pg.Pool {
	t.Helper()
	pool, err := pg.Dial(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// hard are texts that a form of arrays or of COPY could take for something else.
func hard() []string {
	return []string{"", "NULL", `\N`, `\.`, `"`, `\`, `{a,"b"}`, "tab\tline\nend\r", "'", "ünïcode 🎈", " ", strings.Repeat(`\"`, 3000)}
}

// TestValues sends values of every kind there and back, alone and in arrays.
func TestValues(t *testing.T) {
	pool := dial(t, postgres.Start(t).Database())
	for _, text := range hard() {
		var is, first string
		err := pool.QueryRow(t.Context(), "SELECT $1::text, ($2::text[])[2]", text, []string{"x", text}).Scan(&is, &first)
		if err != nil || is != text || first != text {
			t.Errorf("%q: %q, %q, %v", text, is, first, err)
		}
	}
	var (
		least, small, two int64
		whole             int
		yes, no           bool
		raw, none, other  []byte
		null, some        *string
		number            *int64
		flag              *bool
	)
	err := pool.QueryRow(t.Context(), `SELECT $1::bigint, 7::int, (-2)::smallint, $2::int, $3::bool, false, $4::bytea, NULL::bytea, ($5::bytea[])[1],
		$6::text, ($7::text[])[2], ($8::bigint[])[2], ($9::bigint[])[1] = 5`,
		int64(-1<<63), 5, true, []byte{0, 255, '\\'}, [][]byte{{0, '"'}}, (*string)(nil), []*string{nil, new("a")}, []*int64{nil, new(int64(3))}, []int64{5}).
		Scan(&least, &small, &two, &whole, &yes, &no, &raw, &none, &other, &null, &some, &number, &flag)
	is := []any{least, small, two, whole, yes, no, raw, none, other, null, some, number, flag}
	want := []any{
		int64(-1 << 63), int64(7), int64(-2), 5, true, false,
		[]byte{0, 255, '\\'},
		[]byte(nil),
		[]byte{0, '"'},
		(*string)(nil), new("a"), new(int64(3)), new(true),
	}
	if err != nil || !reflect.DeepEqual(is, want) {
		t.Errorf("%v, %v; want %v", is, err, want)
	}
}

// TestRefused is about values that do not fit: they are an error and leave the connection
// as it was.
func TestRefused(t *testing.T) {
	pool := dial(t, postgres.Start(t).Database()+"&pool_max_conns=1")
	var text string
	var number int64
	for want, err := range map[string]error{
		"NULL":         pool.QueryRow(t.Context(), "SELECT NULL::text").Scan(&text),
		"no number":    pool.QueryRow(t.Context(), "SELECT 'abc'::text").Scan(&number),
		"2 values":     pool.QueryRow(t.Context(), "SELECT 1, 2").Scan(&number),
		"float64":      pool.QueryRow(t.Context(), "SELECT $1::int", 1.5).Scan(&number),
		"takes no":     pool.QueryRow(t.Context(), "SELECT 1").Scan(&struct{}{}),
		"no rows":      pool.QueryRow(t.Context(), "SELECT 1 WHERE false").Scan(&number),
		"by zero":      pool.QueryRow(t.Context(), "SELECT 1 / $1::int", 0).Scan(&number),
		"syntax":       pool.Exec(t.Context(), "SELEKT $1::int", 1),
		"not exist":    pool.Exec(t.Context(), "DROP TABLE none"),
		"UTF8\": 0x00": pool.QueryRow(t.Context(), "SELECT $1::text", "\x00").Scan(&text),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if err := pool.QueryRow(t.Context(), "SELECT 5").Scan(&number); err != nil || number != 5 {
		t.Errorf("afterwards: %d, %v", number, err)
	}
}

// TestCopy adds rows by COPY and reads them back.
func TestCopy(t *testing.T) {
	pool := dial(t, postgres.Start(t).Database())
	if err := pool.Exec(t.Context(), "CREATE TABLE t (n bigint, a text, b bytea, c boolean); CREATE TABLE u (n bigint)"); err != nil {
		t.Fatal(err)
	}
	var rows [][]any
	for i, text := range hard() {
		rows = append(rows, []any{int64(i), text, []byte(text), i%2 == 0})
	}
	rows = append(rows, []any{int64(len(rows)), nil, nil, nil})
	err := pg.Transact(t.Context(), pool, func(ctx context.Context, tx pg.Tx) error {
		return tx.Copy(ctx, "t", []string{"n", "a", "b", "c"}, rows)
	})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := pool.Query(t.Context(), "SELECT n, a, b, c FROM t ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	var (
		n int64
		a *string
		b []byte
		c *bool
	)
	err = pg.ForEachRow(answer, []any{&n, &a, &b, &c}, func() error {
		is, want := []any{n, nil, nil, nil}, rows[n]
		if a != nil {
			is = []any{n, *a, b, *c}
		}
		if !reflect.DeepEqual(is, want) {
			t.Errorf("%q, want %q", is, want)
		}
		return nil
	})
	if err != nil || int(n) != len(rows)-1 {
		t.Errorf("%d, %v", n, err)
	}
}

// TestTransactions is about what counts: all of a transaction or nothing, also of a batch,
// and nothing of one whose failure was passed over.
func TestTransactions(t *testing.T) {
	pool := dial(t, postgres.Start(t).Database()+"&pool_max_conns=1")
	if err := pool.Exec(t.Context(), "CREATE TABLE t (n bigint PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	batch := func(numbers ...int64) func(context.Context, pg.Tx) error {
		return func(ctx context.Context, tx pg.Tx) error {
			var b pg.Batch
			for _, n := range numbers {
				b.Queue("INSERT INTO t VALUES ($1)", n)
			}
			return tx.Send(ctx, &b)
		}
	}
	if err := pg.Transact(t.Context(), pool, batch(1, 2)); err != nil {
		t.Error(err)
	}
	if err := pg.Transact(t.Context(), pool, batch(3, 2, 4)); err == nil || !strings.Contains(err.Error(), "duplicate key") {
		t.Error(err)
	}
	err := pg.Transact(t.Context(), pool, func(ctx context.Context, tx pg.Tx) error {
		_ = batch(5, 5)(ctx, tx) // its failure is passed over
		return nil
	})
	if err == nil || errors.Is(err, pg.ErrUnknown) {
		t.Errorf("a commit that was none: %v", err)
	}
	if err := pg.Look(t.Context(), pool, batch(6)); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a look that writes: %v", err)
	}
	rows, err := pool.Query(t.Context(), "SELECT n::text FROM t ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	if is, err := pg.Texts(rows); err != nil || strings.Join(is, " ") != "1 2" {
		t.Errorf("%v, %v; want 1 2", is, err)
	}
}

// TestStatements is about what the server keeps of statements: as many as may be, and when
// it has forgotten them another connection takes the place of this one.
func TestStatements(t *testing.T) {
	pool := dial(t, postgres.Start(t).Database()+"&pool_max_conns=1")
	kept := func() (n int64) {
		t.Helper()
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_prepared_statements").Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	for i := range 300 {
		var n int64
		if err := pool.QueryRow(t.Context(), "SELECT $1::bigint + "+strconv.Itoa(i), int64(1)).Scan(&n); err != nil || n != int64(i)+1 {
			t.Fatalf("%d: %d, %v", i, n, err)
		}
	}
	if n := kept(); n != 256 {
		t.Errorf("%d statements are kept", n)
	}
	if err := pool.Exec(t.Context(), "DEALLOCATE ALL"); err != nil {
		t.Fatal(err)
	}
	var n int64
	if err := pool.QueryRow(t.Context(), "SELECT $1::bigint + 0", int64(1)).Scan(&n); err == nil {
		t.Error("a statement that was forgotten is run")
	}
	if n := kept(); n != 1 {
		t.Errorf("afterwards %d statements are kept", n)
	}
	for _, change := range []string{"CREATE TABLE t AS SELECT 1::bigint AS n", "DROP TABLE t", "CREATE TABLE t AS SELECT 2::bigint AS m, 3::bigint AS n"} {
		if err := pool.Exec(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		if change == "DROP TABLE t" {
			continue
		}
		err := pool.QueryRow(t.Context(), "SELECT * FROM t").Scan(&n)
		if (err == nil) != (n == 1) {
			t.Errorf("%s: %d, %v", change, n, err)
		}
		n = 0
	}
	if err := pool.QueryRow(t.Context(), "SELECT n FROM t").Scan(&n); err != nil || n != 3 {
		t.Errorf("afterwards: %d, %v", n, err)
	}
}

// TestNothingKept is about connections behind a proxy: the server keeps no statement of them,
// not of a batch either.
func TestNothingKept(t *testing.T) {
	url := postgres.Start(t).Database() + "&pool_max_conns=1&"
	for _, setting := range []string{"default_query_exec_mode=exec", "statement_cache_capacity=0"} {
		pool := dial(t, url+setting)
		err := pg.Transact(t.Context(), pool, func(ctx context.Context, tx pg.Tx) error {
			var b pg.Batch
			b.Queue("SELECT $1::bigint", int64(1))
			return tx.Send(ctx, &b)
		})
		if err != nil {
			t.Fatal(err)
		}
		var sum, kept int64
		if err := pool.QueryRow(t.Context(), "SELECT $1::bigint + 1, (SELECT count(*) FROM pg_prepared_statements)", int64(1)).Scan(&sum, &kept); err != nil || sum != 2 || kept != 0 {
			t.Errorf("%s: %d, %d are kept, %v", setting, sum, kept, err)
		}
	}
}

// TestListen hears what is said on a channel, in its order, also after a wait that was in
// vain, and nothing of other channels.
func TestListen(t *testing.T) {
	pool := dial(t, postgres.Start(t).Database())
	l, err := pool.Listen(t.Context(), "news")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if text, err := l.Wait(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait in vain: %q, %v", text, err)
	}
	if err := l.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := pool.Exec(t.Context(), "NOTIFY olds, 'x'; NOTIFY news, 'a'; NOTIFY news, 'b'"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a", "b"} {
		if is, err := l.Wait(t.Context()); err != nil || is != want {
			t.Fatalf("%q, %v; want %q", is, err, want)
		}
	}
	if _, err := pool.Listen(t.Context(), "'"); !pg.Unable(err) {
		t.Errorf("no name of a channel: %v", err)
	}
	err = pg.Transact(pg.With(t.Context(), "team.name", "it's"), pool, func(ctx context.Context, tx pg.Tx) error {
		var is string
		err := tx.QueryRow(ctx, "SELECT current_setting('team.name')").Scan(&is)
		if err == nil && is != "it's" {
			t.Errorf("a setting of a transaction is %q", is)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestPool is about the settings of a pool: they bound it and are not told to the server.
func TestPool(t *testing.T) {
	server := postgres.Start(t)
	pool := dial(t, server.Database()+"&pool_max_conns=2&pool_min_conns=1&statement_timeout=123")
	var said string
	if err := pool.QueryRow(t.Context(), "SHOW statement_timeout").Scan(&said); err != nil || said != "123ms" {
		t.Errorf("%q, %v", said, err)
	}
	var open []*pg.Rows
	for range 2 {
		rows, err := pool.Query(t.Context(), "SELECT 1")
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, rows)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pool.Query(ctx, "SELECT 1"); !errors.Is(err, context.Canceled) {
		t.Errorf("a third connection of two: %v", err)
	}
	for _, rows := range open {
		rows.Close()
		rows.Close()
	}
	for _, most := range []string{"0", "-1", "many", "99999999999"} {
		if _, err := pg.Dial(t.Context(), server.URL("postgres")+"&pool_max_conns="+most); err == nil || !strings.Contains(err.Error(), "pool_max_conns") {
			t.Errorf("pool_max_conns=%s: %v", most, err)
		}
	}
}
