// Package codex parses the transcripts ("rollouts") of the OpenAI Codex CLI and of
// tools built on it.
//
// A rollout holds the same conversation twice: as the items that were sent to and received from the
// model ("response_item"), and as the events that a user interface shows ("event_msg"). Neither is
// complete. What a person typed is known exactly only from the events, since the items mix it with
// context that the tool adds; what the model said and which tools it called is known best from the
// items. The parser takes each fact from whichever tells it first and recognises the second
// telling.
//
// Facts carry their evidence: "recorded" (0.47.0, 0.105.0, 0.169.0), "wild"
// (transcripts that people published, 0.34 to 0.146), or "source" (read in the
// tool's own source or in that of other readers).
//
// A turn as 0.105.0 writes it (recorded), and what becomes of each line:
//
//	response_item  message, role user     "Use UTC everywhere."      waits for its event
//	event_msg      user_message           the same                   user_turn
//	turn_context   cwd, model                                        bookkeeping
//	response_item  custom_tool_call       apply_patch, the patch     tool_call
//	response_item  custom_tool_call_output  "Success. Updated …"     tool_result, file_edit
//	event_msg      agent_message          "Done."                    assistant_turn
//	response_item  message, role assistant  the same                 bookkeeping
//	event_msg      task_complete                                     bookkeeping
//
// Which of a pair stands first depends on the version, so that both orders are read. A
// second telling is kept as bookkeeping: no line is without an event.
//
// Edits come from three places, the best that the rollout has:
//
//	events   patch_apply_end, FileChange: the diff against what the file held
//	answers  "Success. Updated the following files", with the patch of the call
//	scripts  patches that a script of code mode holds, where no event was ever seen
package codex

import (
	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Codex.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Codex }

// Places are the folders below CODEX_HOME. Files lie in folders of the day, or (before July 2025,
// source) beside each other; archiving moves a file into a flat folder (source).
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{{Env: "CODEX_HOME"}, {Path: ".codex"}},
		Patterns: []string{
			"sessions/**/rollout-*.jsonl", "sessions/**/rollout-*.jsonl.zst", "sessions/rollout-*.json",
			"archived_sessions/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl.zst",
		},
	}}
}

// Detect judges by the first lines.
func (Adapter) Detect(s core.Sample) core.Fit { return rollout.Detect(s) }
