package memdb_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

// TestMemories traces each read of a memory of an agent's own to the write that
// planted it: it has the same store and key.
func TestMemories(t *testing.T) {
	dir := t.TempDir()
	k, err := openEmbedded(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	deliver(t, k, sinktest.Memories()...)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), file(dir), storeOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	find := func(a api.Action) []api.Memory {
		answer, err := s.Search(t.Context(), api.SearchRequest{Namespaces: []string{"captured"}, Action: &a, IncludeInvalid: true})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Memories
	}
	var got []string
	for _, key := range []api.Action{{Store: "memory", Key: "Postgres"}, {Store: "file", Key: "/repo/CLAUDE.md"}, {Store: "memory", Key: "Kafka"}, {Store: "memory"}} {
		key.Kind = api.MemoryRead
		for _, read := range find(key) {
			line := read.Action.Store + " " + read.Action.Key + " in " + read.SessionID + ":"
			key.Kind = api.MemoryWritten
			for _, write := range find(key) {
				line += " " + write.Kind + " in " + write.SessionID
			}
			got = append(got, line)
		}
	}
	want := []string{
		"memory Postgres in reading: conversation in planting", "file /repo/CLAUDE.md in reading: episode in planting",
		"memory Kafka in reading:",
		"memory Kafka in reading: conversation in planting conversation in planting", // all of the store
		"memory  in reading: conversation in planting conversation in planting",
		"memory Postgres in reading: conversation in planting conversation in planting",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
