package answers

import (
	"io"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/why"
)

// Lines prints the answers for lines of files: neighbouring lines with the same answer
// are printed once.
func Lines(w io.Writer, lines []blame.Line) error {
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && same(&lines[n-1], &lines[n]) {
			n++
		}
		if err := group(w, lines[:n]); err != nil {
			return err
		}
		lines = lines[n:]
	}
	return nil
}

// same reports whether two lines that follow each other have the same answer.
func same(a, b *blame.Line) bool {
	return a.File == b.File && b.Line == a.Line+1 && a.Status == b.Status && episodeID(a) == episodeID(b) && a.Evidence == b.Evidence
}

// episodeID returns the id of the line's episode, or "".
func episodeID(l *blame.Line) string {
	if l.Episode == nil {
		return ""
	}
	return l.Episode.ID
}

// group prints neighbouring lines that have the same answer, once.
func group(w io.Writer, lines []blame.Line) error {
	first := &lines[0]
	place := first.File + ":" + strconv.Itoa(first.Line)
	if n := len(lines); n > 1 {
		place += "-" + strconv.Itoa(lines[n-1].Line)
	}
	p := printer{w: w}
	switch first.Status {
	case "decision":
		p.f("%s  %s\n", place, first.Decision.Title)
	case "edit":
		p.f("%s  an edit that no decision is known of\n", place)
	case "hand":
		p.f("%s  written by hand or by a command: %s\n", place, first.Evidence)
	case "ambiguous":
		p.f("%s  not certain: %s\n", place, first.Evidence)
		for _, c := range first.Candidates {
			p.f("    maybe %s\n", about(&c))
		}
	default:
		p.f("%s  no recorded edit wrote this\n", place)
	}
	if first.Episode == nil {
		return p.err
	}
	if d := first.Decision; d != nil {
		if d.Epitome != d.Title {
			p.f("    in the words of the session: %s\n", d.Epitome)
		}
		p.f("    decision %s\n", d.ID)
	}
	p.f("    %s\n", about(first.Episode))
	if first.Commit != "" {
		p.f("    commit %.12s\n", first.Commit)
	}
	p.f("    %s\n", first.Evidence)
	p.hunk(first.Episode.Hunks, lines)
	if first.Later > 0 {
		p.f("    the file has %d later edits: memscribe query file %s\n", first.Later, first.File)
	}
	return p.err
}

// about returns the line that says when, by which tool, and in which session an edit
// was made, and who shared it.
func about(e *blame.Episode) string {
	parts := []string{e.Timestamp, e.Source, "session " + e.SessionID, e.Tool + " " + e.CallID}
	if e.Shared != nil {
		parts = append(parts, e.Shared.String())
	}
	return strings.Join(parts, " · ")
}

// maxShown is how many lines of a hunk are shown.
const maxShown = 24

// hunk prints the hunk that holds the first of the lines, with four blanks for a tab.
func (p *printer) hunk(hunks []why.Hunk, lines []blame.Line) {
	for _, h := range hunks {
		if !holds(&h, lines[0].Text) {
			continue
		}
		for i, l := range h.Lines {
			if i == maxShown {
				p.f("      … %d more\n", len(h.Lines)-i)
				break
			}
			p.f("      %c%s\n", l.Mark, strings.ReplaceAll(strings.TrimRight(l.Text, "\r\n"), "\t", "    "))
		}
		return
	}
}

// holds reports whether a hunk adds a line with this text.
func holds(h *why.Hunk, text string) bool {
	for _, l := range h.Lines {
		if l.Mark == '+' && strings.TrimRight(l.Text, "\r\n") == text {
			return true
		}
	}
	return false
}
