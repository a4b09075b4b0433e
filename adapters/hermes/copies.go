package hermes

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// copies tells the messages that are said from copies of them. A compaction puts
// copies of the latest messages behind its summary, a branch and the session that
// follows a compaction begin with copies of another session's.
type copies struct {
	exact  map[string]bool // by what they say, and when
	loose  map[string]bool // by what they say
	last   string          // what was said last
	moment float64         // of the message before
	over   bool            // the beginning of the session, where the copies are, has ended
}

// pause ends what is written at the beginning of a session, in seconds: what is
// copied comes without one, and a person takes longer.
const pause = 2

// What the query knows of where a message stands: within a row of messages that
// were written at one moment, faster than a person types, or at its end.
const (
	within = 1
	atEnd  = 2
)

// identity is what a message says: the calls that it makes or answers, or its words. What a call
// was given and what came of it is cut short in copies. Two messages with the same identity may be
// a message and its copy, or two that say the same: again tells by the place.
func identity(v jsondoc.Value) string {
	role := v.Get("role").Str()
	if id := v.Get("tool_call_id").Str(); id != "" {
		return role + "\x00answer\x00" + id
	}
	var ids strings.Builder
	for c := range v.Get("tool_calls").Elems() {
		ids.WriteString("\x00" + c.Get("id").Str())
	}
	if ids.Len() > 0 {
		return role + "\x00call" + ids.String()
	}
	return role + "\x00said\x00" + core.ContentID([]byte(v.Get("content").Str()+string(v.Get("content").Raw())))
}

// again reports whether a message is a copy of one that stands further up in the session.
func (c *copies) again(v jsondoc.Value) bool {
	what := identity(v)
	when := v.Get("timestamp")
	exactly := what + "\x00" + when.Str() + string(when.Raw())
	place, _ := v.Get("batch").Int()
	// The last one may be what was typed just now: it is written when the room for
	// it has been made.
	isNew := place == atEnd && v.Get("role").Is("user") && c.last != what
	again := when.Exists() && c.exact[exactly] || place >= within && c.loose[what] && !isNew
	if c.exact == nil {
		c.exact, c.loose = map[string]bool{}, map[string]bool{}
	}
	c.exact[exactly], c.loose[what] = true, true
	if place == 0 {
		c.last = what
	}
	return again
}

// of is the message of another session that a message copies, if it is
// one. What is said later may be the same by chance.
func (c *copies) of(v jsondoc.Value) string {
	now, _ := v.Get("timestamp").Float()
	c.over = c.over || c.moment > 0 && now-c.moment > pause
	c.moment = now
	if c.over {
		return ""
	}
	return v.Get("copy_of").Str()
}

// How the client begins what it says in a person's place, or in front of a person's words.
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

// isSummary reports whether a message is what a compaction put in place of
// others. Either side may say it.
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
