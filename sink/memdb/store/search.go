package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/sink/memdb/answers"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/memdb/store/near"
	"github.com/memscribe/memscribe/sink/memdb/store/walk"
)

// Search finds memories in the namespaces that the request names.
//
// The cache is asked first; a hit costs reading the entries since the answer was made,
// and is given only if none of them can change it. Pages are chained by a cursor: the
// number of the last version of a page, in base 36. A memory that is written between
// two pages may be missed, none is given twice.
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
	q := query{request: &r, before: before, now: s.options.Now().UnixMilli()}
	if q.vector, err = s.options.Embedder.Ask(ctx, s.preparer, &r); err != nil {
		return api.SearchResponse{}, problem("search memories", err)
	}
	if q.vector != nil {
		q.model = s.options.Embedder.Model()
	}
	var found answers.Answer
	err = s.look(ctx, func(db chain.DB) (err error) {
		found, err = s.answer(ctx, db, string(key), q)
		return err
	})
	return found.Response, problem("search memories", err)
}

// answer returns an answer from the cache, or finds it and puts it there.
func (s *Store) answer(ctx context.Context, db chain.DB, key string, q query) (answers.Answer, error) {
	kept, ok, err := s.cache.Get(ctx, key, q.request, q.now, steps{db, &q})
	if ok || err != nil {
		return kept, err
	}
	for _, name := range q.request.Namespaces {
		if err = s.requireNamespace(ctx, db, name); err != nil {
			return answers.Answer{}, err
		}
	}
	found, err := q.run(ctx, db)
	if err == nil {
		found.Stamp = kept.Stamp
		s.cache.Put(key, found)
	}
	return found, err
}

// CacheHits returns how many answers came from the cache.
func (s *Store) CacheHits() int64 { return s.cache.Hits() }

// steps are what the cache looks at in the chain. It is an [answers.Log].
type steps struct {
	db chain.DB
	q  *query
}

// Stamp implements [answers.Log]. All namespaces have one chain.
func (l steps) Stamp(ctx context.Context) (stamp answers.Stamp, err error) {
	head, err := chain.NewSQLite(l.db).Head(ctx)
	if err == nil && l.q.model != "" {
		stamp.Filled, err = near.Filled(ctx, l.db, l.q.model, l.q.request.Namespaces)
	}
	stamp.Heads = chain.Heads{"": head}
	return stamp, err
}

// Since implements [answers.Log].
//
// ok is false if the chain does not continue the one that the answer was made from
// (another database, a rekeyed copy) or if an entry cannot be read: the answer is then
// discarded.
func (l steps) Since(ctx context.Context, _ string, from chain.Head, most int) (all []answers.Step, ok bool, err error) {
	rows, err := l.db.QueryContext(ctx, `SELECT e.seq, e.hash, e.namespace, e.memory, CAST(e.body AS BLOB), CAST(v.record AS BLOB)
		FROM entries AS e LEFT JOIN versions AS v ON v.seq = e.seq WHERE e.seq >= ? ORDER BY e.seq LIMIT ?`, from.Length, most+1)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			at   chain.Head
			step answers.Step
			body []byte
		)
		if err = rows.Scan(&at.Length, &at.Hash, &step.Namespace, &step.MemoryID, &body, &step.Record); err != nil {
			return nil, false, err
		}
		if !ok {
			if ok = at == from; !ok {
				return nil, false, nil
			}
			continue
		}
		e, bad := chain.ParseBody(body)
		if bad != nil {
			return nil, false, nil // what was tampered with continues nothing
		}
		step.Action = e.Action
		all = append(all, step)
	}
	return all, ok, rows.Err()
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
	vector  embed.Vector // that is searched by, of the model; nil for a search by words
	model   string
}

// run searches and returns one page.
func (q *query) run(ctx context.Context, db chain.DB) (a answers.Answer, err error) {
	page := record.Page{Request: q.request, Most: q.request.Limit}
	if q.vector == nil {
		last := int64(0)
		err = q.latest(ctx, db, func(n, _, _ int64, json []byte) record.Taken {
			took := page.Take(json)
			switch took {
			case record.Added:
				last = n
			case record.Full:
				page.Next = strconv.FormatInt(last, 36)
			case record.Unfit: // tampered with, or found by a hash that two values share
			}
			return took
		})
	} else {
		err = q.nearest(ctx, db, &page)
	}
	a = answers.Of(&page)
	if err == nil {
		a.Until, err = q.until(ctx, db)
	}
	return a, err
}

