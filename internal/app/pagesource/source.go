// Package pagesource answers the questions of the local page from a database of nodes.
//
//	browser ── internal/page: HTML, no SQL ── model.Source ── pagesource ──▶ nodedb
//
// The page knows only [model.Source], which [Source] fulfils. Texts of transcripts have the
// type model.Said, whose String escapes what would act on a reader; model.Cut bounds long ones.
// Errors are mapped by asked: to "there is none" (404), "asked wrongly" (400), or an internal
// error whose text stays in the log.
//
// Where to find what: source.go has projects, tools, decisions and annotations; lists.go
// sessions, rules, the search and files; numbers.go the sums behind usage.
package pagesource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/find"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/talks"
	"github.com/memscribe/memscribe/internal/page/model"
)

// Source answers from a database. It is safe for concurrent use by any number of requests.
// Close ends what it runs in the background.
type Source struct {
	Reader   *nodedb.Reader
	Database string // its path
	Now      func() time.Time
	World    find.World // by which filters are read
	// Clean takes secrets out of the lines of files; nil shows no files.
	Clean func([]byte) ([]byte, error)
	// Annotate keeps what a person says; nil keeps nothing.
	Annotate func(ctx context.Context, a annotate.Annotation) error
	// Watch is the address of this machine at which watch says how it stands; "" is not known.
	Watch string

	sums sums
}

// Prepare begins to count what the first view of the usage will ask for.
func (s *Source) Prepare(ctx context.Context) {
	_, _, _, _ = s.sums.begin(ctx, s.Reader, s.Now, "") // the view that asks is told of an error
}

// Close ends what the source has begun; its Reader stays open.
func (s *Source) Close() error { return s.sums.close() }

var _ model.Source = (*Source)(nil)

// perPage is how many items a page of a list has.
const perPage = 50

// Projects implements [model.Source].
func (s *Source) Projects(ctx context.Context) ([]model.Said, error) {
	names, err := s.Reader.ProjectNames(ctx)
	var out []model.Said
	for _, n := range names[:min(len(names), maxProjects)] {
		if n != "" {
			out = append(out, model.Said(n))
		}
	}
	return out, err
}

