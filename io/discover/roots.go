// Package discover finds transcripts on a machine: the folders of the tools, and the
// files below a folder.
//
//	adapters' Places ── Roots(env) ──▶ Root{Adapter, Dir, patterns}
//	                                      │
//	                              Walk.Files(Dir)      no file twice, links only within the roots
//	                                      │ Holds(rel)
//	                                      ▼
//	                                    File ── Info ──▶ core.StreamInfo with its sidecars
//
// A Root need not exist: the tool may not be installed yet, and watch waits for the folder. The
// environment comes from [Env], so a test, or a command with --home, has its own.
//
// Nothing here decides which tool a file belongs to. Its content does, in package adapters; the
// folder only breaks ties. Sidecars are bounded: 256 KiB for a small file, 16 MiB for a
// companion, 32 MiB for all companions of a transcript.
//
// Patterns are relative to a root: "*" matches within a name, "**" any number of folders.
//
//	root      ~/.claude
//	pattern   projects/*/*.jsonl
//	holds     projects/-home-me-app/0c1f.jsonl, and 0c1f.jsonl.zst beside it
//	not       projects/-home-me-app/subdir/0c1f.jsonl, projects/notes.txt
//
// If a variable such as CLAUDE_CONFIG_DIR is set, it replaces the default folder. With another
// home folder (--home) the variables of this user do not count.
//
// Where to find what: roots.go has the folders of the tools, walk.go the walk through them,
// sidecars.go the files beside a transcript, stamp.go what a file is known by.
package discover

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Env is the part of a machine that determines where tools keep their files.
type Env struct {
	OS   string // as in GOOS
	Home string // the user's home folder
	// Getenv returns an environment variable, "" if it is not set. It is nil if Home is not the
	// home of the user who runs the program, since the variables do not belong to it.
	Getenv func(string) string
}

// Root is a folder in which a tool keeps transcripts. It need not exist.
type Root struct {
	Adapter  core.Adapter
	Dir      string
	patterns [][]string // each a list of path segments
}

// Everything returns a Root without an Adapter: any file below it may be a transcript of any tool.
func Everything(dir string) Root { return Root{Dir: dir, patterns: [][]string{{"**"}}} }

// Below returns a Root of a tool for a pattern with slashes that begins with the path of a folder.
func Below(a core.Adapter, pattern string) Root {
	segments := strings.Split(filepath.ToSlash(pattern), "/")
	fixed := 0
	for fixed < len(segments)-1 && !strings.ContainsAny(segments[fixed], "*?[") {
		fixed++
	}
	dir := strings.Join(segments[:fixed], "/")
	if dir == "" {
		dir = "/"
	}
	return Root{Adapter: a, Dir: filepath.FromSlash(dir), patterns: [][]string{segments[fixed:]}}
}

// Named returns a Root of one transcript, and of those in the folder with its name beside it, in
// which a tool keeps the transcripts of the session's subagents.
func Named(path string) Root {
	dir, name := filepath.Split(path)
	name = Plain(name)
	beside := strings.TrimSuffix(name, filepath.Ext(name))
	return Root{Dir: filepath.Clean(dir), patterns: [][]string{{literal(name)}, {literal(beside), "**"}}}
}

// Include returns roots with another one. If r has no Adapter, as the result of [Named], its
// patterns are added to a root of the same folder.
func Include(roots []Root, r Root) []Root {
	for i := range roots {
		if roots[i].Dir == r.Dir && roots[i].Adapter == nil && r.Adapter == nil {
			roots[i].patterns = append(slices.Clip(roots[i].patterns), r.patterns...)
			return roots
		}
	}
	return append(roots, r)
}

// literal returns a pattern segment that matches a name only.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// Roots returns the folders of the adapters' tools, in the order of the adapters. Two places with
// the same folder give one Root.
func Roots(adapters []core.Adapter, env Env) []Root {
	var roots []Root
	for _, a := range adapters {
		from := len(roots)
		for _, place := range a.Places() {
			dir, file, ok := env.base(place.Roots)
			if !ok {
				continue
			}
			patterns := place.Patterns
			if file != "" {
				if !filepath.IsAbs(dir) && len(roots) > from {
					dir = filepath.Join(roots[from].Dir, dir)
				}
				patterns = []string{literal(file)}
			}
			i := from
			for i < len(roots) && roots[i].Dir != dir {
				i++
			}
			if i == len(roots) {
				roots = append(roots, Root{Adapter: a, Dir: dir})
			}
			for _, p := range patterns {
				roots[i].patterns = append(roots[i].patterns, strings.Split(p, "/"))
			}
		}
	}
	return roots
}

// base returns the folder of the first candidate that applies in this environment, and the name of
// a file in it if the candidate is a file.
func (env Env) base(candidates []core.Root) (dir, file string, ok bool) {
	for _, r := range candidates {
		if r.OS != "" && r.OS != env.OS {
			continue
		}
		base := env.Home
		if r.Env != "" {
			base = env.variable(r.Env)
		}
		switch {
		case base == "" || r.IsFile && base == ":memory:":
		case r.IsFile:
			return filepath.Dir(base), filepath.Base(base), true
		default:
			return filepath.Join(base, filepath.FromSlash(r.Path)), "", true
		}
	}
	return "", "", false
}

// variable returns a variable. If the environment of the home folder is not known, it returns the
// default of the variable.
func (env Env) variable(name string) string {
	switch {
	case env.Getenv != nil:
		return env.Getenv(name)
	case env.OS != "windows" || env.Home == "":
		return ""
	}
	switch name {
	case "APPDATA":
		return filepath.Join(env.Home, "AppData", "Roaming")
	case "LOCALAPPDATA":
		return filepath.Join(env.Home, "AppData", "Local")
	case "USERPROFILE":
		return env.Home
	default:
		return ""
	}
}

// Holds reports whether a tool puts a transcript at rel, a path with slashes below the root. The
// file may be compressed.
func (r Root) Holds(rel string) bool {
	segments := strings.Split(Plain(rel), "/")
	for _, p := range r.patterns {
		if match(p, segments, false) {
			return true
		}
	}
	return false
}

// Enter reports whether a transcript can be below the folder rel; "." is the root itself.
func (r Root) Enter(rel string) bool {
	if rel == "." {
		return true
	}
	segments := strings.Split(rel, "/")
	for _, p := range r.patterns {
		if match(p, segments, true) {
			return true
		}
	}
	return false
}

// Plain returns a path without the extension of a compressed file or an archive. It knows formats
// that are not read, too, so that such a transcript is reported and not skipped.
func Plain(name string) string {
	for _, suffix := range []string{".tar.gz", ".tar.zst", ".tgz", ".tar", ".zip", ".gz", ".zst", ".xz", ".bz2", ".7z", ".rar", ".lz4"} {
		if s, ok := strings.CutSuffix(name, suffix); ok {
			return s
		}
	}
	return name
}

// match reports whether segments match a pattern; with prefix, whether they are the beginning of a
// match. It backtracks to the last "**" only, which is sufficient.
func match(pattern, segments []string, prefix bool) bool {
	p, s := 0, 0
	starP, starS := -1, 0
	for s < len(segments) {
		if p < len(pattern) {
			if pattern[p] == "**" {
				starP, starS = p, s
				p++
				continue
			}
			if ok, err := path.Match(pattern[p], segments[s]); ok && err == nil {
				p++
				s++
				continue
			}
		}
		if starP < 0 {
			return false
		}
		starS++
		p, s = starP+1, starS
	}
	if prefix {
		return p < len(pattern) || starP >= 0
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}
