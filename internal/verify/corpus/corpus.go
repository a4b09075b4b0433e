// Package corpus finds recorded sessions and reads their ground truth.
//
// A corpus is a folder of this form:
//
//	<tool>/<version>/<scenario>/
//	    home/…         the transcripts, as they lie in the tool's home
//	    truth.json     what the script of the recording knows (optional)
//	    repo.diff      what git says became of the work tree (optional)
//
// A scenario may have a variant behind a plus or a minus: happy_path+codemode. A database is
// kept as the SQL statements that make it, in a file that ends in [Dump].
package corpus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Case is one recorded scenario.
type Case struct {
	Tool     core.Tool
	Version  string
	Scenario string // with its variant, as "happy_path+codemode"
	Files    []File // sorted by name
	Truth    *Truth // nil where nothing is known
	// FinalDiff is what git says that the session did to the work tree.
	FinalDiff string
}

// File is one transcript of a case.
type File struct {
	Path string // where it is
	Name string // where it is in the corpus, slash-separated: the same on every machine
}

// Name is "tool/version/scenario".
func (c *Case) Name() string { return path.Join(string(c.Tool), c.Version, c.Scenario) }

// Base returns the scenario without its variant.
func (c *Case) Base() string {
	if i := strings.IndexAny(c.Scenario, "+-"); i >= 0 {
		return c.Scenario[:i]
	}
	return c.Scenario
}

// Before reports whether the version of a case's client is older than another: by
// their numbers, from the first on.
func (c *Case) Before(version string) bool {
	have, other := strings.Split(c.Version, "."), strings.Split(version, ".")
	for i := range min(len(have), len(other)) {
		a, err := strconv.Atoi(have[i])
		b, again := strconv.Atoi(other[i])
		if err != nil || again != nil || a != b {
			return err == nil && again == nil && a < b
		}
	}
	return len(have) < len(other)
}

// Load reads the corpus below root, but for the given tools only (all, if none
// is named), sorted by name. A root that is not there is an error that is
// [fs.ErrNotExist].
func Load(root string, tools ...core.Tool) ([]*Case, error) {
	if _, err := os.Stat(root); err != nil {
		return nil, fmt.Errorf("load corpus: %w", err)
	}
	dirs, err := fs.Glob(os.DirFS(root), "*/*/*")
	if err != nil {
		return nil, fmt.Errorf("load corpus: %w", err)
	}
	var cases []*Case
	for _, dir := range dirs {
		tool, rest, _ := strings.Cut(dir, "/")
		version, scenario, _ := strings.Cut(rest, "/")
		if len(tools) > 0 && !slices.Contains(tools, core.Tool(tool)) {
			continue
		}
		c := &Case{Tool: core.Tool(tool), Version: version, Scenario: scenario}
		if err := c.load(root, dir); err != nil {
			return nil, fmt.Errorf("load %s: %w", dir, err)
		}
		if len(c.Files) > 0 {
			cases = append(cases, c)
		}
	}
	slices.SortFunc(cases, func(a, b *Case) int { return cmp.Compare(a.Name(), b.Name()) })
	return cases, nil
}

// load reads the files of a recorded session.
func (c *Case) load(root, dir string) error {
	full := filepath.Join(root, filepath.FromSlash(dir))
	err := filepath.WalkDir(full, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, at)
		if name := filepath.ToSlash(rel); err == nil && IsTranscript(c.Tool, strings.TrimPrefix(name, dir+"/")) {
			c.Files = append(c.Files, File{Path: at, Name: name})
		}
		return err
	})
	if err != nil {
		return err
	}
	if c.Truth, err = readTruth(filepath.Join(full, "truth.json")); err != nil {
		return err
	}
	diff, err := os.ReadFile(filepath.Join(full, "repo.diff"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.FinalDiff = string(diff)
	return nil
}

// readTruth reads the ground truth; nil if there is none.
func readTruth(file string) (*Truth, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t := new(Truth)
	if err := json.Unmarshal(b, t); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(file), err)
	}
	return t, nil
}

// Dump ends the name of a database that is kept as the statements which make it.
const Dump = ".sql"

// IsTranscript reports whether a file of a case is one of its tool's
// transcripts, by its slash-separated path in the case.
func IsTranscript(tool core.Tool, name string) bool {
	if !strings.HasPrefix(name, "home/") {
		return false
	}
	lines := strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.zst")
	switch tool {
	case core.ClaudeCode:
		return lines && strings.Contains(name, "/projects/")
	case core.Codex:
		return lines && strings.Contains(name, "sessions/")
	case core.Gemini:
		return (lines || strings.HasSuffix(name, ".json")) && strings.Contains(name, "/chats/")
	case core.Qwen:
		return lines && (strings.Contains(name, "/chats/") || strings.Contains(name, "/subagents/"))
	case core.VSCode:
		return (lines || strings.HasSuffix(name, ".json")) && (strings.Contains(name, "/chatSessions/") ||
			strings.Contains(name, "/emptyWindowChatSessions/") || strings.Contains(name, "/GitHub.copilot-chat/transcripts/"))
	case core.Copilot:
		return lines && strings.Contains(name, "/session-state/")
	case core.Cline:
		return strings.HasSuffix(name, "/api_conversation_history.json") || strings.HasSuffix(name, ".messages.json")
	case core.Continue:
		return strings.HasSuffix(name, ".json") && strings.Contains(name, "/.continue/sessions/") && path.Base(name) != "sessions.json"
	case core.Pi:
		return lines && strings.Contains(name, "/agent/sessions/")
	case core.Kimi:
		return lines && (strings.Contains(name, "/.kimi-code/sessions/") || strings.Contains(name, "/.kimi/sessions/")) && path.Base(name) == "wire.jsonl"
	case core.Grok:
		return lines && strings.Contains(name, "/.grok/sessions/") && path.Base(name) == "updates.jsonl"
	case core.OpenHands:
		return path.Base(name) == "base_state.json" && strings.Contains(name, "/.openhands/conversations/")
	case core.Vibe:
		return path.Base(name) == "messages.jsonl" && strings.Contains(name, "/.vibe/logs/session/") ||
			path.Base(name) == "meta.json" && strings.Contains(name, "/.vibe/logs/session/unified/")
	case core.Hermes:
		return path.Base(strings.TrimSuffix(name, Dump)) == "state.db" && strings.Contains(name, "/.hermes/")
	case core.OpenCode, core.Kilo:
		return strings.HasSuffix(strings.TrimSuffix(name, Dump), "/"+string(tool)+".db") ||
			strings.HasSuffix(name, ".json") && strings.Contains(name, "/storage/session/") && strings.HasPrefix(path.Base(name), "ses_")
	default:
		return false
	}
}
