package calls

import (
	"context"
	"slices"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Caller is who makes a call.
type Caller struct {
	Grant access.Grant
	// Again asks once more what the caller may do, for a call that lasts.
	Again func(ctx context.Context) (access.Grant, error)
}

// key is the key of the caller in a context.
type key struct{}

// As says who makes the calls with a context. Without a caller nothing may be done.
func As(ctx context.Context, c *Caller) context.Context {
	ctx = record.By(context.WithValue(ctx, key{}, c), c.Grant.Name)
	if slices.Contains(c.Grant.Namespaces, access.Everywhere) {
		return ctx
	}
	return record.Within(ctx, c.Grant.Namespaces)
}

// may refuses a call that its caller has no right to, before anything is looked up:
// the answer is the same whether what was asked for is there or not.
func may(ctx context.Context, right access.Right, namespaces ...string) error {
	c, ok := ctx.Value(key{}).(*Caller)
	for _, n := range namespaces {
		if !ok || !c.Grant.May(right, n) {
			return refused(c, right, n)
		}
	}
	return nil
}

// stillMay is may, of what the caller may do by now.
func stillMay(ctx context.Context, right access.Right, namespace string) error {
	c, ok := ctx.Value(key{}).(*Caller)
	if !ok {
		return refused(nil, right, namespace)
	}
	g, err := c.Again(ctx)
	if err == nil && !g.May(right, namespace) {
		err = refused(c, right, namespace)
	}
	return err
}

// refused returns the problem for a caller without a right. It says how to get the
// right, and nothing about what is stored.
func refused(c *Caller, right access.Right, namespace string) error {
	if c != nil && c.Grant.External && right == access.Internal {
		return api.NewProblem(api.Forbidden, "origin: internal needs a right, in namespace %s: without a token only who has the server's state folder has it: "+
			"give both the same --state-dir, or make a token with memscribe memdb token create", namespace)
	}
	return api.NewProblem(api.Forbidden, "the token has no right to %s in namespace %s", right, namespace)
}
