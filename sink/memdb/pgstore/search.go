package pgstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

const pageSize = 8 << 20 // bytes of an answer, about

// place is where a version stands in the order of an answer: the latest first. It
// never changes, so that a page begins where the last one ended whoever writes
// between them.
type place struct {
	valid     int64
	namespace string
	seq       int64
}

// cursor is a place as a client brings it back.
//
//	place{1767225600000, "team", 17} → jzv9mjnk.h.team
func (p place) cursor() string {
	return strconv.FormatInt(p.valid, 36) + "." + strconv.FormatInt(p.seq, 36) + "." + p.namespace
}

// readCursor is the place after which an answer begins.
func readCursor(text string) (place, error) {
	if text == "" {
		return place{valid: 1<<63 - 1}, nil
	}
	parts := strings.SplitN(text, ".", 3)
	if len(parts) == 3 && api.CheckNamespaceName(parts[2]) == nil {
		valid, err := strconv.ParseInt(parts[0], 36, 64)
		seq, err2 := strconv.ParseInt(parts[1], 36, 64)
		if err == nil && err2 == nil {
			return place{valid, parts[2], seq}, nil
		}
	}
	return place{}, &api.Invalid{Flaws: []api.Flaw{{Pointer: "/cursor", Detail: "is none that was given out"}}}
}

// Search finds memories in the namespaces that the request names.
func (s *Store) Search(ctx context.Context, r api.SearchRequest) (a api.SearchResponse, err error) {
	if err = r.Validate(); err != nil {
		return a, err
	}
	if r.Limit == 0 {
		r.Limit = api.Page
	}
	after, err := readCursor(r.Cursor)
	if err != nil {
		return a, err
	}
	q := newQuery(&r, s.options.Now().UnixMilli())
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) (failed error) {
		if failed = requireNamespaces(ctx, tx, r.Namespaces); failed == nil {
			a, failed = q.collect(ctx, tx, after)
		}
		return failed
	})
	return a, problem("search memories", err)
}

// requireNamespaces returns a problem that names the first namespace that does not
// exist.
func requireNamespaces(ctx context.Context, tx pg.Tx, names []string) error {
	rows, err := tx.Query(ctx, "SELECT namespace FROM chains WHERE namespace = ANY ($1::text[]) AND record IS NOT NULL", names)
	if err != nil {
		return err
	}
	found, err := pg.Texts(rows)
	if err != nil {
		return err
	}
	there := make(map[string]bool, len(found))
	for _, name := range found {
		there[name] = true
	}
	for _, name := range names {
		if !there[name] {
			return noNamespace(name)
		}
	}
	return nil
}

// query is a search in the database.
type query struct {
	request *api.SearchRequest
	where   []string
	args    []any // $1 to $5 are the namespaces, the place and the limit
}

// newQuery starts the query for a search: words, filters, and the time as of which
// it is answered.
func newQuery(r *api.SearchRequest, now int64) *query {
	q := &query{request: r, args: make([]any, 5)}
	q.args[0] = r.Namespaces
	if found := expression(r); found != "" {
		q.and("v.words @@ ?::tsquery", found)
	}
	if r.AsOf == "" {
		q.and("v.until IS NULL")
	} else {
		q.and("v.learnt <= ? AND (v.until IS NULL OR v.until > ?)", record.Millis(r.AsOf))
	}
	switch {
	case r.IncludeInvalid:
	case r.InForceAt != "":
		q.and("v.valid <= ? AND (v.invalid IS NULL OR v.invalid > ?)", record.Millis(r.InForceAt))
	case r.AsOf != "":
		q.and("(v.invalid IS NULL OR v.invalid > ?)", record.Millis(r.AsOf))
	default:
		q.and("(v.invalid IS NULL OR v.invalid > ?)", now)
	}
	if r.From != "" {
		q.and("v.valid >= ?", record.Millis(r.From))
	}
	if r.To != "" {
		q.and("v.valid < ?", record.Millis(r.To))
	}
	return q
}

// and adds a condition. Each ? in it is the same value.
func (q *query) and(condition string, value ...any) {
	if len(value) > 0 {
		q.args = append(q.args, value[0])
		condition = strings.ReplaceAll(condition, "?", "$"+strconv.Itoa(len(q.args)))
	}
	q.where = append(q.where, condition)
}

// text is the statement: each namespace is walked by its own index, and of what they
// give the latest are taken.
func (q *query) text() string {
	return fmt.Sprintf(`SELECT found.namespace, found.valid, found.seq, found.record
		FROM unnest($1::text[]) AS n (name) CROSS JOIN LATERAL (
		  SELECT v.namespace, v.valid, v.seq, v.record FROM versions AS v
		  WHERE v.namespace = n.name AND v.valid <= $2 AND (v.valid < $2 OR (v.namespace, v.seq) < ($3::text, $4::bigint)) AND %s
		  ORDER BY v.valid DESC, v.seq DESC LIMIT $5) AS found
		ORDER BY found.valid DESC, found.namespace DESC, found.seq DESC LIMIT $5`, strings.Join(q.where, " AND "))
}

// collect takes a page out of what is found. More is asked for while records are
// found that do not fit: their words are hashes, which two values may share.
func (q *query) collect(ctx context.Context, tx pg.Tx, after place) (api.SearchResponse, error) {
	a := api.SearchResponse{Memories: []api.Memory{}}
	size, text := 0, q.text()
	for {
		q.args[1], q.args[2], q.args[3], q.args[4] = after.valid, after.namespace, after.seq, q.request.Limit+1
		// Planned for these values: how many there are of a word decides which index
		// is walked.
		rows, err := tx.QueryPlanned(ctx, text, q.args...)
		if err != nil {
			return a, err
		}
		var (
			at   place
			json string
			seen int
		)
		err = pg.ForEachRow(rows, []any{&at.namespace, &at.valid, &at.seq, &json}, func() error {
			seen++
			r, bad := record.Read([]byte(json))
			switch {
			case a.NextCursor != "":
			case bad != nil || !record.Fits(q.request, &r.Memory): // tampered with, or found by a hash
				after = at
			case len(a.Memories) == q.request.Limit || size > pageSize:
				a.NextCursor = after.cursor()
			default:
				if !q.request.IncludeNode {
					r.Memory.Node = nil
				}
				a.Memories = append(a.Memories, r.Memory)
				after, size = at, size+len(json)
			}
			return nil
		})
		if err != nil || a.NextCursor != "" || seen <= q.request.Limit {
			return a, err
		}
	}
}
