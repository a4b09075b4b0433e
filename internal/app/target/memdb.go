package target

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

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// MemDB names a MemDB: a server by its URL, or a database in a file, with the namespace that
// memories go to.
type MemDB struct {
	URL       string // of a server; "" means a database in a file
	Namespace string
	TokenFile string
}

// aimAtMemDB makes the target a database of memories or, with a URL, the spool of memories that
// are on their way to that server.
func (t *Target) aimAtMemDB(noRedact bool) error {
	if noRedact {
		return usage.Errorf("--no-redact is only for --sink ndjson --out -")
	}
	if err := api.CheckNamespaceName(t.memdb.Namespace); err != nil {
		return usage.Errorf("--memdb-namespace: %w", err)
	}
	for _, k := range kinds() {
		if k.name == Memories {
			t.kind = k
		}
	}
	switch {
	case t.memdb.URL != "" && t.Out != "":
		return usage.Errorf("--out is the file of a database; with --memdb-url nodes go to a server")
	case t.Out == "-":
		return usage.Errorf("--sink memdb cannot write to standard output; --out names its file")
	case t.memdb.URL != "":
		return t.aimAtServer()
	case t.Out == "":
		dir, err := t.setup.DataDir()
		if err != nil {
			return fmt.Errorf("find data folder: %w", err)
		}
		t.Out = filepath.Join(dir, t.file)
	}
	return nil
}

// aimAtServer makes the target the spool of a server. Each server and namespace has a spool of
// its own.
func (t *Target) aimAtServer() error {
	u, err := url.Parse(t.memdb.URL)
	if err != nil || u.Host == "" || u.User != nil {
		return usage.Errorf("--memdb-url is http://host:port or https://host:port")
	}
	dir, err := t.setup.StateDir(t.setup.StateFolder)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	t.Out = filepath.Join(dir, "memdb-"+shortSum(t.memdb.URL+"\x00"+t.memdb.Namespace), "memdb.spool")
	return nil
}

// shortSum returns the first 16 hexadecimal digits of the SHA-256 of a text, for names of
// folders that must differ.
func shortSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// memoryState returns the folder that belongs to a database of memories: it has the signing key
// and the checkpoint. The same database by another path of the file system has another folder.
func memoryState(e host.Machine, database, stateDir string) (string, error) {
	path := pgstore.Shown(database)
	if !pgstore.IsURL(database) {
		var err error
		if path, err = filepath.Abs(database); err != nil {
			return "", err
		}
	}
	dir, err := e.StateDir(stateDir)
	if err != nil {
		return "", fmt.Errorf("find state folder: %w", err)
	}
	return filepath.Join(dir, "memdb-"+shortSum(path)), nil
}

// MemoryPlace is the place of a database of memories.
type MemoryPlace struct {
	Database string // a file, or the URL of a PostgreSQL; "" means memories.db in the data folder
	StateDir string
}

// Resolve returns the database and the folder of its key.
func (p *MemoryPlace) Resolve(e host.Machine) (database, state string, err error) {
	if database = p.Database; database == "" {
		if database, err = e.DataDir(); err != nil {
			return "", "", fmt.Errorf("find data folder: %w", err)
		}
		database = filepath.Join(database, "memories.db")
	}
	state, err = memoryState(e, database, p.StateDir)
	return database, state, err
}

// readToken reads the token of a server.
func readToken(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	return local.ReadToken(name)
}

// openMemDB opens the database, or the spool and the connection to the server. If patience is
// not 0, Flush waits so long for the server to accept everything.
func openMemDB(ctx context.Context, to Target, patience time.Duration) (sink.Sink, error) {
	if to.memdb.URL == "" {
		state, err := memoryState(to.setup.Machine, to.Out, to.setup.StateFolder)
		if err != nil {
			return nil, err
		}
		embedder, err := Embedder(to.setup)
		if err != nil {
			return nil, err
		}
		return memdb.OpenEmbedded(ctx, memdb.EmbeddedOptions{
			Path: to.Out, Namespace: to.memdb.Namespace, Log: to.setup.Logger(),
			// nodes are redacted already
			Store: store.Options{Now: to.setup.Now, Random: rand.Reader, StateDir: state, Embedder: embedder},
		})
	}
	c, err := Dial(to.setup, to.memdb)
	if err != nil {
		return nil, err
	}
	return memdb.OpenRemote(ctx, memdb.RemoteOptions{
		Client: c, Namespace: to.memdb.Namespace, Dir: filepath.Dir(to.Out), Log: to.setup.Logger(), Patience: patience,
	})
}

// Dial returns a client of a server, with its token or, for a server on this machine, with the
// proof that replaces a token. It sends nothing yet.
func Dial(a *setup.Setup, m MemDB) (*client.Client, error) {
	token, err := readToken(m.TokenFile)
	if err != nil {
		return nil, err
	}
	own, err := m.own(a)
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Options{URL: m.URL, Token: token, Own: own})
	if err != nil {
		return nil, usage.Mark(err)
	}
	return c, nil
}

// own returns the proof that a server on this machine accepts in place of a token: that both use
// the same state folder. It is nil for other servers.
func (m *MemDB) own(a *setup.Setup) (*access.Own, error) {
	u, err := url.Parse(m.URL)
	if err != nil || m.TokenFile != "" || !local.IsLoopback(u.Hostname()) {
		return nil, nil //nolint:nilnil,nilerr // a wrong address is refused elsewhere
	}
	dir, err := a.StateDir(a.StateFolder)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	return access.NewOwn(dir), nil
}

// followInMemDB delivers the nodes of a watch as memories.
func followInMemDB(ctx context.Context, to Target, use func(sink.Sink) error) error {
	open := func(ctx context.Context) (sink.Sink, error) { return openMemDB(ctx, to, 0) }
	return patiently(ctx, to, open, use)
}

// arrival is how long a replay waits for a server that does not accept anything.
const arrival = 30 * time.Second

// intoMemDB delivers the nodes of a replay as memories, each once and in canonical order. The
// chain then has one entry for each node, even if an earlier replay was interrupted. A server
// that does not answer within 30 seconds is an error.
func intoMemDB(ctx context.Context, to Target, use func(sink.Sink) error) error {
	if err := to.setup.Private(to.setup.Logger(), to.Out, ""); err != nil {
		return err
	}
	inner, err := openMemDB(ctx, to, arrival)
	if err != nil {
		return err
	}
	w := &lineSink{apply: func(lines []sink.Line) error { return inner.Apply(ctx, lines) }}
	s := &sortedSink{Sorted: ndjson.NewSorted(w), inner: inner}
	return errors.Join(use(s), s.Close(), inner.Close())
}

// sortedSink passes nodes on when it is flushed, sorted.
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

// lineSink is an io.Writer that passes each line written to it on as a node, so that sorted
// output can go to a sink of lines. Writes may end anywhere in a line. Sorted writes in blocks,
// so that the beginning of a line waits in rest for its end.
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
