// Package codex parses the transcripts ("rollouts") of the OpenAI Codex CLI and of
// tools built on it.
//
// A rollout holds the same conversation twice: as the items that were sent to
// and received from the model ("response_item"), and as the events that a user
// interface shows ("event_msg"). Neither is complete. What a person typed is
// known exactly only from the events, since the items mix it with context that
// the tool adds; what the model said and which tools it called is known best
// from the items. The parser takes each fact from whichever tells it first and
// recognises the second telling.
//
// Facts carry their evidence: "recorded" (0.47.0, 0.105.0, 0.169.0), "wild"
// (transcripts that people published, 0.34 to 0.146), or "source" (read in the
// tool's own source or in that of other readers).
package codex
