// Package kimi reads the sessions of Kimi Code, and those of the Kimi CLI that it
// follows.
//
// A session is a folder, and in it every agent has a log of its own: the main one,
// and each that it has sent. The log says everything twice, as what the model is
// given (context.…) and as what is shown (agent.…, turn.…); the first is read, the
// second is bookkeeping. A fork begins with the records of the session that it
// comes from, under their own ids.
//
// What the versions write, and on what evidence that is known, stands in
// docs/adapters/kimi.md.
//
// A prompt with a call, as it stands in the log, and what becomes of it:
//
//	{"type":"turn.prompt",…}                                              bookkeeping
//	{"type":"context.append_message","message":{"role":"user",…}}         user_turn
//	{"type":"llm.request","model":"kimi-…"}                               bookkeeping: the model
//	{"type":"file_history.tracked","path":"a.js","entry":{…}}             what a.js held before
//	{"type":"context.append_loop_event","event":{…}}                      assistant_turn, tool_call
//	{"type":"permission.record_approval_result","toolCallId":…}           the verdict of the call
//	{"type":"context.append_loop_event","event":{…}}                      tool_result, file_edit
//
// Each line has a meaning by its type alone: see the roles in kinds.go, which is where
// a new type goes.
package kimi
