package answers

import (
	"io"
	"path"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/internal/find"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/visible"
)

// Hits prints hits for a person, each with the place to open. Excerpts are wrapped to
// width; 0 is any.
func Hits(w io.Writer, found nodedb.Found, width int) error {
	const indent = "    "
	for i := range found.Hits {
		h := &found.Hits[i]
		lines := []string{heading(h)}
		wrapped := func(s string) {
			if room := width - len(indent); room > 0 {
				s = text.WrapSoft(s, room)
			}
			lines = append(lines, strings.Split(s, "\n")...)
		}
		if h.Title != "" && !h.OfTitle {
			wrapped(visible.Line(strings.Join(strings.Fields(h.Title), " ")))
		}
		wrapped(visible.Line(h.Excerpt.Marked("«", "»")))
		if _, err := visible.Fprintf(w, "%s\n", lines[0]); err != nil {
			return err
		}
		for _, l := range append(lines[1:], find.Open(h)) {
			if _, err := visible.Fprintf(w, "%s%s\n", indent, strings.TrimRight(l, " ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// heading returns the line above a hit: what it is, who shared it, when and where.
func heading(h *nodedb.Hit) string {
	what := map[string]string{"user": "you", "assistant": "agent", "command": "command", "conversation": "you", "decision": "decision", "episode": "edit"}[h.Kind]
	switch {
	case h.IsBan:
		what = "ban"
	case h.Kind == "conversation" && !h.ByPerson:
		what = "agent"
	case h.Path != "":
		what += " " + h.Path
	}
	parts := []string{what}
	if shared := h.Mark.Shared; shared != nil {
		if what == "you" {
			parts[0] = shared.By
		}
		parts = append(parts, shared.String())
	}
	if h.Timestamp != "" {
		parts = append(parts, strings.Replace(h.Timestamp[:min(len(h.Timestamp), len("2006-01-02T15:04"))], "T", " ", 1))
	}
	if h.Project != "" {
		parts = append(parts, path.Base(strings.ReplaceAll(h.Project, `\`, "/")))
	}
	return strings.Join(append(parts, string(h.Source)), " · ")
}
