package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/journal"
)

// pushed are the flags about what tools push: where it is kept, and what it
// counts for.
type pushed struct{ stateDir string }

func (p *pushed) addFlags(cmd *cobra.Command, echoes *bool) {
	cli.AddStateDir(cmd, &p.stateDir)
	cmd.Flags().BoolVar(echoes, "echoes", false,
		"tell also what hooks, telemetry and second stores tell of sessions that have transcripts; only where those are not read")
}

// journals is the folder of the journals that belong to what is read; "" is none:
// a folder or a home that was named has no part in this user's state, unless that
// is named too.
func (p *pushed) journals(a *app, from places) (string, error) {
	if p.stateDir == "" && (from.home != "" || len(from.roots) > 0) {
		return "", nil
	}
	return a.JournalDir(p.stateDir)
}

// withJournals adds the journals to the folders in which tools keep transcripts,
// and the transcripts that hooks have named and that lie elsewhere.
func withJournals(roots []discover.Root, dir string) ([]discover.Root, error) {
	if dir == "" {
		return roots, nil
	}
	roots = append(roots, discover.Everything(dir))
	err := journal.Transcripts(dir, func(path string) {
		if !isBelow(roots, path) {
			roots = discover.Include(roots, discover.Named(path))
		}
	})
	return roots, err
}

// isBelow reports whether a transcript lies where it is found anyway.
func isBelow(roots []discover.Root, path string) bool {
	for _, r := range roots {
		rel, err := filepath.Rel(r.Dir, path)
		if err == nil && filepath.IsLocal(rel) && r.Holds(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}
