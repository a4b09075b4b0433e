package commits

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
)

// Write prints commits for a person.
func Write(w io.Writer, all []Commit) error {
	for i := range all {
		c := &all[i]
		if _, err := console.Fprintf(w, "%.12s  %s  %s\n", c.ID, day(c.Time), c.Subject); err != nil {
			return err
		}
		if _, err := console.Fprintf(w, "    %s\n", c.Origin.words()); err != nil {
			return err
		}
		for _, s := range c.Sessions {
			if _, err := console.Fprintf(w, "    %s · session %s · %s\n", s.Source, s.ID, count(s.Lines, "line")); err != nil {
				return err
			}
		}
		for k := range c.Decisions {
			if _, err := console.Fprintf(w, "    > %s\n", c.Decisions[k].Title); err != nil {
				return err
			}
		}
	}
	return nil
}

// words says where lines come from, as "12 lines: 9 decided, 3 by no recorded edit".
func (o *Origin) words() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{o.Decided, "decided"},
		{o.Edited, "by agents without a decision"},
		{o.Hand, "changed by hand after"},
		{o.Ambiguous, "not certain"},
		{o.None, "by no recorded edit"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if len(parts) == 0 {
		return "no added lines"
	}
	return count(o.All(), "line") + ": " + strings.Join(parts, ", ")
}

// WriteJSON prints one object a line.
func WriteJSON(w io.Writer, all []Commit) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range all {
		if err := e.Encode(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

// Known reports whether an agent is known to have written a line of any of them.
func Known(all []Commit) bool {
	for i := range all {
		if len(all[i].Sessions) > 0 {
			return true
		}
	}
	return false
}
