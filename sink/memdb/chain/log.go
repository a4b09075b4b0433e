package chain

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
)

// Log stores a chain. Only Append changes it, and only by adding entries.
type Log interface {
	// Head returns the head of the chain.
	Head(ctx context.Context) (Head, error)
	// Append seals entries in order and adds them, all or none. After an error the caller must
	// not store the memories of these entries.
	Append(ctx context.Context, entries ...*Entry) error
	// Entries yields the entries from a place on, in order.
	Entries(ctx context.Context, from int64) iter.Seq2[Stored, error]
	// Of yields the entries of a memory, in order. A memory is identified by its namespace and
	// its id.
	Of(ctx context.Context, namespace, memoryID string) iter.Seq2[Stored, error]
}

// Memory is a Log in memory. It is safe for concurrent use.
type Memory struct {
	lock    sync.Mutex
	head    Head
	entries []Stored
	of      map[memory][]int
}

// memory identifies a memory.
type memory struct{ namespace, id string }

// NewMemory returns an empty Log.
func NewMemory() *Memory { return &Memory{of: map[memory][]int{}} }

// Head implements [Log].
func (m *Memory) Head(context.Context) (Head, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.head, nil
}

// Append implements [Log].
func (m *Memory) Append(ctx context.Context, entries ...*Entry) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	sealed, head, err := sealAll(ctx, entries, m.head)
	if err != nil {
		return err
	}
	for i, e := range entries {
		of := memory{e.Namespace, e.MemoryID}
		m.of[of] = append(m.of[of], len(m.entries)+i)
	}
	m.entries = append(m.entries, sealed...)
	m.head = head
	return nil
}

// sealAll seals entries after a head and returns the new head.
func sealAll(ctx context.Context, entries []*Entry, head Head) ([]Stored, Head, error) {
	sealed := make([]Stored, 0, len(entries))
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, head, err
		}
		s, err := Seal(e, head)
		if err != nil {
			return nil, head, fmt.Errorf("append to chain: %w", err)
		}
		sealed = append(sealed, s)
		head = Head{e.Seq, e.Hash}
	}
	return sealed, head, nil
}

// Entries implements [Log].
func (m *Memory) Entries(_ context.Context, from int64) iter.Seq2[Stored, error] {
	m.lock.Lock()
	defer m.lock.Unlock()
	at := min(max(from-1, 0), int64(len(m.entries)))
	return all(slices.Clone(m.entries[at:]))
}

// Of implements [Log].
func (m *Memory) Of(_ context.Context, namespace, memoryID string) iter.Seq2[Stored, error] {
	m.lock.Lock()
	defer m.lock.Unlock()
	var found []Stored
	for _, i := range m.of[memory{namespace, memoryID}] {
		found = append(found, m.entries[i])
	}
	return all(found)
}

// all yields entries from memory.
func all(entries []Stored) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		for _, s := range entries {
			if !yield(s, nil) {
				return
			}
		}
	}
}
