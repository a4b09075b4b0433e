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
)

// The names under which callers without a token of the list are logged. No token
// has such a name.
const (
	byFile    = "(token file)"
	byMachine = "(this machine)"
	byOwn     = "(own sink)"
)

// admit says who calls, or what keeps the call out. Without any token the server
// is one person's own, and does what this machine asks for; only that something is
// internal it does not believe without a proof.
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
		return access.Tokenless(byMachine), nil
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

// prove raises a call that was let in without a token, if it proves that it has the
// server's state folder.
func (s *Server) prove(g access.Grant, r *http.Request, body []byte) access.Grant {
	given := r.Header.Get(access.ProofHeader)
	if !g.External || given == "" || s.options.Own == nil || !s.options.Own.Proves(given, r.Method, r.URL.RequestURI(), body) {
		return g
	}
	return access.Full(byOwn)
}

// granted returns what a token is for. Hashes of equal length are compared in a time
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
