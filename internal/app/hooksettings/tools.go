package hooksettings

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/io/hookconfig"
)

// Hooked is a tool that has hooks: where its user keeps them, on which events ours run, and
// their form. The forms are those of docs/hooks.md. events are those that are captured;
// answered are those to which the tool takes an answer, which are only used with recall.
type Hooked struct {
	Tool     core.Tool
	env      string // variable that names the folder instead
	Folder   string // below the home folder, slash-separated
	File     string // in that folder
	empty    string // what a new file begins with
	events   []string
	entry    func(command, matcher string) any // an element of an event's list
	answered []answered                        // what the tool can be answered to
	note     string                            // what is left to the user
}

// answered is an event to which a tool takes an answer for the model.
type answered struct {
	event   string
	matcher string // of the calls that are meant; "" is all
}

// command is a hook that is run.
type command struct {
	Type       string `json:"type,omitempty"`
	Command    string `json:"command,omitempty"`
	Bash       string `json:"bash,omitempty"`
	PowerShell string `json:"powershell,omitempty"`
	Timeout    int    `json:"timeout,omitempty"`
	TimeoutSec int    `json:"timeoutSec,omitempty"`
}

// group is a list of hooks, as Claude Code and those that follow it have them.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []command `json:"hooks"`
}

// timeout is how long a tool should wait for a hook, in seconds. A hook takes some
// milliseconds; the rest is for a machine under load.
const timeout = 10

// inGroup returns a hook in the form of Claude Code: a matcher with a list of
// commands, timeout in seconds.
func inGroup(c, matcher string) any {
	return group{matcher, []command{{Type: "command", Command: c, Timeout: timeout}}}
}

// inGroupMillis is inGroup with the timeout in milliseconds, as Gemini and Qwen want
// it.
func inGroupMillis(c, matcher string) any {
	return group{matcher, []command{{Type: "command", Command: c, Timeout: timeout * 1000}}}
}

// bare returns a hook that is a command alone.
func bare(c, _ string) any { return command{Command: c} }

// Tools returns those that have hooks.
func Tools() []Hooked {
	return []Hooked{
		{
			Tool: core.ClaudeCode, env: "CLAUDE_CONFIG_DIR", Folder: ".claude", File: "settings.json", entry: inGroup,
			events:   []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStop", "Stop", "SessionEnd"},
			answered: []answered{{"SessionStart", ""}, {"PreToolUse", "Edit|Write|MultiEdit|NotebookEdit"}},
		},
		{
			Tool: core.Codex, env: "CODEX_HOME", Folder: ".codex", File: "hooks.json", entry: inGroup,
			events:   []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStop", "Stop"},
			answered: []answered{{"SessionStart", ""}, {"PreToolUse", "apply_patch|Edit|Write"}},
			note:     "Codex runs a hook only after you have trusted it: it asks when it starts",
		},
		{
			Tool: core.Gemini, Folder: ".gemini", File: "settings.json", entry: inGroupMillis,
			events:   []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
			answered: []answered{{"SessionStart", ""}, {"BeforeAgent", ""}, {"AfterTool", ""}, {"PreCompress", ""}},
		},
		{
			Tool: core.Qwen, Folder: ".qwen", File: "settings.json", entry: inGroupMillis,
			events:   []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStop", "Stop", "SessionEnd"},
			answered: []answered{{"SessionStart", ""}, {"PreToolUse", "edit|write_file"}},
		},
		{
			Tool: core.Cursor, Folder: ".cursor", File: "hooks.json", empty: "{\n  \"version\": 1\n}\n", entry: bare,
			// older builds know six events, and may refuse others
			events:   []string{"beforeSubmitPrompt", "afterFileEdit", "stop"},
			answered: []answered{{"sessionStart", ""}},
		},
		{
			Tool: core.Copilot, env: "COPILOT_HOME", Folder: ".copilot", File: "hooks/memscribe.json", empty: "{\n  \"version\": 1\n}\n",
			entry: func(c, _ string) any {
				// PowerShell runs no quoted path without &
				return command{Type: "command", Bash: c, PowerShell: "& " + c, TimeoutSec: timeout}
			},
			events:   []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"},
			answered: []answered{{"SessionStart", ""}, {"PreToolUse", ""}},
		},
		{
			Tool: core.Windsurf, Folder: ".codeium/windsurf", File: "hooks.json", entry: bare,
			events: []string{"pre_user_prompt", "post_write_code", "post_run_command", "post_mcp_tool_use", "post_cascade_response"},
		},
	}
}

// path returns the tool's file of hooks, and the folder whose existence tells that the tool is
// used. home is the home folder; "" is the user's, and then the tool's variable counts first.
func (h Hooked) path(e host.Machine, home string) (file, folder string, err error) {
	if h.env != "" && home == "" {
		folder = e.Getenv(h.env)
	}
	if folder == "" {
		if home == "" {
			if home, err = e.Home(); err != nil {
				return "", "", err
			}
		}
		folder = filepath.Join(home, filepath.FromSlash(h.Folder))
	}
	return filepath.Join(folder, filepath.FromSlash(h.File)), folder, nil
}

// mark returns what only the commands of our hooks have in them.
func (h Hooked) mark() string { return " hook --tool " + string(h.Tool) }

// command returns what the tool is to run; "" is no state folder of one's own.
func (h Hooked) command(program, state string) string {
	c := quoted(program) + h.mark()
	if state != "" {
		c += " --state-dir " + quoted(state)
	}
	return c
}

// quoted returns a path as a shell takes it for one word.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'\"") {
		return `"` + strings.ReplaceAll(path, `"`, `\"`) + `"`
	}
	return path
}

// Entries returns what is put into the settings, for a program and a state folder; with
// recall, hooks that answer too.
func (h Hooked) Entries(program, state string, recall bool) ([]hookconfig.Entry, error) {
	var all []hookconfig.Entry
	add := func(event, flags, matcher string) error {
		text, err := json.Marshal(h.entry(h.command(program, state)+flags, matcher))
		if err != nil {
			return fmt.Errorf("write entry: %w", err)
		}
		all = append(all, hookconfig.Entry{Event: event, JSON: string(text)})
		return nil
	}
	for _, event := range h.events {
		flags := ""
		if recall && slices.ContainsFunc(h.answered, func(a answered) bool { return a.event == event }) {
			flags = recallFlag
		}
		if err := add(event, flags, ""); err != nil {
			return nil, err
		}
	}
	for _, a := range h.answered {
		if recall && !slices.Contains(h.events, a.event) {
			if err := add(a.event, recallFlag, a.matcher); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// recallFlag is what a hook has that answers.
const recallFlag = " --recall"