// latest calls take with the memories that have all words, the latest first, until take has no
// room. take gets the number of the version, that of its entry, since when it is valid in
// milliseconds, and the record.
func (q *query) latest(ctx context.Context, db chain.DB, take func(n, seq, valid int64, json []byte) record.Taken) error {
	found, err := expression(ctx, db, q.request)
	if err != nil {
		return err
	}
	where, args := q.conditions(found)
	rows, err := db.QueryContext(ctx, `SELECT v.n, v.seq, v.valid, CAST(v.record AS BLOB) FROM words JOIN versions AS v ON v.n = words.rowid
		WHERE `+where+` ORDER BY words.rowid DESC`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			n, seq, valid int64
			json          []byte
		)
		if err = rows.Scan(&n, &seq, &valid, &json); err != nil {
			return err
		}
		if take(n, seq, valid, json) == record.Full {
			break
		}
	}
	return rows.Err()
}

// nearest fills a page with the memories nearest to the question. A hybrid search also ranks
// those that have its words, and merges both ranks into one.
func (q *query) nearest(ctx context.Context, db chain.DB, page *record.Page) error {
	filters := *q.request
	filters.Query = record.Unwanted(q.request.Query)
	expr, err := expression(ctx, db, &filters)
	if err != nil {
		return err
	}
	where, args := q.conditions(expr)
	places, err := near.Nearest(ctx, db, near.Question{Model: q.model, Vector: q.vector, Where: where, Args: args})
	if err != nil {
		return err
	}
	if q.request.Mode == api.ByHybrid {
		worded, failed := q.worded(ctx, db)
		if failed != nil {
			return failed
		}
		places = embed.Fuse(worded.Places(), places)
	}
	records, err := near.Records(ctx, db, places)
	for _, p := range places {
		page.Take(records[p.Seq])
	}
	return err
}

// worded collects the candidates by words, namespace by namespace: one search in all of them
// would give what was written at the same moment in the order of writing, and not by namespace.
func (q *query) worded(ctx context.Context, db chain.DB) (*embed.Worded, error) {
	all := embed.NewWorded(q.request)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(q.request.Namespaces))) {
		request := *q.request
		request.Namespaces = []string{name}
		one, in := *q, embed.NewWorded(&request)
		one.request = &request
		err := one.latest(ctx, db, func(_, seq, valid int64, json []byte) record.Taken {
			return in.Take(embed.Candidate{Place: embed.Place{Namespace: name, Seq: seq}, Valid: valid}, json)
		})
		if err != nil {
			return nil, err
		}
		all.Join(in)
	}
	return all, nil
}

// conditions returns the conditions that the database can check, with the words to be found.
//
// Each condition on time comes with a bound on rowid that follows from it. SQLite can only stop
// early by the rowid: the other condition alone would read every match.
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
		and(inForce, record.Millis(r.AsOf))
	default:
		and(inForce, q.now)
	}
	if r.From != "" {
		and("v.valid >= ? AND words.rowid >= ?", record.Millis(r.From), record.Millis(r.From)<<walk.SlotBits)
	}
	if r.To != "" {
		and("v.valid < ? AND words.rowid < ?", record.Millis(r.To), beyond(record.Millis(r.To)))
	}
	return strings.Join(where, " AND "), args
}

// inForce is the condition that a version holds at a moment. One that was superseded before it
// began to be valid, as a clock that was ahead makes them, never does.
const inForce = "(v.invalid IS NULL OR v.invalid > max(?, v.valid))"

// beyond returns a number that no version reaches that is valid since a moment or
// before: those that do not fit into their millisecond run into what follows, and
// into the next minute only if there are 245 million of them.
func beyond(at int64) int64 {
	const minute = 60_000
	return (at + minute) << walk.SlotBits
}

// until returns the first moment, in milliseconds, at which the answer changes without a write,
// because a memory ceases to be valid; 0 is never.
func (q *query) until(ctx context.Context, db chain.DB) (at int64, err error) {
	if q.request.AsOf != "" || q.request.InForceAt != "" || q.request.IncludeInvalid {
		return 0, nil
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce(min(invalid), 0) FROM versions WHERE invalid > ?", q.now).Scan(&at)
	return at, err
}
