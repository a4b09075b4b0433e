package memdb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// EmbeddedOptions say where an [Embedded] sink keeps memories.
type EmbeddedOptions struct {
	Path      string        // of the database
	Namespace string        // made if it is not there
	Store     store.Options // of the store
	Log       *slog.Logger  // gets what somebody should look at; must not be nil
}

// Embedded is a [sink.Sink] with a store in this process. Readers see nothing of a batch before
// it is flushed, and then all of it.
//
// It must be used by one goroutine. Nothing is spooled: an error of the store is returned to
// the caller.
type Embedded struct {
	store     *store.Store
	namespace string
	pending   pending
	dead      *deadLetters
	closed    bool
}

// OpenEmbedded opens the store.
func OpenEmbedded(ctx context.Context, o EmbeddedOptions) (*Embedded, error) {
	dead, err := openDead(filepath.Join(filepath.Dir(o.Path), "memdb.dead.ndjson"), o.Log)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, o.Path, o.Store)
	if err != nil {
		return nil, err
	}
	if made := s.RebuiltIndexes(); len(made) > 0 {
		o.Log.Warn("indexes were missing; they were made again", slog.String("database", o.Path), slog.Any("indexes", made))
	}
	e := &Embedded{store: s, namespace: o.Namespace, dead: dead}
	if err := s.EnsureNamespace(ctx, o.Namespace); err != nil {
		return nil, errors.Join(err, s.Close()) //nolint:contextcheck // what was opened is closed also when ctx has ended
	}
	return e, nil
}

// Apply implements [sink.Sink].
func (e *Embedded) Apply(ctx context.Context, lines []sink.Line) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.closed {
		return errors.New("write memories: they are closed")
	}
	for i := range lines {
		if m, refused := e.pending.add(&lines[i]); refused != nil {
			if err := e.dead.add(&m, refused); err != nil {
				return err
			}
		}
	}
	if e.pending.bytes < enough {
		return nil
	}
	return e.write(ctx)
}

// write writes the pending memories. After an error they are still pending.
func (e *Embedded) write(ctx context.Context) error {
	err := divide(ctx, e.pending.memories, func(ctx context.Context, memories []api.MemoryWrite) error {
		_, err := e.store.WriteTrusted(ctx, e.namespace, memories)
		return err
	}, e.dead.add)
	if err != nil {
		return err
	}
	e.pending.clear()
	return nil
}

// Flush implements [sink.Sink]. It also signs the chain up to the last flushed memory.
func (e *Embedded) Flush(ctx context.Context) error {
	if e.closed {
		return errors.New("flush memories: they are closed")
	}
	if err := e.write(ctx); err != nil {
		return err
	}
	return e.store.Checkpoint(ctx)
}

// Close implements [sink.Sink]. It flushes before.
func (e *Embedded) Close() error {
	if e.closed {
		return nil
	}
	err := e.write(context.Background())
	e.closed = true
	return errors.Join(err, e.store.Close())
}

// Mark implements [sink.Marker]: the head of the chain, as it is on disk.
func (e *Embedded) Mark() string {
	head, err := e.store.Head(context.Background())
	if err != nil || head.Length == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s %s", head.Length, head.Hash, e.namespace)
}

// Holds implements [sink.Marker].
func (e *Embedded) Holds(mark string) bool {
	parts := strings.Split(mark, " ")
	if len(parts) != 3 || parts[2] != e.namespace {
		return false
	}
	length, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return false
	}
	hash, err := e.store.HashAt(context.Background(), length)
	return err == nil && hash == parts[1]
}
