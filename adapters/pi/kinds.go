package pi

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kinds returns what each kind of record becomes.
//
// It is the table of the entries, and of the roles of messages.
func (Adapter) Kinds() []stream.Kind {
	const put = "injected `user_turn`"
	return []stream.Kind{
		{Names: "session", Known: "rec 0.73.1", Becomes: "`session_start`; the model in version 1 only (wild)", Read: (*parser).header},
		{Names: "message", Known: "rec 0.73.1", Becomes: "by its role", Read: func(p *parser, v jsondoc.Value) { p.said(v.Get("message")) }},
		{In: "message", Names: "user", Known: "rec", Becomes: "`user_turn`", Read: func(p *parser, m jsondoc.Value) { p.prompt(m.Get("content")) }},
		{In: "message", Names: "assistant", Known: "rec", Becomes: "`assistant_turn`, and a `tool_call` per call", Read: (*parser).response},
		{In: "message", Names: "toolResult", Known: "rec", Becomes: "`tool_result`, and a `file_edit` if the edit was applied", Read: (*parser).callResult},
		{In: "message", Names: "bashExecution", Known: "wild", Becomes: put + " with the command that the person ran", Read: (*parser).ran},
		{In: "message", Names: "custom hookMessage", Known: "src", Becomes: put, Read: func(p *parser, m jsondoc.Value) { p.put(m.Get("content")) }},
		{In: "message", Names: "branchSummary compactionSummary", Known: "src", Becomes: put, Read: func(p *parser, m jsondoc.Value) { p.put(m.Get("summary")) }},
		{In: "message", Names: "system", Known: "rec 0.87.1"}, // the client's own words to the model
		{Names: "compaction", Known: "rec 0.73.1", Becomes: "`compaction` up to the first entry that was kept", Read: (*parser).compacted},
		{Names: "compactionSummary", Known: "wild: one fixture", Becomes: "`compaction`", Read: (*parser).compacted},
		{Names: "branch_summary", Known: "src", Becomes: put, Read: func(p *parser, v jsondoc.Value) { p.put(v.Get("summary")) }},
		{Names: "branchSummary", Known: "wild: one fixture", Becomes: put, Read: func(p *parser, v jsondoc.Value) { p.put(v.Get("summary")) }},
		{Names: "custom_message", Known: "src; wild, OpenClaw", Becomes: put, Read: func(p *parser, v jsondoc.Value) { p.put(v.Get("content")) }},
		{Names: "model_change thinking_level_change", Known: "rec 0.73.1"},
		{Names: "context_edit", Known: "rec 1.5.2"}, // takes an answer that failed out of what the model sees
		{Names: "custom", Known: "wild"},
		{Names: "label session_info", Known: "src"},
	}
}
