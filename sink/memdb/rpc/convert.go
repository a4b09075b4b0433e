package rpc

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
)

// written converts a memory that a session writes. Its author is the agent, or else the user,
// unless the memory itself says otherwise. The ids of the agents are those of the whole
// lineage, the outermost first.
func written(e *memoryv1.MemoryEntry, c *memoryv1.SessionContext) api.MemoryWrite {
	b := api.Body{
		Kind: e.GetKind(), Content: e.GetContent(), Tags: e.GetTags(), Origin: origin(e.GetOrigin()), Source: e.GetSource(),
		SessionID: c.GetSessionId(), ThreadID: e.GetThreadId(), UserID: c.GetUserId(), CreationTool: e.GetCreationTool(),
		Project: e.GetProject(), Paths: e.GetPaths(), ValidAt: text(e.GetValidAt()), InvalidAt: text(e.GetInvalidAt()),
		SupersededBy: e.GetSupersededBy(), ParentIDs: e.GetParentIds(), EventIDs: e.GetEventIds(), Action: agentAction(e.GetAction()),
	}
	if e.GetNode() != "" {
		b.Node = []byte(e.GetNode())
	}
	for _, a := range c.GetAgentLineage().GetAgents() {
		b.AgentIDs = append(b.AgentIDs, a.GetAgentId())
	}
	if b.Source == "" && len(b.AgentIDs) > 0 {
		b.Source = b.AgentIDs[len(b.AgentIDs)-1]
	}
	if b.Source == "" {
		b.Source = b.UserID
	}
	return api.MemoryWrite{ID: e.GetId(), Body: b}
}

// memory returns a memory as a message.
func memory(m *api.Memory) *memoryv1.Memory {
	out := &memoryv1.Memory{
		Id: m.ID, Namespace: m.Namespace, Kind: m.Kind, Content: m.Content, Tags: m.Tags, Origin: originOf(m.Origin), Source: m.Source,
		ThreadId: m.ThreadID, Project: m.Project, Paths: m.Paths, ValidAt: moment(m.ValidAt), InvalidAt: moment(m.InvalidAt),
		SupersededBy: m.SupersededBy, ParentIds: m.ParentIDs, EventIds: m.EventIDs, Node: string(m.Node), CreationTool: m.CreationTool,
		Context: &memoryv1.SessionContext{SessionId: m.SessionID, UserId: m.UserID}, Trust: trust(m.Trust), TransactionAt: moment(m.TransactionAt),
	}
	if len(m.AgentIDs) > 0 {
		out.Context.AgentLineage = &memoryv1.AgentLineage{}
	}
	for _, id := range m.AgentIDs {
		out.Context.AgentLineage.Agents = append(out.Context.AgentLineage.Agents, &memoryv1.Agent{AgentId: id})
	}
	if a := m.Action; a != nil {
		out.Action = &memoryv1.AgentAction{Kind: memoryv1.AgentAction_KIND_MEMORY_WRITE, Store: a.Store, Key: a.Key}
		if a.Kind == api.MemoryRead {
			out.Action.Kind = memoryv1.AgentAction_KIND_MEMORY_READ
		}
	}
	for _, r := range m.Removals {
		out.Removals = append(out.Removals, &memoryv1.Removal{Field: r.Field, Rule: r.Rule, Offset: int64(r.Offset), Removed: r.Removed})
	}
	return out
}

// search converts a search request.
func search(m *memoryv1.SearchMemoriesRequest) (r api.SearchRequest, err error) {
	r = api.SearchRequest{
		Namespaces: m.GetNamespaces(), Query: m.GetQuery(), Kinds: m.GetKinds(), Tags: m.GetTags(), SessionID: m.GetSessionId(),
		Source: m.GetSource(), Path: m.GetPath(), ParentID: m.GetParentId(), Action: agentAction(m.GetAction()),
		From: text(m.GetFrom()), To: text(m.GetTo()), AsOf: text(m.GetAsOf()), InForceAt: text(m.GetInForceAt()),
		IncludeInvalid: m.GetIncludeInvalid(), IncludeNode: m.GetIncludeNode(), Limit: int(m.GetPageSize()), Cursor: m.GetPageToken(),
		Mode: mode(m.GetMode()),
	}
	for _, t := range m.GetTrust() {
		one, ok := map[memoryv1.Trust]api.Trust{
			memoryv1.Trust_TRUST_TRUSTED: api.Trusted, memoryv1.Trust_TRUST_UNTRUSTED: api.Untrusted, memoryv1.Trust_TRUST_SANITIZED: api.Sanitized,
		}[t]
		if !ok {
			return r, flaw("/trust", "is unknown")
		}
		r.Trust = append(r.Trust, one)
	}
	return r, nil
}

