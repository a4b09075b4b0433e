// Package rpc serves MemDB over gRPC, gRPC-Web, Connect and JSON.
//
// The contract is docs/proto/memscribe/memory/v1/memory.proto; package memoryv1 is generated
// from it. This package converts its messages to those of package api and back, and decides
// nothing: the calls, with the rights that they need, are in package calls.
//
// One service answers four protocols on one port: gRPC, gRPC-Web, Connect, and JSON over POST.
// The protocol is chosen by the Content-Type of a request:
//
//	curl …/memscribe.memory.v1.MemoryService/GetMemory -H 'Content-Type: application/json' \
//	  -d '{"namespace": "team", "memory_id": "d1"}'
//
// A value that the types of api cannot express (an unknown enum value, a time outside of the
// calendar) is passed on as a text that api's Validate refuses. So the error names the field,
// and there is one place that validates.
//
// How the parts work together: service.go has the calls, convert.go converts messages, and
// status.go converts errors. A call is three steps, for example GetMemory:
//
//	request  {namespace, memory_id}  ──▶ calls.Get ──▶ api.MemoryAnswer ──▶ response {memory, provenance}
//	error    api.Problem(not-found)  ──▶ ending.end ──▶ NOT_FOUND
package rpc

import (
	"context"
	"fmt"
	"net/http"

	"connectrpc.com/connect"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
)

// Path is where the calls are, below which each has its name.
const Path = "/" + memoryv1.MemoryServiceName + "/"

// Watch is where the call is that lasts as long as its caller listens.
const Watch = memoryv1.MemoryServiceWatchMemoriesProcedure

// Procedures returns the paths of all calls.
func Procedures() []string {
	methods := memoryv1.File_memscribe_memory_v1_memory_proto.Services().ByName("MemoryService").Methods()
	paths := make([]string, methods.Len())
	for i := range paths {
		paths[i] = Path + string(methods.Get(i).Name())
	}
	return paths
}

// Handler returns the handler of the calls below [Path]. It accepts no compressed requests, so
// that reading a request never costs more than sending it. It calls report at the end of each
// call.
func Handler(c *calls.Calls, report Report) http.Handler {
	_, h := memoryv1.NewMemoryServiceHandler(&service{c},
		connect.WithCompression("gzip", nil, nil),
		connect.WithReadMaxBytes(api.MaxBody),
		connect.WithInterceptors(ending{report}),
	)
	return h
}

// service implements the calls of the protocol buffers by those of package calls.
type service struct{ calls *calls.Calls }

// WriteMemory writes memories in the name of a session.
//
// The response has a result for each memory, in the order of the request. Only what the types
// of api cannot express is checked here: that there is a session, and that node is JSON.
func (s *service) WriteMemory(ctx context.Context, m *memoryv1.WriteMemoryRequest) (*memoryv1.WriteMemoryResponse, error) {
	if m.GetContext().GetSessionId() == "" {
		return nil, flaw("/context/session_id", "is missing")
	}
	writes := make([]api.MemoryWrite, len(m.GetEntries()))
	for i, e := range m.GetEntries() {
		if node := jsontext.Value(e.GetNode()); e.GetNode() != "" && !node.IsValid() {
			return nil, flaw(fmt.Sprintf("/memories/%d/node", i), "is not JSON")
		}
		writes[i] = written(e, m.GetContext())
	}
	results, err := s.calls.Write(ctx, m.GetNamespace(), writes)
	if err != nil {
		return nil, err
	}
	a := &memoryv1.WriteMemoryResponse{}
	for i := range results {
		r := &results[i]
		a.Results = append(a.Results, &memoryv1.WriteResult{MemoryId: r.ID, Outcome: outcome(r.Outcome), Trust: trust(r.Trust), EntryId: r.EntryID})
	}
	return a, nil
}

