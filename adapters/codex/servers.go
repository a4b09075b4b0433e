package codex

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Nests implements [mcpedits.Nester]: scripts of code mode call the tools of servers.
func (p *parser) Nests(inner mcpedits.Inner) { p.served = inner }

// serverCall is a call of a server's tool that has ended, as an event tells it. It
// points into the record's bytes.
type serverCall struct {
	id, server, tool, args, result jsondoc.Value
	failed                         bool
}

// serverItem reads an McpToolCall.
func serverItem(it jsondoc.Value) serverCall {
	return serverCall{
		id: it.Get("id"), server: it.Get("server"), tool: it.Get("tool"), args: it.Get("arguments"),
		result: it.Get("result"), failed: it.Get("status").Is("failed"),
	}
}

// serverEnd reads an mcp_tool_call_end.
func serverEnd(v jsondoc.Value) serverCall {
	made, result := v.Get("invocation"), v.Get("result")
	return serverCall{
		id: v.Get("call_id"), server: made.Get("server"), tool: made.Get("tool"), args: made.Get("arguments"), result: result.Get("Ok"),
		failed: result.Get("Err").Exists() || result.Path("Ok", "isError").Bool() || result.Path("Ok", "is_error").Bool(),
	}
}

// serverCalled takes in how a call of a server's tool ended. What it edited follows
// from the call's own items, but for one that a script of code mode made: that
// has none, and its edits are the script's.
func (p *parser) serverCalled(made serverCall) {
	if made.failed {
		p.failed(made.id)
		return
	}
	if p.served == nil || p.calls.get(made.id) != nil || !bytes.HasPrefix(made.id.Body(), []byte(innerPrefix)) {
		return
	}
	called := strings.ReplaceAll(made.tool.Str(), "-", "_") // as scripts spell it
	name := "mcp__" + made.server.Str() + "__" + made.tool.Str()
	for _, d := range p.served(name, made.args, core.RawValue(made.result), p.Project) {
		callID, c := p.outer(made.id, func(script string) bool { return strings.Contains(script, called) })
		if c == nil {
			c = &call{name: name}
		}
		c.patched = true
		p.editedInside(made.id.Str(), callID, c, d)
	}
}
