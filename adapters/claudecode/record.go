package claudecode

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// record holds the members of a record that mean something here. They are
// collected in one pass: a record has up to fifty.
type record struct {
	root jsondoc.Value

	kind, subtype jsondoc.Value // "type" and "subtype"
	uuid, parent  jsondoc.Value
	session       jsondoc.Value
	agent         jsondoc.Value
	time          jsondoc.Value
	cwd, branch   jsondoc.Value
	version       jsondoc.Value

	message    jsondoc.Value
	result     jsondoc.Value // toolUseResult
	content    jsondoc.Value
	attachment jsondoc.Value
	data       jsondoc.Value
	operation  jsondoc.Value

	origin, source jsondoc.Value // who a user record is from; see voice
	forkedFrom     jsondoc.Value
	fromTool       jsondoc.Value // sourceToolUseID
	decision       jsondoc.Value // permissionDecision
	logicalParent  jsondoc.Value
	retracted      jsondoc.Value
	refused        jsondoc.Value

	sidechain, meta jsondoc.Value
	summary, hidden jsondoc.Value // isCompactSummary, isVisibleInTranscriptOnly
	apiError        jsondoc.Value
	older           jsondoc.Value // the session, by the name that it had first
}

// members says where the members of a record go.
func (r *record) members() stream.Members {
	return stream.Members{
		"type": &r.kind, "subtype": &r.subtype, "uuid": &r.uuid, "parentUuid": &r.parent, "logicalParentUuid": &r.logicalParent,
		"sessionId": &r.session, "session_id": &r.older, "agentId": &r.agent, "timestamp": &r.time, "cwd": &r.cwd,
		"gitBranch": &r.branch, "version": &r.version, "message": &r.message, "toolUseResult": &r.result, "content": &r.content,
		"attachment": &r.attachment, "data": &r.data, "operation": &r.operation, "origin": &r.origin, "promptSource": &r.source,
		"forkedFrom": &r.forkedFrom, "sourceToolUseID": &r.fromTool, "permissionDecision": &r.decision,
		"retractedMessageUuids": &r.retracted, "refusedUserMessageUuid": &r.refused, "isSidechain": &r.sidechain,
		"isMeta": &r.meta, "isCompactSummary": &r.summary, "isVisibleInTranscriptOnly": &r.hidden, "isApiErrorMessage": &r.apiError,
	}
}

// read collects the members of a record; at is what members gave.
func (r *record) read(root jsondoc.Value, at stream.Members) {
	*r = record{root: root}
	at.Read(root)
	if !r.session.Exists() {
		r.session = r.older
	}
}
