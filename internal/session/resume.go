package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/talks"
)

// ErrResume says that the tool of a session has no command that resumes it.
var ErrResume = errors.New("no command to go on with it")

// Resume returns the command with which a session's tool resumes it, as arguments, to be run in
// the folder of its project. If the tool has none, or the id is not safe on a command line, the
// error is an [ErrResume].
func Resume(t talks.Talk) ([]string, error) {
	begin := map[core.Tool][]string{
		core.ClaudeCode: {"claude", "--resume"},
		core.Codex:      {"codex", "resume"},
		core.Gemini:     {"gemini", "--resume"},
		core.Qwen:       {"qwen", "--resume"},
		core.Copilot:    {"copilot", "--resume"},
		core.OpenCode:   {"opencode", "--session"},
		core.Kilo:       {"kilo", "--session"},
		core.Kimi:       {"kimi", "--session"},
		core.Hermes:     {"hermes", "--resume"},
		core.Grok:       {"grok", "--resume"},
		core.Goose:      {"goose", "session", "--resume", "--session-id"},
		core.Pi:         {"pi", "--session"},
		core.Amp:        {"amp", "threads", "continue"},
		core.Auggie:     {"auggie", "--resume"},
	}[t.Source]
	if begin == nil {
		return nil, fmt.Errorf("session %s: %w: %s has none that takes a session", t.Session, ErrResume, t.Source)
	}
	if !plainID(t.Session) {
		return nil, fmt.Errorf("session %s: %w: its id is none that a command line should be given", t.Session, ErrResume)
	}
	return append(begin, t.Session), nil
}

// plainID reports whether an id begins with a letter or digit and holds only those and -, _
// and . : an id comes from a transcript, and must be neither a flag nor shell syntax.
func plainID(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return id != "" && strings.ContainsRune(letters, rune(id[0])) && strings.Trim(id, letters+"-_.") == ""
}
