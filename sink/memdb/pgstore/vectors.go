package pgstore

import (
	"context"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/near"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// comparesVectors reports whether the database has the extension pgvector. Without an embedder
// it does not ask.
func (s *Store) comparesVectors(ctx context.Context) (has bool, err error) {
	if s.options.Embedder == nil {
		return false, nil
	}
	err = pg.Look(everywhere(ctx), s.pool, func(ctx context.Context, tx pg.Tx) error {
		return tx.QueryRow(ctx, "SELECT to_regtype('vector') IS NOT NULL").Scan(&has)
	})
	return has, err
}

// vectors returns the vectors of memories that will be written. It runs before the transaction,
// so that no lock is held while a model is waited for. Memories that were forgotten are not
// sent.
func (s *Store) vectors(ctx context.Context, namespace string, memories []api.Memory) (v near.Vectors, err error) {
	e := s.options.Embedder
	if e == nil {
		return v, nil
	}
	v.Model = e.Model()
	var gone map[string]bool
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) (err error) {
		gone, err = near.Forgotten(ctx, tx, namespace, memories)
		return err
	})
	if err != nil {
		return v, err
	}
	v.Of, err = e.Vectors(ctx, namespace, embed.Contents(memories, gone), func(ctx context.Context, hashes []embed.Hash) (found map[embed.Hash]embed.Vector, err error) {
		err = s.look(ctx, func(ctx context.Context, tx pg.Tx) (err error) {
			found, err = near.Stored(ctx, tx, near.Space{Namespace: namespace, Model: v.Model}, hashes)
			return err
		})
		return found, err
	})
	return v, err
}

// Lacking implements [embed.Shelf].
func (s *Store) Lacking(ctx context.Context, model string, after embed.Place, most int) (all []embed.Lacking, err error) {
	err = pg.Look(everywhere(ctx), s.pool, func(ctx context.Context, tx pg.Tx) (failed error) {
		all, failed = near.Lacking(ctx, tx, model, after, most)
		return failed
	})
	return all, problem("look for memories without vectors", err)
}

// Fill implements [embed.Shelf]. It locks each namespace as a write does: a memory that is
// forgotten meanwhile gets no vector.
func (s *Store) Fill(ctx context.Context, model string, filled []embed.Filled) error {
	of := map[string][]embed.Filled{}
	for _, f := range filled {
		of[f.Namespace] = append(of[f.Namespace], f)
	}
	for name, some := range of {
		err := pg.Transact(everywhere(ctx), s.pool, func(ctx context.Context, tx pg.Tx) error {
			if _, _, err := s.lock(ctx, tx, name); err != nil {
				return err
			}
			return near.Fill(ctx, tx, near.Space{Namespace: name, Model: model}, some)
		})
		if err != nil {
			return problem("store vectors", err)
		}
	}
	return nil
}

// nearest fills a page with the memories nearest to the question. A hybrid search also ranks
// those that have its words, and merges both ranks into one.
func (q *question) nearest(ctx context.Context, tx pg.Tx, page *record.Page) error {
	places, err := near.Nearest(ctx, tx, near.Question{Model: q.model, Vector: q.vector, PGVector: q.pgvector}, q.filters)
	if err != nil {
		return err
	}
	if q.request.Mode == api.ByHybrid {
		worded := embed.NewWorded(q.request)
		_, failed := q.latest(ctx, tx, embed.Most, func(at place, json []byte) record.Taken {
			return worded.Take(embed.Candidate{Place: embed.Place{Namespace: at.namespace, Seq: at.seq}, Valid: at.valid}, json)
		})
		if failed != nil {
			return failed
		}
		places = embed.Fuse(worded.Places(), places)
	}
	records, err := near.Records(ctx, tx, places)
	for _, p := range places {
		page.Take(records[p])
	}
	return err
}

// filters returns the conditions of the search without the words that it asks for; words that
// must not be there stay. The namespaces are $1, and the values in before come next.
func (q *question) filters(before ...any) (conditions string, args []any) {
	filters := *q.request
	filters.Query = record.Unwanted(q.request.Query)
	c := newQuery(&filters, q.now, append([]any{filters.Namespaces}, before...)...)
	return c.conditions(), c.args
}
