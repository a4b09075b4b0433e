package pagesource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/find"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/talks"
	"github.com/memscribe/memscribe/internal/page/model"
	"github.com/memscribe/memscribe/internal/rules/inforce"
	"github.com/memscribe/memscribe/io/status"
)

// Session implements [model.Source].
//
// at is a place as model.At writes it; the part then begins four items before.
func (s *Source) Session(ctx context.Context, id, at string) (out model.Session, err error) {
	place, before := talks.Place{}, 0
	if at != "" {
		if place.Thread, place.Seq, err = model.ParseAt(at); err != nil {
			return out, err
		}
		before = talkBefore
	}
	w, err := talks.ReadWindow(ctx, s.Reader, id, place, before, 2*perPage)
	if err != nil {
		return out, asked(err)
	}
	out.Where = model.Where{Tool: model.Said(w.Source), Session: model.Said(w.Session), Project: model.Said(w.Project)}
	out.Items, out.Arcs = []model.Item{}, []model.Arc{}
	here := false
	for i := range w.Items {
		it := item(&w.Talk, &w.Items[i])
		if out.Timestamp == "" {
			out.Timestamp = it.Timestamp
		}
		if !here && at != "" && it.Seq == place.Seq && string(it.Thread) == place.Thread {
			it.Here, here = true, true
		}
		out.Items = append(out.Items, it)
	}
	if w.Next != nil {
		next := model.At(w.Next.Thread, w.Next.Seq)
		out.Next = &next
	}
	if out.Arcs, err = s.arcs(ctx, w.Session); err != nil {
		return out, err
	}
	err = s.Reader.Snapshot(ctx, func(snap nodedb.Snapshot) error {
		opening, failed := snap.Opening(ctx, w.Session, string(w.Source))
		out.Opening = model.Said(opening)
		return failed
	})
	return out, err
}

// item returns an item as a page shows it.
func item(t *talks.Talk, i *talks.Item) model.Item {
	out := model.Item{
		Kind: i.Kind, ID: model.Said(i.ID), Thread: model.Said(i.Thread), Seq: i.Seq, Timestamp: model.Said(i.Timestamp), IsBan: i.IsBan, Superseded: i.Superseded,
	}
	if i.Mark.Shared != nil {
		out.SharedBy = model.Said(i.Mark.Shared.By)
	}
	if i.Kind == "conversation" || i.Kind == "user" || i.Kind == "assistant" || i.Kind == "command" {
		out.ID = "" // it has no page of its own
	}
	if i.Kind != "episode" {
		out.Text = model.Cut(i.Text, model.MaxText)
		return out
	}
	out.Edit = &model.Edit{
		Where: model.Where{Tool: model.Said(t.Source), Session: model.Said(t.Session), Thread: model.Said(i.Thread), Seq: i.Seq, Project: model.Said(t.Project), Timestamp: model.Said(i.Timestamp)},
		ID:    model.Said(i.ID), Path: model.Said(i.Path), Change: model.Said(i.Change), Added: i.Added, Removed: i.Removed, Unified: model.Cut(i.Text, maxDiff),
	}
	return out
}

// arcs returns the decisions of a session, in its order.
func (s *Source) arcs(ctx context.Context, session string) ([]model.Arc, error) {
	a, err := s.Reader.Session(ctx, session, nodedb.Filter{Kinds: []string{"decision"}}, nodedb.Page{Limit: 4 * perPage})
	if err != nil {
		return nil, err
	}
	arcs := []model.Arc{}
	for i := range a.Nodes {
		n := &a.Nodes[i]
		arcs = append(arcs, model.Arc{
			ID: model.Said(n.ID), Title: model.Cut(n.Title, model.MaxText), Thread: model.Said(n.Thread), Seq: n.Seq, IsBan: n.IsBan, Edits: len(n.Links),
		})
	}
	return arcs, nil
}

// Sessions implements [model.Source].
func (s *Source) Sessions(ctx context.Context, q model.Query) (talks []model.Talk, next string, err error) {
	l, err := lists.Sessions(ctx, s.Reader, lists.Filter{Project: q.Project, Tool: core.Tool(q.Tool)}, lists.Page{After: q.After, Limit: perPage})
	if err != nil {
		return nil, "", asked(err)
	}
	talks = []model.Talk{}
	for i := range l.Items {
		one := &l.Items[i]
		talks = append(talks, model.Talk{
			Where:   model.Where{Tool: model.Said(one.Source), Session: model.Said(one.ID), Project: model.Said(one.Project), Timestamp: model.Said(one.First)},
			Opening: model.Said(one.Opening), Last: model.Said(one.Last), Messages: one.Messages, Decisions: one.Decisions, Edits: one.Episodes,
		})
	}
	return talks, l.Next, nil
}

