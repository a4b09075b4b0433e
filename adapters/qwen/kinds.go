package qwen

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kinds returns what each kind of record becomes.
//
// It is the table of the records, by their types, and of notices by their subtypes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: "user", Known: "rec", Read: (*parser).userRecord,
			Becomes: "`user_turn`; `injected` unless a person's; on an earlier turn a `rewind` before it (src). With a response: as `tool_result`",
		},
		{Names: "assistant", Known: "rec", Becomes: "`assistant_turn` with thoughts and tokens, `tool_call` per call", Read: (*parser).assistantRecord},
		{Names: "tool_result", Known: "rec", Becomes: "`tool_result`, and `file_edit` if it succeeded and changed a file", Read: (*parser).userRecord},
		{Names: "system", Known: "rec", Becomes: "by its subtype", Read: func(p *parser, r *record) { p.read("system", r.subtype, r) }},
		{In: "system", Names: "chat_compression", Known: "rec 0.24.4", Becomes: "`compaction`, if its status says that it succeeded", Read: (*parser).compressed},
		{In: "system", Names: "rewind", Known: "rec 0.24.4", Becomes: "`rewind` to the record on which it hangs, or that `targetUuid` names (src, wild)", Read: (*parser).rewound},
		{
			In: "system", Names: "ui_telemetry", Known: "rec 0.8.2 to 0.15.10", Read: (*parser).telemetry,
			Becomes: "of a subagent without a file: what an answer and a result give, on its line",
		},
		{
			In: "system", Names: "slash_command", Known: "rec 0.24.4", Read: (*parser).telemetry,
			Becomes: "with the result of `/restore`: `rewind` to the call that its checkpoint is named after",
		},
		{In: "system", Names: "attribution_snapshot file_history_snapshot", Known: "rec"},
		{In: "system", Names: "custom_title session_artifact_snapshot", Known: "wild 0.21.13"},
		{In: "system", Known: "src", Names: `at_command parent_session session_source session_model agent_bootstrap agent_launch_prompt agent_retry
			user_text_elements session_artifact_event branch_checkpoint goal_state goal_runtime turn_result`},
		{In: "system", Known: "hear", Names: `session_notes session_approval_mode session_execution_engine session_sources_snapshot goal_turn_end
			agent_session_ready omni_recall managed_session_state_v1 background_task_completed`},
	}
}

// read reads a record by its type, or a notice by its subtype.
func (p *parser) read(in string, kind jsondoc.Value, r *record) {
	if k := stream.ReadAs(p, &p.Kinds, in, kind, r); !p.Emitted {
		p.keep(p.rawType(r), k.Known)
	}
}

// telemetry reads what was measured, or what a command was.
func (p *parser) telemetry(r *record) {
	if !p.measured(r) {
		p.restored(r)
	}
}
