package store

import (
	"context"

	"github.com/go-json-experiment/json"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/store/near"
)

// vectors returns those of memories that will be written. They are made before the transaction,
// which waits for nobody. What was forgotten is not sent to anybody.
//
// Contents that this namespace has a vector of already are not sent again. If the
// embedder fails, the write fails only where embeddings are required; otherwise the
// memory is written without a vector, and a later round fills it ([Store.Lacking],
// [Store.Fill]).
func (s *Store) vectors(ctx context.Context, namespace string, memories []api.Memory) (v near.Vectors, err error) {
	e := s.options.Embedder
	if e == nil {
		return v, nil
	}
	v.Model = e.Model()
	var gone map[string]bool
	err = s.look(ctx, func(db chain.DB) (err error) {
		gone, err = forgotten(ctx, db, namespace, memories)
		return err
	})
	if err != nil {
		return v, err
	}
	v.Of, err = e.Vectors(ctx, namespace, embed.Contents(memories, gone), func(ctx context.Context, hashes []embed.Hash) (found map[embed.Hash]embed.Vector, err error) {
		err = s.look(ctx, func(db chain.DB) (err error) {
			found, err = near.Stored(ctx, db, namespace, v.Model, hashes)
			return err
		})
		return found, err
	})
	return v, err
}

// forgotten returns the ids of those memories that were forgotten.
func forgotten(ctx context.Context, db chain.DB, namespace string, memories []api.Memory) (map[string]bool, error) {
	ids := make([]string, len(memories))
	for i := range memories {
		ids[i] = memories[i].ID
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	found, err := sqlitefile.Column[string](ctx, db, `SELECT m.id FROM json_each(?) AS wanted CROSS JOIN memories AS m
		ON m.namespace = ? AND m.id = wanted.value WHERE m.n IS NULL`, string(list), namespace)
	gone := make(map[string]bool, len(found))
	for _, id := range found {
		gone[id] = true
	}
	return gone, err
}

// Lacking implements [embed.Shelf].
func (s *Store) Lacking(ctx context.Context, model string, after embed.Place, most int) (all []embed.Lacking, err error) {
	err = s.look(ctx, func(db chain.DB) (err error) {
		all, err = near.Lacking(ctx, db, model, after, most)
		return err
	})
	return all, problem("look for memories without vectors", err)
}

// Fill implements [embed.Shelf].
func (s *Store) Fill(ctx context.Context, model string, filled []embed.Filled) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	err := s.transact(ctx, func(ctx context.Context) error { return near.Fill(ctx, s.writer, model, filled) })
	return problem("store vectors", err)
}
