package source

import (
	"path/filepath"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/journal"
)

// Journals returns the folder of the journals, in which the program keeps what tools push,
// that belong to what is read. "" is none: a home or a folder that was named has no
// part in this user's state, unless a state folder is named too.
func Journals(e host.Machine, stateDir string, from Places) (string, error) {
	if stateDir == "" && (from.Home != "" || len(from.Roots) > 0) {
		return "", nil
	}
	return e.JournalDir(stateDir)
}

// WithJournals adds the journals in dir to the folders in which tools keep
// transcripts, and the transcripts that hooks have named and that lie elsewhere.
// A journal that is not there is none; what hooks have named may be gone by now.
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

// IsBelow reports whether a transcript lies where it is found anyway.
func IsBelow(roots []discover.Root, path string) bool {
	for _, r := range roots {
		rel, err := filepath.Rel(r.Dir, path)
		if err == nil && filepath.IsLocal(rel) && r.Holds(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}
