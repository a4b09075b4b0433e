package hermes

import (
	"slices"
	"strings"
)

// How the client begins what it says in a person's place, or in front of a
// person's words.
const (
	summaryMark   = "[CONTEXT COMPACTION"
	summaryOfOld  = "[CONTEXT SUMMARY]:"
	mergedMark    = "[PRIOR CONTEXT "
	mergedSummary = "[END OF PRIOR CONTEXT "
	skillMark     = "The user has invoked the "
	skillWords    = "instruction alongside the skill invocation: "
	skillNote     = "\n\n[Runtime note: "
	imageMark     = "[The user attached an image"
	imagePath     = "vision_analyze"
	attached      = "\n\n--- Attached Context ---\n\n"
	warned        = "\n\n--- Context Warnings ---\n"
)

// isSummary reports whether a message is what a compaction put in the place of
// others. It stands in the mouth of either side.
func isSummary(text string) bool {
	return strings.HasPrefix(text, summaryMark) || strings.HasPrefix(text, summaryOfOld) ||
		strings.HasPrefix(text, mergedMark) && strings.Contains(text, mergedSummary)
}

// isPutThere reports whether no person typed a user's message, nor any of it.
func isPutThere(text string) bool {
	return slices.ContainsFunc([]string{
		"[System: ", "[IMPORTANT: ", "[SYSTEM: ", "[Your active task list was preserved across context compression]",
		"Continue from the compressed conversation context above.", "You just executed tool calls but returned an empty response.",
		"Review the conversation above and ",
	}, func(mark string) bool { return strings.HasPrefix(text, mark) })
}

// typed finds what of a user's message a person typed, if the client put more
// there: the text of a skill, what is seen in a picture, the files that were
// referred to. It reports false if the message is the person's as it is.
func typed(text string) (string, bool) {
	begin, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(begin, "[") && strings.Contains(begin, skillMark):
		_, rest, _ := strings.Cut(text, skillWords)
		rest, _, _ = strings.Cut(rest, skillNote)
		return strings.TrimSpace(rest), true
	case strings.HasPrefix(text, imageMark):
		_, rest, _ := strings.Cut(text[strings.LastIndex(text, imagePath)+1:], "]\n\n")
		return rest, true
	case isPutThere(text):
		return "", true
	}
	for _, mark := range []string{warned, attached} {
		if before, _, ok := strings.Cut(text, mark); ok {
			return before, true
		}
	}
	return text, false
}
