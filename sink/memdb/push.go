package memdb

import (
	"context"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
)

// Pushed says what became of the nodes that a [Push] was given.
type Pushed struct {
	Created, Updated, Unchanged int
	Forgotten                   int // that somebody had forgotten there: they stay so
	Refused                     int
}

// Push sends nodes to a server and waits for its answers. It keeps nothing: it is for
// who has the nodes, and sends them again after an error. What the server has already in
// just those words changes nothing there, not even the chain.
//
// It serves one goroutine. After an error what was added since the last Flush may or
// may not be at the server.
type Push struct {
	Client    *client.Client
	Namespace string
	User      string                        // who has captured the nodes; "" is left open
	Aside     func(id string, reason error) // is called with what the server will never take

	Pushed

	waits pending
}

// Add takes in a node, and sends those that wait if they are many.
func (p *Push) Add(ctx context.Context, l *sink.Line) error {
	if m, refused := p.waits.add(l); refused != nil {
		return p.aside(&m, refused)
	}
	if p.waits.bytes < enough && len(p.waits.memories) < sendMost {
		return nil
	}
	return p.Flush(ctx)
}

// Flush sends all nodes that wait.
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
