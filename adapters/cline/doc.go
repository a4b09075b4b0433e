// Package cline parses the tasks and sessions of Cline, and the tasks of its forks
// Roo Code and Kilo Code 1.
//
// Each is one document, rewritten at every change: a list of messages in the
// form of Anthropic's API. A task (until 2.x) writes calls as XML into what the
// model says, and their results into what the user says; a session (3.x) has
// blocks with ids for both.
//
// docs/adapters/cline.md says what is known of the format, and how.
//
// The two forms of an answer with a call, and of its result:
//
//	task      {"role":"assistant","content":[{"type":"text","text":
//	            "I'll set it.\n<write_to_file><path>a.js</path><content>…</content></write_to_file>"}]}
//	          {"role":"user","content":[{"type":"text","text":"[write_to_file for 'a.js'] Result:\n…"}]}
//	session   {"id":"m2","role":"assistant","content":[{"type":"text","text":"I'll set it."},
//	            {"type":"tool_use","id":"c1","name":"editor","input":{…}}]}
//	          {"id":"m3","role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":…}]}
//
// A message of a task has no id: it is named after what it says, and the second one
// that says the same gets "-2". So an id stays the same when the document is read
// again.
package cline
