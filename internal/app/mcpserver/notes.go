package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memscribe/memscribe/internal/annotate"
)

// Limits of what agents write: bytes of a note and of a client's name, and the number of
// annotations of one server. The last one stops an agent that loops.
const (
	maxNote = 2000
	maxName = 80
	maxKept = 200
)

// The arguments of the tools that write.
type (
	noteArgs struct {
		ID   string `json:"id" jsonschema:"a decision's or an edit's id"`
		Text string `json:"text" jsonschema:"the note, 2000 bytes at most"`
	}
	supersedeArgs struct {
		ID string `json:"id" jsonschema:"the decision that should no longer hold"`
		By string `json:"by" jsonschema:"the decision that should hold in its place"`
	}
)

// Kept is the result of a tool that writes.
type Kept struct {
	ID   string `json:"id"`   // of the annotation
	Node string `json:"node"` // the annotated node
	Note string `json:"note"`
}

// addNotes adds the tools that write. Their author is always an agent, whatever the client says.
func (s *Server) addNotes(m *mcp.Server) {
	closed, destroys := false, false
	tool := func(name, title, description string) *mcp.Tool {
		return &mcp.Tool{Name: name, Title: title, Description: description, Annotations: &mcp.ToolAnnotations{
			Title: title, DestructiveHint: &destroys, OpenWorldHint: &closed,
		}}
	}
	mcp.AddTool(m, tool("note", "Note something", "Keep a note about a decision or an edit. It is shown as an agent's words."), s.note)
	mcp.AddTool(m, tool("supersede", "Propose a successor", "Propose that one recorded decision holds in the place of another. People see it; it holds once a person says so."), s.supersede)
}

// note implements the tool note: it keeps an agent's remark on a node. Longer texts
// than maxNote are refused, not cut.
func (s *Server) note(ctx context.Context, req *mcp.CallToolRequest, in noteArgs) (*mcp.CallToolResult, Kept, error) {
	if len(in.Text) > maxNote {
		return nil, Kept{}, fmt.Errorf("note %s: %d bytes, %d at most", in.ID, len(in.Text), maxNote)
	}
	return s.keep(ctx, req, annotate.Annotation{Kind: annotate.Say, Node: in.ID, Text: in.Text}, "kept as an agent's words")
}

// supersede implements the tool supersede: the agent proposes that one decision
// replaces another. Both must exist. People see it as a proposal until one of them
// confirms it.
func (s *Server) supersede(ctx context.Context, req *mcp.CallToolRequest, in supersedeArgs) (*mcp.CallToolResult, Kept, error) {
	var ends [2]string
	for i, id := range []string{in.ID, in.By} {
		whole, err := s.Reader.NodeID(ctx, id)
		if err != nil {
			return nil, Kept{}, fmt.Errorf("supersede: %w", err)
		}
		n, found, err := s.Reader.Node(ctx, whole)
		if err != nil || !found || n.Kind != "decision" {
			return nil, Kept{}, errors.Join(fmt.Errorf("supersede: %s is no decision", whole), err)
		}
		ends[i] = n.ID
	}
	if ends[0] == ends[1] {
		return nil, Kept{}, fmt.Errorf("supersede: %s in its own place", ends[0])
	}
	return s.keep(ctx, req, annotate.Annotation{Kind: annotate.Supersede, Node: ends[0], Text: ends[1]}, "proposed; it holds once a person says so")
}

// keep stores an annotation of an agent, with the name of the client. The limit is for the life of
// the server, and failures count, too: an agent in a loop must not fill the database.
func (s *Server) keep(ctx context.Context, req *mcp.CallToolRequest, a annotate.Annotation, note string) (*mcp.CallToolResult, Kept, error) {
	if s.kept.Add(1) > maxKept {
		return nil, Kept{}, fmt.Errorf("%d annotations are kept: no more from this server", maxKept)
	}
	a.Author, a.By = annotate.Agent, "unnamed"
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil && p.ClientInfo.Name != "" {
		a.By = cut(p.ClientInfo.Name, maxName)
	}
	k, err := s.Keep(ctx, a)
	if err != nil {
		return nil, Kept{}, err
	}
	return nil, Kept{ID: k.ID, Node: k.Node, Note: note}, nil
}