// Rules implements [model.Source]. A project is named by its folder, with all below it,
// or by the last element of that.
func (s *Source) Rules(ctx context.Context, project string) ([]model.Decision, error) {
	out := []model.Decision{}
	if project == "" {
		return out, nil
	}
	projects, err := s.Reader.ProjectsOf(ctx, project)
	if err != nil {
		return nil, asked(err)
	}
	nodes, err := s.Reader.Standing(ctx, projects, 2*perPage)
	if err != nil {
		return nil, err
	}
	byID := map[string]*nodedb.Node{}
	var known []decisions.Decision
	for i := range nodes {
		d, err := decisions.Read(&nodes[i])
		if err != nil {
			return nil, err
		}
		byID[d.ID], known = &nodes[i], append(known, d)
	}
	for _, r := range inforce.Of(known) {
		d, err := s.read(ctx, byID[r.ID])
		if err != nil {
			return nil, err
		}
		d.Rule, d.Title = model.Said(r.Kind), model.Said(r.Title)
		out = append(out, d)
	}
	return out, nil
}

// Search implements [model.Source].
func (s *Source) Search(ctx context.Context, words, project string) (out model.Found, err error) {
	found, err := find.Ask(ctx, s.Reader, find.Options{Words: words, Project: project, Limit: perPage}, s.World)
	if err != nil {
		return out, asked(err)
	}
	out.Hits = []model.Hit{}
	for i := range found.Hits {
		h := &found.Hits[i]
		hit := model.Hit{
			Where: model.Where{
				Tool: model.Said(h.Source), Session: model.Said(h.Session), Thread: model.Said(h.Thread), Seq: h.Seq,
				Project: model.Said(h.Project), Timestamp: model.Said(h.Timestamp),
			},
			Kind: model.Said(h.Kind), ID: model.Said(h.ID), By: nodedb.ByAgent, Path: model.Said(h.Path), IsBan: h.IsBan,
		}
		if h.ByPerson {
			hit.By = nodedb.ByPerson
		}
		if h.Title != "" && !h.OfTitle {
			hit.Parts = append(hit.Parts, model.Part{Text: model.Said(h.Title + " · ")})
		}
		at := 0
		for _, part := range h.Excerpt.Hits {
			hit.Parts = append(hit.Parts, model.Part{Text: model.Said(h.Excerpt.Text[at:part.From])}, model.Part{Text: model.Said(h.Excerpt.Text[part.From:part.To]), Hit: true})
			at = part.To
		}
		hit.Parts = append(hit.Parts, model.Part{Text: model.Said(h.Excerpt.Text[at:])})
		out.Hits = append(out.Hits, hit)
	}
	for _, r := range append(find.Meant(words), find.Remarks(found)...) {
		out.Remarks = append(out.Remarks, model.Said(r))
	}
	return out, nil
}

// linesPerPage is how many lines of a file a page has.
const linesPerPage = 400

// File implements [model.Source]. It reads only those files of the disk whose edits are
// recorded.
//
// A path of the request reaches the disk only if it is absolute and is, to the letter,
// the path of a recorded edit: the page cannot be used to read other files.
func (s *Source) File(ctx context.Context, path, project string, from int) (f model.File, err error) {
	if path == "" {
		return f, fmt.Errorf("%w: which file?", model.ErrAsked)
	}
	a, err := s.Reader.File(ctx, path, nodedb.Filter{Project: project}, nodedb.Page{Limit: perPage})
	if err != nil {
		return f, asked(err)
	}
	if len(a.Nodes) == 0 {
		return f, fmt.Errorf("%w: no recorded edit of %s", model.ErrNone, path)
	}
	f.Path, f.Project, f.Lines, f.Edits = model.Said(path), model.Said(project), []model.Line{}, []model.Edit{}
	known := false
	for i := range a.Nodes {
		e, err := editOf(&a.Nodes[i])
		if err != nil {
			return f, err
		}
		known = known || a.Nodes[i].Path == path
		f.Edits = append(f.Edits, e)
	}
	if !known || !filepath.IsAbs(path) || s.Clean == nil {
		f.Remark = "The file itself is not shown: only its recorded edits are."
		return f, nil
	}
	return f, s.gutter(ctx, &f, from)
}

