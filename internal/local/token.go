package local

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// Bears reports whether a request carries a token: Authorization: Bearer …. How long it
// takes says nothing about the token.
func Bears(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	is, want := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(is[:], want[:]) == 1
}
