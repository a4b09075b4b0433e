package qwen

import (
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// systemRecord reads a notice of the client.
func (p *parser) systemRecord(r *record) {
	switch string(r.subtype.Body()) {
	case "chat_compression":
		p.compressed(r)
	case "rewind":
		p.rewound(r)
	case "ui_telemetry", "slash_command":
		if p.measured(r) || p.restored(r) {
			return
		}
		fallthrough
	default:
		p.keep(p.rawType(r), isBookkeeping(string(r.subtype.Body())))
	}
}

// compressed reads that a summary took the place of the conversation for the
// model. The records themselves stay. Only a compression that succeeded counts.
func (p *parser) compressed(r *record) {
	const done = 1 // CompressionStatus.COMPRESSED
	if status, ok := r.payload.Path("info", "compressionStatus").Int(); ok && status != done {
		return
	}
	body := core.Compaction{Summary: summary(r.payload.Get("compressedHistory"))}
	if p.Last >= p.window {
		body.Start, body.End = p.window, p.Last
	}
	p.send(&body, false)
	p.window = p.Last + 1
}

// summary is the first text of the history that a compression leaves (recorded
// 0.24.4).
func summary(history jsondoc.Value) core.Text {
	for content := range history.Elems() {
		for part := range google.Parts(content.Get("parts")) {
			if part.Kind == google.Text {
				return core.Token(part.Text)
			}
		}
	}
	return core.Text{}
}

// isBookkeeping reports whether a subtype is one that is known to carry nothing
// that was said or done.
func isBookkeeping(subtype string) bool {
	switch subtype {
	case "ui_telemetry", "attribution_snapshot": // recorded
		return true
	case "slash_command", "custom_title", "session_artifact_snapshot": // wild 0.21.13
		return true
	case "at_command", "parent_session", "session_source", "session_model", "agent_bootstrap", "agent_launch_prompt",
		"agent_retry", "file_history_snapshot", "user_text_elements", "session_artifact_event", "branch_checkpoint",
		"goal_state", "goal_runtime", "turn_result": // source
		return true
	case "session_notes", "session_approval_mode", "session_execution_engine", "session_sources_snapshot",
		"goal_turn_end", "agent_session_ready", "omni_recall", "managed_session_state_v1", "background_task_completed": // reported by other readers
		return true
	}
	return false
}
