// Package geminilog reads conversations in the form in which Gemini CLI records
// them. The first versions of its fork Qwen Code have the same form.
//
// Until 0.38 a session is one JSON document that is rewritten at every
// change; from 0.39 on it is a log of lines:
//
//	header    {"sessionId","projectHash","startTime",…}; again at each resume
//	message   {"id","timestamp","type","content",…}; the same id again replaces it
//	$set      changes members of the header; "messages" replaces them all
//	$rewindTo takes back a message and all that follow it
//
// A message grows: the model's words come first, its calls with their results in
// a later line (or a later document) of the same id. A parser can only add, so it
// keeps of every id what it has passed on already and passes on the rest. A list
// that replaces all messages is read in the same way; what stands in it under new
// ids is mostly a copy of what was there, which the texts tell.
//
// Checkpoints, which hold a bare list of contents, are read too.
//
// A message as it grows, line by line, and what each line adds:
//
//	{"id":"m1","type":"user","content":"Use UTC."}                      user_turn
//	{"id":"m2","type":"gemini","content":"","thoughts":[…]}             assistant_turn (thoughts)
//	{"id":"m2","type":"gemini","content":"I'll set it.","tokens":{…}}   assistant_turn (words, tokens)
//	{"id":"m2",…,"toolCalls":[{"id":"c1","status":"success",…}]}        tool_call, tool_result, file_edit
//	{"$rewindTo":"m2"}                                                  rewind to behind m1
//
// A list that replaces all messages ("$set") is compared with what was passed on: by
// id, and for messages under new ids by the digest of the text, which counts how often
// a text was said, so that a person may say "continue" twice.
//
// What is kept grows with the number of messages (some tens of bytes each) and not with
// their size; of files, as much as package edit keeps.
package geminilog
