package lists

import (
	"bytes"
	"context"
	"database/sql"
	"hash/maphash"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// talk is what a row of usage was taken in.
type talk struct {
	session, source, project string

	wanted bool // a filter leaves it
}

// response is how many tokens one response took, as its tool counts them, or one of the
// counts that add up to it.
type response struct {
	talk  *talk
	ms    int64 // ended where it is not known
	model string
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

// mostHeld bounds the counts that are compared at once: where there are more, all are read
// several times.
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
	var rows uint64
	if err = s.QueryRowContext(ctx, "SELECT count(*) FROM usage").Scan(&rows); err != nil {
		return err
	}
	one := reading{talks: talks, models: map[string]string{}, seed: maphash.MakeSeed(), parts: rows/most + 1}
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

// talksOf returns the talks that a filter selects, by number.
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

// reading is a reading of all counts, or of a part of those that may be repeated.
type reading struct {
	talks  map[int64]*talk
	models map[string]string // each once
	seed   maphash.Seed
	parts  uint64

	// The bounds of time; since and until are in milliseconds.
	timed, bounded bool // there are bounds of time, and an upper one
	since, until   int64
}

// read calls do for each response once, however often it is recorded.
func (r *reading) read(ctx context.Context, s nodedb.Snapshot, part uint64, do func(*response)) error {
	rows, err := s.QueryContext(ctx, `SELECT t, ms, model, response, fast, input, output, reasoning, cache_read, cache_creation, cache_creation_1h FROM usage`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var held []response
	at := map[repeated]int32{} // in held
	var t int64
	var ms sql.NullInt64
	var model, id sql.RawBytes
	for rows.Next() {
		var one response
		if err := rows.Scan(&t, &ms, &model, &id, &one.fast, &one.input, &one.output, &one.reasoning, &one.cacheRead, &one.cacheCreation, &one.cacheCreation1h); err != nil {
			return err
		}
		if one.talk = r.talks[t]; one.talk == nil {
			continue
		}
		one.ms = ended
		if ms.Valid {
			one.ms = ms.Int64
		}
		if one.talk.source != string(core.ClaudeCode) || len(id) == 0 {
			if part == 0 {
				one.model = r.name(model)
				r.give(&one, do)
			}
			continue
		}
		key := repeated{maphash.Bytes(r.seed, id), -1}
		if key.id%r.parts != part {
			continue
		}
		if one.input+one.cacheRead+one.cacheCreation <= 0 {
			key.more = one.output
		}
		if n, again := at[key]; again {
			held[n].merge(&one)
			continue
		}
		at[key] = int32(len(held))
		one.model = r.name(model)
		held = append(held, one)
	}
	for i := range held {
		r.give(&held[i], do)
	}
	return rows.Err()
}

// name returns the name of a model, which is held once.
func (r *reading) name(model []byte) string {
	name, known := r.models[string(model)]
	if !known {
		name = string(bytes.Clone(model))
		r.models[name] = name
	}
	return name
}

// give passes a response on that the filter leaves. With either bound of time what has no
// time is left out.
func (r *reading) give(one *response, do func(*response)) {
	if !one.talk.wanted || r.timed && (one.ms == ended || one.ms < r.since || r.bounded && one.ms >= r.until) {
		return
	}
	do(one)
}

// merge takes in what repeats a response: it was first where it was earliest.
//
// Later records of a response only grow its counts, so the greatest of each is taken.
func (r *response) merge(other *response) {
	if other.ms != ended && (r.ms == ended || other.ms < r.ms) {
		r.ms, r.talk = other.ms, other.talk
	}
	r.fast = r.fast || other.fast
	r.input, r.output, r.reasoning = max(r.input, other.input), max(r.output, other.output), max(r.reasoning, other.reasoning)
	r.cacheRead, r.cacheCreation = max(r.cacheRead, other.cacheRead), max(r.cacheCreation, other.cacheCreation)
	r.cacheCreation1h = max(r.cacheCreation1h, other.cacheCreation1h)
}
