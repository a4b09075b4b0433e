// Package session writes a whole session as Markdown, HTML or JSON, finds the part of it around
// an event ([Around]), and knows the command that resumes it ([Resume]).
//
// A session is named as people and other commands name it:
//
//	SESSION            all of it
//	SESSION:SEQ        the event of that number, with what stands around it
//	decision:a3f9      the place of the node whose id begins so
//
// As Markdown, an item is a heading and a quotation or a fence:
//
//	## you · 2026-11-22 09:43
//
//	> Alternative take: keep /healthz but return JSON with the version.
//
// What is written was said by others. Markdown quotes or fences all of it, and HTML escapes it,
// so no text of a session can add a heading, a link or a script to the page.
package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/talks"
)

// Place names a session, or a place in it.
type Place struct {
	Session string
	Seq     int64  // -1: all of it
	Node    string // the id of the node at this place that is meant; "" is the last one
}

// ParsePlace parses SESSION or SESSION:SEQ.
func ParsePlace(s string) Place {
	if at := strings.LastIndexByte(s, ':'); at > 0 {
		if seq, err := strconv.ParseInt(s[at+1:], 10, 64); err == nil && seq >= 0 {
			return Place{Session: s[:at], Seq: seq}
		}
	}
	return Place{Session: s, Seq: -1}
}

// Find returns the place that a name means: one that [ParsePlace] reads, or the place of the
// node that it is the id of, or the beginning of one, with its kind. A beginning that several
// nodes have is an error.
func Find(ctx context.Context, r *nodedb.Reader, name string) (Place, error) {
	kind, _, _ := strings.Cut(name, ":")
	if !slices.Contains([]string{"decision", "episode", "conversation"}, kind) || kind == name {
		return ParsePlace(name), nil
	}
	id, err := r.NodeID(ctx, name)
	if err != nil {
		return Place{}, err
	}
	n, _, err := r.Node(ctx, id)
	return Place{n.Session, n.Seq, id}, err
}

const (
	before = 5  // items of a part before its place
	behind = 15 // items from its place on
)

// Around returns the part of a session around a place, and the index in it of the item at that
// place: the named node, else the last item at or before Seq on the thread that the session
// begins with. The part begins before items earlier, and is marked as cut if the session goes
// on after it.
func Around(t talks.Talk, p Place) (part talks.Talk, place int) {
	at := 0
	for i := range t.Items {
		if t.Items[i].Thread == t.Items[at].Thread && t.Items[i].Seq <= p.Seq {
			at = i
		}
	}
	if node := slices.IndexFunc(t.Items, func(i talks.Item) bool { return i.ID == p.Node }); p.Node != "" && node >= 0 {
		at = node
	}
	from, to := max(0, at-before), min(len(t.Items), at+behind)
	t.Cut = t.Cut || to < len(t.Items)
	t.Items = t.Items[from:to]
	return t, at - from
}

// who returns whose an item is, in a word.
func who(i *talks.Item) string {
	switch {
	case i.IsBan:
		return "ban"
	case i.Kind == "user" && i.Mark.Shared != nil:
		return i.Mark.Shared.By
	case i.Kind == "user":
		return "you"
	case i.Kind == "assistant":
		return "agent"
	case i.Kind == "episode":
		return "edit"
	}
	return i.Kind
}

// Title returns the heading of an item: whose it is, what it did to a file, what people said
// of it, and when.
func Title(i *talks.Item) string {
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

// Markdown writes a session as Markdown: a heading for each item, a diff or command in a fence,
// and all else quoted.
//
//	# Session 01a202a3-e254-71d1-971a-e82ccaff3d6e
//
//	pi, /home/dev/work/orders-service
//
//	## you · 2026-11-22 09:43
//
//	> Add a /healthz route that returns 200.
//
// Texts are quoted and diffs fenced, so that a heading in them is none of the document.
func Markdown(w io.Writer, t talks.Talk) error {
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
		default: // quoted, so that a heading in it is none of the document
			said = "> " + strings.ReplaceAll(said, "\n", "\n> ")
		}
		if _, err := fmt.Fprintf(w, "\n## %s\n\n%s\n", oneLine(Title(item)), said); err != nil {
			return err
		}
	}
	return nil
}

// fenced puts a text between fences longer than any run of backticks in it, so that the text
// cannot end its own fence.
func fenced(s, language string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + language + "\n" + s + "\n" + fence
}

// oneLine joins all lines and spaces of s with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// head begins the page. It loads nothing and runs no script.
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

// HTML writes a session as one HTML page. It loads nothing, runs no script and links nowhere,
// and its own policy forbids the browser to.
func HTML(w io.Writer, t talks.Talk) error {
	var p markup.Page
	p.Put(head, oneLine(t.Session), oneLine(t.Session), string(t.Source), oneLine(t.Project))
	for i := range t.Items {
		item := &t.Items[i]
		p.Put(`<article class="%s"><h2>%s</h2><pre>%s</pre></article>`+"\n", item.Kind, oneLine(Title(item)), escapedLines(item.Text))
	}
	p.Put("</body></html>\n")
	b, err := p.Bytes()
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// escapedLines returns a text with its line ends escaped, so that the page holds it on one
// line and no text looks like a line of the page.
func escapedLines(s string) markup.Text {
	escaped := markup.Escape(strings.ReplaceAll(strings.TrimRight(s, "\n"), "\r", ""))
	return markup.Text(strings.ReplaceAll(escaped, "\n", "&#10;"))
}

// itemJSON is the JSON form of an item. Its members have the names that nodes have.
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

// JSON writes a session as one JSON object on one line. "cut" says that items are missing at
// its end.
//
//	{"session_id":"01a202a3-…","source":"pi","project":"…","items":[
//	 {"kind":"user","seq":4,"timestamp":"…","text":"Add a /healthz route that returns 200."},
//	 {"kind":"episode","seq":11,"path":"…","change":"modify","added_lines":2,"text":"--- a/…",…}]}
func JSON(w io.Writer, t talks.Talk) error {
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
func itemOf(i *talks.Item) itemJSON {
	return itemJSON{
		Kind: i.Kind, Thread: i.Thread, Seq: i.Seq, Timestamp: i.Timestamp, Text: i.Text, IsBan: i.IsBan, Superseded: i.Superseded,
		Path: i.Path, Change: i.Change, Added: i.Added, Removed: i.Removed, ID: i.ID, Mark: i.Mark,
	}
}
