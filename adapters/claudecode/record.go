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
	case "logicalParentUuid":
		return &r.logicalParent
	case "sessionId":
		return &r.session
	case "session_id":
		return &r.older
	case "agentId":
		return &r.agent
	case "timestamp":
		return &r.time
	case "cwd":
		return &r.cwd
	case "gitBranch":
		return &r.branch
	case "version":
		return &r.version
	case "message":
		return &r.message
	case "toolUseResult":
		return &r.result
	case "content":
		return &r.content
	case "attachment":
		return &r.attachment
	case "data":
		return &r.data
	case "operation":
		return &r.operation
	case "origin":
		return &r.origin
	case "promptSource":
		return &r.source
	case "forkedFrom":
		return &r.forkedFrom
	case "sourceToolUseID":
		return &r.fromTool
	case "permissionDecision":
		return &r.decision
	case "retractedMessageUuids":
		return &r.retracted
	case "refusedUserMessageUuid":
		return &r.refused
	case "isSidechain":
		return &r.sidechain
	case "isMeta":
		return &r.meta
	case "isCompactSummary":
		return &r.summary
	case "isVisibleInTranscriptOnly":
		return &r.hidden
	case "isApiErrorMessage":
		return &r.apiError
	}
	return nil
}

// read collects the members of a record.
func (r *record) read(root jsondoc.Value) {
	*r = record{root: root}
	stream.Members(root, r.member)
	if !r.session.Exists() {
		r.session = r.older
	}
}
