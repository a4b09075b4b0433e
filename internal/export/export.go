// Package export writes the decisions of a project as Markdown records, CSV, JSON or HTML.
// Begin with [Ask], and the methods of [Answer].
//
// The same decisions give the same bytes. Texts of transcripts are escaped for the format: no
// cell of CSV is a formula, and no text is markup.
//
//	records   a folder of 2026-11-01-use-cursor-pagination-468f6ea2c1d0.md, one per decision
//	csv       one line per decision, lists within a cell
//	json      {"schema":"memscribe.export/v1","project":"…","decisions":[…]}
//	html      one file that loads nothing and runs nothing
//
// A record ends with a digest of its own lines. A record that a person has edited no longer
// matches its digest, and is never overwritten. The formats are not read back; memscribe query
// --ndjson prints the complete nodes.
package export

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/visible"
)

// Schema is the "schema" member of the JSON format.
const Schema = "memscribe.export/v1"

// Answer holds the decisions of a project, the oldest first.
type Answer struct {
	Schema    string               `json:"schema"`
	Project   string               `json:"project"`
	Decisions []decisions.Decision `json:"decisions"`
}

// Ask reads the decisions of a project from a database, the oldest first. A project that the
// database does not know is an error; one without decisions is not.
func Ask(ctx context.Context, r *nodedb.Reader, q decisions.Question) (*Answer, error) {
	project, all, err := decisions.In(ctx, r, q)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return &Answer{Project: project}, r.KnowsProject(ctx, project)
	}
	slices.Reverse(all)
	return &Answer{Schema: Schema, Project: project, Decisions: all}, nil
}

// WriteJSON writes the answer as one JSON object.
func (a *Answer) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(a)
}

// WriteCSV writes a header line and one line per decision. Lists are in one cell, one item per
// line.
func (a *Answer) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{ // the error comes with the last line
		"id", "timestamp", "project", "source", "session_id", "is_ban", "in_force", "score", "title", "epitome",
		"chosen", "rejected", "confirmation", "files",
	})
	for i := range a.Decisions {
		d := &a.Decisions[i]
		row := []string{
			visible.Line(d.ID), d.Timestamp, visible.Line(d.Project), d.Source, visible.Line(d.SessionID), strconv.FormatBool(d.IsBan), strconv.FormatBool(d.SupersededBy == ""),
			strconv.Itoa(d.Score), d.Title, d.Epitome, options(d, true), options(d, false), d.Confirmation, visible.Line(strings.Join(files(d), ", ")),
		}
		for k := range row {
			row[k] = cell(row[k])
		}
		_ = c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// cell returns a text that no spreadsheet takes for a formula: one that looks like a formula
// gets an apostrophe in front.
func cell(s string) string {
	if s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		return "'" + s
	}
	return s
}

// options returns the chosen, or the rejected, options of a decision, one per line.
func options(d *decisions.Decision, chosen bool) string {
	var all []string
	for _, o := range d.Options {
		if o.Chosen == chosen {
			all = append(all, o.Text)
		}
	}
	return strings.Join(all, "\n")
}

// files returns the files that carry out a decision, each once, sorted: relative to the
// project's folder if they lie below it.
func files(d *decisions.Decision) (all []string) {
	for _, e := range d.Edits {
		path := e.Path
		if rest, ok := strings.CutPrefix(path, d.Project); ok && d.Project != "" && strings.IndexAny(rest, `/\`) == 0 {
			path = rest[1:]
		}
		if path != "" && !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}

// head begins the HTML file. It loads nothing and runs nothing.
const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Decided in %s</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
article { border-top: 1px solid #999; padding: .5rem 0 }
h2 { font-size: 1rem; margin: 0 } .over h2 { text-decoration: line-through } .ban h2::before { content: "⊘ " }
blockquote { margin: .25rem 0 .25rem 1rem; white-space: pre-wrap } .about { color: #666; font-size: .85rem }
</style>
</head>
<body>
<h1>Decided in %s</h1>
`

// WriteHTML writes the decisions as one HTML file that loads nothing.
func (a *Answer) WriteHTML(w io.Writer) error {
	var p markup.Page
	p.Put(head, visible.Line(a.Project), visible.Line(a.Project))
	for i := range a.Decisions {
		writeDecision(&p, &a.Decisions[i])
	}
	p.Put("</body>\n</html>\n")
	b, err := p.Bytes()
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// writeDecision writes one decision as HTML.
func writeDecision(p *markup.Page, d *decisions.Decision) {
	class := ""
	if d.IsBan {
		class = "ban "
	}
	if d.SupersededBy != "" {
		class += "over"
	}
	p.Put(`<article id="%s" class="%s">
<h2>%s</h2>
<blockquote>%s</blockquote>
`, visible.Line(d.ID), class, visible.Line(d.Title), d.Epitome)
	if len(d.Options) > 0 {
		p.Put("<ul>")
		for _, o := range d.Options {
			chosen := "not chosen"
			if o.Chosen {
				chosen = "chosen"
			}
			p.Put("<li>%s: %s</li>", chosen, visible.Line(o.Text))
		}
		p.Put("</ul>\n")
	}
	if paths := files(d); len(paths) > 0 {
		p.Put("<ul>")
		for _, path := range paths {
			p.Put("<li><code>%s</code></li>", visible.Line(path))
		}
		p.Put("</ul>\n")
	}
	p.Put(`<p class="about">%s · %s · session %s · score %s`, visible.Line(d.Timestamp), visible.Line(d.Source), visible.Line(d.SessionID), d.Score)
	if d.SupersededBy != "" {
		p.Put(" · superseded by %s", visible.Line(d.SupersededBy))
	}
	p.Put("</p>\n</article>\n")
}
