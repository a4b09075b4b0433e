package api

import (
	"errors"
	"fmt"
	"net/http"
)

// ProblemType is the media type of a [Problem].
const ProblemType = "application/problem+json"

// Problem is the answer to a call that failed, in the form of RFC 9457:
//
//	{"type":"urn:memscribe:memdb:not-found","title":"…","status":404,"detail":"…","instance":"…"}
type Problem struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail,omitempty"`
	Instance string `json:"instance,omitempty"` // names the request, as the log does
	Errors   []Flaw `json:"errors,omitempty"`
}

// Kind is the last part of a problem's type. Clients decide by it, so its values do not change.
type Kind string

// The kinds of problems.
const (
	BadRequest        Kind = "invalid-request"
	Unauthorized      Kind = "unauthorized"
	Forbidden         Kind = "forbidden"
	NotFound          Kind = "not-found"
	MethodNotAllowed  Kind = "method-not-allowed"
	NamespaceNotEmpty Kind = "namespace-not-empty"
	Gone              Kind = "forgotten"
	TooLarge          Kind = "too-large"
	UnsupportedType   Kind = "unsupported-media-type"
	Unredactable      Kind = "unredactable"
	TooManyRequests   Kind = "too-many-requests"
	ServerFault       Kind = "internal"
	Unavailable       Kind = "unavailable"
	ForeignHost       Kind = "foreign-host"
	NoEmbeddings      Kind = "no-embeddings"
)

const problemPrefix = "urn:memscribe:memdb:"

// NewProblem makes a problem of a kind.
func NewProblem(k Kind, format string, args ...any) *Problem {
	status, title := k.words()
	return &Problem{Type: problemPrefix + string(k), Title: title, Status: status, Detail: fmt.Sprintf(format, args...)}
}

// words returns the HTTP status and the title of a kind of problem.
func (k Kind) words() (status int, title string) {
	switch k {
	case BadRequest:
		return http.StatusUnprocessableEntity, "The request is not of the contract"
	case Unauthorized:
		return http.StatusUnauthorized, "The token is missing or wrong"
	case Forbidden:
		return http.StatusForbidden, "The token has no right to this"
	case NotFound:
		return http.StatusNotFound, "There is no such thing"
	case MethodNotAllowed:
		return http.StatusMethodNotAllowed, "The call does not take this method"
	case NamespaceNotEmpty:
		return http.StatusConflict, "The namespace holds memories"
	case Gone:
		return http.StatusGone, "The memory was forgotten"
	case TooLarge:
		return http.StatusRequestEntityTooLarge, "The request is too large"
	case UnsupportedType:
		return http.StatusUnsupportedMediaType, "The request is not JSON"
	case Unredactable:
		return http.StatusUnprocessableEntity, "The content could not be searched for secrets"
	case TooManyRequests:
		return http.StatusTooManyRequests, "Too many requests at once"
	case ForeignHost:
		return http.StatusForbidden, "The server is not open to this caller"
	case NoEmbeddings:
		return http.StatusConflict, "The server has no embeddings"
	case Unavailable:
		return http.StatusServiceUnavailable, "The server cannot do this now"
	default:
		return http.StatusInternalServerError, "The server failed"
	}
}

// ProblemOf returns the problem for an error. An error that is a Problem or an Invalid is shown
// to the client. Any other becomes [ServerFault] without its text, which may contain paths or
// SQL.
func ProblemOf(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		copied := *p
		return &copied
	}
	if v, ok := errors.AsType[*Invalid](err); ok {
		p := NewProblem(BadRequest, "%s", v)
		p.Errors = v.Flaws
		return p
	}
	return NewProblem(ServerFault, "")
}

// Error returns the title and the detail.
func (p *Problem) Error() string {
	if p.Detail == "" {
		return p.Title
	}
	return p.Title + ": " + p.Detail
}

// Is reports whether the problem is of a kind.
func (p *Problem) Is(target error) bool {
	t, ok := target.(*Problem)
	return ok && t.Type == p.Type
}

// IsKind reports whether an error is a problem of a kind.
func IsKind(err error, k Kind) bool {
	p, ok := errors.AsType[*Problem](err)
	return ok && p.Type == problemPrefix+string(k)
}

// Permanent reports whether the same request would fail in the same way again, so that retrying
// is useless.
func (p *Problem) Permanent() bool {
	switch p.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusUnauthorized, http.StatusForbidden:
		return false // the same memory may be taken another time
	}
	return p.Status >= 400 && p.Status < 500
}

// Validate implements [Wire].
func (p *Problem) Validate() error {
	var c check
	c.text("/type", p.Type, 1, maxText)
	c.text("/title", p.Title, 1, maxText)
	if p.Status < 400 || p.Status > 599 {
		c.add("/status", "is not that of an error")
	}
	return c.err()
}
