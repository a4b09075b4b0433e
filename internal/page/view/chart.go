package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/memscribe/memscribe/internal/page/model"
)

// bar is a bar of a chart: the tokens of a day, a week or a month. Its lower part are
// those that were read from a cache.
type bar struct {
	X, Y, Height, Cached int
	Label                string
}

// bars is a chart, from the oldest to the newest. Days without tokens have their place.
type bars struct {
	Unit        string // day, week, month
	Width       int
	Bars        []bar
	From, Until string // the first and the last day
	Most        string // the greatest value as text, for those who cannot see it
}

// The sizes of a chart. A page stretches it to its own width.
const (
	barWidth    = 8
	barGap      = 2
	chartHeight = 120
	fewestBars  = 30 // so that a single day does not fill the page
	mostBars    = 100
)

// chart draws how many tokens there were on days, the newest first: one bar a day, or a
// week or a month where there were more than a hundred days or weeks.
func chart(all []model.Tokens) (b bars) {
	all = slices.Clone(all)
	slices.Reverse(all)
	var days []time.Time
	for _, t := range all {
		day, err := time.Parse(time.DateOnly, string(t.Of))
		if err != nil || len(days) > 0 && day.Before(days[len(days)-1]) {
			return bars{}
		}
		days = append(days, day)
	}
	if len(days) == 0 {
		return bars{}
	}
	first, last := days[0], days[len(days)-1]
	b = bars{Unit: "day", From: string(all[0].Of), Until: string(all[len(all)-1].Of)}
	place := func(day time.Time) int { return int(day.Sub(first) / (24 * time.Hour)) }
	switch n := place(last); {
	case n >= 7*mostBars:
		b.Unit = "month"
		place = func(day time.Time) int { return 12*(day.Year()-first.Year()) + int(day.Month()-first.Month()) }
	case n >= mostBars:
		b.Unit = "week"
		place = func(day time.Time) int { return int(day.Sub(first) / (7 * 24 * time.Hour)) }
	}
	sums := make([]model.Tokens, place(last)+1)
	var most int64 = 1
	for i, t := range all {
		s := &sums[place(days[i])]
		s.Of = cmp.Or(s.Of, t.Of)
		s.Input, s.Output, s.Cached, s.Written = s.Input+t.Input, s.Output+t.Output, s.Cached+t.Cached, s.Written+t.Written
		most = max(most, s.Sum())
	}
	b.Most, b.Width = count(most), max(fewestBars, len(sums))*(barWidth+barGap)
	for i, s := range sums {
		if s.Sum() == 0 {
			continue
		}
		h := max(1, int(float64(s.Sum())*chartHeight/float64(most)))
		label := s.Of.String() + ": " + count(s.Sum()) + " tokens, " + count(s.Cached) + " of them read from a cache"
		b.Bars = append(b.Bars, bar{i * (barWidth + barGap), chartHeight - h, h, int(float64(s.Cached) * chartHeight / float64(most)), label})
	}
	return b
}

// count writes a number for a person: 950, 12.3k, 4.5M.
func count(n int64) string {
	switch {
	case n >= 1_000_000_000:
		return fmt.Sprintf("%.1fG", float64(n)/1e9)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return strconv.FormatInt(n, 10)
}
