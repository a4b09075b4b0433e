package answers

import (
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/internal/commits"
	"github.com/memscribe/memscribe/internal/visible"
)

// Commits prints commits with the sessions and decisions that went into them.
func Commits(w io.Writer, all []commits.Commit) error {
	for i := range all {
		c := &all[i]
		if _, err := visible.Fprintf(w, "%.12s  %s  %s\n", c.ID, day(c.Time), c.Subject); err != nil {
			return err
		}
		if _, err := visible.Fprintf(w, "    %s\n", words(&c.Origin)); err != nil {
			return err
		}
		for _, s := range c.Sessions {
			if _, err := visible.Fprintf(w, "    %s · session %s · %s\n", s.Source, s.ID, count(s.Lines, "line")); err != nil {
				return err
			}
		}
		for k := range c.Decisions {
			if _, err := visible.Fprintf(w, "    > %s\n", c.Decisions[k].Title); err != nil {
				return err
			}
		}
	}
	return nil
}

// words says where lines come from, as "12 lines: 9 decided, 3 by no recorded edit".
func words(o *commits.Origin) string {
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

// fewFiles is how many files a person is shown.
const fewFiles = 20

// Shares prints how many lines agents wrote, for all files and for each of the first.
func Shares(w io.Writer, s *commits.Shares) error {
	all := s.Lines.All()
	if _, err := visible.Fprintf(w, "%s\n", words(&s.Lines)); err != nil {
		return err
	}
	if all == 0 {
		return nil
	}
	for _, p := range []struct {
		n    int
		what string
	}{
		{s.Lines.Decided, "agent, decided"},
		{s.Lines.Edited, "agent, no decision known"},
		{s.Lines.Hand, "changed by hand after"},
		{s.Lines.Ambiguous, "not certain"},
		{s.Lines.None, "by no recorded edit"},
	} {
		bar := strings.Repeat("#", (p.n*40+all-1)/all)
		if _, err := visible.Fprintf(w, "%6.1f %%  %-25s %s\n", 100*float64(p.n)/float64(all), p.what, bar); err != nil {
			return err
		}
	}
	for i := range s.Files {
		if len(s.Files) == 1 {
			break
		}
		if i == fewFiles {
			_, err := visible.Fprintf(w, "… %d more files\n", len(s.Files)-i)
			return err
		}
		f := &s.Files[i]
		if _, err := visible.Fprintf(w, "%6.1f %% of %5d  %s\n", 100*float64(f.Agents())/float64(max(f.Lines.All(), 1)), f.Lines.All(), f.File); err != nil {
			return err
		}
	}
	return nil
}

// day returns the date of a timestamp.
func day(timestamp string) string {
	d, _, _ := strings.Cut(timestamp, "T")
	return d
}
