package pgstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/answers"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/steps"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/words"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// place is where a version is in the order of an answer, the latest first. It never changes. A
// page therefore begins where the last one ended, whatever is written between the two.
type place struct {
	valid     int64
	namespace string
	seq       int64
}

// cursor returns a place in the form in which a client brings it back.
//
//	place{1767225600000, "team", 17} → jzv9mjnk.h.team
func (p place) cursor() string {
	return strconv.FormatInt(p.valid, 36) + "." + strconv.FormatInt(p.seq, 36) + "." + p.namespace
}

// readCursor returns the place of a cursor, after which an answer begins. "" is before all
// places. A text that is no cursor is a flaw of the request.
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

// Search finds memories in the namespaces that the request names: by words, by meaning, or by
// both. A namespace that does not exist is a problem. Vectors are asked for before the
// transaction begins.
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
	key, err := api.Append(nil, &r)
	if err != nil {
		return a, err
	}
	asked := question{request: &r, after: after, now: s.options.Now().UnixMilli(), pgvector: s.pgvector}
	if asked.vector, err = s.options.Embedder.Ask(ctx, s.preparer, &r); err != nil {
		return a, problem("search memories", err)
	}
	if asked.vector != nil {
		asked.model = s.options.Embedder.Model()
	}
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) (failed error) {
		a, failed = s.answer(ctx, tx, string(key), &asked)
		return failed
	})
	return a, problem("search memories", err)
}

// answer returns an answer from the cache, or finds it and puts it there. The cache itself asks
// whether anything has been written since.
func (s *Store) answer(ctx context.Context, tx pg.Tx, key string, q *question) (a api.SearchResponse, err error) {
	kept, ok, err := s.cache.Get(ctx, key, q.request, q.now, steps.Log{Tx: tx, Namespaces: q.request.Namespaces, Model: q.model})
	if ok || err != nil {
		return kept.Response, err
	}
	if err = requireNamespaces(ctx, tx, q.request.Namespaces); err != nil {
		return a, err
	}
	page := record.Page{Request: q.request, Most: q.request.Limit}
	if q.vector == nil {
		page.Next, err = q.latest(ctx, tx, page.Most, func(_ place, json []byte) record.Taken { return page.Take(json) })
	} else {
		err = q.nearest(ctx, tx, &page)
	}
	found := answers.Of(&page)
	if found.Stamp = kept.Stamp; err == nil {
		found.Until, err = q.until(ctx, tx)
	}
	if err == nil {
		s.cache.Put(key, found)
	}
	return found.Response, err
}

// CacheHits returns how many answers came from the cache.
func (s *Store) CacheHits() int64 { return s.cache.Hits() }

// question is a search that is being answered.
type question struct {
	request  *api.SearchRequest
	after    place // where the page begins
	now      int64
	vector   embed.Vector // that is searched by, of the model; nil for a search by words
	model    string
	pgvector bool
}

// until returns the first moment, in milliseconds, at which the answer changes without a write,
// because a memory ceases to be valid; 0 is never.
func (q *question) until(ctx context.Context, tx pg.Tx) (at int64, err error) {
	if r := q.request; r.AsOf != "" || r.InForceAt != "" || r.IncludeInvalid {
		return 0, nil
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(min(next.invalid), 0) FROM unnest($1::text[]) AS n (name) CROSS JOIN LATERAL (
		SELECT v.invalid FROM versions AS v WHERE v.namespace = n.name AND v.invalid > $2 ORDER BY v.invalid LIMIT 1) AS next`,
		q.request.Namespaces, q.now).Scan(&at)
	return at, err
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

// query is the conditions of a search, joined with AND, and their values.
type query struct {
	where []string
	args  []any
}

// inForce is the condition that a version holds at a moment. One that was superseded before it
// began to be valid, as a clock that was ahead makes them, never does.
const inForce = "(v.invalid IS NULL OR v.invalid > greatest(?, v.valid))"

// newQuery returns the conditions of a request. The values in before are $1 and so on; those of
// the conditions come after them.
func newQuery(r *api.SearchRequest, now int64, before ...any) *query {
	q := &query{args: before}
	if found := words.Expression(r); found != "" {
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
		q.and(inForce, record.Millis(r.AsOf))
	default:
		q.and(inForce, now)
	}
	if r.From != "" {
		q.and("v.valid >= ?", record.Millis(r.From))
	}
	if r.To != "" {
		q.and("v.valid < ?", record.Millis(r.To))
	}
	return q
}

// and adds a condition. Every ? in it stands for the same value.
func (q *query) and(condition string, value ...any) {
	if len(value) > 0 {
		q.args = append(q.args, value[0])
		condition = strings.ReplaceAll(condition, "?", "$"+strconv.Itoa(len(q.args)))
	}
	q.where = append(q.where, condition)
}

// conditions returns all that must hold.
func (q *query) conditions() string { return strings.Join(q.where, " AND ") }

// latest calls take with the memories that fit, the latest first, until take has no room. next
// is then the cursor after the last one that was taken; it is "" if there are no more.
//
// Each namespace is walked by its own index, and what they give is merged. Words are stored as
// hashes, which two words may share, so that take may refuse what was found: then more is asked
// for.
func (q *question) latest(ctx context.Context, tx pg.Tx, most int, take func(at place, json []byte) record.Taken) (next string, err error) {
	after := q.after
	for {
		c := newQuery(q.request, q.now, q.request.Namespaces, after.valid, after.namespace, after.seq, most+1)
		// Planned for these values: how many there are of a word decides which index
		// is walked.
		rows, err := tx.QueryPlanned(ctx, fmt.Sprintf(`SELECT found.namespace, found.valid, found.seq, found.record
			FROM unnest($1::text[]) AS n (name) CROSS JOIN LATERAL (
			  SELECT v.namespace, v.valid, v.seq, v.record FROM versions AS v
			  WHERE v.namespace = n.name AND v.valid <= $2 AND (v.valid < $2 OR (v.namespace, v.seq) < ($3::text, $4::bigint)) AND %s
			  ORDER BY v.valid DESC, v.seq DESC LIMIT $5) AS found
			ORDER BY found.valid DESC, found.namespace DESC, found.seq DESC LIMIT $5`, c.conditions()), c.args...)
		if err != nil {
			return "", err
		}
		var (
			at   place
			json []byte
			seen int
		)
		err = pg.ForEachRow(rows, []any{&at.namespace, &at.valid, &at.seq, &json}, func() error {
			if seen++; next != "" {
				return nil
			}
			switch take(at, json) {
			case record.Unfit, record.Added: // unfit is what was tampered with, or found by a hash
				after = at
			case record.Full:
				next = after.cursor()
			}
			return nil
		})
		if err != nil || next != "" || seen <= most {
			return next, err
		}
	}
}
