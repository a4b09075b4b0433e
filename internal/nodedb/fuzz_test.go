package nodedb_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// FuzzTampered asks a database of nodes in which bytes were changed, its schema among them: of every
// five of the fuzzer's, four say where and one is what stands there. It is refused or answers, ends, and
// is not changed by it.
func FuzzTampered(f *testing.F) {
	path := filepath.Join(f.TempDir(), "nodes.db")
	s, err := sqlite.Open(f.Context(), path, sqlite.Options{})
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(s.Apply(f.Context(), sinktest.NewMaker(3).Take(60)), s.Close()); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Logf("%d bytes", len(whole))
	f.Add([]byte{})
	for _, at := range []uint32{28, 44, 60, 103, 105, 2000, 4099, 65536} {
		f.Add(append(binary.BigEndian.AppendUint32(nil, at), 5))
	}
	for _, word := range []string{"CREATE TABLE", "CREATE INDEX", "CREATE VIRTUAL", "memscribe.node"} {
		if at := bytes.Index(whole, []byte(word)); at >= 0 {
			f.Add(append(binary.BigEndian.AppendUint32(nil, uint32(at)), 'D'))
		}
	}
	f.Fuzz(func(t *testing.T, changes []byte) {
		b := bytes.Clone(whole)
		for ; len(changes) >= 5; changes = changes[5:] {
			b[binary.BigEndian.Uint32(changes)%uint32(len(b))] = changes[4]
		}
		path := filepath.Join(t.TempDir(), "nodes.db")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := nodedb.Open(t.Context(), path)
		if err != nil {
			return
		}
		page := nodedb.Page{Limit: 10}
		_, _ = r.Decisions(t.Context(), nodedb.Filter{}, page)
		_, _ = r.Newest(t.Context(), nodedb.Filter{}, page)
		_, _ = r.Search(t.Context(), nodedb.Filter{Text: "store"}, page)
		_ = r.Each(t.Context(), func(string, []byte) error { return nil })
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, b) {
			t.Fatalf("it is changed: %v", err)
		}
	})
}
