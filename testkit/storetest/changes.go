package storetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// changes reads all changes of a namespace behind a position, so many at a time.
func (f *fixture) changes(r api.ChangesRequest) (steps []string, end int64) {
	f.t.Helper()
	for {
		found, err := f.Changes(f.t.Context(), r)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, c := range found.Changes {
			if c.Position <= r.After {
				f.t.Errorf("position %d behind %d", c.Position, r.After)
			}
			r.After = c.Position
			said := ""
			if c.Memory != nil {
				said = c.Memory.Content
			}
			steps = append(steps, strings.Join(strings.Fields(c.Action+" "+c.MemoryID+" "+said), " "))
		}
		if r.After = found.Position; !found.More {
			return steps, found.Position
		}
	}
}

// testChanges wants every step of a namespace in order, each with what it wrote as long
// as that is there, and nothing of another namespace.
func testChanges(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	if _, _, err := f.PutNamespace(t.Context(), "other", api.NamespacePut{}); err != nil {
		t.Fatal(err)
	}
	f.write(note("a", "one"), note("b", "two"))
	if _, err := f.Write(t.Context(), "other", []api.MemoryWrite{note("a", "theirs")}); err != nil {
		t.Fatal(err)
	}
	f.write(note("a", "three"))
	want := []string{"namespace_put", "write a one", "write b two", "upsert a three"}
	for most := 1; most < 6; most++ {
		got, _ := f.changes(api.ChangesRequest{Namespace: "team", Most: most})
		equal(t, fmt.Sprint(most, " at a time"), got, want)
	}
	all, end := f.changes(api.ChangesRequest{Namespace: "team", Most: 10})
	none, again := f.changes(api.ChangesRequest{Namespace: "team", After: end, Most: 10})
	if len(all) != 4 || len(none) != 0 || again != end {
		t.Errorf("behind the end %d: %q, %d", end, none, again)
	}
	if err := f.Forget(t.Context(), "team", "a"); err != nil {
		t.Fatal(err)
	}
	if err := f.DeleteNamespace(t.Context(), "team", true); err != nil {
		t.Fatal(err)
	}
	got, _ := f.changes(api.ChangesRequest{Namespace: "team", After: end, Most: 10})
	equal(t, "what went", got, []string{"forget a", "purge b", "namespace_delete"})
	got, _ = f.changes(api.ChangesRequest{Namespace: "team", Most: 10})
	equal(t, "what was written and is gone", got[:4], []string{"namespace_put", "write a", "write b", "upsert a"})
	for _, name := range []string{"team", "nobody"} {
		if _, err := f.Changes(t.Context(), api.ChangesRequest{Namespace: name}); !api.IsKind(err, api.NotFound) {
			t.Errorf("the end of %s: %v", name, err)
		}
	}
}

// testChangesWithNodes leaves nodes out unless they are asked for.
func testChangesWithNodes(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	m := note("a", "one")
	m.Node = []byte(`{"x":1}`)
	f.write(m)
	for _, node := range []bool{false, true} {
		found, err := f.Changes(t.Context(), api.ChangesRequest{Namespace: "team", Most: 9, IncludeNode: node})
		if err != nil || len(found.Changes) != 2 || (len(found.Changes[1].Memory.Node) > 0) != node {
			t.Errorf("%+v, %v", found, err)
		}
	}
}

// testNamespaceList wants namespaces by name, in pages, and none that was deleted.
func testNamespaceList(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	for _, name := range []string{"d", "b", "c", "a"} {
		if _, _, err := f.PutNamespace(t.Context(), name, api.NamespacePut{Description: "of " + name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.DeleteNamespace(t.Context(), "c", false); err != nil {
		t.Fatal(err)
	}
	var got []string
	for after := ""; ; {
		page, err := f.Namespaces(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range page {
			after = n.Name
			got = append(got, strings.TrimSpace(n.Name+" "+n.Description))
		}
		if len(page) < 2 {
			break
		}
	}
	equal(t, "namespaces", got, []string{"a of a", "b of b", "d of d", "team"})
}
