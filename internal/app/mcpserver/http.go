package mcpserver

import (
	"net/http"

	"github.com/memscribe/memscribe/internal/local"
)

// withToken returns a handler that accepts only requests with the token. Requests of web pages from
// another origin are refused in any case.
func withToken(h http.Handler, token string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !local.Bears(r, token):
			w.Header().Set("WWW-Authenticate", `Bearer realm="memscribe"`)
			http.Error(w, "a token is needed: Authorization: Bearer …", http.StatusUnauthorized)
		case r.Header.Get("Origin") != "" && !local.Asked(r):
			http.Error(w, "not for pages of other places", http.StatusForbidden)
		default:
			h.ServeHTTP(w, r)
		}
	})
}
