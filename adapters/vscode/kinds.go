package vscode

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// partReader reads a part of a response.
type partReader = func(*parser, *reply, jsondoc.Value)

// Kinds returns what each kind of part and of entry becomes.
func (Adapter) Kinds() []stream.Kind { return append(parts(), entries()...) }

// parts is the table of the parts of a response, by their kind.
func parts() []stream.Kind {
	return []stream.Kind{
		{In: "response", Names: "markdownContent", Known: "wild", Becomes: "words of an `assistant_turn`, as is a part without a kind", Read: say},
		{In: "response", Names: "markdownVuln", Known: "src", Becomes: "the same", Read: say},
		{In: "response", Names: "inlineReference", Known: "rec", Becomes: "the name of the file or symbol, in the words", Read: func(_ *parser, y *reply, v jsondoc.Value) { y.add(reference(v)) }},
		{In: "response", Names: "thinking", Known: "rec", Becomes: "thoughts of an `assistant_turn`", Read: func(_ *parser, y *reply, v jsondoc.Value) { y.think(v) }},
		{In: "response", Names: "clearToPreviousToolInvocation", Known: "src", Becomes: "takes back the words since the last call", Read: (*parser).unsaid},
		{In: "response", Names: "toolInvocationSerialized", Known: "rec", Becomes: "`tool_call`, `tool_result`", Read: (*parser).calls},
		{In: "response", Names: "toolInvocation", Known: "src", Becomes: "the same", Read: (*parser).calls},
		{In: "response", Names: "textEditGroup", Known: "rec", Becomes: "`file_edit`", Read: func(p *parser, y *reply, v jsondoc.Value) {
			p.edited(y, v)
			y.keep(v)
		}},
		{In: "response", Known: "rec", Becomes: "a part of the turn, as it is", Names: "undoStop codeblockUri mcpServersStarting"},
		{In: "response", Known: "src", Becomes: "a part of the turn, as it is", Names: `prepareToolInvocation progressTaskSerialized notebookEditGroup workspaceEdit externalEdit multiDiffData confirmation
			elicitation elicitation2 elicitationSerialized questionCarousel planReview hook progressMessage progressTask warning info
			systemNotification command extensions pullRequest treeData autoModeResolution disabledClaudeHooks voiceProgress reference
			usedContext codeCitation move undoStopId`},
	}
}

func say(_ *parser, y *reply, v jsondoc.Value) { y.say(v) }

// unsaid takes back what was said since the last call.
func (p *parser) unsaid(y *reply, v jsondoc.Value) {
	y.text.Reset()
	y.keep(v)
}

func (p *parser) calls(y *reply, v jsondoc.Value) {
	p.flush(y)
	p.invoked(y, v)
}

// entries is the table of the entries of a transcript, by their type.
func entries() []stream.Kind {
	return []stream.Kind{
		{Names: "session.start", Known: "rec", Becomes: "`session_start`", Read: (*parser).opens},
		{Names: "user.message", Known: "rec", Becomes: "`user_turn`", Read: (*parser).typed},
		{Names: "assistant.message", Known: "rec", Becomes: "`assistant_turn`, `tool_call`", Read: (*parser).answered},
		{Names: "tool.execution_start", Known: "rec", Becomes: "`tool_call`, if no message has it", Read: (*parser).starts},
		{Names: "tool.execution_complete", Known: "rec", Becomes: "`tool_result`", Read: (*parser).ends},
		{Names: "assistant.turn_start assistant.turn_end", Known: "rec"},
	}
}
