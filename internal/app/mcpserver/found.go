package mcpserver

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/find"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/rules/inforce"
)

// searchArgs are the arguments of search.
type searchArgs struct {
	paging

	Query string `json:"query" jsonschema:"words, all of which must be there; \"a phrase\", -without, and filters: project:orders file:orders.js tool:codex since:7d until:2026-11-01 by:me by:agent kind:decision"`
	Kind  string `json:"kind,omitempty" jsonschema:"message, command, decision, ban or edit"`
	Tool  string `json:"tool,omitempty" jsonschema:"of this tool only, as claude_code or codex"`
	File  string `json:"file,omitempty" jsonschema:"only what names this file: its path, or the end of it"`
	By    string `json:"by,omitempty" jsonschema:"me for what a person said, agent for the rest"`
	Since string `json:"since,omitempty" jsonschema:"RFC 3339, 2026-11-01, yesterday, or 7d ago"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many hits at most, 20 unless you say so, 100 at most"`
}

const (
	defaultHits = 20
	maxHits     = 100
)

// search answers as the command search does: the same hits in the same order. If nothing is
// found, the note of the answer says which filter hides what there is.
func (s *Server) search(ctx context.Context, _ *mcp.CallToolRequest, in searchArgs) (*mcp.CallToolResult, Items, error) {
	out := Items{Items: []Item{}}
	o := find.Options{Words: in.Query, File: in.File, Tool: in.Tool, Since: in.Since, By: in.By, Kind: in.Kind, Limit: min(in.Limit, maxHits)}
	if o.Limit <= 0 {
		o.Limit = defaultHits
	}
	var err error
	if o.Project, out.Note, err = s.project(ctx, in.Project); err != nil {
		return nil, out, err
	}
	found, err := find.Ask(ctx, s.Reader, o, s.World)
	if err != nil {
		return nil, out, err
	}
	err = s.fill(&out, len(found.Hits), in.paging, func(i int) (Item, error) { return s.hit(ctx, &found.Hits[i]) })
	out.remark(append(find.Meant(o.Words), find.Remarks(found)...)...)
	if err == nil && len(found.Hits) == 0 {
		err = s.hidden(ctx, &out, o)
	}
	return nil, out, err
}

// hidden remarks which filter of a search that found nothing keeps away what there is.
func (s *Server) hidden(ctx context.Context, out *Items, o find.Options) error {
	conditions, err := find.Conditions(ctx, s.Reader, o, s.World)
	for _, c := range conditions {
		is, failed := c.Finds()
		switch {
		case failed != nil:
			return failed
		case is && c.Flag == "project":
			out.remark(`there is something in other projects: project "*" is all of them`)
		case is:
			out.remark("there is something without " + c.Flag)
		}
	}
	return err
}

// remark adds remarks about an answer for the agent.
func (a *Items) remark(notes ...string) {
	for _, n := range notes {
		if a.Note != "" {
			a.Note += "; "
		}
		a.Note += n
	}
}

// hit returns the item of a hit. A long text is replaced by the words around the hits.
func (s *Server) hit(ctx context.Context, h *nodedb.Hit) (Item, error) {
	excerpt := h.Excerpt.Text
	if h.ID != "" {
		n, found, err := s.Reader.Node(ctx, h.ID)
		if err != nil {
			return Item{}, err
		}
		if found {
			it, err := s.item(&n)
			if len(it.Text) > len(excerpt) {
				it.Text = s.said(it.From, excerpt)
			}
			return it, err
		}
	}
	it := Item{
		ID: place(h.Session, h.Seq), Kind: h.Kind, Time: h.Timestamp, Tool: string(h.Source), Session: h.Session, Seq: h.Seq,
		Project: h.Project, From: fromAgent, Path: h.Path,
	}
	if h.ByPerson {
		it.From = fromPerson
	}
	it.Text = s.said(it.From, excerpt)
	return it, nil
}

// place returns the id of an item that is no node, in the form that the command show accepts.
func place(session string, seq int64) string { return session + ":" + strconv.FormatInt(seq, 10) }

// said returns a person's words unchanged, and other texts without orders to agents.
func (s *Server) said(from, text string) string {
	if from == fromPerson {
		return text
	}
	return s.cleaned(text)
}

// mostRules is the largest number of decisions that are read for rules.
const mostRules = 2000

// rules answers as the command rules does: the same rules in the same order.
func (s *Server) rules(ctx context.Context, _ *mcp.CallToolRequest, in paging) (*mcp.CallToolResult, Items, error) {
	out := Items{Items: []Item{}}
	project, note, err := s.project(ctx, in.Project)
	if err != nil {
		return nil, out, err
	}
	out.Note = note
	q := decisions.Question{Dir: s.Dir, Project: project, All: project == ""}
	_, all, err := inforce.List(ctx, s.Reader, q, mostRules)
	if err != nil {
		return nil, out, err
	}
	err = s.fill(&out, len(all), in, func(i int) (Item, error) {
		n, found, failed := s.Reader.Node(ctx, all[i].ID)
		if failed != nil || !found {
			return Item{}, failed
		}
		it, failed := s.item(&n)
		it.Rule = string(all[i].Kind)
		return it, failed
	})
	if len(all) == 0 {
		out.remark("nothing is in force that is known")
	}
	return nil, out, err
}

// fill adds as many of n items to out as the budget has room for, beginning at the cursor. At
// least one is added; if it is too long for the whole budget, it is shortened. item is called
// only while there may be room.
func (s *Server) fill(out *Items, n int, p paging, item func(i int) (Item, error)) error {
	from, err := offset(p.Cursor)
	if err != nil {
		return err
	}
	room := budget(p.MaxTokens)
	for i := from; i < n; i++ {
		it, err := item(i)
		if err != nil {
			return err
		}
		if size := sizeOf(&it); size > room {
			if len(out.Items) > 0 {
				out.Next = strconv.Itoa(i)
				return nil
			}
			shorten(&it, room)
		}
		room -= sizeOf(&it)
		out.Items = append(out.Items, it)
	}
	return nil
}

// offset parses the cursor of an answer that is a list in memory: the number of items on earlier
// pages. The list is made again for every page, so new items may move others to another page.
func offset(cursor string) (int, error) {
	if strings.TrimSpace(cursor) == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(cursor)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("cursor %q: it is the next of an answer of this tool", cursor)
	}
	return n, nil
}
