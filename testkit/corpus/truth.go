package corpus

// Truth is what the script of a recording knows about it.
type Truth struct {
	Repo       string   // the work tree
	Prompts    []Prompt // what was typed, in order
	TurnStarts []string `json:"turn_starts"` // how the prompts began of which the model saw a turn begin
	Edits      []Edit   // in the order of the script
	ToolCalls  []Call   `json:"tool_calls"`
	Unresolved []Call   `json:"tool_calls_unresolved"` // calls that never got a result
	Failures   int      `json:"tool_failures"`
	Compaction int      `json:"compactions"`
	Runs       []Run
}

// Prompt is something that a person typed.
type Prompt struct{ Text string }

// Edit is a scripted change of one file.
type Edit struct {
	Path     string // relative to the work tree
	Op       string
	Tool     string
	Turn     int    // which prompt it belongs to
	CallID   string `json:"call_id"`
	Applied  bool   // the file changed and the client reported success
	Shell    bool   // a shell command did it
	Subagent bool
}

// Call is a tool call.
type Call struct {
	ID      string
	Tool    string
	Op      string
	Turn    int
	IsError bool `json:"is_error"`
}

// Run is one process of the client.
type Run struct {
	Mode    string // new, resume, continue, fork, resume_at, stream, appserver, tui
	Session string `json:"session_id"`
}

// Owed lists the edits for each of which an episode is owed.
func (t *Truth) Owed() []Edit {
	var owed []Edit
	for _, e := range t.Edits {
		if e.Applied && !e.Shell {
			owed = append(owed, e)
		}
	}
	return owed
}