// Tools implements [model.Source].
func (s *Source) Tools(ctx context.Context) (out []model.Said, err error) {
	err = s.Reader.Snapshot(ctx, func(snap nodedb.Snapshot) error {
		out, err = schema.Collect(ctx, snap, schema.Single[model.Said], "SELECT DISTINCT source FROM tally ORDER BY source")
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("name tools: %w", err)
	}
	return out, nil
}

// maxProjects bounds the projects that a page lets a person choose from.
const maxProjects = 500

// Decisions implements [model.Source].
func (s *Source) Decisions(ctx context.Context, q model.Query) (l model.List, err error) {
	f, err := s.filter(q)
	if err != nil {
		return l, err
	}
	f.Rejected = true // a person sees what was rejected, and as such
	ask, page := s.Reader.Decisions, nodedb.Page{After: q.After, Limit: perPage}
	if q.Kind == model.Bans {
		ask = s.Reader.Bans
	}
	a, err := ask(ctx, f, page)
	if err != nil {
		return l, asked(err)
	}
	l.Next, l.Decisions = a.Next, []model.Decision{}
	for i := range a.Nodes {
		if q.Kind == model.Standing && (a.Nodes[i].SupersededBy != "" || a.Nodes[i].Mark.Rejected) {
			continue
		}
		d, err := s.read(ctx, &a.Nodes[i])
		if err != nil {
			return l, err
		}
		l.Decisions = append(l.Decisions, d)
	}
	return l, nil
}

// filter reads what is asked for.
func (s *Source) filter(q model.Query) (f nodedb.Filter, err error) {
	f.Project, f.Tool, f.Text = q.Project, core.Tool(q.Tool), begun(q.Words)
	if f.Since, err = s.World.Moment(q.Since, false); err != nil {
		return f, fmt.Errorf("%w: since: %w", model.ErrAsked, err)
	}
	if f.Until, err = s.World.Moment(q.Until, true); err != nil {
		return f, fmt.Errorf("%w: until: %w", model.ErrAsked, err)
	}
	return f, nil
}

// begun has the last word of what is being typed be the beginning of one.
func begun(words string) string {
	if words == "" {
		return ""
	}
	if last := words[len(words)-1]; last >= 'a' && last <= 'z' || last >= 'A' && last <= 'Z' || last >= '0' && last <= '9' || last >= 0x80 {
		return words + "*"
	}
	return words
}

// asked tells questions that mean nothing from those that cannot be answered.
//
// ErrNone becomes 404 and ErrAsked 400; anything else is an internal error, whose text
// stays in the log.
func asked(err error) error {
	switch {
	case errors.Is(err, nodedb.ErrSession), errors.Is(err, nodedb.ErrNode), errors.Is(err, nodedb.ErrProject):
		return fmt.Errorf("%w: %w", model.ErrNone, err)
	case errors.Is(err, nodedb.ErrCursor), errors.Is(err, nodedb.ErrSearch), errors.Is(err, find.ErrFilter):
		return fmt.Errorf("%w: %w", model.ErrAsked, err)
	}
	return err
}

// read makes a decision of a node.
func (s *Source) read(ctx context.Context, n *nodedb.Node) (model.Decision, error) {
	d, err := decisions.Read(n)
	if err != nil {
		return model.Decision{}, err
	}
	out := model.Decision{
		Where: whereOf(n), ID: model.Said(n.ID), Title: model.Cut(d.Title, model.MaxText), Epitome: model.Cut(d.Epitome, model.MaxText),
		Options: []model.Option{}, Score: d.Score, IsBan: d.IsBan, DecidedBy: model.Said(n.By()), Confirmation: model.Cut(d.Confirmation, model.MaxText),
		Superseded: d.SupersededBy != "", Accepted: d.Mark.Accepted, Rejected: d.Mark.Rejected, Pinned: d.Mark.Pinned, Edits: []model.Edit{},
	}
	for _, o := range d.Options {
		out.Options = append(out.Options, model.Option{Text: model.Cut(o.Text, model.MaxText), Chosen: o.Chosen})
	}
	for _, note := range d.Mark.Notes {
		out.Notes = append(out.Notes, model.Note{Text: model.Cut(note.Text, model.MaxText), By: model.Said(note.Who()), At: model.Said(note.At), Agent: note.Agent})
	}
	for _, l := range n.Links {
		out.Edits = append(out.Edits, model.Edit{
			ID: model.Said(l.ID), Path: model.Said(l.Path), Change: model.Said(l.Change), Relation: model.Said(l.Relation), Evidence: model.Said(l.Evidence),
		})
	}
	out.ProposedBy = model.Said(d.Mark.ProposedBy)
	if d.Mark.Proposed != "" {
		if out.Proposed, err = s.ref(ctx, d.Mark.Proposed); err != nil {
			return out, err
		}
	}
	if out.Superseded {
		out.Successor, err = s.ref(ctx, d.SupersededBy)
		out.Rewound = out.Successor == nil && !strings.HasPrefix(d.SupersededBy, "decision:")
	}
	return out, err
}

// whereOf returns where a node comes from.
func whereOf(n *nodedb.Node) model.Where {
	return model.Where{
		Tool: model.Said(n.Source), Session: model.Said(n.Session), Thread: model.Said(n.Thread), Seq: n.Seq,
		Project: model.Said(n.Project), Timestamp: model.Said(n.Timestamp),
	}
}

// ref names a decision; nil if there is none of that id, as where a rewind took one back.
func (s *Source) ref(ctx context.Context, id string) (*model.Ref, error) {
	n, found, err := s.Reader.Node(ctx, id)
	if err != nil || !found || n.Kind != "decision" {
		return nil, err
	}
	return &model.Ref{ID: model.Said(id), Title: model.Cut(n.Title, model.MaxText)}, nil
}

// The bounds of what is shown beside a decision.
const (
	talkBefore = 4
	talkAround = 12
)

// Decision implements [model.Source].
//
// The diffs of its edits are read too, each cut at 256 KiB; of the talk around it four
// items before and about a dozen in all.
func (s *Source) Decision(ctx context.Context, id string) (w model.Whole, err error) {
	id, err = s.Reader.NodeID(ctx, id)
	if err != nil {
		return w, asked(err)
	}
	n, found, err := s.Reader.Node(ctx, id)
	if err != nil {
		return w, err
	}
	if !found || n.Kind != "decision" {
		return w, fmt.Errorf("%w: decision %s", model.ErrNone, id)
	}
	if w.Decision, err = s.read(ctx, &n); err != nil {
		return w, err
	}
	if w.Decision.Markers, err = markers(&n); err != nil {
		return w, err
	}
	for i := range w.Decision.Edits {
		if err = s.unfold(ctx, &w.Decision.Edits[i]); err != nil {
			return w, err
		}
	}
	if err = s.chain(ctx, &w); err != nil {
		return w, err
	}
	around, err := talks.ReadWindow(ctx, s.Reader, n.Session, talks.Place{Thread: n.Thread, Seq: n.Seq}, talkBefore, talkAround)
	if err != nil && !errors.Is(err, nodedb.ErrSession) {
		return w, err
	}
	for i := range around.Items {
		it := item(&around.Talk, &around.Items[i])
		it.Here = it.ID == w.Decision.ID
		if it.Edit != nil {
			it.Edit.Unified = "" // they stand on the page already, or are about something else
		}
		w.Talk = append(w.Talk, it)
	}
	w.CanSay = s.Annotate != nil
	return w, nil
}

// maxChain bounds the decisions before and after one that are followed.
const maxChain = 20

// chain follows the replacements of a decision in both directions: those that it replaced, with
// those that they had replaced, and those that replaced its successor. Each decision is listed
// once, even if people said that two of them replace each other.
func (s *Source) chain(ctx context.Context, w *model.Whole) error {
	seen := map[model.Said]bool{w.Decision.ID: true}
	for ask := []string{string(w.Decision.ID)}; len(ask) > 0 && len(w.Before) < maxChain; ask = ask[1:] {
		all, err := s.Reader.Replaced(ctx, ask[0])
		if err != nil {
			return err
		}
		for i := range all {
			ref := model.Ref{ID: model.Said(all[i].ID), Title: model.Cut(all[i].Title, model.MaxText)}
			if !seen[ref.ID] {
				seen[ref.ID] = true
				w.Before, ask = append(w.Before, ref), append(ask, all[i].ID)
			}
		}
	}
	for last := w.Decision.Successor; last != nil && !seen[last.ID] && len(w.After) < maxChain; {
		seen[last.ID] = true
		n, found, err := s.Reader.Node(ctx, string(last.ID))
		if err != nil || !found || n.SupersededBy == "" {
			return err
		}
		if last, err = s.ref(ctx, n.SupersededBy); err != nil {
			return err
		}
		if last != nil && !seen[last.ID] {
			w.After = append(w.After, *last)
		}
	}
	return nil
}

// markers returns the signs by which a decision was found.
func markers(n *nodedb.Node) (out []model.Marker, err error) {
	var node struct {
		Markers []model.Marker `json:"markers"`
	}
	if err = json.Unmarshal(n.JSON, &node); err != nil {
		return nil, fmt.Errorf("read %s: %w", n.ID, err)
	}
	return node.Markers, nil
}

// unfold gives an edit its diff.
func (s *Source) unfold(ctx context.Context, e *model.Edit) error {
	n, found, err := s.Reader.Node(ctx, string(e.ID))
	if err != nil || !found {
		return err
	}
	full, err := editOf(&n)
	full.Relation, full.Evidence, full.Reasons = e.Relation, e.Evidence, nil
	*e = full
	return err
}

// maxDiff bounds the diffs that are read for a page.
const maxDiff = 256 << 10

// editOf makes an edit of a node.
func editOf(n *nodedb.Node) (model.Edit, error) {
	var node struct {
		Diff struct {
			Unified string `json:"unified"`
		} `json:"diff"`
	}
	if err := json.Unmarshal(n.JSON, &node); err != nil {
		return model.Edit{}, fmt.Errorf("read %s: %w", n.ID, err)
	}
	e := model.Edit{
		Where: whereOf(n), ID: model.Said(n.ID), Path: model.Said(n.Path), Change: model.Said(n.Change), Added: n.Added, Removed: n.Removed,
		Unified: model.Cut(node.Diff.Unified, maxDiff),
	}
	for _, l := range n.Links {
		if l.Kind == "decision" {
			e.Reasons = append(e.Reasons, model.Ref{ID: model.Said(l.ID), Title: model.Cut(l.Title, model.MaxText)})
		}
	}
	return e, nil
}

// Changes implements [model.Source].
func (s *Source) Changes(ctx context.Context) (changed func(context.Context) (bool, error), done func() error, err error) {
	c, err := s.Reader.Changes(ctx)
	if err != nil {
		return nil, nil, err
	}
	return c.Since, c.Close, nil
}

// Say implements [model.Source].
//
// Only the kinds that the page has buttons for are accepted, and none where Annotate is
// nil.
func (s *Source) Say(ctx context.Context, id, what, text string, undo bool) error {
	kind := annotate.Kind(what)
	if s.Annotate == nil || kind != annotate.Accept && kind != annotate.Reject && kind != annotate.Pin && kind != annotate.Say {
		return fmt.Errorf("%w: %q cannot be said here", model.ErrAsked, what)
	}
	err := s.Annotate(ctx, annotate.Annotation{Kind: kind, Node: id, Text: text, Undo: undo})
	if errors.Is(err, annotate.ErrText) {
		return fmt.Errorf("%w: %w", model.ErrAsked, err)
	}
	return asked(err)
}
