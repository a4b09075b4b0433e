package tokens

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// ReadAll calls do for each row of usage and its talk, from the table spent. The row is valid
// during the call.
func ReadAll(ctx context.Context, q schema.Querier, do func(t int64, r *Row)) error {
	rows, err := q.QueryContext(ctx, "SELECT t, rows FROM spent")
	if err != nil {
		return err
	}
	defer rows.Close()
	var t int64
	var part sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&t, &part); err != nil {
			return err
		}
		if err := Read(part, func(r *Row) { do(t, r) }); err != nil {
			return fmt.Errorf("%w: talk %d", err, t)
		}
	}
	return rows.Err()
}

// ReadTable does the same from the table usage itself, which has all rows in every database.
// It takes twenty times as long.
func ReadTable(ctx context.Context, q schema.Querier, do func(t int64, r *Row)) error {
	const page = 100_000
	for after, more := []byte{}, true; more; {
		next, err := ReadPage(ctx, q, after, page, do)
		if err != nil {
			return err
		}
		after, more = next, next != nil
	}
	return nil
}

// ReadPage calls do for the rows of the table usage behind an id, so many at most. It returns
// the id behind which the next page begins, nil if there is none.
func ReadPage(ctx context.Context, q schema.Querier, after []byte, most int, do func(t int64, r *Row)) (next []byte, err error) {
	rows, err := q.QueryContext(ctx, `SELECT id, t, ms, model, response, fast, input, output, reasoning, cache_read, cache_creation, cache_creation_1h
		FROM usage WHERE id > ? ORDER BY id LIMIT ?`, after, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var (
			r                   Row
			t                   int64
			ms                  sql.NullInt64
			id, model, response sql.RawBytes
		)
		err := rows.Scan(&id, &t, &ms, &model, &response, &r.Fast, &r.Input, &r.Output, &r.Reasoning, &r.CacheRead, &r.CacheCreation, &r.CacheCreation1h)
		if err != nil {
			return nil, err
		}
		if len(id) != IDSize {
			return nil, fmt.Errorf("the table usage has an id of %d bytes, not %d", len(id), IDSize)
		}
		r.ID, r.Ms, r.Timed = [IDSize]byte(id), ms.Int64, ms.Valid
		r.Model, r.Response = model, Response([]byte(response))
		next = append(next[:0], r.ID[:]...)
		do(t, &r)
	}
	if n < most {
		next = nil
	}
	return next, rows.Err()
}
