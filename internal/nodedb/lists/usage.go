package lists

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/prices"
)

// By is what tokens are grouped by.
type By string

// What tokens can be summed up by.
const (
	ByDay     By = "day"
	BySession By = "session"
	ByModel   By = "model"
	ByProject By = "project"
	ByTool    By = "tool"
)

// AllBy returns all of them.
func AllBy() []By { return []By{ByDay, BySession, ByModel, ByProject, ByTool} }

// Spending is how many tokens were taken, and what they cost as an estimate. No kind
// of tokens includes another; Reasoning is part of Output, and CacheCreation1h of
// CacheCreation.
//
//	{"key":"2026-11-22","models":["…"],"input_tokens":7486,"output_tokens":400,"reasoning_tokens":0,
//	 "cache_read_tokens":7481,"cache_creation_tokens":0,"estimated_cost_usd":0,"unpriced_tokens":15367,…}
//
// Tokens of models without a price are counted in unpriced_tokens, and not in the cost.
type Spending struct {
	Key     string   `json:"key"` // the day, session, model, project or tool; "" is not known
	Source  string   `json:"source,omitempty"`
	Project string   `json:"project,omitempty"` // of a session
	Models  []string `json:"models"`

	// Sums of tokens. Input is without what came from the cache, whatever the tool
	// counts.
	Input           int64   `json:"input_tokens"`
	Output          int64   `json:"output_tokens"`
	Reasoning       int64   `json:"reasoning_tokens"`
	CacheRead       int64   `json:"cache_read_tokens"`
	CacheCreation   int64   `json:"cache_creation_tokens"`
	CacheCreation1h int64   `json:"cache_creation_1h_tokens"`
	Cost            float64 `json:"estimated_cost_usd"`
	Unpriced        int64   `json:"unpriced_tokens"` // of models whose price is not known
	Last            string  `json:"last,omitempty"`

	last int64
}

// Tokens returns the sum of all kinds.
func (s *Spending) Tokens() int64 { return s.Input + s.Output + s.CacheRead + s.CacheCreation }

// Bill is how many tokens were taken by what, and all together.
type Bill struct {
	By    By         `json:"by"`
	Date  string     `json:"prices"` // the day as of which prices are known
	Items []Spending `json:"items"`
	Total Spending   `json:"total"`
}

// Usage sums up the tokens that a filter leaves: days and sessions newest first, the
// others by what they cost. A day is one of the zone. What has no time counts only
// without bounds.
func Usage(ctx context.Context, r *nodedb.Reader, f Filter, by By, table *prices.Table, zone *time.Location) (Bill, error) {
	all, err := Bills(ctx, r, f, []By{by}, table, zone)
	if err != nil {
		return Bill{}, err
	}
	return all[0], nil
}

