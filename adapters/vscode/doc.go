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
package vscode
