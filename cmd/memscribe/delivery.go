package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// sinkKind is a value of --sink: a kind of sink and how commands use one.
type sinkKind struct {
	name    string
	file    string   // in the data folder, where nodes go by default
	endings []string // of names that can only mean this kind
	stream  bool     // can be written to standard output

	follow useSink // for nodes that come and change
	fill   useSink // for those of a replay
}

// useSink opens the sink of a target, has use deliver to it and closes it. An
// error means that not all that was delivered may be there.
type useSink func(ctx context.Context, a *app, to target, use func(sink.Sink) error) error

// sinkKinds are all values of --sink.
func sinkKinds() []sinkKind {
	return []sinkKind{
		{
			name: "ndjson", file: "nodes.ndjson", endings: []string{".ndjson", ".jsonl", ".json"}, stream: true,
			follow: appendLines, fill: writeSorted,
		},
		{
			name: databaseKind, file: "nodes.db", endings: []string{".db", ".sqlite", ".sqlite3"},
			follow: followInDatabase, fill: intoDatabase(sqlite.Options{Bulk: true}),
		},
		{name: memdbKind, file: "memories.db", follow: followInMemDB, fill: intoMemDB},
	}
}

// databaseKind is what memscribe query reads.
const databaseKind = "sqlite"

func kindNames() []string {
	var names []string
	for _, k := range sinkKinds() {
		names = append(names, k.name)
	}
	return names
}

func knownKinds() string { return strings.Join(kindNames(), ", ") }

// delivery are the flags about where nodes go.
type delivery struct {
	kind string
	out  string

	memdb memdbFlags
	usual sinkRule
}

// sinkRule is where a command delivers that was not told otherwise.
type sinkRule struct {
	kind   string
	stream bool // to standard output where the kind can be written there
}

func (d *delivery) addFlags(cmd *cobra.Command, usual sinkRule) {
	d.usual = usual
	cmd.Flags().StringVar(&d.kind, "sink", "",
		"what to write, of "+knownKinds()+" (default: what the name of --out ends in, else "+usual.kind+")")
	place := "a file in your data folder"
	if usual.stream {
		place = "-, or for a database a file in your data folder"
	}
	cmd.Flags().StringVar(&d.out, "out", "", "where to write; - is standard output (default: "+place+")")
	d.memdb.addFlags(cmd)
}

// addWatchFlags adds the flags about where watch keeps nodes.
func (d *delivery) addWatchFlags(cmd *cobra.Command) {
	d.addFlags(cmd, sinkRule{kind: databaseKind})
	cli.Configurable(cmd, "sink", "sink.kind", kindNames()...)
	cli.ConfigurablePath(cmd, "out", "sink.out")
	d.memdb.configure(cmd)
}

// target is where a command delivers.
type target struct {
	sinkKind

	out   string
	memdb memdbFlags
	mark  string // what was noted of what it holds
	waits bool   // for what keeps it from being opened, if that may pass by itself
	again bool   // it was written to by this process before
}

// target works out what the flags mean. What has not been redacted goes to
// standard output and nowhere else.
func (d *delivery) target(a *app, p privacy) (target, error) {
	kind, err := d.sinkKind()
	if err != nil {
		return target{}, err
	}
	t := target{sinkKind: kind, out: d.out, memdb: d.memdb}
	if kind.name == memdbKind || d.memdb.url != "" {
		return t, t.aimAtMemDB(a, p)
	}
	if t.out == "" && d.usual.stream && kind.stream {
		t.out = "-"
	}
	if p.noRedact && (!kind.stream || t.out != "-") {
		return target{}, cli.Usagef("--no-redact is only for --sink ndjson --out -")
	}
	if t.out == "-" && !kind.stream {
		return target{}, cli.Usagef("--sink %s cannot write to standard output; --out names its file", kind.name)
	}
	if t.out == "" && d.usual.stream && kind.name == databaseKind {
		t.out, err = a.database("") // add to what watch keeps
		return t, err
	}
	if t.out == "" {
		dir, err := a.DataDir()
		if err != nil {
			return target{}, fmt.Errorf("find data folder: %w", err)
		}
		t.out = filepath.Join(dir, kind.file)
	}
	return t, nil
}

