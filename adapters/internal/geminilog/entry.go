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

// reader reads objects into an entry that is used again.
type reader struct {
	entry
	members stream.Members
}

func newReader() *reader {
	r := &reader{}
	e := &r.entry
	r.members = stream.Members{
		"id": &e.id, "type": &e.kind, "timestamp": &e.time, "content": &e.content, "displayContent": &e.shown, "toolCalls": &e.calls,
		"thoughts": &e.thoughts, "tokens": &e.tokens, "model": &e.model, "$set": &e.set, "$rewindTo": &e.rewind, "sessionId": &e.session,
		"projectHash": &e.hash, "startTime": &e.start, "messages": &e.messages, "directories": &e.dirs, "summary": &e.summary,
		"kind": &e.who, "role": &e.role, "parts": &e.parts, "history": &e.history, "clientHistory": &e.contents,
	}
	return r
}

// read collects the members of an object. They are good until the next one.
func (r *reader) read(root jsondoc.Value) *entry {
	r.entry = entry{root: root}
	r.members.Read(root)
	return &r.entry
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
	*c = call{
		id: v.Get("id"), name: v.Get("name"), args: v.Get("args"), result: v.Get("result"), display: v.Get("resultDisplay"),
		status: v.Get("status"), time: v.Get("timestamp"), agent: v.Get("agentId"),
	}
}
