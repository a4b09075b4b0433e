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
//
// An example. Of the turn
//
//	I get this again:
//	Traceback (most recent call last):
//	  File "app.py", line 3, in <module>
//	KeyError: 'page'
//	Please use cursors instead.
//
// the first and the last line are the person's; the three between are pasted.
// [Turn.Spans] has two spans, [Turn.Sentences] two sentences, and [Turn.Pasted] counts
// the rest.
//
// How a line is judged. In this order: the frame that it stands in (a fence, an
// element), a composed prompt of an editor, its own look ([kindOf] in lines.go: spoken,
// asking, prose, weak paste, paste, output), and the pasted block above it, which a
// weak line continues. Then whole spans are looked at again: sentences in the midst of
// long output, and pasted reviews (foreign.go).
//
// Two errors are possible, and they do not weigh the same. Text of others that is taken
// for the person's may become a decision that was never made; a person's line that is left out
// loses one. Where it is doubtful, a line with words of a speaker (I, we, please) is
// kept.
package prose
