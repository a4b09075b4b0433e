package qwen

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// record holds the members of a record that mean something here. They are
// collected in one pass.
type record struct {
	root jsondoc.Value

	kind, subtype   jsondoc.Value // "type" and "subtype"
	uuid, parent    jsondoc.Value
	session, agent  jsondoc.Value
	time, source    jsondoc.Value // source is "provenance"
	cwd, branch     jsondoc.Value
	version, model  jsondoc.Value
	message, usage  jsondoc.Value
	result, payload jsondoc.Value // "toolCallResult" and "systemPayload"
	forkedFrom      jsondoc.Value
	messages        jsondoc.Value // of a document of the first versions
}

// members says where the members of a record go.
func (r *record) members() stream.Members {
	return stream.Members{
		"type": &r.kind, "subtype": &r.subtype, "uuid": &r.uuid, "parentUuid": &r.parent, "sessionId": &r.session,
		"agentId": &r.agent, "timestamp": &r.time, "provenance": &r.source, "cwd": &r.cwd, "gitBranch": &r.branch,
		"version": &r.version, "model": &r.model, "message": &r.message, "usageMetadata": &r.usage,
		"toolCallResult": &r.result, "systemPayload": &r.payload, "forkedFrom": &r.forkedFrom, "messages": &r.messages,
	}
}
