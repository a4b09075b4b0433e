// Package ignore decides which projects and paths a capture leaves out: the user's
// patterns, .memscribeignore files, and sessions for which the tool was told not to
// keep a record.
//
// Patterns are those of a .gitignore:
//
//	build        a name, at any depth
//	src/gen      a path, from the folder of the file on
//	*.log  a?c   "*" and "?" match within a name
//	a/**/b       "**" matches any number of folders
//	!keep.log    reverses an earlier pattern
//
// A folder that matches is left out with everything below it. An empty .memscribeignore leaves
// out its folder. In doubt, things are left out: a file that cannot be read, or a line that cannot
// be parsed, leaves out everything.
//
// What tools offer to keep no record, and what is read of it:
//
//	Claude Code   .claude/settings.json          {"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":"1"}}
//	Qwen Code     .qwen/settings.json            {"general":{"chatRecording":false}}
//
// The settings of the project, of each folder above it, and of the home folder count; one of
// them is enough.
//
// An example with two files. The last pattern that matches decides:
//
//	~/work/.memscribeignore        client-*            client-a and client-b are left out
//	                               !client-a           client-a is not
//	~/work/secret/.memscribeignore (empty)             everything below secret is left out
package ignore

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/smallfile"
)

// FileName is the name of the ignore files of projects.
const FileName = ".memscribeignore"

// maxFile is the size of the largest ignore file or settings file that is read, in bytes.
const maxFile = 1 << 20

// Rules decide what is left out. Each file is read once, so an answer never changes. They must be
// used by one goroutine at a time.
type Rules struct {
	home    string
	own     patterns               // the user's
	folders map[string]patterns    // by folder: the patterns of its file
	free    map[string]bool        // folders without an ignore file in them or above
	asked   map[core.Tool]switches // by folder: whether a tool keeps no record
}

// switches has for each folder whether its settings turn off recording.
type switches map[string]bool

// New returns rules with the user's patterns, in which ~/ is the home folder. An error names the
// pattern that cannot be used.
func New(home string, own []string) (*Rules, error) {
	r := &Rules{home: home, folders: map[string]patterns{}, free: map[string]bool{}, asked: map[core.Tool]switches{}}
	for _, text := range own {
		full := text
		if rest, ok := strings.CutPrefix(text, "~/"); ok && home != "" {
			full = filepath.ToSlash(home) + "/" + rest
		}
		p, ok := parse(full)
		if !ok {
			return nil, &PatternError{text}
		}
		r.own = append(r.own, p)
	}
	return r, nil
}

// PatternError says that a pattern cannot be used.
type PatternError struct{ Pattern string }

// Error shows the pattern.
func (e *PatternError) Error() string {
	return "read pattern " + strconv.Quote(e.Pattern) + ": it matches nothing, or a bracket is open"
}

// Path reports whether a file or folder is left out by the user's patterns or an ignore file.
func (r *Rules) Path(name string) bool {
	name = clean(name)
	if name == "" {
		return false
	}
	if out, said := r.own.match(strings.Trim(name, "/")); said && out {
		return true
	}
	above := path.Dir(name)
	if r.free[above] {
		return false
	}
	free := above != name
	for dir := name; ; {
		parent := path.Dir(dir)
		if parent == dir || parent == "." {
			if free {
				r.free[above] = true
			}
			return false
		}
		dir = parent
		p := r.folder(dir)
		free = free && len(p) == 0
		if out, said := p.match(strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")); said {
			return out
		}
	}
}

// Project reports whether a tool's sessions in a folder are left out.
func (r *Rules) Project(tool core.Tool, dir string) bool {
	if dir = clean(dir); dir == "" {
		return false
	}
	for at := dir; ; at = path.Dir(at) {
		if p := r.folder(at); len(p) > 0 && p[0].all || r.keepsNone(tool, at) {
			return true
		}
		if path.Dir(at) == at || path.Dir(at) == "." {
			break
		}
	}
	return r.keepsNone(tool, clean(r.home)) || r.Path(dir)
}

// clean returns an absolute path with slashes and without "..", or "" for a relative path.
func clean(name string) string {
	name = filepath.ToSlash(name)
	if name == "" || !path.IsAbs(name) && !strings.Contains(name, ":/") {
		return ""
	}
	return path.Clean(name)
}

// folder returns the patterns of the ignore file in a folder.
func (r *Rules) folder(dir string) patterns {
	p, known := r.folders[dir]
	if known {
		return p
	}
	data, err := smallfile.Read(filepath.Join(filepath.FromSlash(dir), FileName), maxFile)
	switch {
	case err == nil:
		p = parseFile(data)
	case errors.Is(err, smallfile.ErrIrregular), errors.Is(err, smallfile.ErrSize):
		p = patterns{{all: true}} // it cannot be read
	}
	r.folders[dir] = p
	return p
}

// parseFile parses a .memscribeignore. A file without patterns means everything, and so does, to be
// safe, a line that cannot be parsed.
func parseFile(data []byte) patterns {
	var all patterns
	for line := range strings.Lines(string(bytes.TrimPrefix(data, []byte("\ufeff")))) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		p, ok := parse(line)
		if !ok {
			p = pattern{all: true}
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		all = patterns{{all: true}}
	}
	if i := slices.IndexFunc(all, func(p pattern) bool { return p.all }); i > 0 {
		all = slices.Insert(slices.Delete(all, i, i+1), 0, pattern{all: true})
	}
	return all
}

// keepsNone reports whether the settings of a folder tell a tool not to record its sessions.
func (r *Rules) keepsNone(tool core.Tool, dir string) bool {
	asked := r.asked[tool]
	if asked == nil {
		asked = switches{}
		r.asked[tool] = asked
	}
	off, known := asked[dir]
	if !known {
		off = isSwitchedOff(tool, filepath.FromSlash(dir))
		asked[dir] = off
	}
	return off
}

// isSwitchedOff reports whether a tool's settings in one folder turn off recording. Settings that
// cannot be read do not.
func isSwitchedOff(tool core.Tool, dir string) bool {
	var s struct {
		Env     map[string]any `json:"env"`
		General struct {
			ChatRecording *bool `json:"chatRecording"`
		} `json:"general"`
	}
	read := func(names ...string) bool {
		data, err := smallfile.Read(filepath.Join(append([]string{dir}, names...)...), maxFile)
		return err == nil && json.Unmarshal(data, &s) == nil
	}
	off := false
	switch tool { //nolint:exhaustive // the others have no such switch
	case core.ClaudeCode:
		for _, name := range []string{"settings.json", "settings.local.json"} {
			if read(".claude", name) && s.Env["CLAUDE_CODE_SKIP_PROMPT_HISTORY"] != nil {
				off = isTrue(s.Env["CLAUDE_CODE_SKIP_PROMPT_HISTORY"])
			}
		}
	case core.Qwen:
		off = read(".qwen", "settings.json") && s.General.ChatRecording != nil && !*s.General.ChatRecording
	}
	return off
}

// isTrue reports whether a value is true, as the tool reads its variable.
func isTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v == 1
	case string:
		return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(v)))
	default:
		return false
	}
}
