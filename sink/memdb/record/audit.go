package record

import (
	"context"
	"log/slog"

	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// caller is the key of who calls in a context.
type caller struct{}

// By returns a context that names the caller for the audit log: the name of a token, never the
// token.
func By(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, caller{}, name)
}

// bounds is the key of the namespaces that a caller is for.
type bounds struct{}

// Within returns a context that names the namespaces of its caller. A store that can restrict a
// call to them does so, whatever the call asks for: PostgreSQL by row security.
func Within(ctx context.Context, namespaces []string) context.Context {
	return context.WithValue(ctx, bounds{}, namespaces)
}

// Bounds returns the namespaces of the caller of a context. Bounded is false if the caller may
// use all, as the program itself.
func Bounds(ctx context.Context) (namespaces []string, bounded bool) {
	namespaces, bounded = ctx.Value(bounds{}).([]string)
	return namespaces, bounded
}

// Audit logs a line for each entry: what was done to which memory, without content.
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
