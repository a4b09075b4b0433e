package golden

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// How much of a difference is shown.
const (
	maxShown = 12 // pairs of lines
	around   = 70 // bytes before and after the place where two lines part
)

// Diff shows where two texts of lines differ: what stands between the lines that
// they have in common at their beginning and at their end, each line cut to the
// place that matters.
func Diff(want, got []byte) string {
	w, g := slices.Collect(bytes.Lines(want)), slices.Collect(bytes.Lines(got))
	head := 0
	for head < len(w) && head < len(g) && bytes.Equal(w[head], g[head]) {
		head++
	}
	tail := 0
	for tail < len(w)-head && tail < len(g)-head && bytes.Equal(w[len(w)-1-tail], g[len(g)-1-tail]) {
		tail++
	}
	w, g = w[head:len(w)-tail], g[head:len(g)-tail]
	var out strings.Builder
	fmt.Fprintf(&out, "from line %d on, %d lines are expected and %d came:\n", head+1, len(w), len(g))
	for i := range max(len(w), len(g)) {
		if i == maxShown {
			fmt.Fprintf(&out, "  … %d more\n", max(len(w), len(g))-i)
			break
		}
		pair(&out, at(w, i), at(g, i))
	}
	return out.String()
}

// pair shows two lines that are in the same place; nil is none.
func pair(out *strings.Builder, w, g []byte) {
	if bytes.Equal(w, g) {
		return
	}
	from := 0
	for from < len(w) && from < len(g) && w[from] == g[from] {
		from++
	}
	from = max(0, from-around)
	if w != nil {
		fmt.Fprintf(out, "- %s\n", window(w, from))
	}
	if g != nil {
		fmt.Fprintf(out, "+ %s\n", window(g, from))
	}
}

func window(line []byte, from int) string {
	before, after := "", ""
	line, ended := bytes.CutSuffix(line, []byte("\n"))
	if !ended {
		after = " (no line end)"
	}
	from = min(from, len(line))
	to := min(len(line), from+3*around)
	if from > 0 {
		before = "…"
	}
	if to < len(line) {
		after = "…"
	}
	return before + string(bytes.ToValidUTF8(line[from:to], []byte("?"))) + after
}

func at(lines [][]byte, i int) []byte {
	if i < len(lines) {
		return lines[i]
	}
	return nil
}
