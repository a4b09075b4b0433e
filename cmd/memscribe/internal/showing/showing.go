// Package showing implements the commands show and resume: it prints a whole
// session, and the command with which its tool resumes it.
package showing

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/visible"
)

// Formats are the forms in which a session can be printed.
func Formats() []string { return []string{"text", "markdown", "html", "json"} }

// Place is a session, and perhaps a place in it: SESSION or SESSION:SEQ.
type Place struct {
	Session string
	Seq     int64 // -1: all of it
}

// ParsePlace reads a place.
func ParsePlace(s string) Place {
	if at := strings.LastIndexByte(s, ':'); at > 0 {
		if seq, err := strconv.ParseInt(s[at+1:], 10, 64); err == nil && seq >= 0 {
			return Place{s[:at], seq}
		}
	}
	return Place{s, -1}
}

const (
	before = 5 // items that are shown before a place
	behind = 15
)

// Around leaves of a session what stands around a place, and says which item is at it.
func Around(t nodedb.Talk, seq int64) (part nodedb.Talk, place int) {
	at := 0
	for i := range t.Items {
		if t.Items[i].Thread == t.Items[at].Thread && t.Items[i].Seq <= seq {
			at = i
		}
	}
	from, to := max(0, at-before), min(len(t.Items), at+behind)
	t.Cut = t.Cut || to < len(t.Items)
	t.Items = t.Items[from:to]
	return t, at - from
}

// Form says how a session is printed.
type Form struct {
	Format string
	Width  int // to which what was said is wrapped as text; 0 is any
	Place  int // the item that a person asked for, which is marked in text; -1 is none
}

// Write prints a session.
func Write(w io.Writer, t nodedb.Talk, f Form) error {
	switch f.Format {
	case "markdown":
		return writeMarkdown(w, t)
	case "html":
		return writeHTML(w, t)
	case "json":
		return writeJSON(w, t)
	}
	return writeText(w, t, f)
}

// who says whose an item is.
func who(i *nodedb.Item) string {
	switch {
	case i.IsBan:
		return "ban"
	case i.Kind == "user":
		return "you"
	case i.Kind == "assistant":
		return "agent"
	case i.Kind == "episode":
		return "edit"
	}
	return i.Kind
}

// title is what stands above an item.
func title(i *nodedb.Item) string {
	parts := []string{who(i)}
	if i.Path != "" {
		parts = append(parts, fmt.Sprintf("%s %s +%d -%d", i.Change, i.Path, i.Added, i.Removed))
	}
	if i.Superseded {
		parts = append(parts, "taken back")
	}
	if said := i.Mark.String(); said != "" {
		parts = append(parts, said)
	}
	if i.Thread != "" {
		parts = append(parts, "subagent "+i.Thread)
	}
	if len(i.Timestamp) >= len("2006-01-02T15:04") {
		parts = append(parts, strings.Replace(i.Timestamp[:len("2006-01-02T15:04")], "T", " ", 1))
	}
	return strings.Join(parts, " · ")
}

