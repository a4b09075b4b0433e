package status

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// View shows a Board on a terminal: a line that is written over.
type View struct {
	Line  Line
	Board *Board
	Width int // of the terminal; 0 is 80
}

// Line is the line of a terminal that is written over.
type Line interface {
	// Status has a text stand there until something else is printed; "" takes it away.
	Status(text string)
}

// Show shows the present state.
func (v *View) Show() { v.Line.Status(v.line()) }

// Clear takes away what stands there.
func (v *View) Clear() { v.Line.Status("") }

// line returns the present state in one line.
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

// clip cuts a line so that it does not run over, and leaves out what a terminal
// would not take for text.
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
