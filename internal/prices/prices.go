// Package prices estimates the price of token usage from list prices as of a date.
// What a person
// really paid, by a subscription or with a discount, it cannot know.
//
// The table prices.tsv has, for each model, a price per million tokens of each kind (input,
// output, cache read, cache write), a second one for tokens over [Threshold] in one response,
// and a factor for the provider's faster mode. Kinds do not overlap: a token read from the
// cache is not counted as input.
//
//	model-x  3 15 0.3 3.75  6 22.5 0.6 7.5  2
//	         └─ base ─────┘ └─ over 200k ─┘ └ fast
//
//	1,000,000 input + 100,000 output tokens: 1 × 3 + 0.1 × 15 = 4.50 US dollars
package prices

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

//go:embed prices.tsv
var builtin string

// million is how many tokens a price is for.
const million = 1e6

// Threshold is how many tokens of a response cost the base price, of each kind.
const Threshold = 200_000

// hour is the factor by which writing to the cache for an hour is dearer than input.
const hour = 2

// Tokens are counts, or the prices of a million of them in US dollars. No kind
// includes another.
type Tokens[N int64 | float64] struct {
	Input, Output, CacheRead, CacheWrite N

	CacheWrite1h N
}

// Price is what a model costs.
type Price struct {
	Base Tokens[float64]
	Over Tokens[float64] // for what is over the threshold
	Fast float64         // by how much the faster mode is dearer; 1 is not
}

// Cost returns what tokens cost in US dollars, where over are those of them that are over
// the threshold of their responses.
func (p *Price) Cost(all, over Tokens[int64], fast bool) float64 {
	sum := 0.0
	add := func(n, above int64, base, tier float64) {
		sum += float64(n-above)*base + float64(above)*tier
	}
	add(all.Input, over.Input, p.Base.Input, p.Over.Input)
	add(all.Output, over.Output, p.Base.Output, p.Over.Output)
	add(all.CacheRead, over.CacheRead, p.Base.CacheRead, p.Over.CacheRead)
	add(all.CacheWrite, over.CacheWrite, p.Base.CacheWrite, p.Over.CacheWrite)
	add(all.CacheWrite1h, over.CacheWrite1h, p.Base.CacheWrite1h, p.Over.CacheWrite1h)
	if fast {
		sum *= p.Fast
	}
	return sum / million
}

// Table is the prices of models.
type Table struct {
	// Date is the day of the prices, as 2026-01-31.
	Date   string
	models map[string]Price
}

// Builtin returns the prices that come with the program.
func Builtin() (*Table, error) {
	t := &Table{models: map[string]Price{}}
	return t, t.Read("prices.tsv", strings.NewReader(builtin))
}

// maxTable is how many lines a table has at most.
const maxTable = 10_000

// Read adds the prices of a file, in place of those of the same models. Its lines
// are a date or a model, with blanks between their fields:
//
//	date    2026-11-01
//	model-x 3 15 0.3 3.75
//
// The four prices are those of input, output, and of reading from and writing to the
// cache, for a million tokens. Then there may be four for what is over the threshold,
// and by how much the faster mode is dearer; - is none. A line with # is a remark.
func (t *Table) Read(name string, r io.Reader) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		if n > maxTable {
			return fmt.Errorf("read prices %s: it has more than %d lines", name, maxTable)
		}
		f := strings.Fields(lines.Text())
		if len(f) == 0 || strings.HasPrefix(f[0], "#") || f[0] == "model" {
			continue
		}
		if f[0] == "date" {
			if len(f) != 2 || !isDay(f[1]) {
				return fmt.Errorf("read prices %s:%d: a date is written as 2026-01-31", name, n)
			}
			t.Date = f[1]
			continue
		}
		p, err := parse(f[1:])
		if err != nil {
			return fmt.Errorf("read prices %s:%d: %s: %w", name, n, f[0], err)
		}
		t.models[strings.ToLower(f[0])] = p
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read prices %s: %w", name, err)
	}
	return nil
}

// isDay reports whether a text is a date, as 2026-11-27.
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// fields is how many there are behind a model, at least and at most.
const fewest, most = 4, 9

// parse reads what stands behind a model.
func parse(fields []string) (p Price, err error) {
	if len(fields) < fewest || len(fields) > most {
		return p, fmt.Errorf("has %d fields, of 4 to 9", len(fields))
	}
	var v [most]float64
	for i := range v {
		v[i] = math.NaN()
		if i >= len(fields) || fields[i] == "-" {
			continue
		}
		if v[i], err = strconv.ParseFloat(fields[i], 64); err != nil || v[i] < 0 || math.IsInf(v[i], 0) || math.IsNaN(v[i]) {
			return p, fmt.Errorf("%s is no price", fields[i])
		}
	}
	or := func(v, other float64) float64 {
		if math.IsNaN(v) {
			return other
		}
		return v
	}
	b := Tokens[float64]{Input: or(v[0], 0), Output: or(v[1], 0), CacheRead: or(v[2], 0), CacheWrite: or(v[3], 0)}
	b.CacheWrite1h = hour * b.Input
	o := Tokens[float64]{Input: or(v[4], b.Input), Output: or(v[5], b.Output), CacheRead: or(v[6], b.CacheRead), CacheWrite: or(v[7], b.CacheWrite)}
	o.CacheWrite1h = hour * o.Input
	return Price{Base: b, Over: o, Fast: or(v[8], 1)}, nil
}

// Find returns the price of a model. A provider before its name, and a date or a
// release behind it, make no difference:
//
//	openrouter/anthropic/claude-sonnet-4.5       claude-sonnet-4-5
//	us.anthropic.claude-opus-4-20250514-v1:0     claude-opus-4
func (t *Table) Find(model string) (Price, bool) {
	name := strings.ToLower(strings.TrimSpace(model))
	for _, form := range forms(name) {
		if p, ok := t.models[form]; ok {
			return p, true
		}
	}
	return Price{}, false
}

// forms returns the names under which a model may be in a table, the name as it is first, then
// without provider, region, suffix, version and date. Each form is made from the one before.
func forms(name string) []string {
	all := []string{name}
	add := func(s string) {
		if s != all[len(all)-1] {
			all = append(all, s)
		}
	}
	add(name[strings.LastIndexByte(name, '/')+1:])
	if _, behind, ok := strings.Cut(all[len(all)-1], "anthropic."); ok {
		add(behind)
	}
	bare, _, _ := strings.Cut(all[len(all)-1], "@")
	bare, _, _ = strings.Cut(bare, ":")
	bare, _, _ = strings.Cut(bare, "[")
	add(bare)
	if at := strings.LastIndex(bare, "-v"); at > 0 && len(bare)-at == len("-v1") {
		add(bare[:at])
	}
	if last := all[len(all)-1]; len(last) > 9 && last[len(last)-9] == '-' && strings.Trim(last[len(last)-8:], "0123456789") == "" {
		add(last[:len(last)-9])
	}
	add(strings.TrimSuffix(all[len(all)-1], "-latest"))
	add(strings.ReplaceAll(all[len(all)-1], ".", "-"))
	return all
}
