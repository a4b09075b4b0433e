package lists

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/prices"
)

// By says by what tokens are summed up.
type By string

// What tokens can be summed up by.
const (
	ByDay     By = "day"
	BySession By = "session"
	ByModel   By = "model"
	ByProject By = "project"
	ByTool    By = "tool"
)

// AllBy are all of them.
func AllBy() []By { return []By{ByDay, BySession, ByModel, ByProject, ByTool} }

// Spending is how many tokens were taken, and what they cost as an estimate. No kind
// of tokens includes another; Reasoning is part of Output, and CacheCreation1h of
// CacheCreation.
type Spending struct {
	Key     string   `json:"key"` // the day, session, model, project or tool; "" is not known
	Source  string   `json:"source,omitempty"`
	Project string   `json:"project,omitempty"` // of a session
	Models  []string `json:"models"`

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

// Tokens is the sum of all kinds.
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
func Usage(ctx context.Context, r *nodedb.Reader, f Filter, by By, table *prices.Table, zone *time.Location) (b Bill, err error) {
	var parts []part
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		parts, err = taken(ctx, s, f, by)
		return err
	})
	if err != nil {
		return Bill{}, fmt.Errorf("sum up tokens: %w", err)
	}
	b = Bill{By: by, Date: table.Date, Items: []Spending{}}
	at := map[[2]string]int{}
	for i := range parts {
		p := &parts[i]
		key := [2]string{p.key}
		switch by {
		case BySession:
			key[1] = p.source
		case ByDay:
			key[0] = day(p.last, zone)
		case ByModel, ByProject, ByTool:
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
	slices.SortFunc(b.Items, func(x, y Spending) int {
		switch by {
		case ByDay:
			return strings.Compare(y.Key, x.Key)
		case BySession:
			return cmp.Or(cmp.Compare(y.last, x.last), strings.Compare(x.Key, y.Key))
		case ByModel, ByProject, ByTool:
		}
		return cmp.Or(cmp.Compare(y.Cost, x.Cost), cmp.Compare(y.Tokens(), x.Tokens()), strings.Compare(x.Key, y.Key))
	})
	return b, nil
}

// day is the day of a moment in milliseconds; "" if there is none.
func day(ms int64, zone *time.Location) string {
	if ms == ended {
		return ""
	}
	return time.UnixMilli(ms).In(zone).Format(time.DateOnly)
}

// part is what was taken of one model, by one of what it is summed up by. A day is in
// quarters of an hour here: no zone divides those.
type part struct {
	key, source, project, model string

	fast      bool
	all, over prices.Tokens[int64]
	reasoning int64
	last      int64
}

func (p *part) addTo(s *Spending, table *prices.Table) {
	s.Input += p.all.Input
	s.Output += p.all.Output
	s.Reasoning += p.reasoning
	s.CacheRead += p.all.CacheRead
	s.CacheCreation += p.all.CacheWrite + p.all.CacheWrite1h
	s.CacheCreation1h += p.all.CacheWrite1h
	if price, ok := table.Find(p.model); ok {
		s.Cost += price.Cost(p.all, p.over, p.fast)
	} else {
		s.Unpriced += p.all.Input + p.all.Output + p.all.CacheRead + p.all.CacheWrite + p.all.CacheWrite1h
	}
	if p.model != "" {
		s.Models = append(s.Models, p.model)
	}
	if p.last != ended && (s.Last == "" || p.last > s.last) {
		s.last, s.Last = p.last, stamp(sql.NullInt64{Int64: p.last, Valid: true})
	}
}

// cachedInput are the tools whose input includes what the cache gave, and thoughtBeside
// those whose output does not include what the model thought: see docs/adapters.
func cachedInput() []core.Tool {
	return []core.Tool{core.Codex, core.Gemini, core.Qwen, core.Copilot, core.Continue}
}

func thoughtBeside() []core.Tool { return []core.Tool{core.Gemini} }

func among(tools []core.Tool) string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = "'" + string(t) + "'"
	}
	return "source IN (" + strings.Join(names, ", ") + ")"
}

// onceEach is the counts without repetitions. Claude Code writes a response as several
// records, and may write all of them again later in the transcript, or in that of a side
// question, under other ids. Of what a response is said to have taken at first, the most
// counts, and of what it is said to have taken more, each amount once.
const onceEach = `SELECT session, source, project, model, ms, fast, input, output, reasoning, cache_read, cache_creation, cache_creation_1h
	  FROM usage CROSS JOIN talks USING (t) WHERE source <> 'claude_code' OR response = ''
	UNION ALL
	SELECT session, source, project, model, min(ms), max(fast), max(input), max(output), max(reasoning),
	    max(cache_read), max(cache_creation), max(cache_creation_1h)
	  FROM usage CROSS JOIN talks USING (t) WHERE source = 'claude_code' AND response <> ''
	  GROUP BY response, iif(input + cache_read + cache_creation > 0, -1, output)`

// taken asks for the tokens, each kind without the others.
func taken(ctx context.Context, s nodedb.Snapshot, f Filter, by By) ([]part, error) {
	w, err := f.scope(ctx, s)
	if err != nil {
		return nil, err
	}
	f.span(&w, "ms", "ms")
	key := map[By]string{ByDay: "ms / 900000", BySession: "session", ByModel: "model", ByProject: "project", ByTool: "source"}[by]
	source := "''"
	if by == BySession {
		source = "source"
	}
	query := fmt.Sprintf(`SELECT coalesce(%[1]s, ''), %[2]s, min(project), model, fast, sum(i), sum(o), sum(r), sum(w), sum(w1),
		  sum(max(i - %[3]d, 0)), sum(max(o - %[3]d, 0)), sum(max(r - %[3]d, 0)), sum(max(w - %[3]d, 0)), sum(max(w1 - %[3]d, 0)),
		  sum(reasoning), coalesce(max(ms), %[4]d)
		FROM (SELECT session, source, project, model, ms, fast, reasoning,
		    iif(%[5]s, max(input - cache_read, 0), input) AS i, iif(%[6]s, output + reasoning, output) AS o,
		    cache_read AS r, max(cache_creation - cache_creation_1h, 0) AS w, cache_creation_1h AS w1
		  FROM (`+onceEach+`))
		WHERE %[7]s GROUP BY 1, 2, model, fast`,
		key, source, prices.Threshold, ended, among(cachedInput()), among(thoughtBeside()), w.String())
	scan := func(rows *sql.Rows, p *part) error {
		return rows.Scan(&p.key, &p.source, &p.project, &p.model, &p.fast,
			&p.all.Input, &p.all.Output, &p.all.CacheRead, &p.all.CacheWrite, &p.all.CacheWrite1h,
			&p.over.Input, &p.over.Output, &p.over.CacheRead, &p.over.CacheWrite, &p.over.CacheWrite1h, &p.reasoning, &p.last)
	}
	return schema.Collect(ctx, s, scan, query, w.args...)
}
