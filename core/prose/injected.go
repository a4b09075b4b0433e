package prose

import (
	"strings"
	"unicode"
)

// isInjected reports whether a tool wrote the whole turn: skill and memory files, summaries,
// hook output, messages of other agents. Evidence: Claude Code 1.0-2.1 and Codex 0.47-0.169,
// recorded; Cursor and the rest, seen in the wild.
func isInjected(text string) bool {
	s := strings.TrimLeft(text[:min(len(text), 400)], " \t\r\n")
	for _, head := range [...]string{
		"Caveat: The messages below were generated",
		"This session is being continued from a previous conversation",
		"Base directory for this skill:",
		"# AGENTS.md instructions for",
		"[Request interrupted by user",
		"[SUGGESTION MODE:",
		"[[ ## ", // a field of a prompt that DSPy composes
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

// requestAfterContext returns the offset of the person's words in a turn that begins with an
// editor's context, or 0. Evidence: Codex IDE extension and app, seen in the wild.
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

// isTemplate reports whether a line belongs to a prompt that an editor composed for a fix.
// Evidence: VS Code Copilot chat, seen in the wild.
func isTemplate(s string) bool {
	return strings.HasPrefix(s, "How can I resolve this? If you propose a fix, please make it concise.") ||
		strings.HasPrefix(s, "For the code present, we get this error:") ||
		strings.HasPrefix(s, "To-do's from the plan have already been created.") ||
		strings.HasPrefix(s, "These to-dos have already been created. Do not create them again.")
}

// planHead returns the end of the request in a line that Cursor composed for carrying out a
// plan, or 0. The rest of the line and the to-dos below it are not the person's words.
// Evidence: Cursor, seen in the wild.
func planHead(line string) int {
	const rest = " Do NOT edit the plan file itself."
	if strings.HasPrefix(line, "Implement the ") {
		return max(0, strings.Index(line, rest))
	}
	return 0
}

// document returns the span of a document that is pasted whole, or an empty span. A document is
// long and has headings of its own, of one of three kinds:
//
//	Markdown         "## Steps"
//	report           the names of its parts, such as "Steps to reproduce"
//	plain            lines of a few words, each above a paragraph, as in a copied web page;
//	                 then the introducing line must end in a colon
//
// It stands under an introducing line and takes the rest of the turn; or, in Markdown, it begins
// the turn and stands above a request:
//
//	What do you think of this?          # Style guide    ┐
//	# Design         ┐                  ## Names         │ the document
//	## Storage       │ the document     …                ┘
//	…                ┘
//	                                    Correct the spelling, please.
//
// A document has at least 1,200 bytes. It needs three headings of Markdown or of a report, or
// four plain ones, since people also write short lines above paragraphs.
func document(text string, from int) Span {
	const long = 1200
	if len(text)-from < long {
		return Span{}
	}
	marked, report, plain := headings{least: 3}, headings{least: 3}, headings{least: 4}
	for at := from; at < len(text); {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		line := text[at : at+n]
		if reports(line) {
			report.add(at)
		}
		if line != "" && line[0] == '#' && heading(line) {
			marked.add(at)
		} else if titles(line, text[at+n+1:]) {
			plain.add(at)
		}
		at += n + 1
	}
	var out Span
	for _, h := range [...]headings{marked, report, plain} {
		if h.n < h.least || len(text)-h.first < long || out.End > 0 && out.Start <= h.first {
			continue
		}
		head := strings.TrimSpace(text[from:h.first])
		switch {
		case head == "" && h == marked:
			if at := request(text); at < len(text) && !adopts(text[at:]) {
				out = Span{h.first, at}
			}
		case head != "" && (h == marked || !adopts(head) && (h == report || strings.HasSuffix(head, ":"))):
			out = Span{h.first, len(text)}
		}
	}
	return out
}

// request returns the offset of the last paragraph of a turn if it is short and plain, as a
// request under a document is, or the length of the text.
func request(text string) int {
	const most = 300                                    // bytes
	end := strings.TrimRightFunc(text, unicode.IsSpace) // of any script, as of the paragraph below
	at := max(strings.LastIndex(end, "\n\n"), strings.LastIndex(end, "\n\r\n")) + 1
	if own := strings.TrimSpace(end[at:]); at == 0 || len(own) > most || strings.IndexByte("#-*+|>`<0123456789", own[0]) >= 0 {
		return len(text)
	}
	return at
}

// adopts reports whether the words above or below a document make it the person's own: "do what is
// written below".
func adopts(head string) bool {
	low := strings.ToLower(head[:min(len(head), MaxOwn)])
	for _, word := range [...]string{"below", "following", "implement", "execute", "do this", "apply", "build "} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

// headings counts the headings of one kind in a turn: how many are needed, how many there
// are, and the offset of the first.
type headings struct{ least, n, first int }

// add counts a heading at an offset.
func (h *headings) add(at int) {
	if h.n == 0 {
		h.first = at
	}
	h.n++
}

// titles reports whether a line is a plain heading: a few words that begin like a sentence,
// have no stop at their end, and are above a paragraph.
//
//	Suggested fix
//	Escape the name before it is written, as the title of the window already is. That …
func titles(line, rest string) bool {
	const (
		most      = 48 // bytes of a heading
		words     = 6
		paragraph = 80
	)
	line = strings.TrimRight(line, " \t\r")
	if len(line) < 3 || len(line) > most || !isUpper(line[0]) || !isAlnum(line[len(line)-1]) || len(strings.Fields(line)) > words {
		return false
	}
	for next := range strings.Lines(rest) {
		if next = strings.TrimSpace(next); next != "" {
			return len(next) >= paragraph && (isUpper(next[0]) || next[0] == '`') && strings.IndexByte(".:)", next[len(next)-1]) >= 0
		}
	}
	return false
}

// reports reports whether a line is only the name of a part of an advisory or a bug report.
func reports(line string) bool {
	const most = 40
	if len(line) > most {
		return false
	}
	switch strings.ToLower(strings.Trim(line, " \t\r#*:")) {
	case "description", "summary", "details", "technical details", "impact", "poc", "proof of concept", "reproduction", "steps to reproduce", "reproduction steps",
		"expected behavior", "expected behaviour", "actual behavior", "actual behaviour", "expected result", "actual result", "suggested fix", "recommended fix", "remediation", "mitigation",
		"root cause", "severity", "affected version", "affected versions", "affected code", "vulnerable code", "cvss", "cwe", "references", "attacker model", "workaround", "workarounds", "credits":
		return true
	}
	return false
}

// heading reports whether s begins with a Markdown heading.
func heading(s string) bool {
	n := 0
	for n < len(s) && n < 5 && s[n] == '#' {
		n++
	}
	return n < len(s) && s[n] == ' '
}
