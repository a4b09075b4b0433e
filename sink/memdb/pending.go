package memdb

import (
	"context"
	"errors"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// pending are memories that were applied and are not written yet. Each id is there once, in its
// latest form.
type pending struct {
	mapper   mapper
	memories []api.MemoryWrite
	at       map[string]int
	bytes    int
}

// enough is how many bytes of pending memories cause a write.
const enough = 8 << 20

// add takes in a line. refused is why it can never be a memory.
func (p *pending) add(l *sink.Line) (m api.MemoryWrite, refused error) {
	m, err := p.mapper.memory(l)
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		m.ID = l.ID
		return m, err
	}
	if i, ok := p.at[m.ID]; ok {
		p.bytes -= len(p.memories[i].Node)
		p.memories[i] = m
	} else {
		if p.at == nil {
			p.at = map[string]int{}
		}
		p.at[m.ID] = len(p.memories)
		p.memories = append(p.memories, m)
	}
	p.bytes += len(m.Node)
	return m, nil
}

// clear forgets all memories and keeps the memory of the buffers.
func (p *pending) clear() {
	clear(p.memories)
	p.memories, p.bytes = p.memories[:0], 0
	clear(p.at)
}

// isRefusal reports whether an error is about the memories themselves, so that sending them
// again would fail again.
func isRefusal(err error) bool {
	if p, ok := errors.AsType[*api.Problem](err); ok {
		return p.Permanent()
	}
	_, ok := errors.AsType[*api.Invalid](err)
	return ok
}

// divide writes memories. If they are refused it divides them in halves until the bad one is
// alone, and passes that to aside.
//
// With one bad memory among n it takes about 2·log₂ n calls. Write must be all or nothing.
func divide[M any](ctx context.Context, memories []M, write func(context.Context, []M) error, aside func(*M, error) error) error {
	if len(memories) == 0 {
		return nil
	}
	err := write(ctx, memories)
	switch {
	case err == nil || !isRefusal(err):
		return err
	case len(memories) > 1:
		half := len(memories) / 2
		if err = divide(ctx, memories[:half], write, aside); err != nil {
			return err
		}
		return divide(ctx, memories[half:], write, aside)
	case api.IsKind(err, api.Gone):
		return nil // somebody had it forgotten: that is no fault
	default:
		return aside(&memories[0], err)
	}
}
