package target

import (
	"fmt"

	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/embed/gateway"
)

// Embedder returns the client of the embedding gateway that the settings name, or nil if they
// name none. It sends nothing yet.
func Embedder(a *setup.Setup) (*embed.Embedder, error) {
	told := a.Embeddings()
	if told.URL == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	var key string
	if told.KeyFile != "" {
		var err error
		if key, err = local.ReadToken(told.KeyFile); err != nil {
			return nil, fmt.Errorf("key of the gateway for embeddings: %w", err)
		}
	}
	g, err := gateway.New(gateway.Options{URL: told.URL, Model: told.Model, Key: key, Insecure: told.Insecure})
	if err != nil {
		return nil, usage.Mark(err)
	}
	return embed.NewEmbedder(embed.Options{Gateway: g, Model: told.Model, Required: told.Required, Now: a.Now, Log: a.Logger()}), nil
}
