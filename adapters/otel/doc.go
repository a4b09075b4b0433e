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
package otel
