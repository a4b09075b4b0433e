package lists

import (
	"context"
	"database/sql"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/tokens"
)

// talk is what a row of usage was taken in.
type talk struct {
	session, source, project string

	wanted bool // a filter leaves it
}

// response is how many tokens one response took, as its tool counts them, or one of the
// counts that add up to it.
type response struct {
	*counted

	talk  *talk
	model string
}

// counted is a response, with numbers for the talk and the model. It has no pointers, since
// there may be a million of them in memory: the garbage collector need not look into them.
type counted struct {
	t     int64 // of talks
	ms    int64 // ended where it is not known
	model int32 // of models
	fast  bool

	input, output, reasoning, cacheRead, cacheCreation, cacheCreation1h int64
}

// repeated says which counts of responses are one: Claude Code writes a response as several
// records, and may write all of them again later in the transcript, or in that of a side
// question, under other ids. Of what a response is said to have taken at first, the most
// counts, and of what it is said to have taken more, each amount once.
type repeated struct {
	id   uint64 // of the response
	more int64  // -1 is what it has taken at first
}

// mostHeld bounds the counts that are compared at once. With more rows than that the table is
// read several times, each time for a part of the responses.
const mostHeld = 1_000_000

// responses calls do for each response that a filter leaves, in no order; at most so many are
// compared at once.
//
// Counts that may be repeated are held in memory until all are read, at most `most` at
// a time: with more rows than that the table is read in several passes, each for the
// responses whose hash falls into its part. Counts of tools that record a response once
// go to do at once.
func responses(ctx context.Context, s nodedb.Snapshot, f Filter, most uint64, do func(*response)) error {
	talks, err := talksOf(ctx, s, f)
	if err != nil {
		return err
	}
	one := reading{talks: talks, numbers: map[string]int32{}, source: tokens.ReadAll}
	if err := one.count(ctx, s); err != nil {
		return err
	}
	one.parts = one.rows/most + 1
	if !f.Since.IsZero() {
		one.since = millis(f.Since)
	}
	if !f.Until.IsZero() {
		one.until = millis(f.Until)
	}
	one.timed, one.bounded = !f.Since.IsZero() || !f.Until.IsZero(), !f.Until.IsZero()
	for part := range one.parts {
		if err := one.read(ctx, s, part, do); err != nil {
			return err
		}
	}
	return nil
}

// talksOf returns all talks by number; those that the filter selects are marked as wanted. The
// others are needed too: a response that a wanted talk repeats may have been taken in another
// one.
func talksOf(ctx context.Context, s nodedb.Snapshot, f Filter) (map[int64]*talk, error) {
	w, err := f.scope(ctx, s)
	if err != nil {
		return nil, err
	}
	type numbered struct {
		talk

		t int64
	}
	all, err := schema.Collect(ctx, s, func(rows *sql.Rows, n *numbered) error {
		return rows.Scan(&n.t, &n.session, &n.source, &n.project, &n.wanted)
	}, "SELECT t, session, source, coalesce(project, ''), coalesce("+w.String()+", false) FROM talks", w.args...)
	talks := make(map[int64]*talk, len(all))
	for i := range all {
		talks[all[i].t] = &all[i].talk
	}
	return talks, err
}

// reading is the state of one call of responses: the talks, the table to read from, and the
// names of models by number.
type reading struct {
	talks  map[int64]*talk
	source func(context.Context, schema.Querier, func(int64, *tokens.Row)) error
	rows   uint64 // or some more
	parts  uint64

	models  []string // by number
	numbers map[string]int32
	given   response

	// The bounds of time; since and until are in milliseconds.
	timed, bounded bool // there are bounds of time, and an upper one
	since, until   int64
}

// count decides which table is read, and estimates the number of rows from above. The table
// spent is packed and faster to read; a database that an older version has written has no such
// table, or an empty one until something is written.
func (r *reading) count(ctx context.Context, s nodedb.Snapshot) error {
	const leastRow = tokens.IDSize + 8
	version, err := s.Version(ctx)
	if err == nil && version >= firstSums {
		err = s.QueryRowContext(ctx, "SELECT coalesce(sum(length(rows)), 0) / ? FROM spent", leastRow).Scan(&r.rows)
	}
	if err == nil && r.rows == 0 {
		r.source = tokens.ReadTable
		err = s.QueryRowContext(ctx, "SELECT count(*) FROM usage").Scan(&r.rows)
	}
	return err
}

// read calls do once for each response of one part, however often it is recorded. Responses of
// tools that record them once are passed on in part 0 at once; the others are merged in memory
// and passed on at the end.
func (r *reading) read(ctx context.Context, s nodedb.Snapshot, part uint64, do func(*response)) error {
	var held []counted
	at := make(map[repeated]int32, r.rows/r.parts/2)
	err := r.source(ctx, s, func(t int64, row *tokens.Row) {
		one := counted{
			t: t, ms: ended, fast: row.Fast, input: row.Input, output: row.Output, reasoning: row.Reasoning,
			cacheRead: row.CacheRead, cacheCreation: row.CacheCreation, cacheCreation1h: row.CacheCreation1h,
		}
		talk := r.talks[t]
		if talk == nil {
			return
		}
		if row.Timed {
			one.ms = row.Ms
		}
		if talk.source != string(core.ClaudeCode) || row.Response == 0 {
			if part == 0 {
				one.model = r.number(row.Model)
				r.give(&one, do)
			}
			return
		}
		key := repeated{row.Response, -1}
		if key.id%r.parts != part {
			return
		}
		if one.input+one.cacheRead+one.cacheCreation <= 0 {
			key.more = one.output
		}
		if n, again := at[key]; again {
			held[n].merge(&one)
			return
		}
		at[key] = int32(len(held))
		one.model = r.number(row.Model)
		held = append(held, one)
	})
	for i := range held {
		r.give(&held[i], do)
	}
	return err
}

// number returns the number of a model.
func (r *reading) number(model []byte) int32 {
	n, known := r.numbers[string(model)]
	if !known {
		n = int32(len(r.models))
		r.models = append(r.models, string(model))
		r.numbers[string(model)] = n
	}
	return n
}

// give passes a response on that the filter leaves. With either bound of time what has no
// time is left out.
func (r *reading) give(one *counted, do func(*response)) {
	talk := r.talks[one.t]
	if !talk.wanted || r.timed && (one.ms == ended || one.ms < r.since || r.bounded && one.ms >= r.until) {
		return
	}
	r.given = response{one, talk, r.models[one.model]}
	do(&r.given)
}

// merge takes in what repeats a response: it was first where it was earliest.
//
// Later records of a response only grow its counts, so the greatest of each is taken.
func (c *counted) merge(other *counted) {
	if other.ms != ended && (c.ms == ended || other.ms < c.ms) {
		c.ms, c.t = other.ms, other.t
	}
	c.fast = c.fast || other.fast
	c.input, c.output, c.reasoning = max(c.input, other.input), max(c.output, other.output), max(c.reasoning, other.reasoning)
	c.cacheRead, c.cacheCreation = max(c.cacheRead, other.cacheRead), max(c.cacheCreation, other.cacheCreation)
	c.cacheCreation1h = max(c.cacheCreation1h, other.cacheCreation1h)
}
