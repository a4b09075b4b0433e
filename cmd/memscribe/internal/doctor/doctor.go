// Package doctor implements the command doctor: it checks everything the program
// depends on and says how to fix what is broken. It changes nothing.
//
// A check is a method of examination. It looks at one thing and adds findings to the
// report; it never returns early with an error of its own, so that one broken part does
// not hide the others. Each finding has a level and, unless all is well, advice: a
// command to type or a setting to change. Only findings of the level problem make the
// command end with 3.
//
//	settings     the settings file and the environment
//	stores       what lies in the tools' folders, read and unread
//	drift        records of the newest transcript that no adapter knows
//	deletion     when a tool deletes its oldest transcript
//	limits       how many folders the system lets a program watch
//	watch        whether the daemon runs, and from the present program
//	access, disk who may read what is written; how much room there is
//	hooks, memdb, waiting, database, retention, exclude
//	proof        with --deep: the database holds what a fresh replay gives, byte for byte
//
// The report names files of the user. It is redacted as a whole before it is printed.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/buildinfo"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/internal/visible"
	"github.com/memscribe/memscribe/io/input"
)

// Options say what is looked at.
type Options struct {
	Privacy  source.Privacy
	Places   source.Places
	StateDir string
	Database func() (string, error) // finds the one that is looked at
	Deep     bool                   // read everything again and compare it with the database
	JSON     bool
}

// examination is one run of doctor: what is looked at, and what was found.
type examination struct {
	Options
	*Report

	app *cli.App
}

// Level says how much a finding matters.
type Level string

// The levels.
const (
	OK    Level = "ok"
	Note  Level = "note"    // nothing is wrong, but worth knowing
	Doubt Level = "warning" // something may go wrong
	Wrong Level = "problem" // something is wrong
)

// Report is what doctor finds.
type Report struct {
	Schema   string    `json:"schema"`
	Version  string    `json:"version"`
	Stores   []Store   `json:"stores"`
	Findings []Finding `json:"findings"`
}

// Finding is what one check found.
type Finding struct {
	Check   string `json:"check"`
	Level   Level  `json:"level"`
	Finding string `json:"finding"`
	Advice  string `json:"advice,omitempty"` // what to do
}

// Store is a folder in which a tool keeps transcripts.
type Store struct {
	Tool        core.Tool `json:"tool"`
	Folder      string    `json:"folder"`
	Transcripts int       `json:"transcripts"`

	// Conversations is the number of sessions: one for each file, or as many as a
	// database lists.
	Conversations int        `json:"conversations"` // one in a file, or as many as a database lists
	Bytes         int64      `json:"bytes"`
	Oldest        *time.Time `json:"oldest,omitempty"`
	Newest        *time.Time `json:"newest,omitempty"`
	NewestFile    string     `json:"newest_file,omitempty"`
	Unclaimed     int        `json:"unclaimed"` // files that look like stores and are none that anybody knows

	// What lies in the folder and is no transcript.
	Beside []Beside `json:"beside,omitempty"` // what else looks like a store

	// What later checks need and the report does not show.
	databases   []string
	broken      []*input.Problem // databases that cannot be read
	left        []string         // links that are not followed
	packed      int              // transcripts that are compressed
	oldestPlain *time.Time       // of the others
	besides     []string
	folders     int
}

// adds a finding. advice says what to do about it; it is empty where nothing is
// wrong.
func (r *Report) add(check string, l Level, advice, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{check, l, visible.Sprintf(format, args...), advice})
}

// Run looks at everything and prints what it found. A problem is an [report.ErrFound].
//
// An error means that the examination itself could not be done (the context ended,
// output failed). What is wrong with the installation is a finding.
func Run(ctx context.Context, a *cli.App, o Options) error {
	e := &examination{
		Options: o, app: a,
		Report: &Report{Schema: "memscribe.doctor/v1", Version: buildinfo.Version(), Stores: []Store{}},
	}
	e.checkSettings()
	if err := e.checkStores(ctx); err != nil {
		return err
	}
	e.checkLimits()
	e.checkDaemon()
	e.checkFolders()
	e.checkHooks()
	e.checkDatabase(ctx)
	e.checkMemories(ctx)
	e.checkWaiting(ctx)
	if o.Deep {
		if err := e.checkNodes(ctx); err != nil {
			return err
		}
	}
	if err := e.write(); err != nil {
		return err
	}
	for _, f := range e.Findings {
		if f.Level == Wrong {
			return report.ErrFound
		}
	}
	return nil
}

// checkSettings reports which settings are used, or what is wrong with them, and
// variables with the program's prefix that mean nothing.
//
// Doctor runs with broken settings (cli.Lenient); a.Misconfigured has the error that
// other commands would have ended with.
func (e *examination) checkSettings() {
	switch {
	case e.app.Misconfigured != nil:
		e.add("settings", Wrong, "correct it; 'memscribe config check' names every place", "%v", e.app.Misconfigured)
	case e.app.Settings.File != nil:
		e.add("settings", OK, "", "%s is used", e.app.Settings.File.Name)
	default:
		e.add("settings", OK, "", "there is no memscribe.toml; the defaults hold")
	}
	if e.app.Environ == nil {
		return
	}
	for _, name := range e.app.StrayVariables() {
		e.add("settings", Doubt, "unset it, or correct its name"+e.app.NearVariable(name), "%s: no setting has this variable", name)
	}
}

// write prints what was found. It has paths in it, so it is redacted.
func (e *examination) write() error {
	var b strings.Builder
	if e.JSON {
		out := json.NewEncoder(&b)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		if err := out.Encode(e.Report); err != nil {
			return err
		}
	} else {
		e.print(&b, e.app.Now())
	}
	encoder, err := (&source.Privacy{Rules: &e.app.Rules}).Encoder()
	if err != nil {
		return err
	}
	clean, _, err := encoder.Scrubber.Scrub(core.TextField, []byte(b.String()))
	if err != nil {
		return err
	}
	_, err = e.app.Stdout.Text().Write(clean)
	return err
}

// print writes the report for a person: stores first, then the findings, problems
// marked.
func (r *Report) print(w io.Writer, now time.Time) {
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