// writeText writes a session as text for a terminal. Commands and diffs are not wrapped:
// they are copied.
func writeText(w io.Writer, t nodedb.Talk, f Form) error {
	const indent = "    "
	if _, err := visible.Fprintf(w, "session %s · %s · %s\n", t.Session, string(t.Source), t.Project); err != nil {
		return err
	}
	for i := range t.Items {
		mark := ""
		if i == f.Place {
			mark = "→ "
		}
		if _, err := visible.Fprintf(w, "\n%s%s\n", mark, title(&t.Items[i])); err != nil {
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

// wrapped are the parts of a line that are no wider than room, each indented as the line is;
// room of 0 and less is any.
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

// writeMarkdown writes a session as Markdown. Fences are longer than any run of
// backticks in what they hold.
func writeMarkdown(w io.Writer, t nodedb.Talk) error {
	if _, err := fmt.Fprintf(w, "# Session %s\n\n%s, %s\n", oneLine(t.Session), oneLine(string(t.Source)), oneLine(t.Project)); err != nil {
		return err
	}
	for i := range t.Items {
		item, said := &t.Items[i], strings.TrimRight(t.Items[i].Text, "\n")
		switch item.Kind {
		case "episode":
			said = fenced(said, "diff")
		case "command":
			said = fenced(said, "sh")
		default: // a heading in what was said is none of this page
			said = "> " + strings.ReplaceAll(said, "\n", "\n> ")
		}
		if _, err := fmt.Fprintf(w, "\n## %s\n\n%s\n", oneLine(title(item)), said); err != nil {
			return err
		}
	}
	return nil
}

// fenced puts a text between fences that it has none of.
func fenced(s, language string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + language + "\n" + s + "\n" + fence
}

// oneLine joins all lines and spaces of s with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// head begins a page that is one file: nothing is loaded, and no script runs.
const head = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Session %s</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
article { border-left: 4px solid #bbb; padding: .2rem 1rem; margin: 1rem 0 }
article.user { border-color: #2b6cb0 } article.decision { border-color: #2f855a; background: #f0fff4 }
h2 { font-size: .9rem; margin: 0; color: #555 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; font: inherit }
.episode pre, .command pre { font-family: ui-monospace, monospace; font-size: .85rem }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #111 } h2 { color: #aaa } article.decision { background: #10281a } }
</style></head><body>
<h1>Session %s</h1>
<p>%s · %s</p>
`

// writeHTML writes a session as one HTML page without scripts or links to elsewhere.
func writeHTML(w io.Writer, t nodedb.Talk) error {
	var p markup.Page
	p.Put(head, oneLine(t.Session), oneLine(t.Session), string(t.Source), oneLine(t.Project))
	for i := range t.Items {
		item := &t.Items[i]
		p.Put(`<article class="%s"><h2>%s</h2><pre>%s</pre></article>`+"\n", item.Kind, oneLine(title(item)), escapedLines(item.Text))
	}
	p.Put("</body></html>\n")
	b, err := p.Bytes()
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// escapedLines is a text with its line ends written so that the page has it on one
// line: no text looks like a line of the page.
func escapedLines(s string) markup.Text {
	escaped := markup.Escape(strings.ReplaceAll(strings.TrimRight(s, "\n"), "\r", ""))
	return markup.Text(strings.ReplaceAll(escaped, "\n", "&#10;"))
}

// itemJSON is an item as it is printed for programs.
type itemJSON struct {
	Kind       string `json:"kind"`
	Thread     string `json:"thread_id,omitempty"`
	Seq        int64  `json:"seq"`
	Timestamp  string `json:"timestamp,omitempty"`
	Text       string `json:"text"`
	IsBan      bool   `json:"is_ban,omitempty"`
	Superseded bool   `json:"superseded,omitempty"`
	Path       string `json:"path,omitempty"`
	Change     string `json:"change,omitempty"`
	Added      int64  `json:"added_lines,omitempty"`
	Removed    int64  `json:"removed_lines,omitempty"`
	ID         string `json:"id,omitempty"`

	Mark annotate.Mark `json:"annotations,omitzero"`
}

// writeJSON writes a session as one JSON object.
func writeJSON(w io.Writer, t nodedb.Talk) error {
	out := struct {
		Session string     `json:"session_id"`
		Source  string     `json:"source"`
		Project string     `json:"project"`
		Items   []itemJSON `json:"items"`
		Cut     bool       `json:"cut"`
	}{t.Session, string(t.Source), t.Project, []itemJSON{}, t.Cut}
	for i := range t.Items {
		out.Items = append(out.Items, itemOf(&t.Items[i]))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

// itemOf returns the JSON form of an item.
func itemOf(i *nodedb.Item) itemJSON {
	return itemJSON{
		Kind: i.Kind, Thread: i.Thread, Seq: i.Seq, Timestamp: i.Timestamp, Text: i.Text, IsBan: i.IsBan, Superseded: i.Superseded,
		Path: i.Path, Change: i.Change, Added: i.Added, Removed: i.Removed, ID: i.ID, Mark: i.Mark,
	}
}
