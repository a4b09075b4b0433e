// Package answers prints what questions have found for a person: lines with the edits
// that wrote them, broken bans, commits, shares of agents and hits of a search.
//
// Each function writes one answer as text. The forms for programs (JSON, SARIF) belong
// to the packages that find the answers.
package answers

import (
	"io"
	"strconv"

	"github.com/memscribe/memscribe/internal/visible"
)

// printer writes lines until a write fails.
type printer struct {
	w   io.Writer
	err error
}

// f prints unless an earlier print failed. Arguments are made visible.
func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = visible.Fprintf(p.w, format, args...)
	}
}

// count returns "1 ban" or "2 bans".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