// Bills sums up the same tokens in several ways.
//
// The tokens are read once for all ways. Sums are independent of the order of rows:
// parts are sorted before floating-point costs are added up.
func Bills(ctx context.Context, r *nodedb.Reader, f Filter, ways []By, table *prices.Table, zone *time.Location) (all []Bill, err error) {
	taken := make([]parts, len(ways))
	for i, by := range ways {
		taken[i] = parts{by: by, at: map[partOf]*part{}}
	}
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		return responses(ctx, s, f, mostHeld, func(one *response) {
			for i := range taken {
				taken[i].add(one)
			}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("sum up tokens: %w", err)
	}
	for i, by := range ways {
		all = append(all, bill(by, taken[i].sorted(), table, zone))
	}
	return all, nil
}

// bill groups parts and prices them. Every total is a sum over the same sorted parts, so that
// the same rows give the same bill to the last digit.
func bill(by By, parts []*part, table *prices.Table, zone *time.Location) Bill {
	b := Bill{By: by, Date: table.Date, Items: []Spending{}}
	at := map[[2]string]int{}
	for _, p := range parts {
		key := [2]string{p.of.key, p.of.source}
		if by == ByDay {
			key[0] = day(p.last, zone)
		}
		n, known := at[key]
		if !known {
			n = len(b.Items)
			at[key] = n
			b.Items = append(b.Items, Spending{Key: key[0], Source: key[1], Models: []string{}})
		}
		p.addTo(&b.Items[n], table)
		p.addTo(&b.Total, table)
		if by == BySession {
			b.Items[n].Project = p.project
		}
	}
	b.Total.Models = slices.Compact(slices.Sorted(slices.Values(b.Total.Models)))
	for i := range b.Items {
		b.Items[i].Models = slices.Compact(slices.Sorted(slices.Values(b.Items[i].Models)))
	}
	sort.SliceStable(b.Items, func(i, j int) bool {
		x, y := &b.Items[i], &b.Items[j]
		switch by {
		case ByDay:
			return y.Key < x.Key
		case BySession:
			return cmp.Or(cmp.Compare(y.last, x.last), strings.Compare(x.Key, y.Key)) < 0
		case ByModel, ByProject, ByTool:
		}
		return cmp.Or(cmp.Compare(y.Cost, x.Cost), cmp.Compare(y.Tokens(), x.Tokens()), strings.Compare(x.Key, y.Key)) < 0
	})
	return b
}

// day returns the day of a moment in milliseconds since 1970, in a zone; "" if there is no
// moment.
func day(ms int64, zone *time.Location) string {
	if ms == ended {
		return ""
	}
	return time.UnixMilli(ms).In(zone).Format(time.DateOnly)
}

// partOf is the key of a part: the group, the model and, for days, the quarter of an hour. Days
// are formed only when the bill is made, because they depend on the zone, and quarters of an
// hour fall on midnight in every zone there is.
type partOf struct {
	key, source string
	quarter     int64
	model       string
	fast        bool
}

// compare orders parts by time, key, source and model: an order that does not depend on that of
// the rows.
func (p partOf) compare(q partOf) int {
	slow := func(fast bool) int {
		if fast {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(p.quarter, q.quarter), strings.Compare(p.key, q.key), strings.Compare(p.source, q.source),
		strings.Compare(p.model, q.model), cmp.Compare(slow(p.fast), slow(q.fast)))
}

// part sums up the tokens of one partOf. Over has what each response took beyond the threshold
// from which some models cost more; a sum over the response does not tell that afterwards. Last
// is in milliseconds, or ended.
type part struct {
	of        partOf
	project   string
	all, over prices.Tokens[int64]
	reasoning int64
	last      int64
}

// parts are the sums of one way of grouping, while the rows are read.
type parts struct {
	by   By
	at   map[partOf]*part
	last *part // of the response before, whose part is often that of the next
}

// sorted returns the parts in an order that is always the same, as sums of fractions ask for.
func (s *parts) sorted() []*part {
	return slices.SortedFunc(maps.Values(s.at), func(p, q *part) int { return p.of.compare(q.of) })
}

// add adds what a response took. Input is made to exclude what came from the cache and output
// to include thoughts, whichever way the tool counts them (cachedInput, thoughtBeside).
//
// Prices may rise above a threshold of tokens per response, so what is over it is summed up as
// well.
func (s *parts) add(r *response) {
	of := partOf{model: r.model, fast: r.fast}
	switch s.by {
	case ByDay:
		if of.quarter = ended; r.ms != ended {
			of.quarter = r.ms / (15 * time.Minute).Milliseconds()
		}
	case BySession:
		of.key, of.source = r.talk.session, r.talk.source
	case ByModel:
		of.key = r.model
	case ByProject:
		of.key = r.talk.project
	case ByTool:
		of.key = r.talk.source
	}
	p := s.last
	if p == nil || p.of != of {
		if p = s.at[of]; p == nil {
			p = &part{of: of, project: r.talk.project, last: ended}
			s.at[of] = p
		}
		s.last = p
	}
	p.project, p.last = min(p.project, r.talk.project), max(p.last, r.ms)
	p.reasoning += r.reasoning
	input, output, written := r.input, r.output, max(r.cacheCreation-r.cacheCreation1h, 0)
	if slices.Contains(cachedInput(), core.Tool(r.talk.source)) {
		input = max(input-r.cacheRead, 0)
	}
	if slices.Contains(thoughtBeside(), core.Tool(r.talk.source)) {
		output += r.reasoning
	}
	for _, kind := range []struct {
		all, over *int64
		n         int64
	}{
		{&p.all.Input, &p.over.Input, input},
		{&p.all.Output, &p.over.Output, output},
		{&p.all.CacheRead, &p.over.CacheRead, r.cacheRead},
		{&p.all.CacheWrite, &p.over.CacheWrite, written},
		{&p.all.CacheWrite1h, &p.over.CacheWrite1h, r.cacheCreation1h},
	} {
		*kind.all += kind.n
		*kind.over += max(kind.n-prices.Threshold, 0)
	}
}

// addTo adds the tokens of a part to a group, and their price if the model has one; without a
// price they count as unpriced.
func (p *part) addTo(s *Spending, table *prices.Table) {
	s.Input += p.all.Input
	s.Output += p.all.Output
	s.Reasoning += p.reasoning
	s.CacheRead += p.all.CacheRead
	s.CacheCreation += p.all.CacheWrite + p.all.CacheWrite1h
	s.CacheCreation1h += p.all.CacheWrite1h
	if price, ok := table.Find(p.of.model); ok {
		s.Cost += price.Cost(p.all, p.over, p.of.fast)
	} else {
		s.Unpriced += p.all.Input + p.all.Output + p.all.CacheRead + p.all.CacheWrite + p.all.CacheWrite1h
	}
	if p.of.model != "" {
		s.Models = append(s.Models, p.of.model)
	}
	if p.last != ended && (s.Last == "" || p.last > s.last) {
		s.last, s.Last = p.last, stamp(sql.NullInt64{Int64: p.last, Valid: true})
	}
}

// cachedInput returns the tools whose input includes what the cache gave, and thoughtBeside
// those whose output does not include what the model thought: see docs/adapters.
func cachedInput() []core.Tool {
	return []core.Tool{core.Codex, core.Gemini, core.Qwen, core.Copilot, core.Continue}
}

// thoughtBeside returns the tools that count the tokens of thoughts beside those of the output, not in them.
func thoughtBeside() []core.Tool { return []core.Tool{core.Gemini} }
