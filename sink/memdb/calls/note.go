package calls

import (
	"context"
	"strings"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/audit"
)

// about is what a call is about, for the audit log.
type about struct {
	call, namespace, session, agent string
	params                          []string // of which only a hash is told
}

// note adds an entry for a call that ended with *err. It is deferred, and so sees the error
// that the call returns.
func (c *Calls) note(ctx context.Context, a about, err *error) {
	if c.trail == nil {
		return
	}
	e := audit.Entry{
		Time: c.now().UTC(), Call: a.call, Namespace: a.namespace, Session: a.session, Agent: a.agent,
		Params: audit.Hash(a.call, a.params...), Status: "ok",
	}
	if by, ok := ctx.Value(key{}).(*Caller); ok {
		e.Token = by.Grant.Name
	}
	if *err != nil {
		e.Status = strings.TrimPrefix(api.ProblemOf(*err).Type, "urn:memscribe:memdb:")
	}
	c.trail.Add(&e)
}

// noteWrite is note for each memory of a write.
func (c *Calls) noteWrite(ctx context.Context, namespace string, memories []api.MemoryWrite, err *error) {
	for i := range memories {
		m := &memories[i]
		a := about{call: "WriteMemory", namespace: namespace, session: m.SessionID, params: []string{m.ID}}
		if n := len(m.AgentIDs); n > 0 {
			a.agent = m.AgentIDs[n-1]
		}
		c.note(ctx, a, err)
	}
}
