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

// bounds is the key of the namespaces that a caller is for.
type bounds struct{}

// Within says for which namespaces the caller of a context is. A store that can hold a
// call to them does, whatever the call asks for.
func Within(ctx context.Context, namespaces []string) context.Context {
	return context.WithValue(ctx, bounds{}, namespaces)
}

// Bounds returns the namespaces that the caller of a context is for. bounded is false where
// that is all of them, as for the program itself.
func Bounds(ctx context.Context) (namespaces []string, bounded bool) {
	namespaces, bounded = ctx.Value(bounds{}).([]string)
	return namespaces, bounded
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
