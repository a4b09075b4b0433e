package status

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// View shows a Board on a terminal, as one line that is overwritten.
type View struct {
	Line  Line
	Board *Board
	Width int // of the terminal; 0 is 80
}

// Line is a line of a terminal that is overwritten.
type Line interface {
	// Status shows a text until something else is printed; "" removes it.
	Status(text string)
}

// Show shows the present state.
func (v *View) Show() { v.Line.Status(v.line()) }

// Clear removes the line.
func (v *View) Clear() { v.Line.Status("") }

// line returns the present state as one line.
func (v *View) line() string {
	s := v.Board.Look()
	tools := []string{}
	for tool := range v.Board.Tools() {
		if tool != "" {
			tools = append(tools, string(tool))
		}
	}
	slices.Sort(tools)
	parts := []string{"catching up"}
	if s.Idle {
		parts[0] = "following"
	}
	if s.Waiting != "" {
		parts[0] = "WAITING (" + s.Waiting + ")"
	}
	parts = append(parts, fmt.Sprintf("%d transcripts", s.Known))
	if len(tools) > 0 {
		parts[1] += " of " + strings.Join(tools, ", ")
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Nodes)) {
		parts = append(parts, fmt.Sprintf("%d %ss", s.Nodes[kind], kind))
	}
	if len(s.Lags) > 0 {
		parts = append(parts, "lag "+s.Quantile(0.5).Round(time.Millisecond/10).String())
	}
	if s.Error != "" {
		parts = append(parts, fmt.Sprintf("%d errors, the last: %s", s.Errors, s.Error))
	}
	return clip(strings.Join(parts, " · "), v.Width)
}

// clip cuts a line to a width, and leaves out control characters.
func clip(line string, width int) string {
	if width == 0 {
		width = 80
	}
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, line)
	if utf8.RuneCountInString(line) < width {
		return line
	}
	return string([]rune(line)[:max(width-2, 0)]) + "…"
}
