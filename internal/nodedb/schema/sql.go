package schema

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
)

// Collect gathers what scan reads of each row.
func Collect[T any](ctx context.Context, q Querier, scan func(*sql.Rows, *T) error, query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Single scans rows of one column.
func Single[T any](rows *sql.Rows, one *T) error { return rows.Scan(one) }

// Anys are values as arguments of a question.
func Anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// JSONList returns a list for json_each.
func JSONList[T any](values []T) (string, error) {
	if len(values) == 0 {
		return "[]", nil
	}
	b, err := json.Marshal(values)
	return string(b), err
}

// Null returns a text as a column has it that is NULL where there is none.
func Null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Placeholders returns a list of so many parameters.
func Placeholders(n int) string { return "(?" + strings.Repeat(", ?", n-1) + ")" }

// Bit returns a bool as a column has it.
func Bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Querier is what connections and pools of them have in common.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}
