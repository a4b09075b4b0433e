// Package answers prints what questions have found for a person: lines with the edits
// that wrote them, broken bans, commits, shares of agents and hits of a search.
//
// Each function writes one answer as text. The forms for programs (JSON, SARIF) belong
// to the packages that find the answers.
//
// What some of them print:
//
//	src/orders.js:7-9  Use cursor pagination rather than offset
//	    decision decision:94ab…
//	    2026-11-21T01:45:06.537Z · claude_code · session 00dbe616-df7a · Edit toolu_01…
//
//	package.json:7  breaks: Never use left-pad
//	    +"left-pad": "1.3.0",
//	    said 2026-11-21T01:44:00Z · claude_code · session 115414b1-588b
//	2 bans, 3 changes, 1 broken
//
//	12 lines: 9 decided, 3 by no recorded edit
//	  75.0 %  agent, decided            ##############################
//
// Every text of a transcript is made visible (internal/visible), so it cannot control a
// terminal.
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
