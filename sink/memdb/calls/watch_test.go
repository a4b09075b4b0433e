package calls_test

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// TestSlowWatcher has a watcher take its time. One that takes little hears everything;
// one that takes too long for a message is dropped, and hears behind which position it
// can come again: there it misses nothing.
func TestSlowWatcher(t *testing.T) {
	now := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	memories, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memories.db"), store.Options{Now: clock, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	defer memories.Close()
	g := access.Full("test")
	ctx := calls.As(t.Context(), &calls.Caller{Grant: g, Again: func(context.Context) (access.Grant, error) { return g, nil }})
	c := calls.New(memories, clock)
	if _, _, err := c.PutNamespace(ctx, "team", api.NamespacePut{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", "three"} {
		if _, err := c.Write(ctx, "team", []api.MemoryWrite{{Body: api.Body{Kind: "note", Content: text}}}); err != nil {
			t.Fatal(err)
		}
	}
	var seen []string
	at := int64(0)
	follow := func(slow string) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		return c.Watch(ctx, calls.Watching{Namespace: "team", After: &at}, func(change *api.Change) error {
			took := 9 * time.Second
			if change.Memory != nil {
				seen = append(seen, change.Memory.Content)
				if change.Memory.Content == slow {
					took = 11 * time.Second
				}
			}
			if now = now.Add(took); change.Action == "" {
				stop() // that was all
			}
			at = change.Position
			return nil
		})
	}
	if err := follow("two"); !api.IsKind(err, api.TooManyRequests) || !strings.Contains(err.Error(), "watch again after 3") {
		t.Errorf("the slow one: %v", err)
	}
	if err := follow(""); !errors.Is(err, context.Canceled) {
		t.Errorf("it comes again: %v", err)
	}
	if got := strings.Join(seen, " "); got != "one two three" {
		t.Errorf("seen: %s", got)
	}
}

// TestNobody makes calls without a caller: none is let through.
func TestNobody(t *testing.T) {
	c := calls.New(nil, time.Now) // what is let through meets no store
	ctx := t.Context()
	_, writes := c.Write(ctx, "team", nil)
	_, reads := c.Get(ctx, "team", "x")
	_, finds := c.Search(ctx, api.SearchRequest{Namespaces: []string{"team"}})
	_, proves := c.Provenance(ctx, "team", "x")
	_, verifies := c.Verify(ctx)
	_, _, puts := c.PutNamespace(ctx, "team", api.NamespacePut{})
	_, patches := c.PatchNamespace(ctx, "team", api.NamespacePatch{})
	for what, err := range map[string]error{
		"write": writes, "get": reads, "search": finds, "provenance": proves, "verify": verifies, "put": puts, "patch": patches,
		"delete": c.DeleteNamespace(ctx, "team", true), "forget": c.Forget(ctx, "team", "x"),
		"watch": c.Watch(ctx, calls.Watching{Namespace: "team"}, func(*api.Change) error { return nil }),
	} {
		if !api.IsKind(err, api.Forbidden) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
