package corpus

import (
	"bytes"
	"fmt"
	"strings"
)

// Truth is what the script of a recording knows about it.
type Truth struct {
	Repo    string   // the work tree
	Prompts []Prompt // what was typed, in order
	// how the prompts began that the model saw begin a turn
	TurnStarts []string `json:"turn_starts"`
	Edits      []Edit   // in the order of the script
	ToolCalls  []Call   `json:"tool_calls"`
	Unresolved []Call   `json:"tool_calls_unresolved"` // calls that never got a result
	Failures   int      `json:"tool_failures"`
	Compaction int      `json:"compactions"`
	Rewound    int      `json:"rewinds"`
	Runs       []Run
	Actions    []Action          // of the second script
	Stores     map[string]string // what servers of memories keep in the end, by "server/file"
}

// Prompt is something that a person typed.
type Prompt struct{ Text string }

// Edit is a scripted change of one file.
type Edit struct {
	Path     string // relative to the work tree
	Op       string
	Tool     string
	Turn     Turn
	CallID   string `json:"call_id"`
	Applied  bool   // the file changed and the client reported success
	Shell    bool   // a shell command did it
	Subagent bool
	// After is what a shell command left of the file; Gone says that it is no more.
	// Where neither is said, no one looked.
	After *string
	Gone  bool
}

// Call is a tool call.
type Call struct {
	ID      string
	Tool    string
	Op      string
	Turn    Turn
	IsError bool `json:"is_error"`
	// Subagent says that one made the call; truths of the first two scripts do not say it.
	Subagent bool
}

// Run is one process of the client.
type Run struct {
	Mode    string // new, resume, continue, fork, resume_at, stream, appserver, tui
	Session string `json:"session_id"`
}

// Action is what the second script did: a turn, a compact or a revert.
type Action struct {
	Type    string
	Skipped string // why it was not done: the client has no way to
}

// Turn is the number of the prompt to which something belongs, from 0 on.
type Turn int

// UnmarshalJSON reads 3, and the second script's "T3" and "T3/sub".
func (t *Turn) UnmarshalJSON(b []byte) error {
	name, _, _ := strings.Cut(strings.Trim(string(b), `"`), "/")
	n, err := fmt.Sscanf(strings.TrimPrefix(name, "T"), "%d", (*int)(t))
	if n != 1 && !bytes.Equal(b, []byte("null")) {
		return fmt.Errorf("read turn %s: %w", b, err)
	}
	return nil
}

// Second reports whether the second script drove the client. It has names for
// its scenarios that the first one has too, and says other things in them.
func (t *Truth) Second() bool { return len(t.Actions) > 0 }

// Compactions counts the compactions that the script asked for or saw.
func (t *Truth) Compactions() int { return t.Compaction + t.actions("compact") }

// Rewinds counts the rewinds that the script brought about.
func (t *Truth) Rewinds() int { return t.Rewound + t.actions("revert") }

// actions counts the actions of a kind that were really done.
func (t *Truth) actions(kind string) int {
	n := 0
	for _, a := range t.Actions {
		if a.Type == kind && a.Skipped == "" {
			n++
		}
	}
	return n
}

// Owed lists the edits that are each owed an episode.
func (t *Truth) Owed() []Edit {
	var owed []Edit
	for _, e := range t.Edits {
		if e.Applied && !e.Shell {
			owed = append(owed, e)
		}
	}
	return owed
}

// Looked reports whether it is known what a shell command left of a file.
func (e *Edit) Looked() bool { return e.Shell && (e.Gone || e.After != nil) }
