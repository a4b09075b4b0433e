// Package find searches a database for words and filters. If there is no hit, it also says
// which filter is to blame.
//
// A filter is given in the query (tool:codex) or as an option (--tool codex); if both are, the
// query wins. Package search parses the query and ranks the hits, package nodedb runs the
// search.
//
//	"cursor tool:codex"  ── split ──▶ words, filters ──▶ nodedb ──▶ hits, ranked
//	                                                        │ none
//	                                                        ▼
//	                                      each filter left out in turn: which one hides hits?
//
// The command memscribe search, the MCP server and the page all search through [Ask].
package find

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/search"
)

// Options are a search as it was asked for. A filter in Words has the same name as its option.
type Options struct {
	Words string
	// Project, File, Tool, Session, Since, Until, By and Kind are filters; "" leaves all in.
	// Since and Until are moments or spans of time, By is one of the words of [nodedb] for who
	// spoke or a synonym of it, and Kind is a list with commas.
	Project, File, Tool, Session, Since, Until, By, Kind string

	// Limit bounds the hits.
	Limit int
	JSON  bool
}

// ErrFilter is wrapped by the errors about a filter whose value does not exist or cannot be
// read. The text says which values there are, so that it can be shown to the user as it is.
var ErrFilter = errors.New("unknown filter")

// World is what is needed to read the values of filters, and differs between the command line,
// the MCP server and tests. Tools are the names of the known tools. Project resolves a name to
// the project's path; "" stays "". Moment reads a time, such as "yesterday" or "2026-03-01";
// with end set, it is the end of the day or other span that the text names.
type World struct {
	Tools   []string
	Project func(name string) (string, error)
	Moment  func(text string, end bool) (time.Time, error)
}

// Ask searches a database. That there are no hits is no error, unless the database does not
// know the project that was asked for: then the error says so, with the hits empty.
func Ask(ctx context.Context, r *nodedb.Reader, o Options, w World) (nodedb.Found, error) {
	q := search.Parse(o.Words)
	f, err := o.finding(q, w)
	if err != nil {
		return nodedb.Found{}, err
	}
	found, err := r.Find(ctx, q, f)
	if err != nil || len(found.Hits) > 0 || f.Project == "" {
		return found, err
	}
	return found, r.KnowsProject(ctx, f.Project)
}

// Condition is one filter of a search that found nothing.
type Condition struct {
	Flag  string               // the name of the flag that sets it
	Finds func() (bool, error) // reports whether the search without it finds something
}

// Conditions returns the filters of a search that are set, in a fixed order. Each has a
// function that searches again without that filter but with all others, for a message such as
// "nothing found; without --tool there would be hits". No search is run before that function is
// called.
func Conditions(ctx context.Context, r *nodedb.Reader, o Options, w World) ([]Condition, error) {
	q := search.Parse(o.Words)
	f, err := o.finding(q, w)
	if err != nil {
		return nil, err
	}
	f.Limit = 1
	var all []Condition
	without := func(flag string, is bool, drop func(*nodedb.Finding)) {
		wider := f
		drop(&wider)
		if is {
			all = append(all, Condition{Flag: flag, Finds: func() (bool, error) {
				found, err := r.Find(ctx, q, wider)
				return len(found.Hits) > 0, err
			}})
		}
	}
	without("project", f.Project != "", func(f *nodedb.Finding) { f.Project = "" })
	without("file", f.File != "", func(f *nodedb.Finding) { f.File = "" })
	without("tool", f.Tool != "", func(f *nodedb.Finding) { f.Tool = "" })
	without("session", f.Session != "", func(f *nodedb.Finding) { f.Session = "" })
	without("since", !f.Since.IsZero(), func(f *nodedb.Finding) { f.Since = time.Time{} })
	without("until", !f.Until.IsZero(), func(f *nodedb.Finding) { f.Until = time.Time{} })
	without("by", f.By != "", func(f *nodedb.Finding) { f.By = "" })
	without("kind", len(f.Kinds) > 0, func(f *nodedb.Finding) { f.Kinds = nil })
	return all, nil
}

// finding combines the filters of the query (tool:codex) with the options (--tool), and reads
// their values. A filter of the query wins. The error wraps [ErrFilter] where a value is wrong.
func (o Options) finding(q search.Query, w World) (f nodedb.Finding, err error) {
	f.Limit = o.Limit
	either := func(name, flag string) string {
		if v := q.Filters[name]; v != "" {
			return v
		}
		return flag
	}
	if f.Project, err = w.Project(either("project", o.Project)); err != nil {
		return f, err
	}
	f.File = either("file", o.File)
	if f.Tool = core.Tool(either("tool", o.Tool)); f.Tool != "" && !slices.Contains(w.Tools, string(f.Tool)) {
		return f, unknown("tool", string(f.Tool), w.Tools)
	}
	f.Session = either("session", o.Session)
	if f.Since, err = w.Moment(either("since", o.Since), false); err != nil {
		return f, fmt.Errorf("%w: since: %w", ErrFilter, err)
	}
	if f.Until, err = w.Moment(either("until", o.Until), true); err != nil {
		return f, fmt.Errorf("%w: until: %w", ErrFilter, err)
	}
	if by := either("by", o.By); by != "" {
		if f.By = speakers()[by]; f.By == "" {
			return f, unknown("by", by, slices.Sorted(maps.Keys(speakers())))
		}
	}
	if kinds := either("kind", o.Kind); kinds != "" {
		f.Kinds = strings.Split(kinds, ",")
		for _, k := range f.Kinds {
			if !slices.Contains(nodedb.FindKinds(), k) {
				return f, unknown("kind", k, nodedb.FindKinds())
			}
		}
	}
	return f, nil
}

