package geminilog

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// entry holds the members of a line, a document or a message that mean something here.
// They are collected in one pass, and point into the record's bytes.
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

// member is where the member of a name goes, nil if it means nothing.
func (e *entry) member(name []byte) *jsondoc.Value {
	switch string(name) {
	case "id":
		return &e.id
	case "type":
		return &e.kind
	case "timestamp":
		return &e.time
	case "content":
		return &e.content
	case "displayContent":
		return &e.shown
	case "toolCalls":
		return &e.calls
	case "thoughts":
		return &e.thoughts
	case "tokens":
		return &e.tokens
	case "model":
		return &e.model
	case "$set":
		return &e.set
	case "$rewindTo":
		return &e.rewind
	case "sessionId":
		return &e.session
	case "projectHash":
		return &e.hash
	case "startTime":
		return &e.start
	case "messages":
		return &e.messages
	case "directories":
		return &e.dirs
	case "summary":
		return &e.summary
	case "kind":
		return &e.who
	case "role":
		return &e.role
	case "parts":
		return &e.parts
	case "history":
		return &e.history
	case "clientHistory":
		return &e.contents
	}
	return nil
}

// read collects the members of an object. They are good until the next one.
func (e *entry) read(root jsondoc.Value) *entry {
	*e = entry{root: root}
	stream.Members(root, e.member)
	return e
}

// at is when the entry was made.
func (e *entry) at() core.Time {
	if e.time.Kind() == jsondoc.String {
		return stream.Time(e.time)
	}
	return stream.Time(e.start)
}

// call holds the members of a tool call. It points into the record's bytes.
type call struct {
	id, name, args  jsondoc.Value
	result, display jsondoc.Value
	status, time    jsondoc.Value
	agent           jsondoc.Value
}

func (c *call) read(v jsondoc.Value) {
	*c = call{
		id: v.Get("id"), name: v.Get("name"), args: v.Get("args"), result: v.Get("result"), display: v.Get("resultDisplay"),
		status: v.Get("status"), time: v.Get("timestamp"), agent: v.Get("agentId"),
	}
}
