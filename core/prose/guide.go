package prose

import "strings"

// unguided returns the spans without a guide for a person at a screen: steps copied from a help
// page, or how to see a bug. Nobody tells an agent to click.
//
//	Is this right?                            kept
//	Right-click the Start button.             ┐
//	Expand System Devices.                    │ a guide, from its first step to its last
//	Click Yes in the dialog.                  ┘
//
// A guide has at least five lines that begin like a step, two of them with a click.
func unguided(text string, spans []Span) []Span {
	const least, clicks = 5, 2
	steps, clicked := 0, 0
	guide := Span{Start: -1}
	for _, s := range spans {
		at := s.Start
		for line := range strings.Lines(s.In(text)) {
			if step, click := isStep(line); step {
				if steps++; click {
					clicked++
				}
				if guide.End = at + len(line); guide.Start < 0 {
					guide.Start = at
				}
			}
			at += len(line)
		}
	}
	if steps < least || clicked < clicks {
		return spans
	}
	var kept []Span
	for _, s := range spans {
		if s.Start < guide.Start {
			kept = append(kept, Span{s.Start, min(s.End, guide.Start)})
		}
		if s.End > guide.End {
			kept = append(kept, Span{max(s.Start, guide.End), s.End})
		}
	}
	return kept
}

// isStep reports whether a line begins like a step of a guide, and whether that is a click.
func isStep(line string) (step, click bool) {
	low := strings.ToLower(strings.TrimLeft(line[:min(len(line), 40)], " \t-*•0123456789.)#"))
	for _, verb := range [...]string{"click ", "click: ", "right-click", "right click", "double-click", "double click"} {
		if strings.HasPrefix(low, verb) {
			return true, true
		}
	}
	for _, verb := range [...]string{"select ", "open ", "navigate to", "go to ", "expand ", "look for ", "press ", "choose ", "scroll ", "tap ", "locate "} {
		if strings.HasPrefix(low, verb) {
			return true, false
		}
	}
	return false, false
}