// unknown returns the error for a filter value that does not exist, with near ones
// or all known ones.
func unknown(name, value string, known []string) error {
	if near := search.Near(value, known); len(near) > 0 {
		return fmt.Errorf("%w %s:%s; there is %s", ErrFilter, name, value, strings.Join(near, ", "))
	}
	return fmt.Errorf("%w %s:%s; known are %s", ErrFilter, name, value, strings.Join(known, ", "))
}

// speakers returns the words for who said something.
func speakers() map[string]string {
	return map[string]string{
		"me": nodedb.ByMe, "person": nodedb.ByPerson, "user": nodedb.ByPerson,
		"agent": nodedb.ByAgent, "assistant": nodedb.ByAgent, "model": nodedb.ByAgent,
	}
}

// Hit is one hit as --json prints it. docs/cli.md lists the members for users; a change here is
// a change of that format.
type Hit struct {
	// Kind is message, decision, edit or another of [nodedb.FindKinds]. ID is empty for a
	// message.
	Kind      string `json:"kind"`
	ID        string `json:"id,omitempty"`
	Source    string `json:"source"`
	Session   string `json:"session_id"`
	Thread    string `json:"thread_id,omitempty"`
	Seq       int64  `json:"seq"`
	Timestamp string `json:"timestamp,omitempty"`
	Project   string `json:"project"`
	By        string `json:"by"`
	Path      string `json:"path,omitempty"`
	IsBan     bool   `json:"is_ban,omitempty"`
	// Score is comparable within one answer only; hits are sorted by it.
	Score   float64 `json:"score"`
	Title   string  `json:"title,omitempty"` // of a decision
	Excerpt string  `json:"excerpt"`
	Hits    [][]int `json:"hits"` // ranges of bytes of the excerpt
	// Open is the command that shows the hit in its conversation.
	Open string `json:"open"`
	// Shared is set if it was not captured here but received from a team.
	Shared *annotate.Shared `json:"shared,omitempty"`
}

// WriteJSON writes one JSON object per hit, each on a line, the best first.
func WriteJSON(w io.Writer, found nodedb.Found) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range found.Hits {
		h := &found.Hits[i]
		out := Hit{
			Kind: h.Kind, ID: h.ID, Source: string(h.Source), Session: h.Session, Thread: h.Thread, Seq: h.Seq,
			Timestamp: h.Timestamp, Project: h.Project, By: by(h), Path: h.Path, IsBan: h.IsBan, Score: h.Score,
			Title: h.Title, Excerpt: h.Excerpt.Text, Hits: [][]int{}, Open: Open(h), Shared: h.Mark.Shared,
		}
		for _, s := range h.Excerpt.Hits {
			out.Hits = append(out.Hits, []int{s.From, s.To})
		}
		if err := e.Encode(out); err != nil {
			return err
		}
	}
	return nil
}

// by returns who said a hit, as --by takes it.
func by(h *nodedb.Hit) string {
	if h.ByPerson {
		return nodedb.ByPerson
	}
	return nodedb.ByAgent
}

// Open returns the command that shows a hit in its conversation: the short id of the session
// and the number of the message.
func Open(h *nodedb.Hit) string {
	return fmt.Sprintf("memscribe show %s:%d", strings.ToValidUTF8(h.Brief, ""), h.Seq)
}

// Meant returns a remark for each word of a query that looks like a misspelt filter, such as
// "tol:codex". Such a word is searched for as it stands, since a colon may be meant.
func Meant(words string) []string {
	var all []string
	meant := search.Parse(words).Meant()
	for _, word := range slices.Sorted(maps.Keys(meant)) {
		name, _, _ := strings.Cut(word, ":")
		all = append(all, fmt.Sprintf("%s: is no filter, so it was looked for as a word; did you mean %s:?", name, meant[word]))
	}
	return all
}

// Remarks returns what a person should know about an answer, one sentence each: which words
// were replaced by similar ones, that no hit has all words, or that there is none.
func Remarks(found nodedb.Found) []string {
	var all []string
	for _, word := range slices.Sorted(maps.Keys(found.Instead)) {
		near := found.Instead[word]
		all = append(all, fmt.Sprintf("nothing has %q; looked for %s", word, strings.Join(near[:min(len(near), 5)], ", ")))
	}
	if found.Some && len(found.Hits) > 0 {
		all = append(all, "nothing has all of these words; these have some")
	}
	if len(found.Hits) == 0 {
		all = append(all, "nothing found")
	}
	return all
}
