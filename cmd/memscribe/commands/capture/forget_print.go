package capture

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/forgetting"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/usage"
)

// forgetHow says how forget asks and prints.
type forgetHow struct {
	dryRun bool
	yes    bool // do not ask
	json   bool
}

// runForget previews, asks unless --yes is given, forgets, and prints what was deleted. A
// store that still holds data is an error, after the report.
func runForget(ctx context.Context, a *cli.App, o forgetting.Options, how forgetHow) error {
	work, err := forgetting.Prepare(ctx, &a.Setup, o)
	if err != nil {
		return err
	}
	would := work.Preview(ctx)
	if how.dryRun {
		return printForgotten(a, would, how.json)
	}
	if err = agreed(a, would, how); err != nil {
		return err
	}
	done, err := work.Do(ctx)
	if err != nil {
		return err
	}
	if err = printForgotten(a, done, how.json); err != nil {
		return err
	}
	return done.Err()
}

// agreed returns nil if the person agrees, by --yes or by answering y on a terminal. Any other
// answer is a usage error, and nothing is deleted. With --json it never asks, since the
// question would be in the output.
func agreed(a *cli.App, would *forgetting.Report, how forgetHow) error {
	if how.yes {
		return nil
	}
	in, ok := a.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || how.json {
		return usage.Errorf("nothing was forgotten: --yes does it, --dry-run says what would go")
	}
	if err := printForgotten(a, would, false); err != nil {
		return err
	}
	a.Stdout.Printf("Forget this for good? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		return usage.Errorf("nothing was forgotten")
	}
	return nil
}

// printForgotten prints a report as one JSON object, or a line for each store that holds
// something, a line for each copy that was found beside them, and a last line:
//
//	database     /home/me/.local/share/memscribe/nodes.db: …
//	not touched  /home/me/nodes.db.bak: it may have a copy, and is left alone
//	would be forgotten; nothing was changed
func printForgotten(a *cli.App, r *forgetting.Report, asJSON bool) error {
	if asJSON {
		return a.Stdout.JSON(r)
	}
	for i := range r.Stores {
		s := &r.Stores[i]
		if s.IsEmpty() {
			continue
		}
		a.Stdout.Printf("%-12s %s: %s\n", s.Store, s.Path, s.What)
		if s.Error != "" {
			a.Stdout.Printf("%-12s   %s\n", "", s.Error)
		}
	}
	for _, name := range r.Untouched {
		a.Stdout.Printf("%-12s %s: it may have a copy, and is left alone\n", "not touched", name)
	}
	end := "it is not taken in again (" + r.Tombstone + ", see --list). The tools' own transcripts are as they were"
	switch {
	case r.DryRun:
		end = "would be forgotten; nothing was changed"
	case !r.Failed():
		end = "forgotten; " + end
	}
	_, err := a.Stdout.Printf("%s\n", end)
	return err
}

// listTombstones prints the tombstones, one a line: id, time, and the conditions in words. With
// asJSON it prints an object for each. If there is none, it says so on stderr and returns
// [report.ErrIncomplete].
func listTombstones(a *cli.App, asJSON bool) error {
	book, err := forgetting.Tombstones(&a.Setup)
	if err != nil {
		return err
	}
	e := json.NewEncoder(a.Stdout.Text())
	for _, t := range book.Stones() {
		if asJSON {
			if err = e.Encode(t); err != nil {
				return fmt.Errorf("print tombstones: %w", err)
			}
			continue
		}
		a.Stdout.Printf("%s  %s  %s\n", t.ID, t.At, strings.Join(conditionsOf(&t), ", "))
	}
	if book.IsEmpty() {
		a.Stderr.Printf("nothing is forgotten\n")
		return report.ErrIncomplete
	}
	return nil
}

// conditionsOf returns in words what a tombstone stands for, such as "2 folders" and "before
// 2026-01-01". It cannot name projects or nodes: a tombstone has hashes of them only.
func conditionsOf(t *forget.Tombstone) []string {
	what := []string{}
	if n := len(t.Projects); n > 0 {
		what = append(what, fmt.Sprintf("%d folders", n))
	}
	if t.Session != "" {
		what = append(what, "a session")
	}
	if n := len(t.IDs); n > 0 {
		what = append(what, fmt.Sprintf("%d nodes and messages", n))
	}
	if t.Before != "" {
		what = append(what, "before "+t.Before)
	}
	return what
}

// undoForget removes a tombstone. The deleted nodes do not return by that; a later replay
// stores what the transcripts still contain.
func undoForget(a *cli.App, id string) error {
	if err := forgetting.Undo(&a.Setup, id); err != nil {
		return err
	}
	_, err := a.Stdout.Printf("what %s stood for is taken in again; 'memscribe replay --sink sqlite' brings what transcripts still have\n", id)
	return err
}
