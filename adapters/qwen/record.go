package qwen

import "github.com/memscribe/memscribe/core/jsondoc"

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

// read collects the members of a record.
func (r *record) read(root jsondoc.Value) {
	*r = record{root: root}
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "uuid":
			r.uuid = v
		case "parentUuid":
			r.parent = v
		case "sessionId":
			r.session = v
		case "timestamp":
			r.time = v
		case "type":
			r.kind = v
		case "subtype":
			r.subtype = v
		case "provenance":
			r.source = v
		case "cwd":
			r.cwd = v
		case "version":
			r.version = v
		case "gitBranch":
			r.branch = v
		case "message":
			r.message = v
		case "model":
			r.model = v
		case "usageMetadata":
			r.usage = v
		case "toolCallResult":
			r.result = v
		case "systemPayload":
			r.payload = v
		default:
			r.readRare(name, v)
		}
	}
}

// readRare collects the members that few records have.
func (r *record) readRare(name, v jsondoc.Value) {
	switch string(name.Body()) {
	case "agentId":
		r.agent = v
	case "forkedFrom":
		r.forkedFrom = v
	case "messages":
		r.messages = v
	}
}
