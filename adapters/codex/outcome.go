package codex

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// outcome is what the answer to a call says about its success. Rollouts do not
// record the flag itself; it shows in the words only.
type outcome struct {
	ok       bool
	stated   bool // a success is stated, not only not denied
	running  bool // the command continues
	rejected bool // the person declined
}

const (
	frontLen = 600
	tailLen  = 300
)

// outcome judges the answer to a call: a string, a list of parts, or an object
// with "content" and "success" (wild).
func (p *parser) outcome(v jsondoc.Value) outcome {
	switch v.Kind() {
	case jsondoc.Array:
		return p.outcomeOfParts(v)
	case jsondoc.Object:
		if s := v.Get("success"); s.Kind() == jsondoc.Bool {
			return outcome{ok: s.Bool(), stated: s.Bool()}
		}
		if code, ok := v.Path("metadata", "exit_code").Int(); ok {
			return outcome{ok: code == 0, stated: code == 0}
		}
		return p.outcomeOf(v.Get("content").Body())
	case jsondoc.String:
		return p.outcomeOf(v.Body())
	default:
		return outcome{ok: true}
	}
}

// outcomeOfParts judges an answer by its first text. In code mode that says how
// the script ended, and the texts after it what the script printed: the answer
// to what it called, where models do no more than that (0.169, recorded).
func (p *parser) outcomeOfParts(v jsondoc.Value) outcome {
	o, first := outcome{ok: true}, true
	for part := range v.Elems() {
		t := part.Get("text")
		if t.Kind() != jsondoc.String {
			continue
		}
		if first {
			o, first = p.outcomeOf(t.Body()), false
			continue
		}
		if p.printsFailure(t) {
			o.ok, o.stated = false, false
		}
	}
	return o
}

// printsFailure reports whether what a script printed is the answer to a command that
// failed, or that of a server to a call that did (0.169, recorded).
func (p *parser) printsFailure(t jsondoc.Value) bool {
	head := p.head(t)
	if strings.HasPrefix(head, `{"chunk_id":`) {
		code, ok := p.nested(t).Get("exit_code").Int()
		return ok && code != 0
	}
	return strings.HasPrefix(head, `{"content":[`) && p.nested(t).Get("isError").Bool()
}

// outcomeOf judges the beginning of an answer, and the end of one that is a
// JSON document with metadata.
func (p *parser) outcomeOf(body []byte) outcome {
	body = behindCommand(body, `\n`)
	p.buf = jsondoc.Unquote(p.buf[:0], body[:min(len(body), frontLen)])
	front := p.buf
	if bytes.HasPrefix(front, []byte("{")) {
		p.buf = jsondoc.Unquote(p.buf, body[max(len(body)-tailLen, 0):])
		return outcomeOfJSON(p.buf)
	}
	if code, ok := exitCode(front); ok {
		return outcome{ok: code == "0", stated: code == "0"}
	}
	if bytes.HasPrefix(behindFrames(front), []byte(`{"output":`)) {
		p.buf = jsondoc.Unquote(p.buf, body[max(len(body)-tailLen, 0):])
		return outcomeOfJSON(p.buf)
	}
	switch {
	case bytes.HasPrefix(front, []byte(`[{"type":"text","text":"tool call error: `)): // a server that is gone (0.114, recorded)
		return outcome{}
	case bytes.Contains(front, []byte("Process running with session ID")),
		bytes.HasPrefix(front, []byte("Script running")):
		return outcome{ok: true, running: true}
	case bytes.HasPrefix(front, []byte("Script completed")), bytes.HasPrefix(front, []byte("Success. ")):
		return outcome{ok: true, stated: true}
	}
	return outcome{ok: !isFailure(front), rejected: isRejection(front)}
}

// outcomeOfJSON judges {"output":…,"metadata":{"exit_code":0,…}} by its end
// (0.34 to 0.105, wild and recorded). Other documents say nothing.
func outcomeOfJSON(tail []byte) outcome {
	const mark = `"metadata":{"exit_code":`
	at := bytes.LastIndex(tail, []byte(mark))
	if at < 0 {
		return outcome{ok: true}
	}
	code := number(tail[at+len(mark):])
	return outcome{ok: code == "0", stated: code == "0"}
}

// exitCode finds the exit code that an answer states in its first lines:
//
//	Exit code: 0                      shell, apply_patch
//	Process exited with code 0        exec_command
//
// behind lines about time and size, and in one case behind a frame of its own
// (0.169, recorded: apply_patch run by exec_command).
func exitCode(front []byte) (code string, ok bool) {
	rest := front
	for range 8 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		for _, head := range [...]string{"Exit code: ", "Process exited with code "} {
			if tail, found := bytes.CutPrefix(line, []byte(head)); found {
				return number(tail), true
			}
		}
		if !isFrame(line) {
			return "", false
		}
		rest = after
	}
	return "", false
}

// behindFrames leaves out the lines before the output of a command: behind them
// stands a document where exec_command has itself applied a patch (0.123, recorded).
func behindFrames(front []byte) []byte {
	for range 8 {
		line, after, _ := bytes.Cut(front, []byte("\n"))
		if !isFrame(line) {
			break
		}
		front = after
	}
	return front
}

// isFrame reports whether a line stands before the output of a command.
func isFrame(line []byte) bool {
	for _, head := range [...]string{
		"Chunk ID: ", "Wall time", "Original token count: ", "Total output lines: ", "Output:",
	} {
		if bytes.HasPrefix(line, []byte(head)) {
			return true
		}
	}
	return false
}

// behindCommand leaves out of an answer the command that it answers, which
// stands at its head in some versions (0.117, recorded) and may have several
// lines.
func behindCommand(answer []byte, lineEnd string) []byte {
	if !bytes.HasPrefix(answer, []byte("Command: ")) {
		return answer
	}
	for _, next := range [...]string{"Chunk ID: ", "Wall time: "} {
		if at := bytes.Index(answer, []byte(lineEnd+next)); at >= 0 {
			return answer[at+len(lineEnd):]
		}
	}
	return answer
}

// number is the number at the start of b.
func number(b []byte) string {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || n == 0 && b[n] == '-') {
		n++
	}
	return string(b[:n])
}

// isFailure recognises the words in which the tool itself says that a call came
// to nothing. Evidence: recorded (0.47 to 0.169), wild (0.34), and source.
func isFailure(front []byte) bool {
	s := string(front[:min(len(front), 200)])
	if rest, ok := strings.CutPrefix(s, "Wall time"); ok {
		if _, after, found := strings.Cut(rest, "\n"); found {
			s = strings.TrimPrefix(after, "Output:\n")
		}
	}
	for _, head := range [...]string{
		"apply_patch verification failed", "patch rejected", "exec_command failed", "failed in sandbox",
		"execution error", "error:", "Error:", "err: ", "unsupported ", "failed to ", "Failed to ", "aborted",
		"Script failed", "Script error", "Script terminated", "sandbox denied", "command timed out",
		"exec command rejected", "exec rejected", "rejected by user", "tool call error", "write_stdin failed",
		"Invalid patch", "invalid patch", "tool call failed", "user cancelled", "request_user_input was cancelled",
		"request_user_input is unavailable", "unable to locate image",
	} {
		if strings.HasPrefix(s, head) {
			return true
		}
	}
	return false
}

// isRejection reports whether a person declined. "rejected by user approval
// settings" is no person's word, but a setting's (0.105, recorded).
func isRejection(front []byte) bool {
	at := bytes.Index(front, []byte("rejected by user"))
	return at >= 0 && !bytes.HasPrefix(front[at:], []byte("rejected by user approval settings"))
}