// sinkKind is the kind that is asked for: by name, or by where it is to go.
func (d *delivery) sinkKind() (sinkKind, error) {
	fits := func(k sinkKind) bool { return k.name == d.kind }
	kinds := sinkKinds()
	if d.kind == "" {
		fits = func(k sinkKind) bool {
			return d.out == "-" && k.stream || slices.Contains(k.endings, filepath.Ext(d.out))
		}
		if !slices.ContainsFunc(kinds, fits) {
			fits = func(k sinkKind) bool { return k.name == d.usual.kind }
		}
	}
	i := slices.IndexFunc(kinds, fits)
	if i < 0 {
		return sinkKind{}, cli.Usagef("unknown sink %q; known are %s", d.kind, knownKinds())
	}
	return kinds[i], nil
}

// intoDatabase keeps nodes in a database.
func intoDatabase(o sqlite.Options) useSink {
	return func(ctx context.Context, a *app, to target, use func(sink.Sink) error) error {
		if err := a.Private(to.out, ""); err != nil {
			return err
		}
		s, err := sqlite.Open(ctx, to.out, o)
		if err != nil {
			return err
		}
		a.sayMended(to.out, s.Mended())
		err = deliver(s, use)
		if n := s.LeftOut(); n > 0 {
			a.Logger().Info("left out what is older than the database keeps; see memscribe prune --readmit", slog.Int64("nodes", n))
		}
		return err
	}
}

// followInDatabase keeps nodes in a database as they come.
func followInDatabase(ctx context.Context, a *app, to target, use func(sink.Sink) error) error {
	open := func(ctx context.Context) (sink.Sink, error) {
		s, err := sqlite.Open(ctx, to.out, sqlite.Options{})
		if err != nil {
			return nil, err
		}
		a.sayMended(to.out, s.Mended())
		return s, nil
	}
	return a.patiently(ctx, to, open, use)
}

// sayMended says which indexes of a database were missing and were made again.
func (a *app) sayMended(database string, indexes []string) {
	if len(indexes) > 0 {
		a.Logger().Warn("indexes were missing; they were made again", slog.String("database", database), slog.Any("indexes", indexes))
	}
}

// deliver has use deliver to a sink, and closes it.
func deliver(s sink.Sink, use func(sink.Sink) error) error { return errors.Join(use(s), s.Close()) }

// appendLines adds nodes to a log as they come.
func appendLines(ctx context.Context, a *app, to target, use func(sink.Sink) error) error {
	if to.out == "-" {
		return use(ndjson.NewLog(a.Stdout.Data()))
	}
	open := func(context.Context) (sink.Sink, error) { return ndjson.Resume(to.out, to.mark) }
	if !isKept(to.out) {
		l, err := open(ctx)
		if err != nil {
			return err
		}
		return deliver(l, use)
	}
	return a.patiently(ctx, to, open, use)
}

// writeSorted writes each node once, in order.
func writeSorted(_ context.Context, a *app, to target, use func(sink.Sink) error) error {
	return writeOut(a.Stdout.Data(), to.out, func(w io.Writer) error { return deliver(ndjson.NewSorted(w), use) })
}

// writeOut has write write to where the user wants it. A file that is there
// already is replaced once the new one is complete.
func writeOut(stdout io.Writer, out string, write func(io.Writer) error) error {
	if out == "-" {
		return write(stdout)
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(out, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("open output: %w", err)
		}
		return errors.Join(write(f), f.Close())
	}
	return replaceFile(out, write)
}

// replaceFile writes a file that only its owner can read.
func replaceFile(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	if err = errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return errors.Join(fmt.Errorf("replace output: %w", err), os.Remove(f.Name()))
	}
	return nil
}
