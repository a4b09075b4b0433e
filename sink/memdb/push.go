package memdb

import (
	"context"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
)

// Pushed counts what happened to the nodes that a [Push] was given.
type Pushed struct {
	Created, Updated, Unchanged int
	Forgotten                   int // that somebody had forgotten there: they stay so
	Refused                     int
}

// Push sends nodes to a server and waits for its answers. It stores nothing, so it is for a
// caller that has the nodes and can send them again after an error. A node that the server
// already has in the same form changes nothing there, not even the chain.
//
// It must be used by one goroutine. After an error, nodes added since the last Flush may or may
// not be on the server.
type Push struct {
	Client    *client.Client
	Namespace string
	User      string                        // who has captured the nodes; "" is left open
	Aside     func(id string, reason error) // is called with what the server will never take

	Pushed

	waits pending
}

// Add adds a node, and sends the pending ones if there are many.
func (p *Push) Add(ctx context.Context, l *sink.Line) error {
	if m, refused := p.waits.add(l); refused != nil {
		return p.aside(&m, refused)
	}
	if p.waits.bytes < enough && len(p.waits.memories) < sendMost {
		return nil
	}
	return p.Flush(ctx)
}

// Flush sends all pending nodes.
func (p *Push) Flush(ctx context.Context) error {
	for i := range p.waits.memories {
		p.waits.memories[i].UserID = p.User
	}
	if err := divide(ctx, p.waits.memories, p.write, p.aside); err != nil {
		return err
	}
	p.waits.clear()
	return nil
}

// aside counts a refused memory and passes it to the caller with the reason.
func (p *Push) aside(m *api.MemoryWrite, reason error) error {
	p.Refused++
	p.Aside(m.ID, reason)
	return nil
}

// write sends one batch and counts its outcomes.
func (p *Push) write(ctx context.Context, all []api.MemoryWrite) error {
	results, err := p.Client.Write(ctx, p.Namespace, all)
	for i := range results {
		switch results[i].Outcome {
		case api.Created:
			p.Created++
		case api.Updated:
			p.Updated++
		case api.Unchanged:
			p.Unchanged++
		case api.Forgotten:
			p.Forgotten++
		}
	}
	return err
}
