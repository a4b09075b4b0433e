package memdb_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

func file(dir string) string { return filepath.Join(dir, "memories.db") }

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func storeOptions(dir string) store.Options {
	return store.Options{Now: time.Now, Random: rand.Reader, StateDir: filepath.Join(dir, "state")}
}

func openEmbedded(ctx context.Context, dir string) (*memdb.Embedded, error) {
	return memdb.OpenEmbedded(ctx, memdb.EmbeddedOptions{Path: file(dir), Namespace: "captured", Store: storeOptions(dir), Log: silent()})
}

func TestSuiteEmbedded(t *testing.T) {
	sinktest.Suite{
		Open: func(ctx context.Context, dir string) (sink.Sink, error) { return openEmbedded(ctx, dir) },
		Read: nodes, AtOnce: true,
	}.Run(t)
}

// TestSuiteRemote runs the suite with a server in the same process: it ends with
// the sink, or is killed with it.
func TestSuiteRemote(t *testing.T) {
	sinktest.Suite{Open: openRemote, Read: nodes}.Run(t)
}

// served is a sink that brings its server.
type served struct {
	*memdb.Remote

	close func() error
}

func (s *served) Close() error {
	err := s.Remote.Close()
	if s.close != nil {
		err = errors.Join(err, s.close())
		s.close = nil
	}
	return err
}

func openRemote(ctx context.Context, dir string) (sink.Sink, error) {
	memories, err := store.Open(ctx, file(dir), storeOptions(dir))
	if err != nil {
		return nil, err
	}
	h := httptest.NewServer(server.New(server.Options{Store: memories, Version: "test", Own: own(dir), Log: silent(), Now: time.Now, Random: rand.Reader}))
	r, err := remote(ctx, h.URL, dir, func(o *memdb.RemoteOptions) { o.Patience = time.Minute })
	if err != nil {
		return nil, err
	}
	return &served{r, func() error { //nolint:contextcheck // what was opened is closed also when ctx has ended
		h.Close()
		return memories.Close()
	}}, nil
}

func remote(ctx context.Context, url, dir string, change func(*memdb.RemoteOptions)) (*memdb.Remote, error) {
	c, err := client.New(client.Options{URL: url, Own: own(dir)})
	if err != nil {
		return nil, err
	}
	o := memdb.RemoteOptions{Client: c, Namespace: "captured", Dir: spoolDir(dir), Log: silent(), Pause: time.Millisecond}
	if change != nil {
		change(&o)
	}
	return memdb.OpenRemote(ctx, o)
}

// own is what server and sink of a folder have in common.
func own(dir string) *access.Own { return access.NewOwn(dir + "-own") }

// spoolDir is beside the folder of the store: what is in it is on its way.
func spoolDir(dir string) string { return dir + "-spool" }

// nodes are those in the present versions of the memories.
func nodes(ctx context.Context, dir string) ([]string, error) {
	var all []string
	err := each(ctx, dir, func(m *api.Memory) { all = append(all, string(m.Node)) })
	return all, err
}

func each(ctx context.Context, dir string, f func(*api.Memory)) error {
	if _, err := os.Stat(file(dir)); err != nil {
		return nil // nothing was written yet
	}
	db, err := sql.Open("sqlite", "file:"+file(dir)+"?_pragma=busy_timeout(5000)&_pragma=query_only(on)")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT CAST(record AS BLOB) FROM memories JOIN versions USING (n) ORDER BY namespace, id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			json []byte
			m    api.Memory
		)
		if err := rows.Scan(&json); err != nil {
			return err
		}
		if err := api.Decode(json, &m); err != nil {
			return err
		}
		f(&m)
	}
	return rows.Err()
}
