// Package memoryv1 holds the generated messages and services of
// docs/proto/memscribe/memory/v1.
//
// A test holds it to the document, and makes it:
//
//	go test ./sink/memdb/rpc/memoryv1 -run Generated -update
package memoryv1
