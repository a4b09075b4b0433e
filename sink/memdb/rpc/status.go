package rpc

import (
	"context"
	"errors"
	"net/http"

	"connectrpc.com/connect"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
)

// Report is called at the end of a call, with its status, such as "not_found", and the error.
// Both are empty if the call succeeded.
type Report func(ctx context.Context, status string, err error)

// ending converts the errors of calls to statuses of gRPC, and reports them.
type ending struct{ report Report }

// WrapUnary implements [connect.Interceptor].
func (e ending) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		a, err := next(ctx, r)
		return a, e.end(ctx, err)
	}
}

// WrapStreamingClient implements [connect.Interceptor]. There is no client here.
func (e ending) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// WrapStreamingHandler implements [connect.Interceptor].
func (e ending) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, c connect.StreamingHandlerConn) error {
		return e.end(ctx, next(ctx, c))
	}
}

// end reports the end of a call to the log and to the audit, and converts the error
// to a gRPC status.
func (e ending) end(ctx context.Context, err error) error {
	if err == nil {
		e.report(ctx, "", nil)
		return nil
	}
	status := Status(ctx, err)
	e.report(ctx, status.Code().String(), err)
	return status
}

// Refuse answers a request before it becomes a call, in the protocol of the request: without a
// token, from a foreign host, or when there are too many. It returns false if the request
// belongs to none of the protocols.
func Refuse(w http.ResponseWriter, r *http.Request, err error) bool {
	to := connect.NewErrorWriter()
	if !to.IsSupported(r) {
		return false
	}
	// Who is gone needs no answer.
	_ = to.Write(w, r, Status(r.Context(), err))
	return true
}

// Status returns the error that a client gets.
//
// The text of an internal error, with its paths and SQL, does not reach the client. A deadline
// comes first: if the time of the call is over, the status is DEADLINE_EXCEEDED, whatever error
// that has caused.
//
//	api.NotFound      NOT_FOUND           api.Forbidden         PERMISSION_DENIED
//	api.BadRequest    INVALID_ARGUMENT    api.TooManyRequests   RESOURCE_EXHAUSTED
func Status(ctx context.Context, err error) *connect.Error {
	if status, ok := errors.AsType[*connect.Error](err); ok {
		return status
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return connect.NewError(connect.CodeDeadlineExceeded, errors.New("it took too long"))
	case errors.Is(err, context.Canceled), ctx.Err() != nil:
		return connect.NewError(connect.CodeCanceled, errors.New("the caller is gone"))
	}
	p := api.ProblemOf(err)
	status := connect.NewError(code(p), errors.New(p.Error()))
	problem := &memoryv1.Problem{Type: p.Type}
	for _, f := range p.Errors {
		problem.Flaws = append(problem.Flaws, &memoryv1.Flaw{Pointer: f.Pointer, Detail: f.Detail})
	}
	if detail, bad := connect.NewErrorDetail(problem); bad == nil {
		status.AddDetail(detail)
	}
	return status
}

// code returns the status of gRPC for a problem.
func code(p *api.Problem) connect.Code {
	switch {
	case api.IsKind(p, api.BadRequest), api.IsKind(p, api.Unredactable), api.IsKind(p, api.UnsupportedType):
		return connect.CodeInvalidArgument
	case api.IsKind(p, api.Unauthorized):
		return connect.CodeUnauthenticated
	case api.IsKind(p, api.Forbidden), api.IsKind(p, api.ForeignHost):
		return connect.CodePermissionDenied
	case api.IsKind(p, api.NotFound), api.IsKind(p, api.Gone):
		return connect.CodeNotFound
	case api.IsKind(p, api.NamespaceNotEmpty), api.IsKind(p, api.NoEmbeddings):
		return connect.CodeFailedPrecondition
	case api.IsKind(p, api.MethodNotAllowed):
		return connect.CodeUnimplemented
	case api.IsKind(p, api.TooLarge), api.IsKind(p, api.TooManyRequests):
		return connect.CodeResourceExhausted
	case api.IsKind(p, api.Unavailable):
		return connect.CodeUnavailable
	}
	return connect.CodeInternal
}

// flaw returns the error for one mistake in a request.
func flaw(pointer, detail string) error {
	return &api.Invalid{Flaws: []api.Flaw{{Pointer: pointer, Detail: detail}}}
}
