package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// The names under which callers without a token of the list are logged. No token
// has such a name.
const (
	byFile    = "(token file)"
	byMachine = "(this machine)"
)

// admit says who calls, or what keeps the call out. Without any token the server
// is one person's own, and does what this machine asks for.
func (s *Server) admit(r *http.Request) (access.Grant, error) {
	guarded := s.options.Token != ""
	if !guarded && s.options.Access != nil {
		var err error
		if guarded, err = s.options.Access.Any(r.Context()); err != nil {
			return access.Grant{}, err
		}
	}
	if !guarded {
		if !local.Asked(r) {
			return access.Grant{}, api.NewProblem(api.ForeignHost, "without a token only this machine may call, by a name of its own, and no web page")
		}
		return access.Full(byMachine), nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		g, ok, err := s.granted(r.Context(), strings.TrimSpace(token))
		if ok || err != nil {
			return g, err
		}
	}
	return access.Grant{}, api.NewProblem(api.Unauthorized, "bring Authorization: Bearer with a token of the server")
}

// granted is what a token is for. Hashes of equal length are compared in a time
// that tells nothing.
func (s *Server) granted(ctx context.Context, token string) (g access.Grant, ok bool, err error) {
	sum := sha256.Sum256([]byte(token))
	if s.options.Token != "" && subtle.ConstantTimeCompare(sum[:], s.token[:]) == 1 {
		return access.Full(byFile), true, nil
	}
	if s.options.Access == nil {
		return g, false, nil
	}
	return s.options.Access.Find(ctx, token)
}

// caller is the key of the grant in a context.
type caller struct{}

// as gives a call what its caller may do, and the audit log who that is.
func as(r *http.Request, g *access.Grant) *http.Request {
	return r.WithContext(record.By(context.WithValue(r.Context(), caller{}, g), g.Name))
}

// may refuses a call that its caller has no right to, before anything is looked
// up: the answer is the same whether what was asked for is there or not.
func may(r *http.Request, right access.Right, namespaces ...string) error {
	g, ok := r.Context().Value(caller{}).(*access.Grant)
	for _, n := range namespaces {
		if !ok || !g.May(right, n) {
			return api.NewProblem(api.Forbidden, "the token has no right to %s in namespace %s", right, n)
		}
	}
	return nil
}

// mayWrite refuses memories that say of themselves that they are internal, unless
// the caller has the right to say so.
func mayWrite(r *http.Request, namespace string, memories []api.MemoryWrite) error {
	for i := range memories {
		if memories[i].Origin == api.Internal {
			return may(r, access.Internal, namespace)
		}
	}
	return nil
}
