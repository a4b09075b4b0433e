package geminilog

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// entry holds the members of a line, a document or a message that mean something
// here. They are collected in one pass.
type entry struct {
	root jsondoc.Value

	id, kind, time    jsondoc.Value // kind is "type"
	content, shown    jsondoc.Value // shown is "displayContent"
	calls, thoughts   jsondoc.Value
	tokens, model     jsondoc.Value
	session, hash     jsondoc.Value
	start, role       jsondoc.Value
	messages, set     jsondoc.Value
	rewind, dirs      jsondoc.Value
	summary, who      jsondoc.Value // who is "kind": main or subagent
	history, contents jsondoc.Value
	parts             jsondoc.Value

	name string // the id, or what stands for it
}

// read collects the members of an object.
func (e *entry) read(root jsondoc.Value) {
	*e = entry{root: root}
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "id":
			e.id = v
		case "type":
			e.kind = v
		case "timestamp":
			e.time = v
		case "content":
			e.content = v
		case "displayContent":
			e.shown = v
		case "toolCalls":
			e.calls = v
		case "thoughts":
			e.thoughts = v
		case "tokens":
			e.tokens = v
		case "model":
			e.model = v
		case "$set":
			e.set = v
		default:
			e.readRare(name, v)
		}
	}
}

// readRare collects the members that few objects have.
func (e *entry) readRare(name, v jsondoc.Value) {
	switch string(name.Body()) {
	case "$rewindTo":
		e.rewind = v
	case "sessionId":
		e.session = v
	case "projectHash":
		e.hash = v
	case "startTime":
		e.start = v
	case "messages":
		e.messages = v
	case "directories":
		e.dirs = v
	case "summary":
		e.summary = v
	case "kind":
		e.who = v
	case "role":
		e.role = v
	case "parts":
		e.parts = v
	case "history":
		e.history = v
	case "clientHistory":
		e.contents = v
	}
}

// at is when the entry was made.
func (e *entry) at() core.Time {
	if e.time.Kind() == jsondoc.String {
		return stream.Time(e.time)
	}
	return stream.Time(e.start)
}

// call holds the members of a tool call.
type call struct {
	id, name, args  jsondoc.Value
	result, display jsondoc.Value
	status, time    jsondoc.Value
	agent           jsondoc.Value
}

func (c *call) read(v jsondoc.Value) {
	*c = call{}
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "id":
			c.id = v
		case "name":
			c.name = v
		case "args":
			c.args = v
		case "result":
			c.result = v
		case "resultDisplay":
			c.display = v
		case "status":
			c.status = v
		case "timestamp":
			c.time = v
		case "agentId":
			c.agent = v
		}
	}
}
