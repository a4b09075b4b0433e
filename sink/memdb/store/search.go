package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

const pageSize = 8 << 20 // bytes of an answer, about

// Search finds memories in the namespaces that the request names.
func (s *Store) Search(ctx context.Context, r api.SearchRequest) (api.SearchResponse, error) {
	if err := r.Validate(); err != nil {
		return api.SearchResponse{}, err
	}
	if r.Limit == 0 {
		r.Limit = api.Page
	}
	before, err := cursor(r.Cursor)
	if err != nil {
		return api.SearchResponse{}, err
	}
	key, err := api.Append(nil, &r)
	if err != nil {
		return api.SearchResponse{}, err
	}
	now := s.options.Now().UnixMilli()
	var found answer
	q := query{request: &r, before: before, now: now}
	err = s.look(ctx, func(db chain.DB) (err error) {
		found, err = s.answer(ctx, db, string(key), q)
		return err
	})
	return found.response, problem("search memories", err)
}

// answer takes an answer out of the cache, or finds it and puts it there.
func (s *Store) answer(ctx context.Context, db chain.DB, key string, q query) (answer, error) {
	head, err := chain.NewSQLite(db).Head(ctx)
	if err != nil {
		return answer{}, err
	}
	if cached, ok := s.cache.get(key, head, q.now); ok {
		return cached, nil
	}
	for _, name := range q.request.Namespaces {
		if err = s.requireNamespace(ctx, db, name); err != nil {
			return answer{}, err
		}
	}
	found, err := q.run(ctx, db)
	if err == nil {
		found.head = head
		s.cache.put(key, found)
	}
	return found, err
}

// cursor decodes a cursor: the number below which the next page begins.
func cursor(text string) (int64, error) {
	const first = 1<<63 - 1
	if text == "" {
		return first, nil
	}
	n, err := strconv.ParseInt(text, 36, 64)
	if err != nil {
		return 0, &api.Invalid{Flaws: []api.Flaw{{Pointer: "/cursor", Detail: "is none that was given out"}}}
	}
	return n, nil
}

// query is a search in the database.
type query struct {
	request *api.SearchRequest
	before  int64 // only numbers below
	now     int64
}

// runs the search and returns one page, newest first.
func (q *query) run(ctx context.Context, db chain.DB) (answer, error) {
	found, err := expression(ctx, db, q.request)
	if err != nil {
		return answer{}, err
	}
	where, args := q.conditions(found)
	rows, err := db.QueryContext(ctx, `SELECT v.n, CAST(v.record AS BLOB) FROM words JOIN versions AS v ON v.n = words.rowid
		WHERE `+where+` ORDER BY words.rowid DESC`, args...)
	if err != nil {
		return answer{}, err
	}
	a, err := q.collect(rows)
	if err = errors.Join(err, rows.Close()); err != nil {
		return answer{}, err
	}
	a.until, err = q.until(ctx, db)
	return a, err
}

// collect takes a page out of what was found.
func (q *query) collect(rows *sql.Rows) (answer, error) {
	a := answer{response: api.SearchResponse{Memories: []api.Memory{}}}
	last := int64(0)
	for rows.Next() {
		var (
			n    int64
			json []byte
		)
		if err := rows.Scan(&n, &json); err != nil {
			return answer{}, err
		}
		rec, err := record.Read(json)
		if err != nil || !record.Fits(q.request, &rec.Memory) {
			continue // tampered with, or found by a hash that two values share
		}
		if len(a.response.Memories) == q.request.Limit || a.size > pageSize {
			a.response.NextCursor = strconv.FormatInt(last, 36)
			break
		}
		if !q.request.IncludeNode {
			rec.Memory.Node = nil
		}
		a.response.Memories = append(a.response.Memories, rec.Memory)
		last, a.size = n, a.size+len(json)
	}
	return a, rows.Err()
}

// conditions are those that the database can tell, with the words to be found.
func (q *query) conditions(found string) (string, []any) {
	r := q.request
	where := []string{"words MATCH ?", "words.rowid < ?"}
	args := []any{found, q.before}
	and := func(condition string, values ...any) {
		where = append(where, condition)
		args = append(args, values...)
	}
	if r.AsOf == "" {
		and("v.until IS NULL")
	} else {
		at := record.Millis(r.AsOf)
		and("v.learnt <= ? AND (v.until IS NULL OR v.until > ?)", at, at)
	}
	switch {
	case r.IncludeInvalid:
	case r.InForceAt != "":
		at := record.Millis(r.InForceAt)
		and("v.valid <= ? AND words.rowid < ? AND (v.invalid IS NULL OR v.invalid > ?)", at, beyond(at), at)
	case r.AsOf != "":
		and("(v.invalid IS NULL OR v.invalid > ?)", record.Millis(r.AsOf))
	default:
		and("(v.invalid IS NULL OR v.invalid > ?)", q.now)
	}
	if r.From != "" {
		and("v.valid >= ? AND words.rowid >= ?", record.Millis(r.From), record.Millis(r.From)<<slotBits)
	}
	if r.To != "" {
		and("v.valid < ? AND words.rowid < ?", record.Millis(r.To), beyond(record.Millis(r.To)))
	}
	return strings.Join(where, " AND "), args
}

// beyond is a number that no version reaches that is valid since a moment or
// before: those that do not fit into their millisecond run into what follows, and
// into the next minute only if there are 245 million of them.
func beyond(at int64) int64 {
	const minute = 60_000
	return (at + minute) << slotBits
}

// until is when the passing of time alone may change the answer; 0 is never.
func (q *query) until(ctx context.Context, db chain.DB) (at int64, err error) {
	if q.request.AsOf != "" || q.request.InForceAt != "" || q.request.IncludeInvalid {
		return 0, nil
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce(min(invalid), 0) FROM versions WHERE invalid > ?", q.now).Scan(&at)
	return at, err
}
