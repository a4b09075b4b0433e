package source

import (
	"path/filepath"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/journal"
)

// Journals returns the folder of the journals, which have what hooks and telemetry push, if they
// belong to the sources. It returns "" if the user names another home or other folders, and no
// state folder: the journals are of this user's tools.
func Journals(e host.Machine, stateDir string, from Places) (string, error) {
	if stateDir == "" && (from.Home != "" || len(from.Roots) > 0) {
		return "", nil
	}
	return e.JournalDir(stateDir)
}

// WithJournals adds to the roots the journals in dir, and the transcripts outside of the roots
// that hooks have named. Neither need exist.
func WithJournals(roots []discover.Root, dir string) ([]discover.Root, error) {
	if dir == "" {
		return roots, nil
	}
	roots = append(roots, discover.Everything(dir))
	err := journal.Transcripts(dir, func(path string) {
		if !IsBelow(roots, path) {
			roots = discover.Include(roots, discover.Named(path))
		}
	})
	return roots, err
}

// IsBelow reports whether a transcript is below one of the roots.
func IsBelow(roots []discover.Root, path string) bool {
	for _, r := range roots {
		rel, err := filepath.Rel(r.Dir, path)
		if err == nil && filepath.IsLocal(rel) && r.Holds(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}
