package qwen

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// measured reads what the client measured of a subagent that has no file of its
// own, as one that is waited for has none in the versions between (recorded
// 0.10.1): its answers, and its calls with their arguments and how they ended, but
// not what they told the model. It reports false if the record is no such thing.
func (p *parser) measured(r *record) bool {
	about := r.payload.Get("uiEvent")
	name := about.Get("event.name")
	isAnswer, isCall := name.Is("qwen-code.api_response"), name.Is("qwen-code.tool_call")
	if !isAnswer && !isCall || p.Thread != "" {
		return false
	}
	if isCall && p.remade(about) {
		return true
	}
	agent := p.calls.agent(agentOf(about.Get("prompt_id").Str()))
	if agent == "" {
		return false
	}
	p.Thread = agent
	if isAnswer {
		p.measuredAnswer(about)
	} else {
		p.measuredCall(about)
	}
	p.Thread = ""
	return true
}

// agentOf is the subagent that a prompt is of: "<session>#<agent>#<round>".
func agentOf(prompt string) string {
	_, rest, _ := strings.Cut(prompt, "#")
	agent, _, _ := strings.Cut(rest, "#")
	return agent
}

// measuredAnswer reads a response of the model to a subagent: the client keeps the
// pieces in which it came, as a text.
func (p *parser) measuredAnswer(about jsondoc.Value) {
	t := &p.turn
	t.Reset()
	p.Tokens = stream.Tokens(about, "input_token_count", "output_token_count", "cached_content_token_count", "", "")
	var said strings.Builder
	pieces := p.pieces(about.Get("response_text"))
	for part := range pieces {
		if part.Kind == google.Text {
			said.WriteString(part.Text.Str())
		}
	}
	if said.Len() > 0 {
		t.Add(true, core.Plain(said.String()))
	}
	for part := range pieces {
		if part.Kind == google.Call {
			t.Parts = append(t.Parts, part.Neutral(&p.Names))
		}
	}
	p.Assistant = core.AssistantTurn{
		MessageID: p.ID, Model: p.Names.Of(about.Get("model")), Usage: &p.Tokens, Text: stream.Joined(t.Said), Parts: t.Parts,
	}
	p.send(&p.Assistant, false)
	for part := range pieces {
		if id := part.Inner.Get("id").Str(); part.Kind == google.Call && id != "" {
			p.calling(id, part.Inner.Get("name"), part.Inner.Get("args"))
		}
	}
}

// pieces are the parts of a response that is kept as a text.
func (p *parser) pieces(text jsondoc.Value) func(yield func(google.Part) bool) {
	_, err := p.answer.Parse([]byte(text.Str()))
	return func(yield func(google.Part) bool) {
		if err != nil {
			return
		}
		for piece := range p.answer.Root().Elems() {
			for candidate := range piece.Get("candidates").Elems() {
				for part := range google.Parts(candidate.Path("content", "parts")) {
					if !yield(part) {
						return
					}
				}
			}
		}
	}
}

// calling passes on a call of a subagent.
func (p *parser) calling(id string, name, args jsondoc.Value) {
	p.Call = core.ToolCall{CallID: id, Name: p.Names.Of(name), Args: core.RawValue(args)}
	p.calls.open(call{id: id, name: p.Call.Name, thread: p.Thread, digest: stream.Hash(args.Raw())}, args)
	p.send(&p.Call, false)
}

// measuredCall reads that a call of a subagent ended.
func (p *parser) measuredCall(about jsondoc.Value) {
	name, args := about.Get("function_name"), about.Get("function_args")
	made, ok := p.calls.closeLike(p.Thread, p.Names.Of(name), stream.Hash(args.Raw()))
	if !ok { // what the model said was not kept
		p.calling(p.ID, name, args)
		made = p.calls.close(p.ID, "")
	}
	p.Result = core.ToolResult{CallID: made.id, OK: about.Get("success").Bool(), Output: core.RawValue(about)}
	if about.Get("decision").Is("reject") {
		p.Result.Verdict = core.Rejected
	}
	p.send(&p.Result, false)
	if p.Result.OK && made.name != "read_file" { // what it read is not known
		p.effects(google.Edit{Tool: made.name, Args: args, Qwen: true}, made.id)
	}
}
