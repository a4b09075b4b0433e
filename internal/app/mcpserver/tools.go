package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memscribe/memscribe/internal/bancheck"
	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// The arguments of the tools. Their comments are in the tags: they are what an agent
// reads of them.
type (
	paging struct {
		Project   string `json:"project,omitempty" jsonschema:"a project's folder or name; without it the one that you work in, * for all"`
		Cursor    string `json:"cursor,omitempty" jsonschema:"next of the answer before"`
		MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"budget of the answer, 1500 unless you say so"`
	}
	listArgs struct {
		paging

		Match string `json:"match,omitempty" jsonschema:"words that must be there"`
		Since string `json:"since,omitempty" jsonschema:"RFC 3339 or 2026-11-01"`
	}
	sessionArgs struct {
		paging

		ID string `json:"id" jsonschema:"a session's id, or the beginning of it"`
	}
	whyArgs struct {
		File      string `json:"file,omitempty" jsonschema:"a file, absolute or below your folder"`
		Line      int    `json:"line,omitempty" jsonschema:"its line, from 1; without it all lines"`
		EndLine   int    `json:"end_line,omitempty" jsonschema:"the last line"`
		Commit    string `json:"commit,omitempty" jsonschema:"instead of a file: a commit, or A..B"`
		Project   string `json:"project,omitempty" jsonschema:"the path or name under which transcripts know the project"`
		MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"budget of the answer, 1500 unless you say so"`
	}
	checkArgs struct {
		Range   string `json:"range,omitempty" jsonschema:"a commit or A..B; without it the work tree"`
		Staged  bool   `json:"staged,omitempty" jsonschema:"what is staged alone"`
		Since   string `json:"since,omitempty" jsonschema:"instead of a repository: the recorded edits since then"`
		Project string `json:"project,omitempty" jsonschema:"the path or name under which transcripts know the project"`

		MaxTokens int `json:"max_tokens,omitempty" jsonschema:"budget of the answer, 1500 unless you say so"`
	}
)

// addTools registers the read-only tools. Each says so in its annotations, and that
// it reaches nothing outside of the database.
func (s *Server) addTools(m *mcp.Server) {
	closed := false
	tool := func(name, title, description string) *mcp.Tool {
		return &mcp.Tool{Name: name, Title: title, Description: description, Annotations: &mcp.ToolAnnotations{
			Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed,
		}}
	}
	mcp.AddTool(m, tool("why", "Why is this line so", "Which decision and which edit the lines of a file, or of a commit, come from; or that nothing is known, or that a person or a command changed them since."), advised(s, s.why))
	mcp.AddTool(m, tool("search", "Search what was said and done", "Decisions, words of people and agents, and edits that have the words; the best first, decisions before the rest."), advised(s, s.search))
	mcp.AddTool(m, tool("decisions", "Decisions", "What was decided in a project, the newest first, each with the edits that carry it out."), advised(s, s.decisions))
	mcp.AddTool(m, tool("rules", "Rules in force", "What was decided in a project and is in force: bans, standing rules, choices, accepted proposals. Read it before you begin."), advised(s, s.rules))
	mcp.AddTool(m, tool("check", "Check changes against bans", "Which changes of the work tree, of what is staged, or of commits break what was forbidden."), advised(s, s.check))
	mcp.AddTool(m, tool("session", "One session", "What was said, decided and edited in a session, in order."), advised(s, s.session))
	mcp.AddTool(m, tool("recent", "What happened last", "The latest decisions and edits in a project."), advised(s, s.recent))
}

// advised has a tool say what is missing while there is no database.
func advised[In, Out any](s *Server, answer mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		r, out, err := answer(ctx, req, in)
		if err != nil && nodedb.Absent(s.Reader.Ready(ctx)) {
			err = fmt.Errorf("nothing is captured yet, and 'memscribe watch' does that: %w", err)
		}
		return r, out, err
	}
}

// question is what a reader of a database answers.
type question func(context.Context, nodedb.Filter, nodedb.Page) (nodedb.Answer, error)

// page is how many nodes are read at a time.
const page = 20

