// Package prose separates a person's own words in a turn from pasted text and text
// injected by a tool.
//
// A turn is projected, not rewritten: the result is spans of byte offsets into
// the original text, so that whatever is found in them can be shown where it
// stands. Left out are fenced code, diffs, logs, stack traces, command output
// and prompts, quoted lines, file dumps, whole documents under an introducing
// line, elements that tools wrap around what they inject, skill and memory
// files, and other agents' messages.
//
//	turn ─ lines ─┬ pasted                      (counted, not looked at again)
//	              └ own ─ tokens ─ sentences    (offsets into the turn)
//
// The work is linear in the length of the turn, and what is read of the
// person's own words is capped at [MaxOwn].
package prose
