package calls

import (
	"context"
	"slices"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Caller is the client that makes a call, and its rights.
type Caller struct {
	Grant access.Grant
	// Again asks once more what the caller may do, for a call that lasts.
	Again func(ctx context.Context) (access.Grant, error)
}

// key is the key of the caller in a context.
type key struct{}

// As returns a context for calls of this caller. With a context without a caller every call is
// refused.
func As(ctx context.Context, c *Caller) context.Context {
	ctx = record.By(context.WithValue(ctx, key{}, c), c.Grant.Name)
	if slices.Contains(c.Grant.Namespaces, access.Everywhere) {
		return ctx
	}
	return record.Within(ctx, c.Grant.Namespaces)
}

// may refuses a call without the right to it. It is checked before anything is looked up, so
// the answer does not reveal whether the memory exists.
func may(ctx context.Context, right access.Right, namespaces ...string) error {
	c, ok := ctx.Value(key{}).(*Caller)
	for _, n := range namespaces {
		if !ok || !c.Grant.May(right, n) {
			return refused(c, right, n)
		}
	}
	return nil
}

// stillMay is may with the present rights of the caller, for a call that takes long: a token
// may be revoked meanwhile.
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

// refused returns the problem for a caller without a right. It says how to get the right, and
// nothing about what is stored.
func refused(c *Caller, right access.Right, namespace string) error {
	if c != nil && c.Grant.External && right == access.Internal {
		return api.NewProblem(api.Forbidden, "origin: internal needs a right, in namespace %s: without a token only who has the server's state folder has it: "+
			"give both the same --state-dir, or make a token with memscribe memdb token create", namespace)
	}
	return api.NewProblem(api.Forbidden, "the token has no right to %s in namespace %s", right, namespace)
}
