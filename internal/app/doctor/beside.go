package doctor

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/io/discover"
)

// Beside is a kind of files in a tool's folder that look like a store of sessions and are not
// read.
type Beside struct {
	What    string `json:"what"` // what they are; "" if that is not known
	Files   int    `json:"files"`
	Example string `json:"example"`
}

// neighbour is a kind of file in a tool's folder that is known to be no transcript, by a
// pattern of its name.
type neighbour struct {
	pattern string // of the file name
	what    string
}

// knownBeside returns stores of a tool that have nothing but what its transcripts have.
//
// The patterns are from recorded installations. A file that matches none and looks like
// a store is reported, since a tool may have moved its sessions there.
func knownBeside(t core.Tool) []neighbour {
	switch t { //nolint:exhaustive // of the others nothing is known
	case core.ClaudeCode:
		return []neighbour{{"history.jsonl", "prompts as they were typed, for recall"}}
	case core.Codex:
		return []neighbour{{"history.jsonl", "prompts as they were typed, for recall"}, {"session_index.jsonl", "an index of the sessions"}, {"*.sqlite", "indexes and logs"}}
	case core.Grok:
		return []neighbour{
			{"chat_history.jsonl", "the conversation as the model has it"},
			{"events.jsonl", "phases of turns"},
			{"rewind_points.jsonl", "files before prompts"},
			{"prompt_history.jsonl", "prompts as they were typed, for recall"},
			{"*.sqlite", "an index of the sessions"},
			{"unified.jsonl", "a log of the program"},
		}
	case core.Copilot:
		return []neighbour{{"session.db", "to-do lists"}}
	case core.Cursor:
		return []neighbour{{"ai-code-tracking.db", "what code was generated, as hashes"}}
	case core.Cline:
		return []neighbour{{"*.db", "indexes of the sessions, schedules and teams"}}
	}
	return nil
}

// isStore reports whether a file could be a store of sessions, by its name without the ending
// of a compression: lines of JSON, a database, or Protocol Buffers.
func isStore(name string) bool {
	return slices.Contains([]string{".jsonl", ".ndjson", ".db", ".sqlite", ".sqlite3", ".vscdb", ".pb"}, path.Ext(discover.Plain(name)))
}

// peek notes files that look like stores directly in a folder that is not entered because it
// can hold no transcripts. A folder that cannot be read is passed over.
func (s *Store) peek(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Type().IsRegular() && isStore(e.Name()) {
			s.besides = append(s.besides, filepath.Join(dir, e.Name()))
		}
	}
}

// sortBeside groups the noted files by what they are. Files below one of roots belong to
// another tool, which may share the folder, and are left out. Files of unknown kinds are
// counted as unclaimed: a tool may have moved its sessions there.
func (s *Store) sortBeside(roots []discover.Root) {
	for _, file := range s.besides {
		if source.IsBelow(roots, file) {
			continue
		}
		what := ""
		for _, known := range knownBeside(s.Tool) {
			if ok, _ := path.Match(known.pattern, filepath.Base(file)); ok {
				what = known.what
				break
			}
		}
		i := slices.IndexFunc(s.Beside, func(b Beside) bool { return b.What == what })
		if i < 0 {
			i = len(s.Beside)
			s.Beside = append(s.Beside, Beside{What: what, Example: file})
		}
		s.Beside[i].Files++
		if what == "" {
			s.Unclaimed++
		}
	}
	sort.SliceStable(s.Beside, func(i, j int) bool {
		x, y := &s.Beside[i], &s.Beside[j]
		return strings.Compare(x.What, y.What) < 0
	})
}

// sayBeside adds a finding for each kind of file beside the transcripts: known kinds are fine,
// unknown ones a note with advice.
func (r *Report) sayBeside(s *Store) {
	who := s.name()
	for _, b := range s.Beside {
		if b.What != "" {
			r.add("stores", OK, "", "%s: %d files beside the transcripts are not read: %s (%s)", who, b.Files, b.What, filepath.Base(b.Example))
			continue
		}
		advice := "look whether it is a transcript: 'memscribe parse --events FILE'"
		if ext := path.Ext(b.Example); ext != ".jsonl" && ext != ".ndjson" {
			advice = "nothing need be done: no adapter reads it; if sessions are only in there, a newer memscribe may"
		}
		r.add("stores", Note, advice, "%s: %d files are none that the adapter knows, such as %s", who, b.Files, b.Example)
	}
}

// name returns the name of a store in findings.
func (s *Store) name() string {
	if s.Tool == "" {
		return s.Folder
	}
	return string(s.Tool)
}
