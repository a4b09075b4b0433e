package opencode

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kinds returns what each kind of record becomes.
//
// It is the table of the rows, and of what is in them: messages by their role, parts
// and entries by their type.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: tableSession, Known: "rec", Becomes: "`session_start` with cwd, version, model", Read: (*parser).opened},

		{Names: tableMessage, Known: "rec", Becomes: "by its role", Read: (*parser).said},
		{In: tableMessage, Names: "user", Known: "rec", Read: func(p *parser, _ stream.Head, v jsondoc.Value) { p.foreseen(v.Get("summary")) }},
		{In: tableMessage, Names: "assistant", Known: "rec", Becomes: "`assistant_turn` with usage, and its error as a part (src)", Read: (*parser).answered},

		{Names: tablePart, Known: "rec", Becomes: "by its type", Read: (*parser).parted},
		{
			In: tablePart, Names: "text", Known: "rec", Read: (*parser).text,
			Becomes: "`user_turn` or `assistant_turn`; injected if `synthetic` or `ignored` (src), on a subagent's line, or if it begins as the prompt " +
				"of `/init` or `/review` does, and then what was typed behind the command is a turn of its own · of a message with `summary: true`: `compaction`",
		},
		{In: tablePart, Names: "reasoning", Known: "rec", Becomes: "`assistant_turn` with thinking", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.Send(h, &core.AssistantTurn{Thinking: core.Token(v.Get("text")), Model: p.message.model, MessageID: p.message.id})
		}},
		{
			In: tablePart, Names: "tool", Known: "rec", Read: (*parser).tool,
			Becomes: "`tool_call`; with a final state `tool_result`, with the choices of a `question`; if it succeeded, a `file_edit` for each file",
		},
		{In: tablePart, Names: "file agent subtask", Known: "src", Becomes: "injected turn", Read: (*parser).attached},
		{In: tablePart, Names: "compaction", Known: "rec", Read: func(p *parser, _ stream.Head, _ jsondoc.Value) { p.summing = true }},
		{In: tablePart, Names: "patch", Known: "rec", Read: func(p *parser, _ stream.Head, _ jsondoc.Value) { p.putBack = p.putBack || len(p.gone) > 0 }},
		{In: tablePart, Names: "step-start step-finish", Known: "rec 1.18.33"},
		{In: tablePart, Names: "snapshot retry", Known: "src"},

		{Names: tableEntry, Known: "rec 1.18.34", Becomes: "by its type: a message of the later layout, with all that belongs to it", Read: (*parser).entered},
		{In: entry, Names: "user", Known: "rec 1.18.34", Becomes: "`user_turn`", Read: (*parser).asked},
		{In: entry, Names: "assistant", Known: "rec 1.18.34", Becomes: "`assistant_turn`, `tool_call`, `tool_result`, `file_edit`", Read: (*parser).responded},
		{In: entry, Names: "synthetic system skill", Known: "src", Becomes: "injected `user_turn`", Read: (*parser).put},
		{In: entry, Names: "shell", Known: "src", Becomes: "injected `user_turn`: the command", Read: (*parser).ran},
		{In: entry, Names: "compaction", Known: "src", Becomes: "`compaction`", Read: (*parser).replaced},
		{In: entry, Names: "location-switched", Known: "src", Read: func(p *parser, _ stream.Head, v jsondoc.Value) {
			p.place(v.Path("location", "directory").Str(), "")
		}},
		{In: entry, Names: "agent-switched model-switched idle", Known: "src"},

		{Names: tableRevert, Known: "rec", Becomes: "`rewind` to what stood before the message, as the last record", Read: func(p *parser, _ stream.Head, v jsondoc.Value) { p.reverted(v) }},
	}
}

// entry is what events call the entries of the later layout.
const entry = "entry"

// read reads what is in a row, by its kind.
func (p *parser) read(in string, kind jsondoc.Value, h stream.Head, v jsondoc.Value) {
	stream.Dispatch(p, &p.Base, in, kind, h, v)
}
