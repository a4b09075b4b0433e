// Package doctor checks everything the program depends on and says how to fix what is
// broken. It changes nothing.
//
// A check is a method of examination. It looks at one thing and adds findings to the
// report; it never returns early with an error of its own, so that one broken part does
// not hide the others. Each finding has a level and, unless all is well, advice: a
// command to type or a setting to change.
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
// The report contains paths of the user. The caller must redact it before printing it.
//
// Where to find what:
//
//	doctor.go                   Run, Report, Finding
//	stores.go, unread.go        the stores of the tools
//	beside.go, clock.go         other files beside the stores; when tools delete
//	machine.go                  settings, limits, watch, the database, permissions, disk space
//	parts.go                    hooks, and a database of memories
//	delivery.go                 what waits for a MemDB
//	system_*.go, watchers_*.go  what differs between systems
package doctor

import (
	"context"
	"slices"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/buildinfo"
	"github.com/memscribe/memscribe/internal/visible"
	"github.com/memscribe/memscribe/io/input"
)

// Options says what is examined, and how closely.
type Options struct {
	Privacy  source.Privacy
	Places   source.Places
	StateDir string
	Database func() (string, error) // returns the database to examine
	Deep     bool                   // read everything again and compare it with the database

	// Misconfigured is the error of the settings, or nil.
	Misconfigured error
	// Stray are the environment variables with the program's prefix that have no meaning.
	Stray []Stray
}

// Stray is an environment variable without a meaning. Hint names the one that may be meant, or is "".
type Stray struct{ Name, Hint string }

// examination is one run of doctor. Checks run one after the other and may use what earlier
// ones have put into the report, such as the stores.
type examination struct {
	Options
	*Report

	setup *setup.Setup
}

// Level is the severity of a finding. Only [Wrong] makes doctor fail.
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

// Finding is what one check found: one sentence, and what to do about it. Check is the name of
// the check, as the package comment lists them. Advice is empty for [OK].
type Finding struct {
	Check   string `json:"check"`
	Level   Level  `json:"level"`
	Finding string `json:"finding"`
	Advice  string `json:"advice,omitempty"` // what to do
}

// Store is a folder in which a tool keeps transcripts. Oldest and Newest are times of last
// changes, of the transcripts only.
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
	Unclaimed     int        `json:"unclaimed"` // files of unknown kinds that look like stores

	// Beside are other files in the folder.
	Beside []Beside `json:"beside,omitempty"`

	// Fields for later checks, not in the report.
	databases   []string
	broken      []*input.Problem // databases that cannot be read
	left        []string         // links that are not followed
	packed      int              // transcripts that are compressed
	oldestPlain *time.Time       // time of the oldest transcript that is not compressed
	besides     []string
	folders     int
}

// add adds a finding. advice says what to do; it is "" if nothing is wrong.
func (r *Report) add(check string, l Level, advice, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{check, l, visible.Sprintf(format, args...), advice})
}

// Run runs all checks and returns the report. Faults of the installation are findings; an error
// means that the context ended. With Deep it takes as long as a replay; without, as long as it
// takes to list the files and to read the newest transcript of each tool.
func Run(ctx context.Context, s *setup.Setup, o Options) (*Report, error) {
	e := &examination{
		Options: o, setup: s,
		Report: &Report{Schema: "memscribe.doctor/v1", Version: buildinfo.Version(), Stores: []Store{}},
	}
	e.checkSettings()
	if err := e.checkStores(ctx); err != nil {
		return nil, err
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
			return nil, err
		}
	}
	return e.Report, nil
}

// Broken reports whether there is a problem.
func (r *Report) Broken() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == Wrong })
}

// checkSettings reports which settings are used, or what is wrong with them, and variables with
// the program's prefix that have no meaning.
func (e *examination) checkSettings() {
	switch {
	case e.Misconfigured != nil:
		e.add("settings", Wrong, "correct it; 'memscribe config check' names every place", "%v", e.Misconfigured)
	case e.setup.Settings.File != nil:
		e.add("settings", OK, "", "%s is used", e.setup.Settings.File.Name)
	default:
		e.add("settings", OK, "", "there is no memscribe.toml; the defaults hold")
	}
	for _, v := range e.Stray {
		e.add("settings", Doubt, "unset it, or correct its name"+v.Hint, "%s: no setting has this variable", v.Name)
	}
}