// SearchMemories finds memories.
func (s *service) SearchMemories(ctx context.Context, m *memoryv1.SearchMemoriesRequest) (*memoryv1.SearchMemoriesResponse, error) {
	request, err := search(m)
	if err != nil {
		return nil, err
	}
	found, err := s.calls.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	a := &memoryv1.SearchMemoriesResponse{NextPageToken: found.NextCursor}
	for i := range found.Memories {
		a.Memories = append(a.Memories, memory(&found.Memories[i]))
	}
	return a, nil
}

// GetMemory returns a memory and what the chain says of it.
func (s *service) GetMemory(ctx context.Context, m *memoryv1.GetMemoryRequest) (*memoryv1.GetMemoryResponse, error) {
	a, err := s.calls.Get(ctx, m.GetNamespace(), m.GetMemoryId())
	if err != nil {
		return nil, err
	}
	v := &a.Provenance
	return &memoryv1.GetMemoryResponse{
		Memory:     memory(&a.Memory),
		Provenance: &memoryv1.Verdict{Status: verdict(v.Status), Reason: v.Reason, Detail: v.Detail, EntryId: v.EntryID},
	}, nil
}

// ForgetMemory deletes the content of a memory.
func (s *service) ForgetMemory(ctx context.Context, m *memoryv1.ForgetMemoryRequest) (*memoryv1.ForgetMemoryResponse, error) {
	return &memoryv1.ForgetMemoryResponse{}, s.calls.Forget(ctx, m.GetNamespace(), m.GetMemoryId())
}

// ListNamespaces returns the namespaces that the caller may read. The token of a page
// is the last name of the page before.
func (s *service) ListNamespaces(ctx context.Context, m *memoryv1.ListNamespacesRequest) (*memoryv1.ListNamespacesResponse, error) {
	size := int(m.GetPageSize())
	switch {
	case size == 0:
		size = api.Page
	case size < 0 || size > api.MaxPage:
		return nil, flaw("/page_size", "is not between 1 and the most that a page has")
	}
	found, err := s.calls.Namespaces(ctx, m.GetPageToken(), size+1)
	if err != nil {
		return nil, err
	}
	a := &memoryv1.ListNamespacesResponse{}
	if len(found) > size {
		found = found[:size]
		a.NextPageToken = found[size-1].Name
	}
	for i := range found {
		n := &found[i]
		a.Namespaces = append(a.Namespaces, &memoryv1.Namespace{
			Name: n.Name, Description: n.Description, CreatedAt: moment(n.CreatedAt), UpdatedAt: moment(n.UpdatedAt),
		})
	}
	return a, nil
}

// WatchMemories sends the changes of a namespace until the client ends the call.
func (s *service) WatchMemories(ctx context.Context, m *memoryv1.WatchMemoriesRequest, to *connect.ServerStream[memoryv1.WatchMemoriesResponse]) error {
	w := calls.Watching{Namespace: m.GetNamespace(), After: m.After, Node: m.GetIncludeNode()}
	return s.calls.Watch(ctx, w, func(c *api.Change) error {
		r := &memoryv1.WatchMemoriesResponse{Position: c.Position, Action: action(c.Action), MemoryId: c.MemoryID}
		if c.Memory != nil {
			r.Memory = memory(c.Memory)
		}
		return to.Send(r)
	})
}

// VerifyChain verifies all chains.
func (s *service) VerifyChain(ctx context.Context, _ *memoryv1.VerifyChainRequest) (*memoryv1.VerifyChainResponse, error) {
	r, err := s.calls.Verify(ctx)
	if err != nil {
		return nil, err
	}
	a := &memoryv1.VerifyChainResponse{
		Ok: r.OK, Length: r.Length, Head: r.Head, Memories: r.Memories, Checkpoint: r.Checkpoint, Rekeyed: r.Rekeyed,
	}
	if f := r.Fault; f != nil {
		a.Fault = &memoryv1.Fault{Seq: f.Seq, EntryId: f.EntryID, MemoryId: f.MemoryID, Reason: f.Reason, Detail: f.Detail}
	}
	return a, nil
}
