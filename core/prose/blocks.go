package prose

import "strings"

// projector walks the lines of a turn and keeps those that are the person's.
type projector struct {
	text  string
	spans []Span

	// Where the walk is: what is open, and the length of the pasted block.
	fence   string // what closes the open fence; "" outside
	element string // what closes the open element; "" outside
	pasting int    // strong paste lines of the block that is open

	// Counters that bound the work and end the judging of very long turns.
	searches int  // for the ends of elements
	own      int  // bytes of the spans
	judged   int  // lines that were judged by what they look like
	skipping bool // no line is judged: this is the middle of a long turn
	unjudged int  // where that middle ends; 0 if there is none
	pointed  bool // the turn has an element that an editor's picker describes
}

// maxTail is how much of the end of a turn that has more than MaxOwn bytes of a person's own
// words is looked through for the last of them. In its middle only fences and elements
// are followed, and everything else is kept unjudged: nothing of it will be read.
const maxTail = 256 << 10

// maxJudged is how many lines of a turn are judged. What has more is pasted, and what
// stands between them and the tail is not read.
const maxJudged = 1 << 16

// project finds the parts of a turn that the person wrote.
//
// A turn that is a tool's as a whole gives no spans. Lines end at \n; a \r is blank.
func project(text string) projector {
	start := 0
	if at := requestAfterContext(text); at > 0 {
		start = at
	} else if isInjected(text) {
		return projector{}
	}
	p := projector{text: text}
	document := documentStart(text, start)
	for at := start; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += at
		}
		if at >= document && document >= 0 {
			break
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

// frame handles lines inside or at the edge of fences and elements. It reports
// whether it took the line.
//
// Fences and elements have to be closed by the same mark; one that is never closed
// takes the rest of the turn.
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

// opens handles a line that opens an element which tools or people put around
// what is not their own. It reports whether it took the line.
//
// Text before the element and behind it on the same line is judged as lines of its own.
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

// How often, and how far, a turn is searched for the end of an element that is
// not known to be a wrapper.
const (
	maxSearches = 64
	maxElement  = 32 << 10
)

// wraps reports whether an element of any name stands alone at the beginning of
// its line and is closed on a later one.
func (p *projector) wraps(name string, at, i, end int) bool {
	if strings.TrimSpace(p.text[at:i]) != "" || p.searches >= maxSearches || strings.Contains(p.text[i:end], "</"+name) {
		return false
	}
	p.searches++
	return strings.Contains(p.text[end:min(len(p.text), end+maxElement)], "</"+name+">")
}

// elementName returns the name of the element that s opens, or "".
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

// isWrapper recognises the elements that tools wrap around what they inject.
// Evidence: Claude Code 1.0-2.1, Codex 0.47-0.169, Gemini 0.11-0.61, OpenCode
// 0.5-1.18, Cursor and Windsurf exports, all recorded or seen in the wild.
//
// Other names are wrappers only if the element is alone on its line and is closed
// within 32 KiB (wraps); at most 64 such searches are made in a turn.
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

// line judges one line, or what is left of it, and keeps it or counts it as pasted.
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

// head keeps the beginning of a line in whose midst output begins. It reports
// whether it did.
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

// followedByPaste reports whether the next line is pasted beyond doubt.
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

// keep adds a line to the spans, joined to the line above if that is kept too.
//
// Blanks around the line are left out, so no span begins or ends with one.
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

// tail returns how much of a line is the person's when output begins in its midst:
// "I got this: [12:00:01] GET /" ends before the bracket.
func tail(line string) int {
	const most = 4 << 10 // where nothing began by then, nothing will
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

// beginsOutput reports whether a line's rest is output: a log line, a trace, a
// compiler's message, a value.
func beginsOutput(rest string, colon bool) bool {
	switch {
	case rest[0] == '[' && len(rest) > 40 && logStart(rest) > 0, isDigit(rest[0]) && moment(rest) >= 16:
		return true
	case strings.HasPrefix(rest, "Traceback (most"), strings.HasPrefix(rest, "goroutine "), colon && isPlace(rest):
		return true
	}
	return (rest[0] == '{' || rest[0] == '[') && len(rest) > 80 && isData(rest)
}

// isData reports whether what begins with a bracket is a pasted value.
func isData(s string) bool {
	m := measure(s[:min(len(s), 200)])
	return m.symbols*8 > min(len(s), 200) || strings.Count(s[:min(len(s), 200)], "':")+strings.Count(s[:min(len(s), 200)], "\":") > 2
}
