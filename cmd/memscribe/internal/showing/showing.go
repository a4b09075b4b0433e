// Package showing implements the command show: it prints a session as text, Markdown, HTML or
// JSON. The last three come from internal/session; the text is made here:
//
//	session 01a202a3-e254 · codex · /home/me/orders-service
//
//	→ you · 2026-11-22 09:43
//	    Add a /healthz route that returns 200.
//
// The arrow marks the item that was asked for. Long lines are wrapped at the width of the
// terminal; commands and diffs are not, because people copy them.
package showing

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/internal/nodedb/talks"
	"github.com/memscribe/memscribe/internal/session"
	"github.com/memscribe/memscribe/internal/visible"
)

// Formats returns the names of the formats, the default first.
func Formats() []string { return []string{"text", "markdown", "html", "json"} }

// Form says how a session is printed.
type Form struct {
	Format string
	Width  int // text is wrapped to so many columns; 0: it is not wrapped
	Place  int // the index of the item that is marked in text; -1: none is
}

// Write prints a session.
func Write(w io.Writer, t talks.Talk, f Form) error {
	switch f.Format {
	case "markdown":
		return session.Markdown(w, t)
	case "html":
		return session.HTML(w, t)
	case "json":
		return session.JSON(w, t)
	}
	return writeText(w, t, f)
}

// writeText writes a session as text for a terminal, with people's notes after the item that
// they are about.
func writeText(w io.Writer, t talks.Talk, f Form) error {
	const indent = "    "
	if _, err := visible.Fprintf(w, "session %s · %s · %s\n", t.Session, string(t.Source), t.Project); err != nil {
		return err
	}
	for i := range t.Items {
		mark := ""
		if i == f.Place {
			mark = "→ "
		}
		if _, err := visible.Fprintf(w, "\n%s%s\n", mark, session.Title(&t.Items[i])); err != nil {
			return err
		}
		room := f.Width - len(indent)
		if kind := t.Items[i].Kind; kind == "command" || kind == "episode" {
			room = 0
		}
		for line := range strings.SplitSeq(strings.TrimRight(t.Items[i].Text, "\n"), "\n") {
			for _, part := range wrapped(line, room) {
				if _, err := visible.Fprintf(w, "%s%s\n", indent, part); err != nil {
					return err
				}
			}
		}
		for _, n := range t.Items[i].Mark.Notes {
			if _, err := visible.Fprintf(w, "    (%s: %s)\n", n.Who(), n.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// wrapped splits a line into parts of at most room columns, each with the indentation of the
// line. If room is 0 or less, or fewer than 20 columns are left, it returns the line unchanged.
func wrapped(line string, room int) []string {
	if room <= 0 || text.StringWidth(line) <= room {
		return []string{line}
	}
	said := strings.TrimLeft(line, " \t")
	margin := line[:len(line)-len(said)]
	const least = 20 // columns; where there are fewer the line stays as it is
	if room -= text.StringWidth(margin); room < least {
		return []string{line}
	}
	parts := strings.Split(text.WrapSoft(visible.Line(said), room), "\n")
	for i, p := range parts {
		parts[i] = margin + strings.TrimRight(p, " ")
	}
	return parts
}