// gutter gives a file its lines, from a line on, redacted, and each with the decision or edit
// that it comes from.
func (s *Source) gutter(ctx context.Context, f *model.File, from int) error {
	path := string(f.Path)
	all, err := blame.Ask(ctx, s.Reader, blame.Options{Target: path, Dir: filepath.Dir(path)})
	switch {
	case errors.Is(err, blame.ErrTarget), errors.Is(err, blame.ErrLines), errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		f.Remark = "The file is not there any more, or cannot be read: these are its recorded edits."
		return nil
	case err != nil:
		return err
	}
	f.Total = len(all)
	if from > len(all) && len(all) > 0 {
		return fmt.Errorf("%w: %s has %s lines", model.ErrAsked, path, strconv.Itoa(len(all)))
	}
	last := min(from-1+linesPerPage, len(all))
	if last < len(all) {
		f.Next = last + 1
	}
	for i := min(from-1, last); i < last; i++ {
		l, err := s.lineOf(&all[i])
		if err != nil {
			return err
		}
		if n := len(f.Lines); n > 0 {
			before := &f.Lines[n-1]
			l.Same = before.Status == l.Status && before.Time == l.Time && before.Session == l.Session && (before.Decision == nil) == (l.Decision == nil) &&
				(l.Decision == nil || before.Decision.ID == l.Decision.ID)
		}
		f.Lines = append(f.Lines, l)
	}
	return nil
}

// maxLine bounds a line of a file.
const maxLine = 1000

// lineOf returns a line of a file for the page. Its text comes from the work tree,
// so it is redacted first.
func (s *Source) lineOf(l *blame.Line) (model.Line, error) {
	clean, err := s.Clean([]byte(l.Text))
	if err != nil {
		return model.Line{}, fmt.Errorf("redact line %d of %s: %w", l.Line, l.File, err)
	}
	out := model.Line{Number: l.Line, Text: model.Cut(string(clean), maxLine), Status: model.Said(l.Status)}
	if l.Episode != nil {
		out.Time, out.Session = model.Said(l.Episode.Timestamp), model.Said(l.Episode.SessionID)
	}
	if l.Decision != nil {
		out.Decision = &model.Ref{ID: model.Said(l.Decision.ID), Title: model.Said(l.Decision.Title)}
	}
	return out, nil
}

// Usage implements [model.Source].
func (s *Source) Usage(ctx context.Context, project string) (u model.Usage, err error) {
	return s.sums.of(ctx, s.Reader, s.Now, project)
}

// Health implements [model.Source].
func (s *Source) Health(ctx context.Context) (h model.Health, err error) {
	h.Database = model.Said(s.Database)
	if h.Tools, err = tools(ctx, s.Reader); err != nil {
		return h, err
	}
	h.Watch = s.watch(ctx)
	h.Redacted, h.Looked, err = s.redacted(ctx)
	return h, err
}

// watch asks the capture how it stands. That it does not answer is an answer too.
//
// The status address is one of this machine; its answer is bounded to 50 tools.
func (s *Source) watch(ctx context.Context) *model.Watch {
	w := &model.Watch{Sources: []model.Follow{}}
	if s.Watch == "" {
		w.Unknown = "no status_addr is set in memscribe.toml, where watch says it"
		return w
	}
	sum, err := status.Ask(ctx, s.Watch)
	switch {
	case err != nil:
		w.Unknown = model.Said("watch does not answer at " + s.Watch)
		return w
	case sum.Waiting:
		w.State = "waiting: the database cannot be written to"
	case sum.Idle:
		w.State = "following"
	default:
		w.State = "catching up"
	}
	for _, f := range sum.Sources[:min(len(sum.Sources), perPage)] {
		w.Sources = append(w.Sources, model.Follow{Tool: model.Said(f.Tool), Records: f.Records, Unknown: f.Unknown, Malformed: f.Malformed, LagMS: f.LagMS})
	}
	return w
}

// redacted counts what was taken out of the newest nodes that had something to take out.
func (s *Source) redacted(ctx context.Context) (out []model.Redacted, looked int, err error) {
	a, err := s.Reader.Search(ctx, nodedb.Filter{Text: "redacted", Rejected: true}, nodedb.Page{Limit: maxRedacted})
	if err != nil {
		return nil, 0, err
	}
	count := map[string]int{}
	mark := regexp.MustCompile(`\[REDACTED:([a-z0-9_.-]+)`)
	for i := range a.Nodes {
		found := mark.FindAllSubmatch(a.Nodes[i].JSON, -1)
		for _, m := range found {
			count[string(m[1])]++
		}
		if len(found) > 0 {
			looked++
		}
	}
	out = []model.Redacted{}
	for _, rule := range slices.Sorted(maps.Keys(count)) {
		out = append(out, model.Redacted{Rule: model.Said(rule), Count: count[rule]})
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return b.Count < a.Count
	})
	return out, looked, nil
}

// maxRedacted is how many nodes are looked at for what was taken out.
const maxRedacted = 500
