// Package opencode reads the sessions of OpenCode, and of Kilo, which is built on
// it.
//
// A session is made of messages, a message of parts, and parts are rewritten
// while things happen: the call of a tool and its result are one part. They have
// lain in four ways:
//
//	project/<dir>/storage/session/{info,message,part}/…  files, until the middle of 2025
//	storage/{session,message,part}/…                     files, before 1.2
//	opencode.db: session, message, part                  rows, since 1.2
//	opencode.db: session, session_message                rows, since 2.0
//
// A store gives the records in one form whatever the way: first the session, then
// each message with its parts behind it, last what was reverted.
//
// What the versions write, and on what evidence that is known, stands in
// docs/adapters/opencode.md.
package opencode