// mode converts the mode of a search. An unknown value becomes a text that Validate refuses.
func mode(m memoryv1.SearchMemoriesRequest_Mode) api.Mode {
	switch m {
	case memoryv1.SearchMemoriesRequest_MODE_UNSPECIFIED:
		return ""
	case memoryv1.SearchMemoriesRequest_MODE_WORDS:
		return api.ByWords
	case memoryv1.SearchMemoriesRequest_MODE_VECTORS:
		return api.BySense
	case memoryv1.SearchMemoriesRequest_MODE_HYBRID:
		return api.ByHybrid
	}
	return api.Mode(m.String())
}

// agentAction converts the action of an agent. An unknown kind becomes a text that Validate
// refuses.
func agentAction(m *memoryv1.AgentAction) *api.Action {
	if m == nil {
		return nil
	}
	a := &api.Action{Store: m.GetStore(), Key: m.GetKey()}
	switch m.GetKind() {
	case memoryv1.AgentAction_KIND_UNSPECIFIED:
	case memoryv1.AgentAction_KIND_MEMORY_WRITE:
		a.Kind = api.MemoryWritten
	case memoryv1.AgentAction_KIND_MEMORY_READ:
		a.Kind = api.MemoryRead
	}
	return a
}

// text converts a time of a message to the form of the contract; "" for nil. A time outside of
// the calendar becomes a text that Validate refuses. Times have nanoseconds in messages and
// milliseconds in the store.
func text(t *timestamppb.Timestamp) string {
	switch {
	case t == nil:
		return ""
	case t.CheckValid() != nil:
		return "no time"
	}
	return t.AsTime().Format(time.RFC3339Nano)
}

// moment converts a time of the contract to a message; nil for "".
func moment(s string) *timestamppb.Timestamp {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return nil
	}
	return timestamppb.New(t)
}

// origin converts the origin of a content. An unknown value becomes a text that Validate
// refuses; none is external.
func origin(o memoryv1.Origin) api.Origin {
	switch o {
	case memoryv1.Origin_ORIGIN_UNSPECIFIED:
		return ""
	case memoryv1.Origin_ORIGIN_INTERNAL:
		return api.Internal
	case memoryv1.Origin_ORIGIN_EXTERNAL:
		return api.External
	}
	return api.Origin(o.String())
}

// originOf converts the origin of a memory.
func originOf(o api.Origin) memoryv1.Origin {
	switch o {
	case api.Internal:
		return memoryv1.Origin_ORIGIN_INTERNAL
	case api.External:
		return memoryv1.Origin_ORIGIN_EXTERNAL
	}
	return memoryv1.Origin_ORIGIN_UNSPECIFIED
}

// trust converts a trust level.
func trust(t api.Trust) memoryv1.Trust {
	switch t {
	case api.Trusted:
		return memoryv1.Trust_TRUST_TRUSTED
	case api.Untrusted:
		return memoryv1.Trust_TRUST_UNTRUSTED
	case api.Sanitized:
		return memoryv1.Trust_TRUST_SANITIZED
	}
	return memoryv1.Trust_TRUST_UNSPECIFIED
}

// outcome converts the outcome of a write.
func outcome(o api.Outcome) memoryv1.WriteResult_Outcome {
	switch o {
	case api.Created:
		return memoryv1.WriteResult_OUTCOME_CREATED
	case api.Updated:
		return memoryv1.WriteResult_OUTCOME_UPDATED
	case api.Unchanged:
		return memoryv1.WriteResult_OUTCOME_UNCHANGED
	case api.Forgotten:
		return memoryv1.WriteResult_OUTCOME_FORGOTTEN
	}
	return memoryv1.WriteResult_OUTCOME_UNSPECIFIED
}

// verdict converts the verdict about a memory.
func verdict(s api.VerdictStatus) memoryv1.Verdict_Status {
	switch s {
	case api.Verified:
		return memoryv1.Verdict_STATUS_VERIFIED
	case api.Unverified:
		return memoryv1.Verdict_STATUS_UNVERIFIED
	case api.Tampered:
		return memoryv1.Verdict_STATUS_TAMPERED
	}
	return memoryv1.Verdict_STATUS_UNSPECIFIED
}

// action converts the action of an entry.
func action(a string) memoryv1.WatchMemoriesResponse_Action {
	switch a {
	case chain.Write:
		return memoryv1.WatchMemoriesResponse_ACTION_WRITTEN
	case chain.Upsert:
		return memoryv1.WatchMemoriesResponse_ACTION_UPDATED
	case chain.Invalidate:
		return memoryv1.WatchMemoriesResponse_ACTION_INVALIDATED
	case chain.Forget:
		return memoryv1.WatchMemoriesResponse_ACTION_FORGOTTEN
	case chain.Purge:
		return memoryv1.WatchMemoriesResponse_ACTION_PURGED
	case chain.PutNamespace:
		return memoryv1.WatchMemoriesResponse_ACTION_NAMESPACE_PUT
	case chain.DeleteNamespace:
		return memoryv1.WatchMemoriesResponse_ACTION_NAMESPACE_DELETED
	case chain.Rekey:
		return memoryv1.WatchMemoriesResponse_ACTION_REKEYED
	}
	return memoryv1.WatchMemoriesResponse_ACTION_UNSPECIFIED
}
