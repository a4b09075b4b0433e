package described

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Layout implements [core.DatabaseAdapter]: of a tool that keeps its records in a
// database, a record is a row of the table that the description names. Pointers begin
// with a column. Only the columns that they name are read, and one whose pointer leads
// on ("/data/role") holds JSON.
func (a Adapter) Layout(path string, s core.Schema) (core.Layout, core.Fit) {
	d := &a.d
	columns, names := d.columns(s[d.Table])
	if d.Table == "" || !s.Has(d.Table, names...) {
		return core.Layout{}, core.NoFit
	}
	table, session := quoted(d.Table), quoted(d.Session[1:])
	order, key := "rowid", "rowid"
	if d.Order != "" {
		order = quoted(d.Order)
		key = order
	}
	fit := core.ShapeFit
	if slices.ContainsFunc(d.Paths, func(pattern string) bool { return matches(pattern, path) }) {
		fit = core.NativeFit
	}
	return core.Layout{
		Conversations: "SELECT DISTINCT " + session + " FROM " + table + " WHERE " + session + " IS NOT NULL ORDER BY 1",
		Rows: []core.Rows{{
			Table: d.Table,
			Query: "SELECT " + key + ", " + strings.Join(columns, ", ") + " FROM " + table + " WHERE " + session + " = ?1 ORDER BY " + order,
		}},
	}, fit
}

// columns are those that the pointers name, as a query asks for them, and the names of
// those without which there is no conversation. What else is not in the table is left
// out: tools add columns.
func (d *Description) columns(have []string) (asked, needed []string) {
	isJSON, pointers := map[string]bool{}, d.pointers()
	for _, pointer := range pointers { // order does not matter: they are sorted below
		if column, _, deeper := strings.Cut(strings.TrimPrefix(pointer, "/"), "/"); column != "" {
			isJSON[column] = isJSON[column] || deeper
		}
	}
	for column, embedded := range isJSON { // sorted below
		switch {
		case !slices.Contains(have, column):
		case embedded:
			asked = append(asked, quoted(column)+" AS "+quoted(column+":json"))
		default:
			asked = append(asked, quoted(column))
		}
	}
	slices.Sort(asked)
	for _, name := range []string{"role", "text", "session"} {
		column, _, _ := strings.Cut(strings.TrimPrefix(pointers[name], "/"), "/")
		needed = append(needed, column)
	}
	if d.Order != "" {
		needed = append(needed, d.Order)
	}
	return asked, needed
}

// quoted is the name of a table or a column as a query has it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
