package memdb

import (
	"context"
	"fmt"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Memories is what Forget needs of a MemDB: a store in this process, or a client of a server.
type Memories interface {
	Search(ctx context.Context, r api.SearchRequest) (api.SearchResponse, error)
	// ForgetAll returns how many it forgot, also with an error.
	ForgetAll(ctx context.Context, namespace string, ids []string) (int, error)
}

// Forget makes a MemDB forget the memories of a namespace for whose node gone returns true, and
// returns their number; with dry it only counts them. The chain keeps their ids and hashes, so
// it stays valid.
func Forget(ctx context.Context, m Memories, namespace string, dry bool, gone func(node []byte) (bool, error)) (int, error) {
	var ids []string
	ask := api.SearchRequest{Namespaces: []string{namespace}, IncludeInvalid: true, IncludeNode: true, Limit: api.MaxPage}
	for {
		found, err := m.Search(ctx, ask)
		if api.IsKind(err, api.NotFound) {
			return 0, nil // there is no such namespace
		}
		if err != nil {
			return 0, fmt.Errorf("search memories: %w", err)
		}
		for i := range found.Memories {
			node := found.Memories[i].Node
			if len(node) == 0 {
				continue // none of ours
			}
			goes, err := gone(node)
			if err != nil {
				return 0, err
			}
			if goes {
				ids = append(ids, found.Memories[i].ID)
			}
		}
		if ask.Cursor = found.NextCursor; ask.Cursor == "" {
			break
		}
	}
	if dry {
		return len(ids), nil
	}
	return m.ForgetAll(ctx, namespace, ids)
}
