// Package otel parses OTLP telemetry as JSON, one request per line, from the
// receiver, a collector's file or a client's request body.
//
// What is said and done stands in three forms. The coding agents that export
// telemetry have events of their own, in log records (and spans that repeat them);
// everything else follows the semantic conventions for generative AI, whose
// current form has messages in attributes of spans and whose older ones have an
// event for each message. docs/adapters/otel.md says what is known of each, and how.
//
// A coding agent's own transcript is the better witness: events of one are echoes
// (see [core.Event]), and say whose they are.
//
// One line is one request, and may hold records of many sessions and tools:
//
//	{"resourceLogs":[{"resource":{"attributes":[service.name = claude-code]},
//	  "scopeLogs":[{"logRecords":[
//	    {"attributes":[event.name = user_prompt, prompt = "Use UTC.", session.id = s]},      user_turn
//	    {"attributes":[event.name = tool_result, tool_name = Edit, success = true, …]}]}]}]}  tool_call, tool_result, file_edit
//
// A request to a model carries the whole conversation again. Of each message as many
// are new as stand in the request beyond those that were told before: "yes" typed twice
// is two turns, and a retry of the same request none.
//
// What is remembered is bounded: maxTalks conversations, maxUsage responses that wait
// for their text. Beyond that all of it is forgotten, and messages may be told once
// more.
package otel
