// Package prose separates a person's own words in a turn from pasted text and text
// injected by a tool.
//
// The turn is not rewritten. The result is spans, as byte offsets in the original text, so
// that everything found in them has a place in the transcript. Left out are fenced code,
// diffs, logs, stack traces, command output and prompts, quoted lines, file dumps, documents
// under an introducing line, elements that tools wrap around injected text, skill and memory
// files, and messages of other agents.
//
//	turn ─ lines ─┬ pasted                      (counted, not looked at again)
//	              └ own ─ tokens ─ sentences    (offsets into the turn)
//
// The work is linear in the length of the turn. Of the person's own words at most [MaxOwn]
// bytes are read.
//
// An example. Of the turn
//
//	I get this again:
//	Traceback (most recent call last):
//	  File "app.py", line 3, in <module>
//	KeyError: 'page'
//	Please use cursors instead.
//
// the person wrote the first and the last line; the three lines between are pasted.
// [Turn.Spans] has two spans, [Turn.Sentences] two sentences, and [Turn.Pasted] is the number
// of the other bytes.
//
// A line is judged in these steps; the first that applies decides:
//
//	frame      it is inside of a fence or element                      blocks.go
//	composed   an editor wrote it into the prompt                      injected.go
//	look       spoken, asking, prose, weak paste, paste or output      lines.go, output.go
//	block      a line of doubtful look continues the pasted block above it
//
// Then whole spans are judged again: sentences between lines of long output, and pasted
// reviews (foreign.go).
//
// The two possible errors are not equally bad. Foreign text that is taken for the person's
// may become a decision that was never made; a line of the person that is left out may lose
// one. In doubt, a line with words of a speaker (I, we, please) is kept.
//
// Where to find what:
//
//	turn.go, sentence.go, token.go   Turn and its parts, all as offsets
//	lines.go, output.go              the look of a line: prose, code, logs, traces, diffs
//	blocks.go, injected.go           fences, elements, documents and templates
//	foreign.go                       whole spans that somebody else wrote
//	chunk.go                         runs of letters in scripts without blanks
//	attachment.go, pointed.go        what an editor or a tool adds to a prompt
//	recall.go                        decisions that this program itself told an agent
package prose
