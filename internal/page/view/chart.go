package view

import (
	"fmt"
	"strconv"

	"github.com/memscribe/memscribe/internal/page/model"
)

// bar is a bar of a chart, in units of its box.
type bar struct {
	X, Y, Width, Height int
	Label               string
}

// bars is a chart: the bars, the size of the box that holds them, and the greatest
// value as text, for those who cannot see it.
type bars struct {
	Width, Height int
	Bars          []bar
	Most          string
}

// The sizes of a chart.
const (
	barWidth    = 14
	barGap      = 4
	chartHeight = 120
)

// chart draws how many tokens there were, one bar a day.
func chart(all []model.Tokens) bars {
	var most int64 = 1
	for _, t := range all {
		most = max(most, t.Sum())
	}
	b := bars{Width: max(1, len(all)*(barWidth+barGap)), Height: chartHeight, Most: count(most)}
	for i, t := range all {
		h := int(t.Sum() * chartHeight / most)
		b.Bars = append(b.Bars, bar{i * (barWidth + barGap), chartHeight - h, barWidth, h, t.Of.String() + ": " + count(t.Sum()) + " tokens"})
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
