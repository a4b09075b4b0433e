// Package copilot reads the sessions of the GitHub Copilot command line tool.
//
// A session is a log of events, a JSON object a line: {type, data, id,
// timestamp, parentId, agentId}. Before 0.0.342 it was one JSON document, which
// was rewritten whole; see legacy.go. Events that the client marks ephemeral do
// not reach the disk, but they do reach the stream that --output-format json
// prints, which has the same form and is read as well.
//
// A database beside the sessions repeats what was said in them, also what a rewind
// has deleted; see rows.go.
//
// What the versions write, and on what evidence that is known, stands in
// docs/adapters/copilot.md.
//
// A turn with a call, as 1.0.102 writes it, with what becomes of it:
//
//	user.message             {content}                             user_turn
//	assistant.turn_start                                           bookkeeping
//	assistant.message        {content, toolRequests:[{toolCallId,
//	                          name:"edit", arguments}]}            assistant_turn, tool_call
//	permission.requested     {requestId, permissionRequest}        noted
//	permission.completed     {requestId, result:{kind}}            the verdict of the call
//	tool.execution_start     {toolCallId, arguments}               as hooks have changed them
//	tool.execution_complete  {toolCallId, success, result:
//	                          {content, detailedContent}}          tool_result, file_edit
//
// The content of a result is what the model was told, detailedContent what the screen
// showed: of an edit a diff, in which carriage returns and a missing last line end are
// lost. Both are needed to know what a file held.
package copilot
