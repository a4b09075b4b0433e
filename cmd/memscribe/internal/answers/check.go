package answers

import (
	"io"
	"strconv"

	"github.com/memscribe/memscribe/internal/bancheck"
)

// Check prints the bans that changes break, and how many were looked at.
func Check(w io.Writer, a *bancheck.Answer) error {
	p := printer{w: w}
	broken, asks := 0, 0
	for i := range a.Breaches {
		b := &a.Breaches[i]
		place := b.File
		if b.Line > 0 {
			place += ":" + strconv.Itoa(b.Line)
		}
		switch b.Status {
		case "broken":
			broken++
			p.f("%s  breaks: %s\n", place, b.Ban.Said())
		default:
			asks++
			p.f("%s  needs a yes: %s\n", place, b.Ban.Said())
		}
		if b.Text != "" {
			p.f("    +%s\n", b.Text)
		}
		if e := b.Episode; e != nil {
			p.f("    %s · %s · session %s · %s\n", e.Timestamp, e.Source, e.SessionID, e.CallID)
		}
		p.f("    said %s · %s · session %s\n", b.Ban.Timestamp, b.Ban.Source, b.Ban.SessionID)
	}
	p.f("%s, %s, %s broken", count(a.Bans, "ban"), count(a.Changes, "change"), strconv.Itoa(broken))
	if asks > 0 {
		p.f(", %d to ask about", asks)
	}
	p.f("\n")
	return p.err
}
