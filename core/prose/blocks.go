package prose

import "strings"

// projector goes through the lines of a turn and keeps those that the person wrote. All
// fields live for one turn.
type projector struct {
	text  string
	spans []Span

	// What is open at the current line.
	fence   string // the mark that closes the open fence; "" outside of fences
	element string // the tag that closes the open element; "" outside of elements
	pasting int    // lines that are pasted beyond doubt in the open block; 0 outside

	// Counters that bound the work in very long turns.
	searches int  // searches for the ends of elements, at most maxSearches
	own      int  // bytes of the spans so far
	judged   int  // lines that were judged by their look, at most maxJudged
	skipping bool // in the middle of a long turn, where lines are not judged
	unjudged int  // offset of the end of that middle; 0 if there is none
	pointed  bool // the turn describes an element that was picked in an editor's browser
}

// maxTail is how many bytes at the end of a turn are searched for the last of the person's
// words, if the turn has more than MaxOwn bytes of them. In the middle of such a turn only
// fences and elements are followed; other lines are kept without being judged, since they
// are not read later.
const maxTail = 256 << 10

// maxJudged is how many lines of a turn are judged. A turn with more lines is pasted, and the
// lines between these and the tail are not read.
const maxJudged = 1 << 16

// project returns a projector whose spans are the parts of a turn that the person wrote.
//
// A turn that a tool wrote as a whole has no spans. Lines end at \n; a \r counts as a blank.
func project(text string) projector {
	start := 0
	if at := requestAfterContext(text); at > 0 {
		start = at
	} else if isInjected(text) {
		return projector{}
	}
	p := projector{text: text}
	doc := document(text, start)
	for at := start; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += at
		}
		if at >= doc.Start && at < doc.End {
			at = doc.End
			continue
		}
		if p.skipping = (p.own > MaxOwn || p.judged > maxJudged) && end < len(text)-maxTail; p.skipping {
			p.unjudged = end
		}
		if !p.frame(at, end) {
			p.line(at, end)
		}
		at = end + 1
	}
	return p
}

// frame handles lines inside of fences and elements, and those that open or close them. It
// reports whether it handled the line.
//
// A fence or element is closed by its own mark. If it is never closed, it takes the rest of
// the turn.
func (p *projector) frame(at, end int) bool {
	if at == end {
		return p.fence != "" || p.element != ""
	}
	line := strings.TrimSpace(p.text[at:end])
	switch {
	case p.fence != "":
		if strings.HasPrefix(line, p.fence) && strings.Trim(line, "`~") == "" {
			p.fence = ""
		}
		return true
	case p.element != "":
		if i := strings.Index(p.text[at:end], p.element); i >= 0 {
			after := at + i + len(p.element)
			p.element = ""
			p.line(after, end)
		}
		return true
	case strings.HasPrefix(line, "```") && !strings.Contains(line[3:], "```") || strings.HasPrefix(line, "~~~"):
		p.fence = line[:3]
		return true
	}
	return p.recalled(at, end) || p.points(at, end) || p.opens(at, end)
}

// opens handles a line that opens an element with injected or pasted text. It reports whether
// it handled the line.
//
// Text before and after the element on the same line is judged as separate lines.
func (p *projector) opens(at, end int) bool {
	taken := false
	for from := at; from < end; {
		i := strings.IndexByte(p.text[from:end], '<')
		if i < 0 {
			break
		}
		i += from
		name := elementName(p.text[i:end])
		if name == "" || !isWrapper(name) && !p.wraps(name, at, i, end) {
			from = i + 1
			continue
		}
		taken = true
		p.line(at, i)
		shut := "</" + name + ">"
		k := strings.Index(p.text[i:end], shut)
		if k < 0 {
			p.element = shut
			return true
		}
		at = i + k + len(shut)
		from = at
	}
	if taken {
		p.line(at, end)
	}
	return taken
}

// Limits of the search for the end of an element that is not a known wrapper. Without them a
// turn of many "<" would take quadratic time.
const (
	maxSearches = 64       // searches in one turn
	maxElement  = 32 << 10 // bytes from the beginning of the element to its end
)

// wraps reports whether an element of any name is alone at the beginning of its line and is
// closed on a later line.
func (p *projector) wraps(name string, at, i, end int) bool {
	if strings.TrimSpace(p.text[at:i]) != "" || p.searches >= maxSearches || strings.Contains(p.text[i:end], "</"+name) {
		return false
	}
	p.searches++
	return strings.Contains(p.text[end:min(len(p.text), end+maxElement)], "</"+name+">")
}

// elementName returns the name of the element that s begins with, or "".
func elementName(s string) string {
	n := 1
	for n < len(s) && n < 48 && (isAlnum(s[n]) || s[n] == '-' || s[n] == '_') {
		n++
	}
	if n < 3 || n >= len(s) || s[n] != '>' && s[n] != ' ' {
		return ""
	}
	return s[1:n]
}

