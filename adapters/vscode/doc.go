// Package vscode parses the chat sessions of Visual Studio Code and its forks, as
// written by GitHub Copilot Chat.
//
// A session is a list of requests, each with what was asked and the parts of the
// response. It is kept as one document, rewritten at every change, or as a log
// of changes to such a document, a line each:
//
//	{"kind":0,"v":session}             the whole
//	{"kind":1,"k":path,"v":value}      set; without v, remove
//	{"kind":2,"k":path,"v":list,"i":n} cut the list at path to n, then append
//	{"kind":3,"k":path}                remove
//
// While a response streams in, a log holds every state that its text went through.
// So a request is passed on when it is settled: when it has its result, or when
// another one follows.
//
// docs/adapters/vscode.md says what is known of the format, and how.
//
// A log of one request, and when what is passed on:
//
//	{"kind":0,"v":{"sessionId":…,"requests":[]}}               session_start
//	{"kind":2,"k":["requests"],"v":[{"requestId":"r1",
//	  "message":{"text":"Use UTC."},"response":[]}]}           user_turn
//	{"kind":2,"k":["requests",0,"response"],"v":["Do"]}        nothing yet
//	{"kind":2,"k":["requests",0,"response"],"v":["ne."],"i":0} nothing yet
//	{"kind":1,"k":["requests",0,"result"],"v":{…}}             is it settled?
//	{"kind":2,"k":["requests"],"v":[{"requestId":"r2",…}]}     now r1 is, at the latest
//
// A request moves through these states; only the last one of a session may still
// change:
//
//	waiting ──▶ open ──▶ ended ──▶ settled
//	(no agent   asked    result,    all passed on; parts that come
//	 yet)       is told  response   late are passed on as they come
//	                     lags
//
// A person who goes back to a checkpoint takes requests off the end: that is a rewind,
// as soon as the open request is settled. Only the open request is in memory as it
// stands.
package vscode
