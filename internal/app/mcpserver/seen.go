package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memscribe/memscribe/internal/visible"
)

// seen escapes control characters and invisible characters in all answers, since tools print answers
// unchanged on a terminal. In JSON such a character becomes its JSON escape, which means the same when
// it is decoded: ESC [ 2 J, which clears a screen, becomes \u001b[2J. In prompts it becomes the text of
// that escape.
func seen(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.CallToolResult:
			for _, c := range r.Content {
				show(c)
			}
			if b, ok := r.StructuredContent.(json.RawMessage); ok {
				r.StructuredContent = json.RawMessage(visible.Text(string(b)))
			}
		case *mcp.ReadResourceResult:
			for _, c := range r.Contents {
				c.Text = visible.Text(c.Text)
			}
		case *mcp.GetPromptResult:
			for _, m := range r.Messages {
				show(m.Content)
			}
		}
		return result, nil
	}
}

// show escapes control characters and invisible ones in a text content.
func show(c mcp.Content) {
	if t, ok := c.(*mcp.TextContent); ok {
		t.Text = visible.Text(t.Text)
	}
}
