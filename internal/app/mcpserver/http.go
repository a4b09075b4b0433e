package mcpserver

import (
	"net/http"

	"github.com/memscribe/memscribe/internal/local"
)

// withToken lets in requests that carry the token. What a browser sends for a page of
// another place is refused all the same.
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
