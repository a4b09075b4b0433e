package claudecode

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kinds returns what each kind of record becomes.
//
// It is the table of the records. An attachment or a progress report of a new type may
// carry anything, so each type has to be in it.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: "user", Known: "rec", Read: (*parser).userRecord,
			Becomes: "text: `user_turn`, `injected` unless a person's; on an earlier turn a `rewind` before it · `tool_result`: `tool_result`, and " +
				"`file_edit` if the edit was applied · `isCompactSummary`: `compaction`; a boundary without a summary counts at the next turn",
		},
		{
			Names: "assistant", Known: "rec", Read: (*parser).assistantRecord,
			Becomes: "`assistant_turn` per record (one response is up to 18 records with one `message.id`), `tool_call` per call; `injected` if `<synthetic>`",
		},

		{Names: "attachment", Known: "rec", Becomes: "by its type", Read: (*parser).attachmentRecord},
		{In: "attachment", Names: "queued_command", Known: "wild 2.1.170+", Becomes: "`user_turn`: typed while the agent worked", Read: (*parser).queuedCommand},
		{In: "attachment", Names: "file", Known: "rec 2.1.329", Read: (*parser).fileShown},
		{In: "attachment", Names: "edited_text_file", Known: "wild 2.1.92 to 2.1.220", Read: (*parser).fileChanged},
		{In: "attachment", Names: "read_truncation_notice", Known: "wild 2.1.92 to 2.1.220", Read: (*parser).fileCut},
		{In: "attachment", Known: "rec 2.1.329", Names: `agent_listing_delta auto_mode date deferred_tools_delta deferred_tools_record
			environment instructions model prompt_snapshot remote_session_change session_context silent_turn_reminder skill_listing`},
		{In: "attachment", Known: "wild 2.1.92 to 2.1.220", Names: `batching_reminder_sent budget_usd command_permissions compact_file_reference
			date_change diagnostics dynamic_skill hook_additional_context hook_blocking_error hook_cancelled hook_non_blocking_error hook_success
			hook_system_message invoked_skills mcp_instructions_delta nested_memory opened_file_in_ide plan_mode plan_mode_exit
			selected_lines_in_ide task_reminder task_status todo_reminder total_tokens_reminder ultra_effort_enter ultra_effort_exit`},

		{Names: "system", Known: "rec", Becomes: "by its subtype; with `retractedMessageUuids` a `rewind` to the refused prompt (wild)", Read: (*parser).systemRecord},
		{In: "system", Names: "compact_boundary", Known: "rec", Read: (*parser).boundary},
		{In: "system", Names: "local_command", Known: "wild 2.1.12 to 2.1.170", Becomes: "injected `user_turn`: what a slash command printed", Read: (*parser).commandOutput},
		{In: "system", Names: "api_error turn_duration stop_hook_summary", Known: "rec"},
		{In: "system", Known: "wild 2.1", Names: `microcompact_boundary informational error away_summary session_start bridge_status api_refusal
			model_refusal_fallback model_consent_fallback init`},
		{In: "system", Names: "scheduled_task_fire", Known: "hear"},

		{Names: "progress", Known: "wild 2.1.0 to 2.1.71", Becomes: "by its type", Read: (*parser).progressRecord},
		{In: "progress", Known: "wild 2.1.0 to 2.1.71", Names: `agent_progress bash_progress hook_progress mcp_progress query_update
			search_results_received waiting_for_task`},

		{Names: "queue-operation", Known: "rec", Becomes: "by its operation", Read: (*parser).queueRecord},
		{In: "queue-operation", Names: "enqueue", Known: "rec", Read: (*parser).enqueued},
		{In: "queue-operation", Names: "dequeue", Known: "rec", Read: (*parser).dequeued},
		{In: "queue-operation", Names: "popAll", Known: "wild", Read: (*parser).givenBack},
		{In: "queue-operation", Names: "remove", Known: "wild", Becomes: "before 2.1.97 `user_turn`: the only trace of such a prompt", Read: (*parser).removed},

		{Names: "summary custom-title ai-title", Known: "rec 1.0.128, 2.1.329"},
		{Names: "last-prompt mode permission-mode atis-latch cost-state", Known: "rec 2.1.329, 2.1.330"},
		{Names: "api-request api-request-shape api-request-blob tools-used", Known: "rec 2.1.329"},
		{Names: "file-history-snapshot file-history-delta", Known: "rec 2.0.77, 2.1.329"},
		{Names: "worktree-state relocated", Known: "rec 2.1.330"},
		{Names: "agent-name agent-setting tag pr-link frame-link bridge-session started result", Known: "wild 2.1"},
		{Names: "content-replacement agent_metadata", Known: "src"},
		{Names: "artifact-*", Known: "hear"},
	}
}

// read reads a record by its kind, or by a kind within that one.
func (p *parser) read(in string, kind jsondoc.Value, r *record) {
	if k := stream.ReadAs(p, &p.Kinds, in, kind, r); !p.Emitted {
		p.unknownRecord(k.Name, k.Known)
	}
}

// attachmentRecord reads what the client attached to the conversation. All of it is context for the
// model but queued commands, which may be a person's words; some of it tells what is in a file.
func (p *parser) attachmentRecord(r *record) { p.read("attachment", r.attachment.Get("type"), r) }

func (p *parser) fileShown(r *record) { p.files.Shown(r.attachment.Path("content", "file")) }

func (p *parser) fileChanged(r *record) { p.files.Forget(r.attachment.Get("filename").Str()) }

func (p *parser) fileCut(*record) { p.files.ShownLess() }

// progressRecord reads a report of a call that runs. That of a subagent repeats records
// that are in its own file.
func (p *parser) progressRecord(r *record) { p.read("progress", r.data.Get("type"), r) }

// systemRecord reads a notice of the client, which may take back what was said.
func (p *parser) systemRecord(r *record) {
	if r.retracted.Exists() {
		p.retract(r)
		p.Emitted = false // the notice is kept too
	}
	p.read("system", r.subtype, r)
}

// commandOutput reads what a slash command printed.
func (p *parser) commandOutput(r *record) {
	text := core.Token(r.content)
	p.User = core.UserTurn{Text: text, Parts: append(p.turn.parts[:0], stream.Text(text))}
	p.send(&p.User, true)
}
