// Package server serves MemDB over HTTP, with gRPC on the same port.
//
// docs/api/memdb-v1.yaml and docs/proto are what it answers to; tests hold every answer to
// that document. What goes wrong is said as a problem (RFC 9457). Nothing of a
// memory is ever logged.
package server
