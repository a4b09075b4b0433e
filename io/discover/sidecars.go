package discover

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

const (
	// maxBeside is the size of the largest sidecar that is read, in bytes.
	maxBeside = 256 << 10
	// maxCompanion is the size of the largest companion of a transcript that is read, and
	// maxCompanions that of all companions together, in bytes.
	maxCompanion, maxCompanions = 16 << 20, 32 << 20
	// maxMatches is the largest number of files that a pattern matches.
	maxMatches = 1 << 14
	// lookedFor ends the name of a companion that is not read: only its existence matters.
	lookedFor = "?"
)

// Info returns what a parser gets to know about a transcript: its path, and the files beside it
// that the adapter names. A file that cannot be read is treated as missing.
func Info(a core.Adapter, path, file string) core.StreamInfo {
	info := core.StreamInfo{Path: path}
	put := func(name string, limit int64) int64 {
		content, ok := small(file, name, limit)
		if ok {
			show(&info, name, content)
		}
		return int64(len(content))
	}
	if n, ok := a.(core.SidecarReader); ok {
		for _, name := range n.Sidecars(path) {
			put(name, maxBeside)
		}
	}
	left := int64(maxCompanions)
	for _, name := range companions(a, path, file) {
		if plain, only := strings.CutSuffix(name, lookedFor); only {
			if _, err := stat(file, plain); err == nil {
				show(&info, plain, nil)
			}
			continue
		}
		left -= put(name, min(maxCompanion, left))
	}
	return info
}

// Missing returns the names of the files that [Info] reads for a [core.SidecarReader] and that are not there.
func Missing(a core.Adapter, path, file string) (names []string) {
	n, ok := a.(core.SidecarReader)
	if !ok {
		return nil
	}
	for _, name := range n.Sidecars(path) {
		if !isBeside(file, name) {
			names = append(names, name)
		}
	}
	return names
}

// Appeared reports whether one of the files of a [Missing] is there now.
func Appeared(file string, missing []string) bool {
	return slices.ContainsFunc(missing, func(name string) bool { return isBeside(file, name) })
}

func isBeside(file, name string) bool {
	_, err := stat(file, name)
	return err == nil
}

// show adds a file to a StreamInfo.
func show(info *core.StreamInfo, name string, content []byte) {
	if info.Sidecars == nil {
		info.Sidecars = map[string][]byte{}
	}
	info.Sidecars[name] = content
}

// Companions returns the stamps of the files that [Info] reads for a [core.SidecarWatcher], by name.
func Companions(a core.Adapter, path, file string) map[string]Stamp {
	stamps := map[string]Stamp{}
	for _, name := range companions(a, path, file) {
		plain, only := strings.CutSuffix(name, lookedFor)
		place := beside(file, plain)
		info, err := stat(file, plain)
		if err != nil {
			continue
		}
		if only {
			stamps[plain] = Stamp{}
			continue
		}
		if s, ok := StampOf(File{Path: place, Info: info}); ok {
			stamps[name] = s
		}
	}
	return stamps
}

// Differs reports whether a companion with a fixed name (no pattern) has changed, appeared or
// disappeared since it was shown to the parser.
func Differs(a core.Adapter, path, file string, shown map[string]Stamp) bool {
	c, ok := a.(core.SidecarWatcher)
	if !ok {
		return false
	}
	_, patterns := c.Companions(path)
	for _, pattern := range patterns {
		if strings.Contains(pattern, "*") {
			continue
		}
		name, only := strings.CutSuffix(pattern, lookedFor)
		before, was := shown[name]
		now := Stamp{}
		place := beside(file, name)
		info, err := stat(file, name)
		if err == nil && !only {
			now, _ = StampOf(File{Path: place, Info: info})
		}
		if now != before || only && was != (err == nil) {
			return true
		}
	}
	return false
}

// Changes compares two results of [Companions]. It returns the content of new and changed files,
// and the names of missing ones. ok is false if [Info] would not show all of them, because they
// are too large.
func Changes(file string, before, now map[string]Stamp) (changed map[string][]byte, gone []string, ok bool) {
	changed = map[string][]byte{}
	size := int64(0)
	for name, stamp := range now { // order does not matter: by name
		size += stamp.Size
		if old, was := before[name]; was && old == stamp {
			continue
		}
		if stamp == (Stamp{}) { // only looked for
			changed[name] = nil
			continue
		}
		content, ok := small(file, name, maxCompanion)
		if !ok {
			return nil, nil, false
		}
		changed[name] = content
	}
	for name := range before { // sorted below
		if _, is := now[name]; !is {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	return changed, gone, size <= maxCompanions && len(now) < maxMatches
}

// companions returns the names of the companions of a file, in the order of what they
// may match.
func companions(a core.Adapter, path, file string) []string {
	c, ok := a.(core.SidecarWatcher)
	if !ok {
		return nil
	}
	_, patterns := c.Companions(path)
	var names []string
	for _, p := range patterns {
		names = append(names, matches(file, p)...)
	}
	return names
}

// matches returns the paths for which a pattern stands.
func matches(file, pattern string) []string {
	before, rest, ok := strings.Cut(pattern, "*")
	if !ok {
		return []string{pattern}
	}
	slash := strings.LastIndexByte(before, '/') + 1
	dir, prefix := before[:slash], before[slash:]
	suffix, below, folder := strings.Cut(rest, "/")
	if folder {
		below = "/" + below
	}
	if LeadsOut(file, beside(file, dir)) {
		return nil
	}
	entries, err := os.ReadDir(beside(file, dir)) // in the order of their names
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		n := e.Name()
		if len(n) >= len(prefix)+len(suffix) && strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			names = append(names, matches(file, dir+n+below)...)
		}
		if len(names) > maxMatches {
			return names[:maxMatches]
		}
	}
	return names
}

// beside returns the path of a file in the folder of another one; name has slashes.
func beside(file, name string) string {
	return filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
}

// stat looks at what lies beside a file. What a link leads to that leaves the folder of
// both is not there: it may be anything of the user's.
func stat(file, name string) (fs.FileInfo, error) {
	place := beside(file, name)
	if LeadsOut(file, place) {
		return nil, &fs.PathError{Op: "stat", Path: place, Err: fs.ErrNotExist}
	}
	return os.Stat(place)
}

// small reads a regular file beside another that is no larger than it should be.
func small(file, name string, limit int64) ([]byte, bool) {
	info, err := stat(file, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil, false
	}
	f, err := OpenRegular(beside(file, name))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, limit))
	return content, err == nil
}
