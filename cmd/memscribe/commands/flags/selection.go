package flags

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
)

// Selection has the flags that narrow a query. Conditions add up: a node must meet all of them.
// Values are kept as they were typed until Read checks them.
type Selection struct {
	Project, Tool, Session, Since, Until, match string

	kinds []string
	all   bool
}

// Add adds the flags to those of a command.
func (o *Selection) Add(f *pflag.FlagSet) {
	f.StringVar(&o.Project, "project", "", "only this project: a folder with everything below it, or a name")
	o.AddScope(f, "only", "")
	f.StringSliceVar(&o.kinds, "kind", nil, "only nodes of these kinds: "+strings.Join(nodeKinds(), ", "))
	f.BoolVar(&o.all, "all", false, "include rejected decisions")
	f.StringVar(&o.match, "match", "", "only with these words, as in query search")
}

// AddScope adds the flags about the tool, the session and the time. The help of each begins
// with what: "only", or what the command shows if one of them is given. Of joins it to a tool
// or a session.
func (o *Selection) AddScope(f *pflag.FlagSet, what, of string) {
	f.StringVar(&o.Tool, "tool", "", what+of+" this tool: one of "+source.KnownTools())
	f.StringVar(&o.Session, "session", "", what+of+" this session; the beginning of its id is enough")
	f.StringVar(&o.Since, "since", "", what+" from this time on: 2026-06-01, \"2026-06-01 15:04\", RFC 3339, yesterday, or 90m, 36h, 7d, 2w ago")
	f.StringVar(&o.Until, "until", "", what+" until this time, in the same form; a day counts to its end")
}

// Narrows reports whether a tool, a session or a time is given.
func (o *Selection) Narrows() bool { return o.Tool+o.Session+o.Since+o.Until != "" }

// nodeKinds returns the kinds of node, as they call themselves.
func nodeKinds() []string { return []string{"conversation", "decision", "episode", "binding"} }

// Read returns the filter that the flags describe, or a usage error that names the flag. Days
// begin and end in the time zone of the machine's clock.
func (o *Selection) Read(e host.Machine) (f nodedb.Filter, err error) {
	now := e.Now()
	f.Text, f.Kinds, f.Rejected, f.Session = o.match, o.kinds, o.all, o.Session
	for _, kind := range o.kinds {
		if !slices.Contains(nodeKinds(), kind) {
			return f, usage.Errorf("unknown kind %q; known are %s", kind, strings.Join(nodeKinds(), ", "))
		}
	}
	if o.Tool != "" {
		if _, err = source.AdapterOf(e, o.Tool); err != nil {
			return f, err
		}
		f.Tool = core.Tool(o.Tool)
	}
	if f.Project, err = ProjectName(o.Project); err != nil {
		return f, err
	}
	if f.Since, err = Moment(o.Since, now, false); err != nil {
		return f, usage.Errorf("--since %q: %w", o.Since, err)
	}
	if f.Until, err = Moment(o.Until, now, true); err != nil {
		return f, usage.Errorf("--until %q: %w", o.Until, err)
	}
	return f, nil
}

// ProjectName returns the absolute path for ".", ".." and paths that begin with them. Any other
// value is returned unchanged: it may be the name of a project.
func ProjectName(name string) (string, error) {
	slashed := filepath.ToSlash(name)
	if slashed != "." && slashed != ".." && !strings.HasPrefix(slashed, "./") && !strings.HasPrefix(slashed, "../") {
		return name, nil
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("find project %s: %w", name, err)
	}
	return abs, nil
}

// Moment parses a time as a person writes it; "" gives the zero time. A day stands for its
// beginning, or with end set for the beginning of the next day. Times without a zone are in
// that of now.
//
//	2026-06-01   2026-06-01 15:04   2026-06-01T15:04:05Z   today   yesterday   90m   36h   7d   2w
func Moment(s string, now time.Time, end bool) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if ago, ok := retention.Duration(s); ok {
		return now.Add(-ago), nil
	}
	if back, ok := map[string]int{"today": 0, "yesterday": 1}[s]; ok {
		s = now.AddDate(0, 0, -back).Format(time.DateOnly)
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	day, err := time.ParseInLocation(time.DateOnly, s, now.Location())
	if err != nil {
		return time.Time{}, fmt.Errorf("it is none of 2006-01-02, %q, RFC 3339, yesterday, today, 90m, 36h, 7d, 2w", "2006-01-02 15:04")
	}
	if end {
		day = day.AddDate(0, 0, 1)
	}
	return day, nil
}
