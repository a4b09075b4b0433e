package pgstore_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/testkit/postgres"
)

func options(dir string) pgstore.Options {
	return pgstore.Options{Now: time.Now, Random: rand.Reader, StateDir: dir}
}

func open(t *testing.T, url, dir string) *pgstore.Store {
	t.Helper()
	s, err := pgstore.Open(t.Context(), url, options(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func note(id, content string) []api.MemoryWrite {
	return []api.MemoryWrite{{ID: id, Body: api.Body{Kind: "note", Content: content, Origin: api.Internal}}}
}

// whole wants everything to be as it was entered, and so many memories.
func whole(t *testing.T, s *pgstore.Store, memories int64) {
	t.Helper()
	if err := s.Checkpoint(t.Context()); err != nil {
		t.Error(err)
	}
	report, err := s.Verify(t.Context())
	if err != nil || !report.OK || report.Memories != memories {
		t.Errorf("verify: %+v, %+v, %v; want %d memories", report, report.Fault, err, memories)
	}
}

// TestOpenAtOnce has many servers make the tables of one database at the same moment.
func TestOpenAtOnce(t *testing.T) {
	url := postgres.Start(t).Database()
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			s, err := pgstore.Open(t.Context(), url, pgstore.Options{Now: time.Now, Random: rand.Reader, StateDir: filepath.Join(dir, fmt.Sprint(i))})
			if err != nil {
				t.Error(err)
				return
			}
			_, _, err = s.PutNamespace(t.Context(), "team", api.NamespacePut{})
			if err2 := s.Close(); err != nil || err2 != nil {
				t.Error(err, err2)
			}
		})
	}
	all.Wait()
	s := open(t, url, filepath.Join(dir, "0"))
	whole(t, s, 0)
	if head, err := s.Head(t.Context()); err != nil || head.Length != 1 {
		t.Errorf("the namespace was made %d times, %v", head.Length, err)
	}
}

// TestDatabaseKilled kills the database three times under a hundred writers.
func TestDatabaseKilled(t *testing.T) {
	server := postgres.Start(t)
	kill := func() {
		server.Kill()
		server.Run()
	}
	crowded(t, server.Database(), map[int]func(){200: kill, 500: kill, 900: kill})
}

// TestFailover kills the database under a hundred writers and has its standby, which
// acknowledges what is written, take its place. The servers find it by themselves.
func TestFailover(t *testing.T) {
	first := postgres.Start(t)
	second := first.Standby()
	crowded(t, first.Either(second, "followed"), map[int]func(){500: func() {
		first.Kill()
		second.Promote()
	}})
}

// crowded has a hundred writers write through two servers into three namespaces while
// things happen at some numbers of writes. A write that fails is written again with the
// same id, as a client does. Nothing is lost, nothing is there twice.
func crowded(t *testing.T, url string, happens map[int]func()) {
	t.Helper()
	dir := t.TempDir()
	servers := []*pgstore.Store{open(t, url, filepath.Join(dir, "a")), open(t, url, filepath.Join(dir, "b"))}
	names := []string{"red", "green", "blue"}
	for _, n := range names {
		if _, _, err := servers[0].PutNamespace(t.Context(), n, api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
	}
	const writers, each = 100, 12
	var again atomic.Int64
	written := make(chan struct{}, writers*each)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				for try := 0; ; try++ {
					_, err := servers[(w+i+try)%2].Write(t.Context(), names[w%3], note(fmt.Sprintf("%d-%d", w, i), fmt.Sprintf("number %d of %d", i, w)))
					if err == nil {
						break
					}
					if again.Add(1); try > 50 {
						t.Errorf("never written: %v", err)
						break
					}
				}
				written <- struct{}{}
			}
		})
	}
	for n := range writers * each {
		<-written
		if f := happens[n]; f != nil {
			f()
		}
	}
	all.Wait()
	t.Logf("%d writes had to be made again", again.Load())
	whole(t, servers[0], writers*each)
	whole(t, servers[1], writers*each)
	p, err := servers[1].Search(t.Context(), api.SearchRequest{Namespaces: names, Query: `"number 7"`, Limit: writers})
	if err != nil || len(p.Memories) != writers {
		t.Errorf("found %d of %d, %v", len(p.Memories), writers, err)
	}
}

// TestPagesUnderWrites turns pages while others write: what was there all the time is
// on just one page.
func TestPagesUnderWrites(t *testing.T) {
	s := open(t, postgres.Start(t).Database(), t.TempDir())
	for _, n := range []string{"one", "two"} {
		if _, _, err := s.PutNamespace(t.Context(), n, api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			m := note(fmt.Sprintf("%s-%02d", n, i), "the same word")
			m[0].ValidAt = fmt.Sprintf("2026-06-01T00:00:%02dZ", i/7) // several of one moment, in both
			if _, err := s.Write(t.Context(), n, m); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen := map[string]int{}
	r := api.SearchRequest{Namespaces: []string{"one", "two"}, Query: "word", Limit: 7}
	for page := 0; ; page++ {
		found, err := s.Search(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range found.Memories {
			seen[found.Memories[i].ID]++
		}
		if r.Cursor = found.NextCursor; r.Cursor == "" {
			break
		}
		if page > 40 {
			t.Fatal("the pages have no end")
		}
		if _, err := s.Write(t.Context(), "one", note(fmt.Sprint("new-", page), "another word")); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 120 {
		t.Errorf("%d memories on the pages, want 120", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", id, n)
		}
	}
}

// TestNamespacesDoNotWait holds the chain of one namespace and writes into another.
func TestNamespacesDoNotWait(t *testing.T) {
	url := postgres.Start(t).Database()
	s := open(t, url, t.TempDir())
	for _, n := range []string{"held", "free"} {
		if _, _, err := s.PutNamespace(t.Context(), n, api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
	}
	conn := connect(t, url)
	if _, err := conn.Exec(t.Context(), "BEGIN; SELECT * FROM chains WHERE namespace = 'held' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(t.Context(), "free", note("a", "x")); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := s.Write(ctx, "held", note("a", "x")); err == nil {
		t.Error("a chain that another holds was written to")
	}
}
