// Package ignore decides which projects and paths a capture leaves out: the user's
// patterns, .memscribeignore files, and sessions for which the tool was told not to
// keep a record.
//
// A pattern is written as in a .gitignore: a name matches at any depth, one with
// a slash from the folder of its file on, "*" and "?" match within a name, "**"
// any number of folders, "!" takes back what an earlier pattern says. A folder
// that matches is left out with everything below. An empty .memscribeignore
// leaves out the folder that it lies in.
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

// FileName is the name of the files in which a project says what is left out.
const FileName = ".memscribeignore"

// maxFile bounds the files in which projects and tools say what is left out.
const maxFile = 1 << 20

// Rules say what is left out. They read each file once: their answers do not
// change. One goroutine at a time may use them.
type Rules struct {
	home    string
	own     patterns
	folders map[string]patterns    // by folder: what its file says
	free    map[string]bool        // folders in which, and above which, no file says anything
	asked   map[core.Tool]switches // by folder: whether a tool keeps no record
}

// switches remembers of each folder whether its settings switch the recording off.
type switches map[string]bool

// New returns rules with patterns of the user's. In those, ~/ is the home folder.
// The error names the pattern that cannot be used.
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

// Path reports whether a file or folder is left out by itself.
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

// clean returns an absolute path with slashes and without detours; "" for one that is not absolute.
func clean(name string) string {
	name = filepath.ToSlash(name)
	if name == "" || !path.IsAbs(name) && !strings.Contains(name, ":/") {
		return ""
	}
	return path.Clean(name)
}

// folder returns what the file in a folder says.
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
		p = patterns{{all: true}} // it says something that cannot be known
	}
	r.folders[dir] = p
	return p
}

// parseFile reads a .memscribeignore. One that says nothing means everything;
// so does, to be safe, a line that cannot be read.
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

// keepsNone reports whether the settings in a folder have a tool keep no record
// of its sessions.
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

// isSwitchedOff reports whether the tool's own settings of a project say not to record its sessions.
// Settings that cannot be read say nothing.
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

// isTrue reads a value of a variable as its tool does.
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
