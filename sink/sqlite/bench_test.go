package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

const (
	benchLines = 20_000
	benchBatch = 500
)

// BenchmarkApply gives the speed of the sink and, from the same run, batch by
// batch in turn, that of the bare driver: the same rows, with the same numbers,
// words, indexes, pragmas and batches, inserted by prepared statements and
// nothing else.
func BenchmarkApply(b *testing.B) {
	lines := sinktest.NewMaker(1).Take(benchLines)
	size := 0
	for i := range lines {
		size += len(lines[i].JSON)
	}
	b.Logf("%d lines of %d bytes", len(lines), size/len(lines))
	ns := numbers(b, lines)
	for name, o := range map[string]sqlite.Options{"watch": {}, "bulk": {Bulk: true}} {
		b.Run(name, func(b *testing.B) {
			var ours, bare cost
			for b.Loop() {
				s, d := openSink(b, o), openDriver(b, o)
				for batch := range slices.Chunk(lines, benchBatch) {
					nodes, found := values(b, batch, ns)
					ours.add(b, func() error { return s.Apply(b.Context(), batch) })
					bare.add(b, func() error { return d.apply(b.Context(), nodes, found) })
				}
				ours.add(b, func() error { return s.Flush(b.Context()) })
				bare.add(b, func() error { return d.flush(b.Context()) })
				if err := errors.Join(s.Close(), d.db.Close()); err != nil {
					b.Fatal(err)
				}
				sameTables(b, s.path, d.path)
			}
			rows := float64(b.N * len(lines))
			b.ReportMetric(rows/ours.wall.Seconds(), "rows/s")
			b.ReportMetric(rows/bare.wall.Seconds(), "bare-rows/s")
			b.ReportMetric(bare.wall.Seconds()/ours.wall.Seconds(), "of-bare")
			b.ReportMetric(bare.cpu.Seconds()/ours.cpu.Seconds(), "of-bare-cpu")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkRedeliver gives the speed for lines that are there already.
func BenchmarkRedeliver(b *testing.B) {
	lines := sinktest.NewMaker(1).Take(benchLines)
	s := openSink(b, sqlite.Options{})
	deliver := func() error {
		for batch := range slices.Chunk(lines, benchBatch) {
			if err := s.Apply(b.Context(), batch); err != nil {
				return err
			}
		}
		return s.Flush(b.Context())
	}
	var took cost
	took.add(b, deliver)
	took = cost{}
	for b.Loop() {
		took.add(b, deliver)
	}
	b.ReportMetric(float64(b.N*len(lines))/took.wall.Seconds(), "rows/s")
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// cost is what something takes: on a machine with other things to do, the time
// of the processor says more.
type cost struct{ wall, cpu time.Duration }

func (c *cost) add(b *testing.B, f func() error) {
	b.Helper()
	start, cpu := time.Now(), cpuTime()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	c.wall += time.Since(start)
	c.cpu += cpuTime() - cpu
}

type sinkAt struct {
	*sqlite.Sink

	path string
}

func openSink(b *testing.B, o sqlite.Options) sinkAt {
	b.Helper()
	path := file(b.TempDir())
	s, err := sqlite.Open(b.Context(), path, o)
	if err != nil {
		b.Fatal(err)
	}
	return sinkAt{s, path}
}

// numbers are those that the sink gives the lines.
func numbers(b *testing.B, lines []sink.Line) map[string]int64 {
	b.Helper()
	s := openSink(b, sqlite.Options{Bulk: true})
	if err := errors.Join(s.Apply(b.Context(), lines), s.Close()); err != nil {
		b.Fatal(err)
	}
	ids, err := column[string](b.Context(), s.path, "SELECT id FROM nodes ORDER BY n")
	if err != nil {
		b.Fatal(err)
	}
	ns, err := column[int64](b.Context(), s.path, "SELECT n FROM nodes ORDER BY n")
	if err != nil || len(ns) != len(lines) {
		b.Fatalf("%d of %d lines have numbers: %v", len(ns), len(lines), err)
	}
	of := map[string]int64{}
	for i, id := range ids {
		of[id] = ns[i]
	}
	return of
}

// sameTables makes sure that a race was run over the same course.
func sameTables(b *testing.B, x, y string) {
	b.Helper()
	for _, query := range []string{
		"SELECT count(*) || ' ' || sum(n % 1000003) || ' ' || sum(length(json)) FROM nodes",
		"SELECT count(*) || ' ' || sum(id % 1000003) || ' ' || sum(length(sz)) FROM search_docsize",
	} {
		ours, err := column[string](b.Context(), x, query)
		bare, err2 := column[string](b.Context(), y, query)
		if err := errors.Join(err, err2); err != nil || !slices.Equal(ours, bare) {
			b.Fatalf("%s: %v and %v, %v", query, ours, bare, err)
		}
	}
}

func values(b *testing.B, lines []sink.Line, ns map[string]int64) (nodes, found [][]any) {
	b.Helper()
	for i := range lines {
		node, words, err := sqlite.Values(lines[i], ns[lines[i].ID])
		if err != nil {
			b.Fatal(err)
		}
		nodes = append(nodes, node)
		if words != nil {
			found = append(found, words)
		}
	}
	return nodes, found
}

// bareDriver inserts into a database of the same schema. With late, words come
// last, as with Options.Bulk.
type bareDriver struct {
	path  string
	db    *sql.DB
	nodes *sql.Stmt
	words *sql.Stmt
	late  bool
	found [][]any
}

func openDriver(b *testing.B, o sqlite.Options) *bareDriver {
	b.Helper()
	path := file(b.TempDir())
	s, err := sqlite.Open(b.Context(), path, o) // makes the schema
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	pragmas := "_pragma=synchronous(normal)&_pragma=cache_size(-8192)"
	if o.Bulk {
		pragmas = "_pragma=synchronous(normal)&_pragma=cache_size(-32768)&_pragma=wal_autocheckpoint(8192)"
	}
	d := &bareDriver{path: path, late: o.Bulk}
	if d.db, err = sql.Open("sqlite", "file:"+path+"?"+pragmas); err != nil {
		b.Fatal(err)
	}
	d.db.SetMaxOpenConns(1)
	if d.nodes, err = d.db.Prepare(sqlite.InsertNode()); err != nil {
		b.Fatal(err)
	}
	if d.words, err = d.db.Prepare(sqlite.InsertWords()); err != nil {
		b.Fatal(err)
	}
	return d
}

func (d *bareDriver) apply(ctx context.Context, nodes, found [][]any) error {
	if d.late {
		d.found = append(d.found, found...)
		found = nil
	}
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		st   *sql.Stmt
		rows [][]any
	}{{tx.Stmt(d.nodes), nodes}, {tx.Stmt(d.words), found}} {
		for _, args := range part.rows {
			if _, err := part.st.Exec(args...); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}
	}
	return tx.Commit()
}

func (d *bareDriver) flush(ctx context.Context) error {
	if d.late {
		d.late = false
		if err := d.apply(ctx, nil, d.found); err != nil {
			return err
		}
	}
	_, err := d.db.ExecContext(ctx, "PRAGMA synchronous = full; PRAGMA application_id = 1298492783")
	return err
}
