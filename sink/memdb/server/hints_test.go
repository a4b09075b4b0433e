package server_test

import (
	"crypto/rand"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// beside starts a server before a database, whose watchers look at nothing by
// themselves.
func beside(t *testing.T, url string) memoryv1.MemoryServiceClient {
	t.Helper()
	s, err := pgstore.Open(t.Context(), url, pgstore.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	address, _, _ := run(t, func(o *server.Options) { o.Store, o.LookEvery = s, 24*time.Hour })
	return memoryv1.NewMemoryServiceClient(overHTTP2(t), "http://"+address, connect.WithGRPC())
}

// TestServersHearOfEachOther watches at one server what is written at another one: each
// write, change and forgetting arrives, though the watcher looks at nothing unless it is
// told to. After the database was killed it goes on.
func TestServersHearOfEachOther(t *testing.T) {
	database := postgres.Start(t)
	url := database.Database()
	here, there := beside(t, url), beside(t, url)
	putHere(t, url)
	w := watch(t, here, &memoryv1.WatchMemoriesRequest{Namespace: "team"})
	w.wants("UNSPECIFIED") // now it watches
	write := func(id, content string) {
		t.Helper()
		for try := 0; ; try++ {
			_, err := there.WriteMemory(t.Context(), writing(&memoryv1.MemoryEntry{Id: id, Kind: "note", Content: content}))
			if err == nil {
				return
			}
			if connect.CodeOf(err) != connect.CodeUnavailable || try > 50 {
				t.Fatal(err)
			}
		}
	}
	write("m", "one")
	w.wants("WRITTEN m one")
	write("m", "two")
	w.wants("UPDATED m two")
	if _, err := there.ForgetMemory(t.Context(), &memoryv1.ForgetMemoryRequest{Namespace: "team", MemoryId: "m"}); err != nil {
		t.Fatal(err)
	}
	w.wants("FORGOTTEN m")
	database.Kill()
	database.Run()
	write("n", "after the database was killed")
	w.wants("WRITTEN n after the database was killed")
}

// putHere makes the namespace by a server of its own, which tells what it did before it
// ends.
func putHere(t *testing.T, url string) {
	t.Helper()
	s, err := pgstore.Open(t.Context(), url, pgstore.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	address, _, stop := run(t, func(o *server.Options) { o.Store = s })
	putNamespace(t, address, "team", "")
	stop()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
