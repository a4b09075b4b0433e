// Package marks reads what people said of nodes, and who shared them, out of a database of
// nodes.
//
// The table marks has the sum of all annotations of a node, as JSON; the table received has who
// shared a node that came from a teammate. Databases of earlier versions have no such table.
package marks

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Of returns what people said of nodes, and who shared them, by the ids of the nodes. A
// node about which nothing was said is not in the map.
func Of(ctx context.Context, q schema.Querier, ids []string) (map[string]annotate.Mark, error) {
	list, err := schema.JSONList(ids)
	if err != nil {
		return nil, err
	}
	type said struct {
		id   string
		mark annotate.Mark
	}
	scan := func(rows *sql.Rows, s *said) error {
		var text []byte
		if failed := rows.Scan(&s.id, &text); failed != nil {
			return failed
		}
		return json.Unmarshal(text, &s.mark)
	}
	all, err := schema.Collect(ctx, q, scan, "SELECT id, json FROM marks WHERE id IN (SELECT value FROM json_each(?))", list)
	marks := make(map[string]annotate.Mark, len(all))
	for _, s := range all {
		marks[s.id] = s.mark
	}
	if err != nil {
		return marks, err
	}
	if is, failed := HasReceived(ctx, q); failed != nil || !is {
		return marks, failed
	}
	type received struct {
		id string
		annotate.Shared
	}
	shared, err := schema.Collect(ctx, q, func(rows *sql.Rows, r *received) error {
		return rows.Scan(&r.id, &r.By, &r.Server, &r.Namespace)
	}, "SELECT id, shared_by, server, namespace FROM received WHERE id IN (SELECT value FROM json_each(?))", list)
	for i := range shared {
		m := marks[shared[i].id]
		m.Shared = &shared[i].Shared
		marks[shared[i].id] = m
	}
	return marks, err
}

// HasReceived reports whether anything was received from others. A database of an
// earlier version has no table for it.
func HasReceived(ctx context.Context, q schema.Querier) (is bool, err error) {
	err = q.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM sqlite_schema WHERE type = 'table' AND name = 'received')").Scan(&is)
	if err == nil && is {
		err = q.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM received)").Scan(&is)
	}
	return is, err
}
