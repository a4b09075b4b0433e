package copilot

import (
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// calls remembers the calls that have no result yet.
type calls struct {
	pending.Calls[string, call]

	doc jsondoc.Doc
}

// call is what the result of a call will need of it; the result takes it out.
type call struct {
	name    string
	input   []byte // of a tool that edits, shows or asks
	verdict core.Verdict
	reason  string
}

// open notes a call, or what it was really run with. The input is copied, and only of
// the tools whose result needs it. What is held is bounded by [pending.Calls].
func (c *calls) open(id, name string, input jsondoc.Value) {
	if id == "" {
		return
	}
	made := c.Take(id)
	if name != "" {
		made.name = name
	}
	if keepsInput(made.name) && input.Exists() {
		made.input = append(made.input[:0], input.Raw()...)
	}
	c.Put(id, made, len(made.input))
}

// args is what a call was made with. Some versions write the object as a string of JSON
// (wild 1.0.45), and patches are plain text: then it is the string. It is valid until
// the next call of args.
func (c *calls) args(made *call) jsondoc.Value {
	if made.input == nil {
		return jsondoc.Value{}
	}
	if _, err := c.doc.Parse(made.input); err != nil {
		return jsondoc.Value{}
	}
	v := c.doc.Root()
	if text := v.Body(); len(text) > 0 && text[0] == '{' {
		inner := jsondoc.Unquote(nil, text)
		if n, err := c.doc.Parse(inner); err == nil && n == len(inner) {
			return c.doc.Root()
		}
		if _, err := c.doc.Parse(made.input); err != nil {
			return jsondoc.Value{}
		}
		return c.doc.Root()
	}
	return v
}

// keepsInput reports whether a result means nothing without the call's input.
func keepsInput(name string) bool { return edits(name) || name == "view" || name == "ask_user" }

// request emits a call that a response asked for.
func (p *parser) request(id, name string, args jsondoc.Value) {
	p.calls.open(id, name, args)
	p.Call = core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)}
	p.send(&p.Call, false)
}

// callStart reads the start of a call, which is a call of its own if no message
// asked for it: one that the person made, or one whose message was redacted.
// Hooks may have changed its arguments.
func (p *parser) callStart(data jsondoc.Value) {
	id, name := data.Get("toolCallId").Str(), p.Names.Of(data.Get("toolName"))
	if p.calls.Get(id) == nil {
		p.request(id, name, data.Get("arguments"))
		return
	}
	p.calls.open(id, name, data.Get("arguments"))
}

// maxAgents bounds the subagents that are remembered.
const maxAgents = 1024

// agentStarted notes the thread of the subagent that a call started. It has the
// id of the call (reported by another reader), unless the event says otherwise.
// Beyond maxAgents a subagent has the id of its call.
func (p *parser) agentStarted(data jsondoc.Value) {
	call := data.Get("toolCallId").Str()
	if call == "" || len(p.agents) >= maxAgents {
		return
	}
	thread := call
	if agent := p.rec.agent; len(agent.Body()) > 0 {
		thread = agent.Str()
	}
	if p.agents == nil {
		p.agents = map[string]string{}
	}
	p.agents[call] = thread
}

// maxRequests bounds the requests for approval that are not answered.
const maxRequests = 256

// asked notes which call a request for approval is about.
// Beyond maxRequests the verdict of a call is not known; its result still is.
func (p *parser) asked(data jsondoc.Value) {
	call := data.Path("permissionRequest", "toolCallId").Str()
	if call == "" || data.Get("resolvedByHook").Bool() || len(p.requests) >= maxRequests {
		return
	}
	if p.requests == nil {
		p.requests = map[string]string{}
	}
	p.requests[data.Get("requestId").Str()] = call
}

// answered notes what a person decided about a call. Rules, hooks and policies
// decide too, and are no persons.
func (p *parser) answered(data jsondoc.Value) {
	request := data.Get("requestId").Str()
	id, asked := p.requests[request]
	delete(p.requests, request)
	made := p.calls.Get(id)
	if made == nil || !asked {
		return
	}
	result := data.Get("result")
	switch kind := result.Get("kind"); {
	case result.Get("managedApprovalHandled").Bool():
	case kind.Is("approved"), kind.Is("approved-for-session"), kind.Is("approved-for-location"):
		made.verdict = core.Approved
	case kind.Is("denied-interactively-by-user"):
		made.verdict, made.reason = core.Rejected, result.Get("feedback").Str()
	}
}
