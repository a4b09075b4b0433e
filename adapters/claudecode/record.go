package claudecode

import "github.com/memscribe/memscribe/core/jsondoc"

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

	sidechain, meta bool
	summary, hidden bool // isCompactSummary, isVisibleInTranscriptOnly
	apiError        bool
}

// read collects the members of a record.
func (r *record) read(root jsondoc.Value) {
	*r = record{root: root}
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "type":
			r.kind = v
		case "subtype":
			r.subtype = v
		case "uuid":
			r.uuid = v
		case "parentUuid":
			r.parent = v
		case "sessionId":
			r.session = v
		case "session_id":
			if !r.session.Exists() {
				r.session = v
			}
		case "agentId":
			r.agent = v
		case "timestamp":
			r.time = v
		case "cwd":
			r.cwd = v
		case "gitBranch":
			r.branch = v
		case "version":
			r.version = v
		case "message":
			r.message = v
		case "toolUseResult":
			r.result = v
		case "isSidechain":
			r.sidechain = v.Bool()
		case "isMeta":
			r.meta = v.Bool()
		default:
			r.readRare(name, v)
		}
	}
}

// readRare collects the members that few records have.
func (r *record) readRare(name, v jsondoc.Value) {
	switch string(name.Body()) {
	case "content":
		r.content = v
	case "attachment":
		r.attachment = v
	case "data":
		r.data = v
	case "operation":
		r.operation = v
	case "origin":
		r.origin = v
	case "promptSource":
		r.source = v
	case "forkedFrom":
		r.forkedFrom = v
	case "sourceToolUseID":
		r.fromTool = v
	case "permissionDecision":
		r.decision = v
	case "logicalParentUuid":
		r.logicalParent = v
	case "retractedMessageUuids":
		r.retracted = v
	case "refusedUserMessageUuid":
		r.refused = v
	case "isCompactSummary":
		r.summary = v.Bool()
	case "isVisibleInTranscriptOnly":
		r.hidden = v.Bool()
	case "isApiErrorMessage":
		r.apiError = v.Bool()
	}
}