// answer asks a question of the database, and asks again for fewer nodes if the answer is
// longer than the budget. So the cursor of the database continues after the last item that was
// given.
func (s *Server) answer(ctx context.Context, ask question, f nodedb.Filter, p paging) (*mcp.CallToolResult, Items, error) {
	out := Items{Items: []Item{}}
	var err error
	if f.Project, out.Note, err = s.project(ctx, p.Project); err != nil {
		return nil, out, err
	}
	for limit := page; ; {
		a, err := ask(ctx, f, nodedb.Page{After: p.Cursor, Limit: limit})
		if err != nil {
			return nil, out, err
		}
		out.Items, out.Next = out.Items[:0], a.Next
		for i := range a.Nodes {
			if a.Nodes[i].Kind == "binding" {
				continue // its ends are told with the nodes
			}
			it, err := s.item(&a.Nodes[i])
			if err != nil {
				return nil, out, err
			}
			out.Items = append(out.Items, it)
		}
		n := fit(out.Items, p.MaxTokens)
		if n == len(out.Items) || limit == 1 {
			break
		}
		limit = max(min(n, limit-1), 1)
	}
	if len(out.Items) == 0 && p.Cursor == "" {
		out.Note = "nothing is known of this"
	}
	return nil, out, nil
}

// project returns the name of the project that a call means, and what an agent must know about
// it. Without a name it is the agent's own project; if the database does not know that, the
// answer is about all projects, and the note says so.
func (s *Server) project(ctx context.Context, asked string) (name, note string, err error) {
	switch asked {
	case "":
	case "*":
		return "", "", nil
	default:
		return asked, "", nil
	}
	for _, name := range s.projects {
		a, err := s.Reader.Newest(ctx, nodedb.Filter{Project: name}, nodedb.Page{Limit: 1})
		if err != nil || len(a.Nodes) > 0 {
			return name, "", err
		}
	}
	return "", "nothing is known of the project in " + s.Dir + ": this is of all projects", nil
}

// decisions implements the tool decisions.
func (s *Server) decisions(ctx context.Context, _ *mcp.CallToolRequest, in listArgs) (*mcp.CallToolResult, Items, error) {
	from, err := since(in.Since)
	if err != nil {
		return nil, Items{}, err
	}
	return s.answer(ctx, s.Reader.Decisions, nodedb.Filter{Text: in.Match, Since: from}, in.paging)
}

// recent implements the tool recent: decisions and edits, newest first.
func (s *Server) recent(ctx context.Context, _ *mcp.CallToolRequest, in listArgs) (*mcp.CallToolResult, Items, error) {
	from, err := since(in.Since)
	if err != nil {
		return nil, Items{}, err
	}
	f := nodedb.Filter{Text: in.Match, Since: from, Kinds: []string{"decision", "episode"}}
	return s.answer(ctx, s.Reader.Newest, f, in.paging)
}

// session implements the tool session. It looks in all projects, because an id names
// one session wherever it was.
func (s *Server) session(ctx context.Context, _ *mcp.CallToolRequest, in sessionArgs) (*mcp.CallToolResult, Items, error) {
	ask := func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
		return s.Reader.Session(ctx, in.ID, f, p)
	}
	in.Project = "*" // an id is of one session, wherever it was
	return s.answer(ctx, ask, nodedb.Filter{}, in.paging)
}

// Lines is what is known of lines.
type Lines struct {
	Lines []Span `json:"lines"`
	Note  string `json:"note,omitempty"`
}

// Span is a run of lines with the same answer.
type Span struct {
	File       string          `json:"file"`
	Line       int             `json:"line"`
	EndLine    int             `json:"end_line,omitempty"` // of several lines, the last
	Text       string          `json:"text"`
	Status     string          `json:"status"` // decision, edit, hand, none, ambiguous
	Episode    *blame.Episode  `json:"episode,omitempty"`
	Decision   *blame.Decision `json:"decision,omitempty"`
	Commit     string          `json:"commit,omitempty"`
	Evidence   string          `json:"evidence,omitempty"`
	Candidates []blame.Episode `json:"candidates,omitempty"`
}

// span returns a line as an answer has it, but for its text.
func (s *Server) span(l *blame.Line) Span {
	sp := Span{
		File: l.File, Line: l.Line, Text: l.Text, Status: l.Status, Episode: l.Episode,
		Commit: l.Commit, Evidence: l.Evidence, Candidates: l.Candidates,
	}
	if d := l.Decision; d != nil {
		sp.Decision = &blame.Decision{ID: d.ID, Epitome: s.cleaned(cut(d.Epitome, maxReason)), Title: s.cleaned(d.Title)}
	}
	return sp
}

