package questions_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/questions"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// database is one with so many nodes that an answer has several pages.
func database(t *testing.T) (*nodedb.Reader, *sinktest.Maker) {
	t.Helper()
	path, m := filepath.Join(t.TempDir(), "nodes.db"), sinktest.NewMaker(1)
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(s.Apply(t.Context(), m.Take(6*nodedb.MaxPage)), s.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r, m
}

// read returns the ids of all pages.
func read(t *testing.T, p *questions.Pages) (ids []string) {
	t.Helper()
	for more := true; more; {
		nodes, again, err := p.Page(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range nodes {
			ids = append(ids, nodes[i].ID)
		}
		more = again
	}
	return ids
}

// TestPages: a limit ends an answer within a page or after several, and the next page
// continues where it ended.
func TestPages(t *testing.T) {
	r, _ := database(t)
	all := read(t, &questions.Pages{Ask: questions.Episodes().Of(r, nil)})
	if len(all) <= nodedb.MaxPage {
		t.Fatalf("%d edits are one page", len(all))
	}
	for _, limit := range []int{1, nodedb.MaxPage, nodedb.MaxPage + 3} {
		p := questions.Pages{Ask: questions.Episodes().Of(r, nil), Limit: limit}
		first := read(t, &p)
		if len(first) != limit || p.Next == "" {
			t.Fatalf("with a limit of %d: %d edits, next %q", limit, len(first), p.Next)
		}
		p.Limit = 0
		if got := append(first, read(t, &p)...); !slices.Equal(got, all) {
			t.Errorf("after a limit of %d: %d edits in all, want %d", limit, len(got), len(all))
		}
	}
}

// TestConditions names each filter that is set, with the filter that lacks only it.
func TestConditions(t *testing.T) {
	f := nodedb.Filter{Project: "/w", Tool: core.Codex, Session: "s", Since: time.Unix(1, 0), Until: time.Unix(2, 0), Text: "x", Kinds: []string{"decision"}}
	var names []string
	for _, c := range questions.Conditions(f) {
		names = append(names, c.Name)
		if left := len(questions.Conditions(c.Without)); left != 6 {
			t.Errorf("without %s %d conditions are left", c.Name, left)
		}
	}
	if got := strings.Join(names, " "); got != "project tool session since until match kind" {
		t.Errorf("%s", got)
	}
	if all := questions.Conditions(nodedb.Filter{}); len(all) != 0 {
		t.Errorf("of nothing: %+v", all)
	}
}

// TestNear suggests a word for a misspelt one, and nothing for what cannot be searched.
func TestNear(t *testing.T) {
	r, m := database(t)
	var word string
	for i := 0; len(word) < 7; i++ {
		word = m.Word(i)
	}
	wrong := word[:3] + word[4:]
	is, err := questions.Search().Near(t.Context(), r, wrong)
	if err != nil || !strings.HasSuffix(is, " for "+wrong) || !strings.HasPrefix(is, "there is ") {
		t.Errorf("for %q: %q, %v", wrong, is, err)
	}
	if is, err = questions.Search().Near(t.Context(), r, "-"); err != nil || is != "" {
		t.Errorf("for nothing: %q, %v", is, err)
	}
}
