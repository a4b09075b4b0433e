package prose

import "strings"

// isInjected recognises turns that are wholly a tool's: skill and memory files,
// summaries, hook output, other agents' messages. Evidence: Claude Code 1.0-2.1
// and Codex 0.47-0.169, recorded; the rest, those of Cursor among them, seen in the wild.
func isInjected(text string) bool {
	s := strings.TrimLeft(text[:min(len(text), 400)], " \t\r\n")
	for _, head := range [...]string{
		"Caveat: The messages below were generated",
		"This session is being continued from a previous conversation",
		"Base directory for this skill:",
		"# AGENTS.md instructions for",
		"[Request interrupted by user",
		"[SUGGESTION MODE:",
		"Another language model started to solve this problem",
		"Stop hook feedback:",
		"Your task is to create a detailed summary of the conversation",
		"You are performing a CONTEXT CHECKPOINT COMPACTION",
		"This is the Gemini CLI. We are setting up the context",
		"Perform any necessary follow-up actions in response to the subagent completion above",
		"Briefly inform the user about the task result and perform any follow-up actions",
	} {
		if strings.HasPrefix(s, head) {
			return true
		}
	}
	return strings.HasPrefix(s, "---\nname:") || strings.HasPrefix(s, "---\ndescription:")
}

// requestAfterContext is where the person's words begin in a turn in which an
// editor put its context first, or 0. Evidence: Codex IDE extension and app,
// seen in the wild.
func requestAfterContext(text string) int {
	if !strings.HasPrefix(text, "# ") {
		return 0
	}
	const mark = "## My request for Codex:"
	if at := strings.LastIndex(text, mark); at >= 0 {
		return at + len(mark)
	}
	return 0
}

// isTemplate recognises the lines of prompts that an editor composed around what
// it was asked to fix. Evidence: VS Code Copilot chat, seen in the wild.
func isTemplate(s string) bool {
	return strings.HasPrefix(s, "How can I resolve this? If you propose a fix, please make it concise.") ||
		strings.HasPrefix(s, "For the code present, we get this error:")
}

// documentStart is where a document begins that was pasted whole under an
// introducing line, or -1: from there on it is long and has its own headings.
func documentStart(text string, from int) int {
	const long = 1200
	if len(text)-from < long {
		return -1
	}
	first, headings := -1, 0
	for at := from; at < len(text); {
		if text[at] == '#' && heading(text[at:]) {
			if first < 0 {
				first = at
			}
			headings++
		}
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	if headings < 3 || len(text)-first < long || strings.TrimSpace(text[from:first]) == "" {
		return -1
	}
	return first
}

// heading reports whether s begins with a Markdown heading.
func heading(s string) bool {
	n := 0
	for n < len(s) && n < 5 && s[n] == '#' {
		n++
	}
	return n < len(s) && s[n] == ' '
}
