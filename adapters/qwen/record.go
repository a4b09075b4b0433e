package qwen

import (
	"github.com/memscribe/memscribe/core/jsondoc"
)

// record holds the members of a record that mean something here. They are collected in
// one pass, and point into the record's bytes.
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

// member is where the member of a name goes, nil if it means nothing.
func (r *record) member(name []byte) *jsondoc.Value {
	switch string(name) {
	case "type":
		return &r.kind
	case "subtype":
		return &r.subtype
	case "uuid":
		return &r.uuid
	case "parentUuid":
		return &r.parent
	case "sessionId":
		return &r.session
	case "agentId":
		return &r.agent
	case "timestamp":
		return &r.time
	case "provenance":
		return &r.source
	case "cwd":
		return &r.cwd
	case "gitBranch":
		return &r.branch
	case "version":
		return &r.version
	case "model":
		return &r.model
	case "message":
		return &r.message
	case "usageMetadata":
		return &r.usage
	case "toolCallResult":
		return &r.result
	case "systemPayload":
		return &r.payload
	case "forkedFrom":
		return &r.forkedFrom
	case "messages":
		return &r.messages
	}
	return nil
}
