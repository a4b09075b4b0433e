package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// memdbKind is the kind of sink that keeps nodes as memories.
const memdbKind = "memdb"

// memdbFlags say which MemDB is meant.
type memdbFlags struct {
	url, namespace, tokenFile string
}

func (m *memdbFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.url, "memdb-url", "", "send nodes to the MemDB at this address, as http://127.0.0.1:7475; implies --sink memdb")
	cmd.Flags().StringVar(&m.namespace, "memdb-namespace", "captured", "namespace of MemDB to which nodes go")
	cmd.Flags().StringVar(&m.tokenFile, "memdb-token-file", "", "file with the token of that MemDB")
}

func (m *memdbFlags) configure(cmd *cobra.Command) {
	cli.Configurable(cmd, "memdb-url", "memdb.url")
	cli.Configurable(cmd, "memdb-namespace", "memdb.namespace")
	cli.ConfigurablePath(cmd, "memdb-token-file", "memdb.token_file")
}

// aimAtMemDB makes the target a store or, with an address, the spool of what is
// on its way there.
func (t *target) aimAtMemDB(a *app, p privacy) error {
	if p.noRedact {
		return cli.Usagef("--no-redact is only for --sink ndjson --out -")
	}
	if err := api.CheckNamespaceName(t.memdb.namespace); err != nil {
		return cli.Usagef("--memdb-namespace: %w", err)
	}
	for _, k := range sinkKinds() {
		if k.name == memdbKind {
			t.sinkKind = k
		}
	}
	switch {
	case t.memdb.url != "" && t.out != "":
		return cli.Usagef("--out is the file of a database; with --memdb-url nodes go to a server")
	case t.out == "-":
		return cli.Usagef("--sink memdb cannot write to standard output; --out names its file")
	case t.memdb.url != "":
		return t.aimAtServer(a)
	case t.out == "":
		dir, err := a.DataDir()
		if err != nil {
			return fmt.Errorf("find data folder: %w", err)
		}
		t.out = filepath.Join(dir, t.file)
	}
	return nil
}

// aimAtServer gives each server and namespace a spool of its own.
func (t *target) aimAtServer(a *app) error {
	u, err := url.Parse(t.memdb.url)
	if err != nil || u.Host == "" || u.User != nil {
		return cli.Usagef("--memdb-url is http://host:port or https://host:port")
	}
	dir, err := a.StateDir(a.StateFolder)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	t.out = filepath.Join(dir, "memdb-"+shortSum(t.memdb.url+"\x00"+t.memdb.namespace), "memdb.spool")
	return nil
}

func shortSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// memdbState is the folder of the key and the checkpoint of a database.
func (a *app) memdbState(database, stateDir string) (string, error) {
	path, err := filepath.Abs(database)
	if err != nil {
		return "", err
	}
	dir, err := a.StateDir(stateDir)
	if err != nil {
		return "", fmt.Errorf("find state folder: %w", err)
	}
	return filepath.Join(dir, "memdb-"+shortSum(path)), nil
}

// readToken reads the token of a server.
func readToken(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	return local.ReadToken(name)
}

// openMemDB opens the store or the way to the server. With patience, what is
// flushed has arrived.
func (a *app) openMemDB(ctx context.Context, to target, patience time.Duration) (sink.Sink, error) {
	if to.memdb.url == "" {
		state, err := a.memdbState(to.out, a.StateFolder)
		if err != nil {
			return nil, err
		}
		return memdb.OpenEmbedded(ctx, memdb.EmbeddedOptions{
			Path: to.out, Namespace: to.memdb.namespace, Log: a.Logger(),
			Store: store.Options{Now: a.Now, Random: rand.Reader, StateDir: state}, // nodes come redacted
		})
	}
	token, err := readToken(to.memdb.tokenFile)
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Options{URL: to.memdb.url, Token: token})
	if err != nil {
		return nil, cli.Usage(err)
	}
	return memdb.OpenRemote(ctx, memdb.RemoteOptions{
		Client: c, Namespace: to.memdb.namespace, Dir: filepath.Dir(to.out), Log: a.Logger(), Patience: patience,
	})
}

// followInMemDB keeps nodes as memories as they come.
func followInMemDB(ctx context.Context, a *app, to target, use func(sink.Sink) error) error {
	open := func(ctx context.Context) (sink.Sink, error) { return a.openMemDB(ctx, to, 0) }
	return a.patiently(ctx, to, open, use)
}

// arrival is how long a replay waits for a server that takes nothing.
const arrival = 30 * time.Second

// intoMemDB keeps the nodes of a replay as memories, each once and in order, so
// that whatever stopped an earlier replay, the chain has one entry for each.
func intoMemDB(ctx context.Context, a *app, to target, use func(sink.Sink) error) error {
	if err := a.Private(to.out, ""); err != nil {
		return err
	}
	inner, err := a.openMemDB(ctx, to, arrival)
	if err != nil {
		return err
	}
	w := &lineSink{apply: func(lines []sink.Line) error { return inner.Apply(ctx, lines) }}
	s := &sortedSink{Sorted: ndjson.NewSorted(w), inner: inner}
	return errors.Join(use(s), s.Close(), inner.Close())
}

// sortedSink hands nodes on, sorted, when it is flushed.
type sortedSink struct {
	*ndjson.Sorted

	inner sink.Sink
}

// Flush implements [sink.Sink].
func (s *sortedSink) Flush(ctx context.Context) error {
	if err := s.Sorted.Flush(ctx); err != nil {
		return err
	}
	return s.inner.Flush(ctx)
}

// lineSink makes nodes of the lines that are written to it.
type lineSink struct {
	apply func([]sink.Line) error
	rest  []byte
	doc   jsondoc.Doc
}

// Write implements [io.Writer].
func (l *lineSink) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	end := bytes.LastIndexByte(l.rest, '\n') + 1
	var lines []sink.Line
	for line := range bytes.Lines(l.rest[:end]) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if _, err := l.doc.Parse(line); err != nil {
			return 0, fmt.Errorf("read node: %w", err)
		}
		lines = append(lines, sink.Line{ID: l.doc.Root().Get("id").Str(), Kind: l.doc.Root().Get("node").Str(), JSON: line})
	}
	if err := l.apply(lines); err != nil {
		return 0, err
	}
	l.rest = append(l.rest[:0], l.rest[end:]...)
	return len(p), nil
}
