package checks

import (
	"cmp"
	"encoding/json"
	"io"
	"strconv"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
)

// Write prints an answer for a person.
func (a *Answer) Write(w io.Writer) error {
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
			p.f("%s  breaks: %s\n", place, b.Ban.said())
		default:
			asks++
			p.f("%s  needs a yes: %s\n", place, b.Ban.said())
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

// said is what a ban says to a reader who has not seen the talk around it.
func (b *Ban) said() string { return cmp.Or(b.Title, b.Epitome) }

// count returns "1 ban" or "2 bans".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

type printer struct {
	w   io.Writer
	err error
}

// f prints unless an earlier print failed.
func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = console.Fprintf(p.w, format, args...)
	}
}

// WriteJSON prints one object a line.
func (a *Answer) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range a.Breaches {
		if err := e.Encode(&a.Breaches[i]); err != nil {
			return err
		}
	}
	return nil
}
