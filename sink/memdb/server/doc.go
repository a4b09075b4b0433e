// Package server answers the calls of MemDB over HTTP.
//
// docs/api/memdb-v1.yaml is what it answers to; its tests hold every answer to
// that document. What goes wrong is said as a problem (RFC 9457). Nothing of a
// memory is ever logged.
package server