// maxSpan bounds the text of a span of several lines, in bytes.
const maxSpan = 1200

// extended adds a line to a span if it follows the span directly and has the same answer, and
// reports whether it did.
func (s *Span) extended(by *Span) bool {
	if by.Line != max(s.Line, s.EndLine)+1 || len(s.Text)+len(by.Text) > maxSpan {
		return false
	}
	a, b := *s, *by
	a.Text, a.Line, a.EndLine, b.Text, b.Line = "", 0, 0, "", 0
	if !reflect.DeepEqual(a, b) {
		return false
	}
	s.Text, s.EndLine = s.Text+"\n"+by.Text, by.Line
	return true
}

// why implements the tool why for a line, a range of lines, a file or a commit. Neighbouring
// lines with the same answer are one span, so that a file of a thousand lines takes a few
// items.
func (s *Server) why(ctx context.Context, _ *mcp.CallToolRequest, in whyArgs) (*mcp.CallToolResult, Lines, error) {
	target := in.Commit
	if in.File != "" {
		target = in.File
		if in.Line > 0 {
			target += fmt.Sprintf(":%d-%d", in.Line, max(in.Line, in.EndLine))
		}
	}
	if target == "" {
		return nil, Lines{}, errors.New("name a file or a commit")
	}
	found, err := blame.Ask(ctx, s.Reader, blame.Options{Target: target, Dir: s.Dir, Project: in.Project})
	if err != nil {
		return nil, Lines{}, err
	}
	out := Lines{Lines: []Span{}}
	for i := range found {
		sp := s.span(&found[i])
		if n := len(out.Lines); n == 0 || !out.Lines[n-1].extended(&sp) {
			out.Lines = append(out.Lines, sp)
		}
	}
	room := budget(in.MaxTokens)
	for i := range out.Lines {
		sp := &out.Lines[i]
		sp.Text = s.cleaned(sp.Text) // whole: an order may go over two lines
		if room -= sizeOf(sp); room < 0 && i > 0 {
			out.Lines, out.Note = out.Lines[:i], fmt.Sprintf("there is more: ask from line %d on", sp.Line)
			break
		}
	}
	if !blame.Known(found) {
		out.Note = "no recorded edit wrote these lines"
	}
	return nil, out, nil
}

// Breaches is what breaks bans.
type Breaches struct {
	Bans     int               `json:"bans"`
	Changes  int               `json:"changes"`
	Breaches []bancheck.Breach `json:"breaches"`
	Note     string            `json:"note,omitempty"`
}

// check implements the tool check: which changes of the work tree, or of a range of
// commits, break a ban.
func (s *Server) check(ctx context.Context, _ *mcp.CallToolRequest, in checkArgs) (*mcp.CallToolResult, Breaches, error) {
	from, err := since(in.Since)
	if err != nil {
		return nil, Breaches{}, err
	}
	a, err := bancheck.Run(ctx, s.Reader, bancheck.Options{
		Dir: s.Dir, Project: in.Project, Range: in.Range, Staged: in.Staged,
		Recorded: !from.IsZero(), Edits: nodedb.Filter{Since: from},
	})
	if err != nil {
		return nil, Breaches{}, err
	}
	out := Breaches{Bans: a.Bans, Changes: a.Changes, Breaches: []bancheck.Breach{}}
	room := budget(in.MaxTokens)
	for i := range a.Breaches {
		b := a.Breaches[i]
		b.Text = s.cleaned(cut(b.Text, maxReason))
		if room -= sizeOf(&b); room < 0 && i > 0 {
			out.Note = fmt.Sprintf("%d more breaches: ask with a larger max_tokens", len(a.Breaches)-i)
			break
		}
		out.Breaches = append(out.Breaches, b)
	}
	return nil, out, nil
}

// since parses the argument since of a tool; "" is the zero time. It takes less than the flag
// does, as an agent can compute a date.
func since(s string) (time.Time, error) {
	if s = strings.TrimSpace(s); s == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("since %q: it is RFC 3339, or a day as 2026-11-01", s)
}
