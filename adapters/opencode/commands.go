package opencode

import "strings"

// template is a prompt that the client has for one of its own commands. A person
// types the command's name, and perhaps something more.
type template struct{ begins, before, after string }

// templates are those of the commands "init" and "review": how they begin, and
// what stands around what was typed. Nothing in a message says that it came
// of a command (recorded 1.18.33).
func templates() []template {
	return []template{
		{"Create or update `AGENTS.md` for this repository.", "\nUser-provided focus or constraints (honor these):\n", "\n## How to investigate"},          // recorded 1.18.33
		{"Please analyze this codebase and create an AGENTS.md file containing:", "\nIf there's already an AGENTS.md, improve it if it's located in ", ""}, // read in the programs of 1.2.4, 1.3.0
		{"You are a code reviewer. Your job is to review code changes and provide actionable feedback.", "\nInput: ", "\n"},                                // read in the program of 1.18.33
	}
}

// commanded is what a person typed behind the name of a command of the client's
// own; false says that a text is no prompt of one.
func commanded(text string) (typed string, ok bool) {
	for _, t := range templates() {
		if !strings.HasPrefix(text, t.begins) {
			continue
		}
		_, rest, found := strings.Cut(text, t.before)
		switch {
		case !found:
			return "", true
		case t.after == "": // the path of the folder ends the line
			_, rest, _ = strings.Cut(rest, "\n")
		default:
			rest, _, _ = strings.Cut(rest, t.after)
		}
		return strings.TrimSpace(rest), true
	}
	return "", false
}
