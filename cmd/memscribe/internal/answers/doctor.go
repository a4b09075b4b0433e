package answers

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/app/doctor"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/internal/visible"
)

// Doctor prints what doctor found: stores first, then the findings, problems marked.
func Doctor(w io.Writer, r *doctor.Report, now time.Time) {
	visible.Fprintf(w, "memscribe %s\n\n", r.Version)
	for _, s := range r.Stores {
		visible.Fprintf(w, "%-12s %s\n", s.Tool, s.Folder)
		if s.Transcripts > 0 {
			visible.Fprintf(w, "%-12s transcripts: %d (conversations: %d), %s, since %s, newest %s ago:\n%-12s %s\n", "", s.Transcripts, s.Conversations,
				human.Size(s.Bytes), s.Oldest.Format(time.DateOnly), age(now.Sub(*s.Newest)), "", s.NewestFile)
		} else {
			visible.Fprintf(w, "%-12s no transcripts\n", "")
		}
	}
	if len(r.Stores) > 0 {
		visible.Fprintf(w, "\n")
	}
	for _, f := range r.Findings {
		visible.Fprintf(w, "%-8s %-10s %s\n", f.Level, f.Check, strings.ReplaceAll(f.Finding, "\n", "\n"+strings.Repeat(" ", 20)))
		if f.Advice != "" {
			visible.Fprintf(w, "%19s → %s\n", "", f.Advice)
		}
	}
}

// age writes a time span as people say it.
func age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 2*day:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days", int(d/day))
	}
}
