package described_test

import (
	"slices"
	"testing"

	"github.com/memscribe/memscribe/adapters/described"
	"github.com/memscribe/memscribe/core"
)

// stored is a tool that keeps its records in a database.
func stored(t *testing.T) described.Adapter {
	t.Helper()
	a, err := described.New(described.Description{
		Name: "inhouse", Paths: []string{"/srv/*.db"}, Table: "messages", Order: "id", ID: "/id", Session: "/run",
		Time: "/at", Role: "/data/role", Text: "/data/text", Model: "/model",
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestLayout: only what the description names is asked for, by names that a query
// cannot mistake; what a version does not have is left out.
func TestLayout(t *testing.T) {
	l, fit := stored(t).Layout("/srv/a.db", core.Schema{"messages": {"id", "run", "at", "data", "token"}})
	want := `SELECT "id", "at", "data" AS "data:json", "id", "run" FROM "messages" WHERE "run" = ?1 ORDER BY "id"`
	if fit != core.NativeFit || len(l.Rows) != 1 || l.Rows[0].Query != want {
		t.Errorf("fit %d, %+v, want %s", fit, l, want)
	}
	if want := `SELECT DISTINCT "run" FROM "messages" WHERE "run" IS NOT NULL ORDER BY 1`; l.Conversations != want {
		t.Errorf("conversations by %s, want %s", l.Conversations, want)
	}
	for _, tt := range []struct {
		path   string
		schema core.Schema
		want   core.Fit
	}{
		{"/copies/a.db", core.Schema{"messages": {"id", "run", "data"}}, core.ShapeFit},
		{"/srv/a.db", core.Schema{"messages": {"id", "run"}}, core.NoFit},
		{"/srv/a.db", core.Schema{"others": {"id", "run", "data"}}, core.NoFit},
	} {
		if _, got := stored(t).Layout(tt.path, tt.schema); got != tt.want {
			t.Errorf("%s %v: fit %d, want %d", tt.path, tt.schema, got, tt.want)
		}
	}
}

// TestQuoted: the name of a column is never more than a name.
func TestQuoted(t *testing.T) {
	d := described.Description{Name: "x", Paths: []string{"*"}, Table: `m"; x`, Session: "/s", Role: "/r", Text: "/t"}
	a, err := described.New(d)
	if err != nil {
		t.Fatal(err)
	}
	l, _ := a.Layout("", core.Schema{d.Table: {"s", "r", "t"}})
	if !slices.ContainsFunc(l.Rows, func(r core.Rows) bool {
		return r.Query == `SELECT rowid, "r", "s", "t" FROM "m""; x" WHERE "s" = ?1 ORDER BY rowid`
	}) {
		t.Errorf("%+v", l)
	}
}
