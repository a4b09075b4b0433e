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
package kimi
