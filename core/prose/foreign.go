package prose

import "strings"

// own takes out what looks like prose but is somebody else's: what stands in
// the midst of long output, and reviews that were pasted to be talked about.
func own(text string, spans []Span) []Span {
	if len(spans) == 0 {
		return spans
	}
	return unreviewed(text, outsideOutput(text, spans))
}

// longOutput is from how many pasted lines on a turn is mostly output, in which
// sentences that are not speech belong to it.
const longOutput = 12

// outsideOutput takes the sentences out that stand between lines of long output,
// unless somebody speaks in them. Fenced code is what people write around.
//
// It is asked only where at least 12 lines were pasted. What stands directly before or
// behind a fence, and a last paragraph, is kept.
func outsideOutput(text string, spans []Span) []Span {
	if len(spans) < 2 || pastedLines(text, spans) < longOutput {
		return spans
	}
	kept := spans[:1]
	for i, s := range spans[1:] {
		before := text[spans[i].End:s.Start]
		last := i+2 == len(spans)
		after := text[s.End:]
		if !last {
			after = text[s.End:spans[i+2].Start]
		}
		ends := last && strings.TrimSpace(after) == ""
		if spokenIn(s.In(text)) || isFenced(before) || !ends && isFenced(after) || ends && endsParagraph(before) {
			kept = append(kept, s)
		}
	}
	return kept
}

// pastedLines counts the lines between spans.
func pastedLines(text string, spans []Span) int {
	n := 0
	for i, s := range spans[1:] {
		n += strings.Count(text[spans[i].End:s.Start], "\n")
	}
	return n + strings.Count(text[spans[len(spans)-1].End:], "\n")
}

// isFenced reports whether pasted text was set off by whoever pasted it.
func isFenced(s string) bool {
	return strings.Contains(s, "```") || strings.Contains(s, "~~~") || strings.Contains(s, "</")
}

// endsParagraph reports whether an empty line stands at the end of a text.
func endsParagraph(s string) bool {
	tail := s[len(strings.TrimRight(s, " \t\r\n")):]
	return strings.Count(tail, "\n") >= 2
}

// spokenIn reports whether a line of the text is one that somebody speaks.
func spokenIn(s string) bool {
	for line := range strings.Lines(s) {
		if k := kindOf(line); k == spokenLine || k == askingLine && strings.HasSuffix(strings.TrimSpace(line), "?") {
			return true
		}
	}
	return false
}

// unreviewed takes pasted reviews out: all in front of a last paragraph that
// talks of them, and all behind a line that introduces them, but for a last
// paragraph that is spoken.
//
// Two forms are known: a review with a last paragraph that talks of it ("fix these
// findings"), and a line that introduces it ("CodeRabbit says:") with the review behind
// it.
func unreviewed(text string, spans []Span) []Span {
	const least = 120 // bytes of a review
	first, last := spans[0], spans[len(spans)-1]
	at := lastParagraph(text, last)
	if (at > last.Start || len(spans) > 1) && at-first.Start >= least && remarks(text[at:last.End]) {
		return []Span{{at, last.End}}
	}
	head := introduces(text[first.Start:first.End])
	if head == 0 || last.End-first.Start-head < least {
		return spans
	}
	kept := []Span{{first.Start, first.Start + head}}
	if at > first.Start+head && spokenIn(text[at:last.End]) {
		kept = append(kept, Span{at, last.End})
	}
	return kept
}

// lastParagraph returns where the last paragraph of a span begins.
func lastParagraph(text string, s Span) int {
	at := s.End
	for at > s.Start {
		nl := strings.LastIndexByte(text[s.Start:at], '\n')
		if nl < 0 {
			return s.Start
		}
		at = s.Start + nl
		line := strings.TrimRight(text[s.Start:at], " \t\r")
		if line == "" || line[len(line)-1] == '\n' {
			at++
			break
		}
	}
	for at < s.End && isBlank(text[at]) || at < s.End && text[at] == '\n' {
		at++
	}
	return at
}

// remarks reports whether a paragraph talks of a review that stands before it.
func remarks(s string) bool {
	const most = 600
	if len(s) > most {
		return false
	}
	low := strings.ToLower(s)
	for _, thing := range [...]string{"finding", "feedback", "review comment"} {
		if at := strings.Index(low, thing); at >= 0 && nearThis(low[:at]) {
			return true
		}
	}
	return strings.Contains(low, "this review") && !strings.Contains(low, "this reviewed")
}

// nearThis reports whether the last words of a text point at something.
func nearThis(head string) bool {
	words := strings.Fields(head)
	for _, w := range words[max(0, len(words)-4):] {
		if w == "this" || w == "these" {
			return true
		}
	}
	return false
}

// introduces returns how much of a turn's first line introduces a review that
// follows, or 0.
func introduces(s string) int {
	line := s
	if nl := strings.IndexByte(line, '\n'); nl >= 0 {
		line = line[:nl]
	}
	if isReviewPrompt(line) {
		return len("In")
	}
	const most = 90
	head := line
	if colon := strings.Index(line, ": "); colon >= 0 {
		head = line[:colon+1]
	}
	if len(head) > most || !strings.HasSuffix(head, ":") {
		return 0
	}
	low := strings.ToLower(head)
	for _, thing := range [...]string{
		"review feedback", "pr feedback", "reviewer", "code review", "review comment", "coderabbit", "code rabbit", "bugbot",
		"pr comment", "this feedback", "this review", "this comment", "got feedback",
	} {
		if strings.Contains(low, thing) {
			return len(head)
		}
	}
	return 0
}

// isReviewPrompt recognises the instruction that a review tool writes for
// agents: "In src/a.ts around lines 7 to 9, ...". Evidence: seen in the wild.
func isReviewPrompt(line string) bool {
	return strings.HasPrefix(line, "In ") && strings.Contains(line[:min(len(line), 160)], " around line")
}
