package mcpserver

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memscribe/memscribe/internal/nodedb/lists"
)

// The URIs of resources.
const (
	decisionURI = "memscribe://decision/"
	sessionURI  = "memscribe://session/"
)

// addResources registers the resources: decisions and sessions by id.
func (s *Server) addResources(m *mcp.Server) {
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "decision", Title: "A decision", URITemplate: decisionURI + "{+id}", MIMEType: "application/json",
		Description: "A decision with what was said and the edits that carry it out, by its id.",
	}, s.readDecision)
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "session", Title: "A session", URITemplate: sessionURI + "{+id}", MIMEType: "application/json",
		Description: "The beginning of a session, by its id.",
	}, s.readSession)
}

// readDecision implements the resource of a decision: the decision, its words and
// its edits as JSON.
func (s *Server) readDecision(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	n, found, err := s.Reader.Node(ctx, idIn(req.Params.URI, decisionURI))
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	it, err := s.item(&n)
	if err != nil {
		return nil, err
	}
	return resource(req.Params.URI, it)
}

// readSession implements the resource of a session, cut at the largest answer.
func (s *Server) readSession(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	in := sessionArgs{ID: idIn(req.Params.URI, sessionURI)}
	in.MaxTokens = maxTokens
	_, out, err := s.session(ctx, nil, in)
	if err != nil {
		return nil, err
	}
	return resource(req.Params.URI, out)
}

// idIn returns the id at the end of a URI; its colon may be escaped.
func idIn(uri, prefix string) string {
	id := strings.TrimPrefix(uri, prefix)
	if plain, err := url.PathUnescape(id); err == nil {
		return plain
	}
	return id
}

// resource wraps a value as the JSON content of a resource.
func resource(uri string, content any) (*mcp.ReadResourceResult, error) {
	b, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(b)}}}, nil
}

// maxCompletions is the largest number of values that the protocol allows.
const maxCompletions = 100

// complete returns at most maxCompletions ids of decisions or sessions of the agent's project with a
// given beginning, and whether there are more.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	out := &mcp.CompleteResult{}
	out.Completion.Values = []string{}
	if req.Params.Ref == nil || req.Params.Argument.Name != "id" {
		return out, nil
	}
	project, _, err := s.project(ctx, "")
	if err != nil {
		return nil, err
	}
	find := lists.DecisionIDs
	if strings.HasPrefix(req.Params.Ref.URI, sessionURI) {
		find = lists.SessionIDs
	}
	ids, err := find(ctx, s.Reader, lists.Filter{Project: project}, req.Params.Argument.Value, maxCompletions)
	if err != nil {
		return nil, err
	}
	out.Completion.Values, out.Completion.HasMore = append(out.Completion.Values, ids.Items...), ids.More
	return out, nil
}

// addPrompts registers the prompts.
func (s *Server) addPrompts(m *mcp.Server) {
	m.AddPrompt(&mcp.Prompt{
		Name: "handover", Title: "Hand over this project",
		Description: "What somebody who takes over this project must know: rules, latest decisions, latest edits.",
	}, s.handover)
	m.AddPrompt(&mcp.Prompt{
		Name: "decision_record", Title: "Write a decision record",
		Description: "The material of an architecture decision record for one decision.",
		Arguments:   []*mcp.PromptArgument{{Name: "id", Description: "the decision's id", Required: true}},
	}, s.decisionRecord)
}

// handover implements the prompt handover: rules in force, latest decisions and
// latest edits of the project, as a message for whoever continues.
func (s *Server) handover(ctx context.Context, _ *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	_, rules, err := s.rules(ctx, nil, paging{})
	if err != nil {
		return nil, err
	}
	_, latest, err := s.decisions(ctx, nil, listArgs{})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("Go on with this project. What follows are records of what people decided; keep to what is in force, and ask the memscribe tools for more.\n\nIn force:\n")
	list(&b, rules.Items)
	b.WriteString("\nDecided last:\n")
	list(&b, latest.Items)
	return said("How this project stands", b.String()), nil
}

// decisionRecord implements the prompt decision_record: the material for an
// architecture decision record of one decision.
func (s *Server) decisionRecord(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	id := req.Params.Arguments["id"]
	n, found, err := s.Reader.Node(ctx, id)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, mcp.ResourceNotFoundError(decisionURI + id)
	}
	it, err := s.item(&n)
	if err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(it, "", "  ")
	if err != nil {
		return nil, err
	}
	return said("A decision record", "Write an architecture decision record (context, decision, alternatives, consequences) from this record alone; what it does not say is not known.\n\n"+string(b)), nil
}

// list writes items as a Markdown list, one line each with its id.
func list(b *strings.Builder, items []Item) {
	for i := range items {
		text := items[i].Title
		if text == "" {
			text = items[i].Text
		}
		b.WriteString("- " + strings.Join(strings.Fields(text), " ") + " (" + items[i].ID + ")\n")
	}
	if len(items) == 0 {
		b.WriteString("- nothing that is known\n")
	}
}

// said wraps text as the single message of a prompt.
func said(description, text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Description: description, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}
}
