package sqlite_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// canary is a scrubber that knows one secret.
type canary struct{}

func (canary) Scrub(_ core.Field, s []byte) ([]byte, []core.Cut, error) {
	return bytes.ReplaceAll(s, []byte("hunter2"), []byte("***")), nil, nil
}

func say(t *testing.T, dir string, said ...annotate.Annotation) []annotate.Annotation {
	t.Helper()
	for i := range said {
		said[i].By = "Ada"
	}
	kept, err := sqlite.Annotate(t.Context(), file(dir), canary{}, time.Now(), said...)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// decided makes a database with decisions, and returns the ids, the newest first.
func decided(t *testing.T) (dir string, ids []string) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, dir, sqlite.Options{})
	apply(t, s, sinktest.NewMaker(3).Take(300)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, n := range decisions(t, dir, nodedb.Filter{}) {
		ids = append(ids, n.ID)
	}
	if len(ids) < 10 {
		t.Fatalf("there are %d decisions", len(ids))
	}
	return dir, ids
}

// decisions reads all of them, three by three.
func decisions(t *testing.T, dir string, f nodedb.Filter) (all []nodedb.Node) {
	t.Helper()
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for next := ""; ; {
		a, err := r.Decisions(t.Context(), f, nodedb.Page{After: next, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, a.Nodes...); a.Next == "" {
			return all
		}
		next = a.Next
	}
}

func idsOf(nodes []nodedb.Node) (ids []string) {
	for i := range nodes {
		ids = append(ids, nodes[i].ID)
	}
	return ids
}

// TestAnnotations rejects, edits, pins, supersedes and adds: lists obey, page by page,
// and no captured node has changed.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	dir, ids := decided(t)
	before := ask[string](t, dir, "SELECT json FROM nodes ORDER BY id")
	say(t, dir,
		annotate.Annotation{Kind: annotate.Reject, Node: ids[1]},
		annotate.Annotation{Kind: annotate.Edit, Node: strings.TrimPrefix(ids[2], "decision:")[:12], Text: "Keep hunter2  out"},
		annotate.Annotation{Kind: annotate.Pin, Node: ids[8]},
		annotate.Annotation{Kind: annotate.Supersede, Node: ids[3], Text: ids[0]},
		annotate.Annotation{Kind: annotate.Say, Node: ids[4], Text: "see the minutes"},
		annotate.Annotation{Kind: annotate.Accept, Node: ids[5]},
		annotate.Annotation{Kind: annotate.Add, Text: "Never deploy on Fridays", Project: "/home/dev/work/orders", IsBan: true},
	)
	all := decisions(t, dir, nodedb.Filter{})
	want := slices.Concat([]string{ids[8], all[1].ID}, ids[:8], ids[9:])
	want = slices.DeleteFunc(want, func(id string) bool { return id == ids[1] })
	if got := idsOf(all); !slices.Equal(got, want) {
		t.Errorf("listed are\n%q, want\n%q", got, want)
	}
	at := map[string]nodedb.Node{}
	for _, n := range all {
		at[n.ID] = n
	}
	added := all[1]
	if added.Source != annotate.Person || added.Title != "Never deploy on Fridays" || !added.IsBan || added.Project != "/home/dev/work/orders" {
		t.Errorf("added is %+v", added)
	}
	if n := at[ids[2]]; n.Title != "Keep *** out" || n.Mark.TitleBy != "Ada" {
		t.Errorf("edited is %q by %q", n.Title, n.Mark.TitleBy)
	}
	if at[ids[3]].SupersededBy != ids[0] || len(at[ids[4]].Mark.Notes) != 1 || !at[ids[5]].Mark.Accepted {
		t.Errorf("marks are %+v, %+v, %+v", at[ids[3]].Mark, at[ids[4]].Mark, at[ids[5]].Mark)
	}
	if got := idsOf(decisions(t, dir, nodedb.Filter{Rejected: true})); !slices.Contains(got, ids[1]) {
		t.Error("what was rejected is not there with all")
	}
	captured := ask[string](t, dir, "SELECT json FROM nodes WHERE source <> 'person' ORDER BY id")
	if !slices.Equal(before, captured) {
		t.Error("a captured node has changed")
	}
	if strings.Contains(string(read(t, annotate.FileOf(file(dir)))), "hunter2") {
		t.Error("the file has the secret")
	}
	say(t, dir, annotate.Annotation{Kind: annotate.Reject, Node: ids[1], Undo: true}, annotate.Annotation{Kind: annotate.Pin, Node: ids[8], Undo: true})
	if got := idsOf(decisions(t, dir, nodedb.Filter{})); !slices.Equal(got, slices.Concat(got[:1], ids)) {
		t.Errorf("after undo there are\n%q, want\n%q", got, ids)
	}
}

// TestAnnotationsSurvive deletes the database, and then the file beside it: each gives
// back what the other lost.
func TestAnnotationsSurvive(t *testing.T) {
	t.Parallel()
	dir, ids := decided(t)
	say(t, dir, annotate.Annotation{Kind: annotate.Reject, Node: ids[0]}, annotate.Annotation{Kind: annotate.Add, Text: "Use tabs", Project: "/p"})
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(file(dir) + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	s := open(t, dir, sqlite.Options{Bulk: true})
	apply(t, s, sinktest.NewMaker(3).Take(300)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got := decisions(t, dir, nodedb.Filter{})
	if len(got) != len(ids) || slices.Contains(idsOf(got), ids[0]) || got[0].Title != "Use tabs" {
		t.Errorf("a new database lists %d decisions, the first %q", len(got), got[0].Title)
	}
	name := annotate.FileOf(file(dir))
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	say(t, dir, annotate.Annotation{Kind: annotate.Pin, Node: ids[1]})
	if all, err := annotate.Read(name); err != nil || len(all) != 3 {
		t.Errorf("a new file has %d annotations, %v", len(all), err)
	}
}

// TestAnnotateNobody names nodes that are not there, and says things that cannot be.
func TestAnnotateNobody(t *testing.T) {
	t.Parallel()
	dir, ids := decided(t)
	for name, a := range map[string]annotate.Annotation{
		"no node":         {Kind: annotate.Reject, Node: "decision:0000"},
		"several":         {Kind: annotate.Reject, Node: "decision:"},
		"no title":        {Kind: annotate.Edit, Node: ids[0]},
		"no successor":    {Kind: annotate.Supersede, Node: ids[0], Text: "decision:0000"},
		"a text too long": {Kind: annotate.Say, Node: ids[0], Text: strings.Repeat("x", annotate.MaxText+1)},
	} {
		if _, err := sqlite.Annotate(t.Context(), file(dir), canary{}, time.Now(), a); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := sqlite.Annotate(t.Context(), file(dir), nil, time.Now(), annotate.Annotation{Kind: annotate.Pin, Node: ids[0]}); err == nil {
		t.Error("nothing took secrets out, and there is no error")
	}
	if all, _ := annotate.Read(annotate.FileOf(file(dir))); len(all) != 0 {
		t.Errorf("%d annotations were kept", len(all))
	}
}
