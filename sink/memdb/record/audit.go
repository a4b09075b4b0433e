package record

import (
	"context"
	"log/slog"

	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// caller is the key of who calls in a context.
type caller struct{}

// By names who calls, for the audit log: the name of a token, and never the token.
func By(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, caller{}, name)
}

// Audit writes a line for each entry: what was done to what, and no content.
func Audit(ctx context.Context, log *slog.Logger, entries []*chain.Entry) {
	if log == nil {
		return
	}
	by, _ := ctx.Value(caller{}).(string) // "": the program itself
	for _, e := range entries {
		log.LogAttrs(ctx, slog.LevelInfo, "audit", slog.String("token", by),
			slog.String("action", e.Action), slog.String("namespace", e.Namespace), slog.String("memory", e.MemoryID),
			slog.Int64("seq", e.Seq), slog.String("entry", e.EntryID), slog.String("hash", e.Hash))
	}
}
