// Package memoryv1 is the messages and calls of docs/proto/memscribe/memory/v1, as
// generated code.
//
// A test holds it to the document, and makes it:
//
//	go test ./sink/memdb/rpc/memoryv1 -run Generated -update
package memoryv1
