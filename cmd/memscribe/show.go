package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/showing"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/talks"
	"github.com/memscribe/memscribe/internal/session"
	"github.com/memscribe/memscribe/internal/usage"
)

// sessionFlags say which session is meant.
type sessionFlags struct{ db, project string }

// add adds the flags that find a session: database and project.
func (s *sessionFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.db, "db", "", "database (default: the one of watch)")
	cmd.Flags().StringVar(&s.project, "project", "", "in this project: a folder with everything below it, or a name")
}

// latestOrOne takes the name of a session or none. A name that is empty is a mistake, such as a variable
// that is not set, and does not mean the latest session.
func latestOrOne(cmd *cobra.Command, args []string) error {
	if slices.Contains(args, "") {
		return usage.Errorf("the name of the session is empty; 'memscribe sessions' lists them")
	}
	return cobra.MaximumNArgs(1)(cmd, args)
}

// newShow returns the command show.
func (a *app) newShow() *cobra.Command {
	var (
		s      sessionFlags
		format string
	)
	cmd := &cobra.Command{
		Use:   "show [SESSION[:SEQ] | ID]",
		Short: "Print a session with its decisions and edits",
		Long: `Show prints a session: what people and agents said, the commands that agents ran, and
the decisions and edits in between. The beginning of a session id is enough if it is
unique; without an id it prints the latest session, of --project if given. With :SEQ, as
search prints it, it shows the part around that event, and with the id of a decision or an
edit, as decision:5e55, the part around that.

A session that was captured without messages shows only its nodes.`,
		Example: `  memscribe show 5e550001
  memscribe show 5e550001:12
  memscribe show decision:a9810e99cf261
  memscribe show --project orders --format markdown > talk.md`,
		Args: latestOrOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(showing.Formats(), format) {
				return usage.Errorf("unknown format %q; known are %s", format, strings.Join(showing.Formats(), ", "))
			}
			return a.show(cmd.Context(), s, strings.Join(args, ""), format)
		},
		ValidArgsFunction: a.completeSessions,
	}
	s.add(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "form of what is printed: "+strings.Join(showing.Formats(), ", "))
	// it fails for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("format", completeList(showing.Formats()))
	return cmd
}

// mostColumns is how wide a line of text may be that a person reads with ease.
const mostColumns = 100

// show prints a session, or the part of it around one event.
func (a *app) show(ctx context.Context, s sessionFlags, name, format string) error {
	var at session.Place
	read := func(ctx context.Context, r *nodedb.Reader, name, project string) (t talks.Talk, err error) {
		if at, err = session.Find(ctx, r, name); err != nil {
			return t, err
		}
		return talks.Read(ctx, r, at.Session, project)
	}
	return a.ofSession(ctx, s, name, read, func(t talks.Talk) error {
		form := showing.Form{Format: format, Width: min(a.Columns(), mostColumns), Place: -1}
		if at.Seq >= 0 {
			t, form.Place = session.Around(t, at)
		}
		if err := showing.Write(a.Stdout.Text(), t, form); err != nil {
			return err
		}
		if t.Cut && format != "json" {
			a.Stderr.Printf("there is more; memscribe show %s prints up to %d entries\n", t.Session, talks.MaxItems)
		}
		return nil
	})
}

// ofSession reads a session, or who it is of, and calls do with it. id may be the beginning of
// an id; empty means the latest session, of the project if one is given.
func (a *app) ofSession(ctx context.Context, s sessionFlags, id string, read func(context.Context, *nodedb.Reader, string, string) (talks.Talk, error), do func(talks.Talk) error) error {
	project, err := flags.ProjectName(s.project)
	if err != nil {
		return err
	}
	return a.asking(ctx, s.db, func(r *nodedb.Reader) error {
		t, err := read(ctx, r, id, project)
		if err != nil {
			return flags.Advised(err)
		}
		return do(t)
	})
}

// newResume returns the command resume.
func (a *app) newResume() *cobra.Command {
	var (
		s   sessionFlags
		run bool
	)
	cmd := &cobra.Command{
		Use:   "resume [SESSION]",
		Short: "Print the command that resumes a session",
		Long: `Resume prints the tool's own command to continue a session; --run runs it in the folder of
the project. The beginning of an id is enough; without one it is the latest session, of
--project if given. If the tool has no such command, resume says so and exits with 1.`,
		Example: `  memscribe resume 5e550001
  memscribe resume --project orders --run`,
		Args: latestOrOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ofSession(cmd.Context(), s, strings.Join(args, ""), talks.Whose, func(t talks.Talk) error {
				return a.resume(cmd.Context(), t, run)
			})
		},
		ValidArgsFunction: a.completeSessions,
	}
	s.add(cmd)
	cmd.Flags().BoolVar(&run, "run", false, "run the command")
	return cmd
}

// resume prints the command with which the session's tool resumes it, or runs it.
// Where the tool has none, it says so and ends with exit code 1.
func (a *app) resume(ctx context.Context, t talks.Talk, run bool) error {
	command, err := session.Resume(t)
	if errors.Is(err, session.ErrResume) {
		a.Stderr.Printf("%s\n", err)
		return report.ErrIncomplete
	}
	if err != nil {
		return err
	}
	folder, known := os.Stat(t.Project)
	if !run {
		if here, lost := os.Stat("."); lost == nil && known == nil && folder.IsDir() && !os.SameFile(here, folder) {
			a.Stderr.Printf("to be run in %s; --run does that\n", t.Project)
		}
		_, err = a.Stdout.Printf("%s\n", strings.Join(command, " "))
		return err
	}
	tool := exec.CommandContext(ctx, command[0], command[1:]...)
	if known == nil && folder.IsDir() {
		tool.Dir = t.Project
	}
	tool.Stdin, tool.Stdout, tool.Stderr = os.Stdin, os.Stdout, os.Stderr
	return tool.Run()
}
