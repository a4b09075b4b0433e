package store_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// FuzzTampered opens a database of memories in which bytes were changed: of every five of the
// fuzzer's, four say where and one is what stands there. It is refused, or read without a fault of
// the program's; and where it is said to be whole, every memory says what was written.
func FuzzTampered(f *testing.F) {
	dir, said := f.TempDir(), map[string]string{}
	o := options(dir, newClock())
	s, err := store.Open(f.Context(), file(dir), o)
	if err != nil {
		f.Fatal(err)
	}
	var all []api.MemoryWrite
	for i := range 20 {
		id := fmt.Sprintf("memory-%d", i)
		said[id] = fmt.Sprintf("the store of number %d is under the old bridge", i)
		all = append(all, note(id, said[id]))
	}
	_, _, err = s.PutNamespace(f.Context(), "team", api.NamespacePut{})
	_, err2 := s.Write(f.Context(), "team", all)
	if err := errors.Join(err, err2, s.Checkpoint(f.Context()), s.Close()); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(file(dir))
	if err != nil {
		f.Fatal(err)
	}
	signed := map[string][]byte{}
	for _, name := range []string{"memdb.key", "memdb.checkpoint"} {
		if signed[name], err = os.ReadFile(filepath.Join(dir, "state", name)); err != nil {
			f.Fatal(err)
		}
	}
	f.Logf("%d bytes", len(whole))
	f.Add([]byte{})
	at := []int{28, 103, 4099}
	for _, word := range []string{"bridge", "memory-7", "CREATE INDEX", "team"} {
		at = append(at, bytes.LastIndex(whole, []byte(word)))
	}
	for _, n := range at {
		f.Add(append(binary.BigEndian.AppendUint32(nil, uint32(n)), 'x'))
	}
	f.Fuzz(func(t *testing.T, changes []byte) {
		dir, b := t.TempDir(), bytes.Clone(whole)
		for ; len(changes) >= 5; changes = changes[5:] {
			b[binary.BigEndian.Uint32(changes)%uint32(len(b))] = changes[4]
		}
		if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, content := range maps.All(signed) {
			if err := os.WriteFile(filepath.Join(dir, "state", name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file(dir), b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), file(dir), options(dir, newClock()))
		if err != nil {
			return
		}
		defer s.Close() // it may not be able to
		_, _ = s.Search(t.Context(), api.SearchRequest{Namespaces: []string{"team"}, Query: "bridge"})
		report, err := s.Verify(t.Context())
		if err != nil || !report.OK {
			return
		}
		for id, want := range said {
			a, err := s.Get(t.Context(), "team", id)
			if err != nil || a.Memory.Content != want || a.Provenance.Status != api.Verified {
				t.Fatalf("said to be whole, and %s says %q, %+v, %v", id, a.Memory.Content, a.Provenance, err)
			}
		}
	})
}