// isWrapper reports whether tools wrap elements of this name around injected text.
// Evidence: Claude Code 1.0-2.1, Codex 0.47-0.169, Gemini 0.11-0.61, OpenCode
// 0.5-1.18, Cursor and Windsurf exports, all recorded or seen in the wild.
//
// An element of another name is a wrapper only if [projector.wraps] says so.
func isWrapper(name string) bool {
	switch name {
	case "system-reminder", "system_reminder", "command-name", "command-message", "command-args", "command-contents",
		"local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-input", "bash-stdout", "bash-stderr",
		"environment_context", "environment_details", "user_instructions", "INSTRUCTIONS", "permissions", "turn_aborted", "collaboration_mode",
		"task-notification", "teammate-message", "agent-message", "ide_opened_file", "ide_selection", "ide_diagnostics",
		"ide-opened-file", "ide-selection", "post-tool-use-hook", "user-prompt-submit-hook", "session-start-hook", "skill",
		"attached_files", "additional_data", "open_and_recently_viewed_files", "user_info", "rules", "system", "tool_result",
		"function_results", "file", "file_content", "files", "document", "documents", "log", "logs", "stacktrace", "diff", "output",
		"session_context", "reminder", "context", "untrusted_context", "pasted-content", "retrieval_status":
		return true
	}
	return false
}

// line judges a line, or the rest of one, and keeps it or counts it as pasted. The result
// depends on p.pasting and on the look of the line:
//
//	pasting  the line            result
//	0        paste, output       a block begins
//	0        weak                a block begins if the next line is weak or more
//	0        any other           kept
//	> 0      weak or more        the block continues
//	> 1      prose               the block continues
//	≥ 6      asking              the block continues
//	any      blank               a block of fewer than 6 lines ends
//	any      spoken              the block ends, the line is kept
func (p *projector) line(at, end int) {
	if p.skipping {
		if p.own > MaxOwn {
			p.pasting = 0
			p.keep(at, end)
		}
		return
	}
	p.judged++
	line := p.text[at:end]
	if n := planHead(line); n > 0 {
		p.pasting = 0
		p.keep(at, at+n)
		return
	}
	kind := kindOf(line)
	if kind != blankLine && kind != output && p.head(at, line) {
		return
	}
	if kind == blankLine {
		if p.pasting < 6 {
			p.pasting = 0
		}
		return
	}
	if p.pasting > 0 {
		switch {
		case kind >= weakPaste:
			p.pasting++
			return
		case kind == proseLine && (p.pasting > 1 || line[0] == ' ' || line[0] == '\t'),
			kind == askingLine && p.pasting >= 6,
			p.pasting > 12 && line[0] == ' ':
			return // continues with the block
		}
		p.pasting = 0
	}
	if kind >= paste || kind == weakPaste && p.followedByPaste(end) {
		p.pasting = 1
		return
	}
	p.keep(at, end)
}

// head keeps the beginning of a line that ends in output. It reports whether there is one.
func (p *projector) head(at int, line string) bool {
	cut := tail(line)
	if cut == len(line) {
		return false
	}
	if k := kindOf(line[:cut]); k == blankLine || k >= weakPaste {
		return false
	}
	p.keep(at, at+cut)
	p.pasting = 1
	return true
}

// followedByPaste reports whether the line after an offset is pasted beyond doubt.
func (p *projector) followedByPaste(end int) bool {
	if end+1 >= len(p.text) {
		return false
	}
	next := p.text[end+1:]
	if n := strings.IndexByte(next, '\n'); n >= 0 {
		next = next[:n]
	}
	return kindOf(next) >= weakPaste
}

// keep adds a line to the spans. If the line above is kept too, both are in one span.
//
// No span begins or ends with a blank.
func (p *projector) keep(at, end int) {
	for at < end && isBlank(p.text[at]) {
		at++
	}
	for end > at && isBlank(p.text[end-1]) {
		end--
	}
	if at >= end {
		return
	}
	if n := len(p.spans); n > 0 && strings.TrimSpace(p.text[p.spans[n-1].End:at]) == "" {
		p.own += end - p.spans[n-1].End
		p.spans[n-1].End = end
		return
	}
	p.own += end - at
	p.spans = append(p.spans, Span{at, end})
}

// tail returns the length of the person's words in a line that ends in output: in "I got
// this: [12:00:01] GET /" they end before the bracket. It returns 0 for other lines.
func tail(line string) int {
	const most = 4 << 10 // bytes; output begins before
	if len(line) < 24 || strings.IndexByte(line, ':') < 0 && !strings.ContainsAny(line, "[{") {
		return len(line)
	}
	colon := strings.Contains(line, ": ")
	for i := 0; i+8 < min(len(line), most); i++ {
		if line[i] != ' ' && line[i] != ':' {
			continue
		}
		if beginsOutput(line[i+1:], colon) {
			return i + 1
		}
	}
	return len(line)
}

// beginsOutput reports whether the rest of a line is output: a log line, a trace, a message of
// a compiler, a value. After a colon less evidence is needed.
func beginsOutput(rest string, colon bool) bool {
	switch {
	case rest[0] == '[' && len(rest) > 40 && logStart(rest) > 0, isDigit(rest[0]) && moment(rest) >= 16:
		return true
	case strings.HasPrefix(rest, "Traceback (most"), strings.HasPrefix(rest, "goroutine "), colon && isPlace(rest):
		return true
	}
	return (rest[0] == '{' || rest[0] == '[') && len(rest) > 80 && isData(rest)
}

// isData reports whether a text that begins with a bracket is a pasted value.
func isData(s string) bool {
	m := measure(s[:min(len(s), 200)])
	return m.symbols*8 > min(len(s), 200) || strings.Count(s[:min(len(s), 200)], "':")+strings.Count(s[:min(len(s), 200)], "\":") > 2
}
