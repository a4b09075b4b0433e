package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/source"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/intake"
)

type doctorOptions struct {
	privacy  source.Privacy
	places   source.Places
	stateDir string

	db   string
	json bool
	deep bool
}

func (a *app) newDoctor() *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether everything is ready, and what to do about what is not",
		Long: `Doctor looks at what memscribe depends on and changes nothing: the stores of the
tools and what is in them, records that no adapter knows, how long until a tool
deletes or compresses its oldest transcript, the settings, the limits of the
system, who may read what was written, hooks, the database, the chain of MemDB and
what waits for its server, room on the disk, and whether watch is running. Every
finding says what to do. It ends with 3 if something is wrong.
docs/schema/doctor.v1.json describes what --json prints.

With --deep it reads every transcript that still exists again and compares what
comes out with the nodes in the database, byte for byte.`,
		Example: `  memscribe doctor
  memscribe doctor --deep
  memscribe doctor --json | jq '.findings[] | select(.level != "ok")'`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{cli.ConfigNote: cli.Lenient},
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), o) },
	}
	a.addPrivacyFlags(cmd, &o.privacy)
	addPlaceFlags(cmd, &o.places)
	addPushedFlags(cmd, &o.stateDir, &o.privacy.Echoes)
	cmd.Flags().StringVar(&o.db, "db", "", "the database (default: the one that watch keeps)")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&o.deep, "deep", false, "read everything again and compare it with the database")
	return cmd
}

// level says how much a finding matters.
type level string

const (
	levelOK    level = "ok"
	levelNote  level = "note"    // nothing is wrong, but worth knowing
	levelDoubt level = "warning" // something may go wrong
	levelWrong level = "problem" // something is wrong
)

// checkup is what doctor finds.
type checkup struct {
	Schema   string      `json:"schema"`
	Version  string      `json:"version"`
	Stores   []storeSeen `json:"stores"`
	Findings []symptom   `json:"findings"`
}

// symptom is one finding.
type symptom struct {
	Check   string `json:"check"`
	Level   level  `json:"level"`
	Finding string `json:"finding"`
	Advice  string `json:"advice,omitempty"` // what to do
}

// storeSeen is a folder in which a tool keeps transcripts.
type storeSeen struct {
	Tool        core.Tool `json:"tool"`
	Folder      string    `json:"folder"`
	Transcripts int       `json:"transcripts"`

	Conversations int        `json:"conversations"` // one in a file, or as many as a database lists
	Bytes         int64      `json:"bytes"`
	Oldest        *time.Time `json:"oldest,omitempty"`
	Newest        *time.Time `json:"newest,omitempty"`
	NewestFile    string     `json:"newest_file,omitempty"`
	Unclaimed     int        `json:"unclaimed"` // files that look like stores and are none that anybody knows

	Beside []besideSeen `json:"beside,omitempty"` // what else looks like a store

	databases   []string
	broken      []*intake.Problem // databases that cannot be read
	left        []string          // links that are not followed
	packed      int               // transcripts that are compressed
	oldestPlain *time.Time        // of the others
	besides     []string
	folders     int
}

func (c *checkup) add(check string, l level, advice, format string, args ...any) {
	c.Findings = append(c.Findings, symptom{check, l, console.Sprintf(format, args...), advice})
}

func (a *app) doctor(ctx context.Context, o doctorOptions) error {
	c := &checkup{Schema: "memscribe.doctor/v1", Version: cli.Version(), Stores: []storeSeen{}}
	a.checkSettings(c)
	if err := a.checkStores(ctx, c, o); err != nil {
		return err
	}
	a.checkLimits(c)
	a.checkDaemon(c, o)
	a.checkFolders(c, o)
	a.checkHooks(c, o)
	a.checkDatabase(ctx, c, o)
	a.checkMemories(ctx, c, o)
	a.checkWaiting(ctx, c, o)
	if o.deep {
		if err := a.checkNodes(ctx, c, o); err != nil {
			return err
		}
	}
	if err := a.writeCheckup(c, o.json); err != nil {
		return err
	}
	for _, f := range c.Findings {
		if f.Level == levelWrong {
			return cli.ErrFound
		}
	}
	return nil
}

func (a *app) checkSettings(c *checkup) {
	switch {
	case a.Misconfigured != nil:
		c.add("settings", levelWrong, "correct it; 'memscribe config check' names every place", "%v", a.Misconfigured)
	case a.Settings.File != nil:
		c.add("settings", levelOK, "", "%s is used", a.Settings.File.Name)
	default:
		c.add("settings", levelOK, "", "there is no memscribe.toml; the defaults hold")
	}
	if a.Environ == nil {
		return
	}
	for _, name := range a.strayVariables() {
		c.add("settings", levelDoubt, "unset it, or correct its name"+a.nearVariable(name), "%s: no setting has this variable", name)
	}
}

// writeCheckup prints what was found. Paths are told, so it is redacted.
func (a *app) writeCheckup(c *checkup, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(c); err != nil {
			return err
		}
	} else {
		c.print(&b, a.Now())
	}
	encoder, err := (&source.Privacy{Rules: &a.Rules}).Encoder()
	if err != nil {
		return err
	}
	clean, _, err := encoder.Scrubber.Scrub(core.TextField, []byte(b.String()))
	if err != nil {
		return err
	}
	_, err = a.Stdout.Text().Write(clean)
	return err
}

func (c *checkup) print(w io.Writer, now time.Time) {
	console.Fprintf(w, "memscribe %s\n\n", c.Version)
	for _, s := range c.Stores {
		console.Fprintf(w, "%-12s %s\n", s.Tool, s.Folder)
		if s.Transcripts > 0 {
			console.Fprintf(w, "%-12s transcripts: %d (conversations: %d), %s, since %s, newest %s ago:\n%-12s %s\n", "", s.Transcripts, s.Conversations,
				cli.Size(s.Bytes), s.Oldest.Format(time.DateOnly), age(now.Sub(*s.Newest)), "", s.NewestFile)
		} else {
			console.Fprintf(w, "%-12s no transcripts\n", "")
		}
	}
	if len(c.Stores) > 0 {
		console.Fprintf(w, "\n")
	}
	for _, f := range c.Findings {
		console.Fprintf(w, "%-8s %-10s %s\n", f.Level, f.Check, strings.ReplaceAll(f.Finding, "\n", "\n"+strings.Repeat(" ", 20)))
		if f.Advice != "" {
			console.Fprintf(w, "%19s → %s\n", "", f.Advice)
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
