package prose

import "strings"

// own returns the spans without prose that others wrote: sentences between lines of long
// output, pasted reviews and guides.
func own(text string, spans []Span) []Span {
	if len(spans) == 0 {
		return spans
	}
	return unguided(text, unreviewed(text, outsideOutput(text, spans)))
}

// longOutput is the number of pasted lines from which on a turn is mostly output. Sentences
// in it belong to the output unless a person speaks in them.
const longOutput = 12

// outsideOutput returns the spans without sentences between lines of long output, unless a
// person speaks in them.
//
// It changes nothing unless at least longOutput lines were pasted. Text directly before or
// after a fence is kept, since people write around fenced code, and so is a last paragraph.
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

// pastedLines returns the number of lines outside of the spans.
func pastedLines(text string, spans []Span) int {
	n := 0
	for i, s := range spans[1:] {
		n += strings.Count(text[spans[i].End:s.Start], "\n")
	}
	return n + strings.Count(text[spans[len(spans)-1].End:], "\n")
}

// isFenced reports whether pasted text is in a fence, so that the person has set it off.
func isFenced(s string) bool {
	return strings.Contains(s, "```") || strings.Contains(s, "~~~") || strings.Contains(s, "</")
}

// endsParagraph reports whether a text ends with an empty line.
func endsParagraph(s string) bool {
	tail := s[len(strings.TrimRight(s, " \t\r\n")):]
	return strings.Count(tail, "\n") >= 2
}

// spokenIn reports whether a person speaks in any line of a text: it has words such as "I" or
// "please".
func spokenIn(s string) bool {
	for line := range strings.Lines(s) {
		if k := kindOf(line); k == spokenLine || k == askingLine && strings.HasSuffix(strings.TrimSpace(line), "?") {
			return true
		}
	}
	return false
}

// unreviewed returns the spans without a pasted review.
//
// Two forms are known. The review ends in a last paragraph that refers to it ("fix these
// findings"): everything before that paragraph is left out. Or a line introduces it
// ("CodeRabbit says:"): everything after that line is left out, except a last paragraph in
// which a person speaks.
func unreviewed(text string, spans []Span) []Span {
	const least = 120 // bytes; a shorter text is no review
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

// lastParagraph returns the offset of the last paragraph of a span.
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

// remarks reports whether a paragraph refers to a review before it.
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

// nearThis reports whether a text ends with a word that points, such as "this" or "these".
func nearThis(head string) bool {
	words := strings.Fields(head)
	for _, w := range words[max(0, len(words)-4):] {
		if w == "this" || w == "these" {
			return true
		}
	}
	return false
}

// introduces returns the length of the words in a turn's first line that introduce a review,
// or 0.
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

// isReviewPrompt reports whether a line is an instruction that a review tool writes for
// agents: "In src/a.ts around lines 7 to 9, ...". Evidence: seen in the wild.
func isReviewPrompt(line string) bool {
	return strings.HasPrefix(line, "In ") && strings.Contains(line[:min(len(line), 160)], " around line")
}
