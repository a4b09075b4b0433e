// Package server serves MemDB over HTTP, with gRPC on the same port.
//
// docs/api/memdb-v1.yaml and docs/proto are what it answers to; tests hold every answer to
// that document. What goes wrong is said as a problem (RFC 9457). Nothing of a
// memory is ever logged.
//
// The way of a request:
//
//	listener ── TLS ── token ── body, bounded ── slot ──▶ calls.Calls ──▶ store
//	                     │                        │ none free     │
//	                     ▼                        ▼               ▼
//	                    401                  429, Retry-After    answer, or a problem (RFC 9457)
//
// A call gets its slot after its body was read, so that a slow sender takes none. Health has
// slots of its own, so that a busy server still answers a probe. Watchers hold places of their
// own for as long as they watch. When the context of [Server.Run] ends, no call is accepted, the
// running ones are finished, and the chain is signed.
//
// Limits, all at a time: 64 calls, 256 watchers, 8 questions for health, 1,024 bodies of
// together 256 MiB that are being received. A client has 10 seconds for the header, a minute
// for the body, and a minute in which it must read some of the answer.
//
// A line of the access log has the id of the request, its method and route, the address of the
// client, the name of its token, the status, the bytes of the answer and the time that it took.
// It has nothing of a memory.
package server
